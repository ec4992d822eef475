"""Apps of others: codes and tokens, what they may do, and every way in which they end."""

from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken

from games import tasks
from games.core.accounts.adapter import AccountAdapter
from games.core.accounts.services import (
    appoint_staff,
    close_account,
    revoke_tokens,
    revoke_tokens_of_password,
)
from games.core.broker import clear
from games.core.oauth.services import delete_app, disable_app, revoke_app
from games.models import Account, App, JournalLine
from tests.events import make_event
from tests.games.core.oauth import Program, make_program
from tests.people import Person, add_second_factor, make_person, problem_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
READ = "tournament:read result:write"


@pytest.fixture(autouse=True)
def no_limits(db: None) -> None:
    clear()


@pytest.fixture
def author(db: None) -> Person:
    return make_person("Author")


@pytest.fixture
def program(author: Person) -> Program:
    return make_program(author)


def as_app(person: Person, tokens: dict[str, Any]) -> Person:
    return Person(person.name, person.account, None, tokens["access_token"])


def error_in(answer: Any, status: int = 400) -> str:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/json"
    assert answer["Cache-Control"] == "private, no-store"
    error: str = answer.json()["error"]
    return error


def kinds() -> list[str]:
    lines = JournalLine.objects.filter(stream="site", kind__startswith="app.")
    return [line.kind for line in lines.order_by("sequence")]


def test_an_app_acts_for_the_account_that_has_allowed_it(program: Program, ada: Person) -> None:
    tokens = program.tokens(ada.account, READ)

    assert tokens.keys() == {"access_token", "refresh_token", "expires_in", "token_type", "scope"}
    assert (tokens["expires_in"], tokens["token_type"]) == (3600, "Bearer")
    assert tokens["access_token"].startswith("peri_app_")
    me = as_app(ada, tokens).get("me").json()
    assert "email" not in me
    assert (me["id"], me["scopes"]) == (ada.account.pk, ["tournament:read", "result:write"])
    assert kinds() == ["app.registered", "app.allowed"]


def test_nothing_that_logs_in_is_stored(program: Program, ada: Person) -> None:
    tokens = program.tokens(ada.account, READ)

    assert not AccessToken.objects.exclude(token="").exists()
    assert not RefreshToken.objects.exclude(token="").exists()
    assert not Grant.objects.exists()
    server = make_program(ada, "server", name="Server")
    stored = App.objects.get(pk=server.app.pk).client_secret
    assert server.secret
    assert server.secret not in stored
    assert tokens["access_token"] not in str(AccessToken.objects.values())


def test_a_wrong_secret_in_the_header_is_challenged_by_its_scheme(author: Person) -> None:
    server = make_program(author, "server")
    answer = Client().post(
        "/oauth/token",
        {"grant_type": "refresh_token", "refresh_token": "x", "token": "x"},
        headers={"Authorization": basic_auth(server.app.client_id, "wrong")},
    )

    assert error_in(answer, 401) == "invalid_client"
    assert answer.headers["WWW-Authenticate"] == 'Basic realm="Perihelion"'


def basic_auth(name: str, secret: str) -> str:
    return f"Basic {b64encode(f'{name}:{secret}'.encode()).decode()}"


@pytest.mark.parametrize(
    "changed", [{"code_verifier": "x" * 43}, {"redirect_uri": "https://app.example/other"}]
)
def test_a_wrong_exchange_gives_no_token_and_leaves_the_code(
    program: Program, ada: Person, changed: dict[str, str]
) -> None:
    code = program.code(ada.account, READ)
    assert program.exchange(code, **changed).status_code == 400
    assert program.exchange(code).status_code == 200


@pytest.mark.parametrize(
    "send",
    [
        lambda client: client.post("/oauth/token?grant_type=refresh_token"),
        lambda client: client.post("/oauth/token", {"client_id": ["a", "b"]}),
        lambda client: client.post("/oauth/token", b"\xff=%zz", content_type=FORM),
        lambda client: client.post("/oauth/token", headers={"Authorization": "Basic é"}),
    ],
)
def test_what_cannot_be_read_is_refused(send: Any) -> None:
    answer = send(Client())

    assert 400 <= answer.status_code <= 401
    assert answer.json()["error"] in (
        "invalid_request", "invalid_client", "unsupported_grant_type",
    )  # fmt: skip


FORM = "application/x-www-form-urlencoded"


def test_a_code_that_is_used_again_revokes_its_tokens(program: Program, ada: Person) -> None:
    code = program.code(ada.account, READ)
    first = program.exchange(code).json()
    renewed = program.renew(first["refresh_token"]).json()
    assert as_app(ada, renewed).get("me").status_code == 200

    assert error_in(program.exchange(code)) == "invalid_grant"

    assert as_app(ada, renewed).get("me").status_code == 401
    assert error_in(program.renew(renewed["refresh_token"])) == "invalid_grant"


def test_a_code_belongs_to_one_app(program: Program, author: Person, ada: Person) -> None:
    other = make_program(author, name="Other")
    code = program.code(ada.account, READ)
    thief = Program(other.app, "", program.verifier)

    assert error_in(thief.exchange(code)) == "invalid_grant"
    tokens = program.exchange(code).json()
    assert error_in(thief.exchange(code)) == "invalid_grant"
    assert error_in(thief.renew(tokens["refresh_token"])) == "invalid_grant"
    assert thief.send("revoke", token=tokens["refresh_token"]).status_code == 200

    assert as_app(ada, tokens).get("me").status_code == 200
    assert program.renew(tokens["refresh_token"]).status_code == 200


def test_a_refresh_token_is_used_once(program: Program, ada: Person) -> None:
    first = program.tokens(ada.account, READ)
    second = program.renew(first["refresh_token"]).json()

    assert as_app(ada, first).get("me").status_code == 401
    assert as_app(ada, second).get("me").status_code == 200
    assert error_in(program.renew(first["refresh_token"])) == "invalid_grant"  # by a thief

    assert as_app(ada, second).get("me").status_code == 401
    assert error_in(program.renew(second["refresh_token"])) == "invalid_grant"


def test_a_renewed_token_has_no_more_scopes(program: Program, ada: Person) -> None:
    first = program.tokens(ada.account, READ)
    wider = program.renew(first["refresh_token"], scope=f"{READ} rating:admin")
    assert error_in(wider) == "invalid_scope"

    narrow = program.renew(first["refresh_token"], scope="tournament:read").json()
    assert as_app(ada, narrow).get("me").json()["scopes"] == ["tournament:read"]
    back = program.renew(narrow["refresh_token"], scope=READ)
    assert error_in(back) == "invalid_scope"


def test_a_renewed_token_stays_limited_to_its_event(program: Program, organiser: Person) -> None:
    event = make_event(organiser)
    first = program.tokens(organiser.account, f"{READ} tournament:{event.tournament.slug}")

    assert error_in(program.renew(first["refresh_token"], scope=READ)) == "invalid_scope"
    kept = program.renew(first["refresh_token"]).json()

    assert as_app(organiser, kept).get("me").json()["tournament"]["slug"] == "spring"


def test_an_expired_token_says_how_to_renew_it(program: Program, ada: Person) -> None:
    tokens = program.tokens(ada.account, READ)
    AccessToken.objects.update(expires=timezone.now() - timedelta(seconds=1))

    problem_in(as_app(ada, tokens).get("me"), 401, "token_expired")

    assert program.renew(tokens["refresh_token"]).status_code == 200


def test_a_refresh_token_that_is_not_used_for_long_ends(program: Program, ada: Person) -> None:
    tokens = program.tokens(ada.account, READ)
    AccessToken.objects.update(expires=timezone.now() - timedelta(days=91))

    assert error_in(program.renew(tokens["refresh_token"])) == "invalid_grant"
    tasks.delete_old_app_tokens()
    assert not RefreshToken.objects.exists()
    assert not AccessToken.objects.exists()


ENDS = {
    "the app gives the access token back": lambda p, _, t: p.send(
        "revoke", token=t["access_token"]
    ),
    "the app gives the refresh token back": lambda p, _, t: p.send(
        "revoke", token=t["refresh_token"], token_type_hint="refresh_token"
    ),
    "the person revokes the app": lambda p, a, _: revoke_app(a, p.app),
    "the person revokes all tokens": lambda _, a, __: revoke_tokens(a, by=a),
    "the account is closed": lambda _, a, __: close_account(a, by=a),
    "the account has another password": lambda _, a, __: new_password(a),
    "the account has its first second factor": lambda _, a, __: begin_second_factor(a),
    "the account becomes staff": lambda _, a, __: appoint_staff(a, by=a),
    "staff disables the app": lambda p, a, _: disable_app(p.app, by=a),
    "the account of the author is closed": lambda p, a, _: close_account(p.app.user, by=a),
    "the app is deleted": lambda p, a, _: delete_app(p.app, by=a),
}


def new_password(account: Any) -> None:
    AccountAdapter().set_password(account, "rings of saturn")


def begin_second_factor(account: Any) -> None:
    add_second_factor(account)
    revoke_tokens_of_password(account)


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_the_access_of_an_app_ends(
    program: Program, ada: Person, ben: Person, author: Person, end: Any
) -> None:
    tokens, others = program.tokens(ada.account, READ), program.tokens(ben.account, READ)
    pending = program.code(ada.account, READ)

    end(program, ada.account, tokens)

    assert as_app(ada, tokens).get("me").status_code == 401
    assert program.renew(tokens["refresh_token"]).status_code in (400, 401)
    name = next(name for name, known in ENDS.items() if known is end)
    if not name.startswith("the app gives"):
        assert program.exchange(pending).status_code in (400, 401)
    is_of_all = name in (
        "staff disables the app", "the account of the author is closed", "the app is deleted",
    )  # fmt: skip
    assert as_app(ben, others).get("me").status_code == (401 if is_of_all else 200)


def test_an_app_has_the_rights_of_a_token_with_its_scopes(
    program: Program, organiser: Person
) -> None:
    event, other = (make_event(organiser, slug=s).step("open") for s in ("spring", "autumn"))
    change = {"name": "Harbour Cup"}
    for path, code in ((event.path, "scope_missing"), (other.path, "token_elsewhere")):
        scope = "tournament:read" if path == event.path else "tournament:write tournament:spring"
        answer = program.person(organiser, scope).patch(path, change, If_Match="*")
        problem_in(answer, 403, code)
        assert ', error="insufficient_scope", error_description="' in answer["WWW-Authenticate"]
    app = program.person(organiser, "tournament:write tournament:spring")
    problem_in(app.patch(event.path, change), 428)
    assert app.patch(event.path, change, If_Match="*").status_code == 200


def test_an_app_acts_as_staff_only_with_a_second_factor(program: Program) -> None:
    bare = make_person("Bare")
    client = Client()
    client.force_login(bare.account)
    before = as_app(bare, program.tokens(bare.account, "rating:admin"))
    Account.objects.filter(pk=bare.account.pk).update(is_staff=True)

    sent = client.post(program.address(READ), {"answer": "allow"})
    problem_in(before.post("pools", {}), 403, "second_factor_needed")

    assert sent.status_code == 403
    assert client.get(program.address(READ))["Location"] == "/account/second-factor/"


def test_an_app_makes_no_tokens_that_outlive_it(program: Program, ada: Person) -> None:
    app = program.person(ada, "tournament:read account:write")

    made = app.post("tokens", {"scopes": ["tournament:read"]})
    problem_in(made, 403, "token_of_app")
    problem_in(app.delete(f"tokens/{ada.token.token_key}"), 403, "token_of_app")


def test_old_rows_are_deleted(program: Program, ada: Person) -> None:
    program.code(ada.account, READ)
    kept = program.tokens(ada.account, READ)
    Grant.objects.update(expires=timezone.now() - timedelta(seconds=1))

    tasks.delete_old_app_tokens()

    assert not Grant.objects.exists()
    assert as_app(ada, kept).get("me").status_code == 200


def test_the_metadata_lists_what_is_possible(client: Client) -> None:
    answer = client.get(
        "/.well-known/oauth-authorization-server",
        headers={"Origin": "https://app.example", "Host": "localhost:1"},
    )
    metadata = answer.json()

    base = settings.PUBLIC_URL
    assert metadata == {
        "issuer": base,
        "authorization_endpoint": f"{base}/oauth/authorize",
        "token_endpoint": f"{base}/oauth/token",
        "revocation_endpoint": f"{base}/oauth/revoke",
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "scopes_supported": [
            "account:read",
            "account:write",
            "entry:write",
            "rating:admin",
            "record:write",
            "result:write",
            "tournament:SLUG",
            "tournament:read",
            "tournament:write",
            "webhook:write",
        ],
        "token_endpoint_auth_methods_supported": METHODS,
        "revocation_endpoint_auth_methods_supported": METHODS,
        "authorization_response_iss_parameter_supported": True,
        "client_id_metadata_document_supported": False,
    }
    assert answer["Access-Control-Allow-Origin"] == "*"


METHODS = ["client_secret_basic", "client_secret_post", "none"]


def at_once(send: Callable[[], Any]) -> list[int]:
    """The statuses of four equal requests at the same time."""

    def respond(_: int) -> int:
        try:
            return int(send().status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        return sorted(pool.map(respond, range(4)))


@pytest.mark.django_db(transaction=True)
def test_what_is_sent_twice_at_once_ends_the_login(program: Program, ada: Person) -> None:
    code = program.code(ada.account, READ)

    statuses = at_once(lambda: program.exchange(code))

    assert statuses in ([200, 400, 400, 400], [400] * 4)
    assert not AccessToken.objects.exists()  # whoever was slower has revoked the login

    refresh_token = program.tokens(ada.account, READ)["refresh_token"]
    statuses = at_once(lambda: program.renew(refresh_token))

    assert statuses in ([200, 400, 400, 400], [400] * 4)
    assert not AccessToken.objects.exists()
    assert not RefreshToken.objects.filter(revoked=None).exists()
