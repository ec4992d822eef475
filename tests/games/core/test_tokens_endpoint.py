"""`/tokens` and `/me`: the account of a request, and what its tokens may do."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.core.accounts.tokens import issue_personal_token, issue_token
from games.core.authentication import TOKEN
from games.core.broker import clear
from games.core.errors import ApiError
from games.core.permissions import SCOPES
from games.models import Account, JournalLine, Player, Token
from tests.events import make_event
from tests.people import Person, make_player, player_of, problem_in

BODY = {"name": "laptop", "scopes": ["tournament:read"]}
AUTHENTICATION = "authentication_failed"
PASSWORD = "harbour lights at ten"


MOMENT = timedelta(microseconds=1)


@contextmanager
def freeze(now: datetime) -> Iterator[None]:
    """Let it be this time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", lambda: now)
        yield


def basic(email: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{email}:{password}".encode()).decode()


@pytest.fixture
def kim(db: None) -> Person:
    """A person with a password."""
    clear()
    account = Account.objects.create_user("kim@example.org", PASSWORD, name="Kim")
    return Person("Kim", account)


def test_a_password_creates_a_token_that_works(kim: Person) -> None:
    login = basic("kim@example.org", PASSWORD)

    made = kim.post("tokens", BODY, Authorization=login).json()

    assert made["token"].startswith("peri_")
    assert made["scopes"] == ["tournament:read"]
    me = kim.get("me", Authorization=f"Bearer {made['token']}").json()
    assert me == {
        "id": kim.account.pk,
        "name": "Kim",
        "email": "kim@example.org",
        "staff": False,
        "player": None,
        "roles": [],
        "scopes": ["tournament:read"],
        "tournament": None,
    }
    listed = kim.get("tokens", Authorization=login).json()["results"]
    assert [(token["id"], token["name"]) for token in listed] == [(made["id"], "laptop")]
    assert made["token"] not in str(listed)


@pytest.mark.parametrize(
    "header",
    [
        "Basic %%%",
        "Basic " + base64.b64encode(b"no colon").decode(),
    ],
)
def test_a_wrong_login_is_401(kim: Person, header: str) -> None:
    response = kim.post("tokens", BODY, Authorization=header)

    problem_in(response, 401)
    assert response["WWW-Authenticate"] == 'Bearer realm="Perihelion"'


@pytest.mark.parametrize(
    "header",
    [
        "Bearer " + "x" * 201,
        "Bearer peri_\0",
    ],
)
def test_a_malformed_or_unknown_token_is_401(anonymous: Person, header: str) -> None:
    problem_in(anonymous.get("players", Authorization=header), 401)


def test_the_scheme_of_a_token_is_bearer(organiser: Person, anonymous: Person) -> None:
    bearer, token = (
        anonymous.get("me", Authorization=f"{scheme} {organiser.secret}")
        for scheme in ("bearer", "Token")
    )

    assert bearer.status_code == 200
    assert "Bearer" in problem_in(token, 401)["detail"]


@pytest.mark.parametrize("path", ["players", "me", "players.csv"])
@pytest.mark.parametrize("header", ["Digest x", "Basic eDp5", "Basic", "x"])
def test_another_scheme_is_refused_on_public_reads_too(
    anonymous: Person, path: str, header: str
) -> None:
    refusal = problem_in(anonymous.get(path, Authorization=header), 401)
    assert "Bearer peri_" in refusal["detail"]


def test_a_token_is_for_an_event_that_the_account_sees(organiser: Person, stranger: Person) -> None:
    make_event(organiser, slug="hidden", public=False)

    for slug in ("hidden", "nowhere"):
        body = BODY | {"tournament_slug": slug}
        refusal = problem_in(stranger.post("tokens", body), 422, "unknown_tournament")
        assert [error["pointer"] for error in refusal["errors"]] == ["/tournament_slug"]
    assert organiser.post("tokens", BODY | {"tournament_slug": "hidden"}).status_code == 201


def test_a_revoked_token_is_401(stranger: Person) -> None:
    other = stranger.with_token("tournament:read")

    assert stranger.delete(f"tokens/{other.token.token_key}").status_code == 204

    problem_in(other.get("me"), 401)
    problem_in(stranger.delete(f"tokens/{other.token.token_key}"), 404)


def test_a_token_of_an_inactive_account_is_401(stranger: Person) -> None:
    Account.objects.filter(pk=stranger.account.pk).update(is_active=False)

    problem_in(stranger.get("players"), 401)


def test_the_list_has_the_last_use(stranger: Person) -> None:
    Token.objects.update(last_used_at=None)

    stranger.get("me")

    assert stranger.get("tokens").json()["results"][0]["last_used_at"] is not None


def test_a_token_expires_after_its_creation_and_within_the_longest_time(
    kim: Person, settings: Any
) -> None:
    now = timezone.now()
    with freeze(now):
        for expires_at, code in (
            (now, "expired"),
            (now + settings.LONGEST_TOKEN_LIFETIME + MOMENT, "expires_too_late"),
        ):
            with pytest.raises(ApiError) as caught:
                issue_token(kim.account, ["tournament:read"], expires_at=expires_at)
            assert (caught.value.code, caught.value.errors[0]["pointer"]) == (code, "/expires_at")
        for expires_at in (now + MOMENT, now + settings.LONGEST_TOKEN_LIFETIME):
            token, _ = issue_token(kim.account, ["tournament:read"], expires_at=expires_at)
            assert token.expiry == expires_at
        token, _ = issue_token(kim.account, ["tournament:read"])
        assert token.expiry == now + settings.TOKEN_LIFETIME


def test_a_token_works_until_the_moment_at_which_it_expires(stranger: Person) -> None:
    token, secret = issue_token(stranger.account, ["tournament:read"])
    bearer = {"Authorization": f"Bearer {secret}"}
    with freeze(token.expiry - MOMENT):
        assert stranger.get("me", **bearer).status_code == 200
    with freeze(token.expiry):
        for path in ("me", "players"):  # it stays known, so the code stays the same
            expired = stranger.get(path, **bearer)
            problem_in(expired, 401, "token_expired")
            assert expired["WWW-Authenticate"].startswith(
                'Bearer realm="Perihelion", error="invalid_token", error_description="the token exp'
            )


def test_an_unknown_scope_lists_the_valid_ones(stranger: Person) -> None:
    problem = problem_in(stranger.post("tokens", {"scopes": ["all"]}), 422, "unknown_scope")

    assert problem["valid"] == list(SCOPES)


RIGHTS = [
    # scopes of the token, of the one that it creates or revokes, allowed
    ("tournament:read", "tournament:read", False),
    ("account:write", "record:write", False),
    ("result:write record:write", "record:write", False),
    ("tournament:read account:write", "tournament:read", True),
    (" ".join(scope for scope in SCOPES if scope != "rating:admin"), " ".join(SCOPES), False),
]


@pytest.mark.parametrize(("scopes", "others", "allowed"), RIGHTS)
def test_a_token_grants_and_revokes_no_more_than_its_scopes(
    stranger: Person, scopes: str, others: str, allowed: bool
) -> None:
    caller = stranger.with_token(*scopes.split())
    other = stranger.with_token(*others.split())

    created = caller.post("tokens", {"scopes": others.split()})
    revoked = caller.delete(f"tokens/{other.token.token_key}")

    if allowed:
        assert (created.status_code, revoked.status_code) == (201, 204)
    else:
        problem_in(created, 403, "scope_missing")
        problem_in(revoked, 403, "scope_missing")
    assert Token.objects.filter(pk=other.token.pk).exists() is not allowed


def test_every_token_revokes_itself_and_only_that_of_the_account_lists_the_others(
    stranger: Person,
) -> None:
    weak = stranger.with_token(*SCOPES.keys() - {"account:read", "account:write"})

    problem_in(weak.delete(f"tokens/{stranger.token.token_key}"), 403, "scope_missing")
    problem_in(weak.delete("tokens/peri_unknown"), 403, "scope_missing")
    for path in ("tokens", "me/invitations"):
        problem_in(weak.get(path), 403, "scope_missing")
        assert stranger.with_token("account:read").get(path).status_code == 200
    assert weak.delete(f"tokens/{weak.token.token_key}").status_code == 204


def test_a_token_cannot_create_one_that_outlives_it(stranger: Person) -> None:
    soon = timezone.now() + timedelta(hours=1)
    scopes = ["account:write", "result:write", "tournament:read"]
    _, secret = issue_token(stranger.account, scopes, expires_at=soon)

    for requested in (None, (soon + timedelta(days=1)).isoformat()):
        body = BODY | {"expires_at": requested}
        made = stranger.post("tokens", body, Authorization=f"Bearer {secret}").json()
        assert datetime.fromisoformat(made["expires_at"]) == soon
    local = BODY | {"expires_at": soon.replace(tzinfo=None).isoformat()}
    (error,) = problem_in(stranger.post("tokens", local), 422, "invalid")["errors"]
    assert (error["code"], error["pointer"]) == ("no_offset", "/expires_at")


def test_a_token_of_one_event_creates_none_for_others(organiser: Person) -> None:
    make_event(organiser)
    bound = organiser.with_token(*SCOPES, stream="tournament/spring")

    problem_in(bound.post("tokens", BODY), 403, "token_elsewhere")
    assert bound.post("tokens", BODY | {"tournament_slug": "spring"}).status_code == 201


def test_a_token_of_one_event_hides_the_rest_of_the_account(organiser: Person) -> None:
    make_event(organiser)
    make_event(organiser, slug="autumn")

    me = organiser.with_token(*SCOPES, stream="tournament/spring").get("me").json()

    assert [role["tournament"]["slug"] for role in me["roles"]] == ["spring"]
    assert me["tournament"] == {"slug": "spring", "name": "Spring Open"}
    assert "email" not in me


def test_an_expired_token_makes_room_for_another(settings: Any, stranger: Person) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "tokens": 3}
    created = [stranger.post("tokens", BODY).status_code for _ in range(3)]

    assert created == [201, 201, 409]  # one is the person's own
    old = Token.objects.exclude(pk=stranger.token.pk).first()
    Token.objects.filter(pk=old.pk).update(expiry=timezone.now())
    assert stranger.post("tokens", BODY).status_code == 201
    assert not Token.objects.filter(pk=old.pk).exists()


def test_a_player_gets_a_personal_token_in_any_number_of_events(
    settings: Any, organiser: Person
) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "tokens": 3}
    player = Player.objects.create(name="Ada")

    for number in range(4):
        issue_personal_token(player, f"tournament/t-{number}", by=organiser.account)

    player.refresh_from_db()
    assert player.account.auth_token_set.count() == 4


def test_a_new_personal_token_of_an_event_ends_the_one_before(organiser: Person) -> None:
    player = Player.objects.create(name="Ada")
    by = organiser.account
    kept, _ = issue_personal_token(player, "tournament/autumn", by=by)
    issue_personal_token(player, "tournament/spring", by=by)
    session, other = (
        issue_personal_token(player, "tournament/spring", by=by, lifetime=timedelta(hours=hours))[0]
        for hours in (12, 11)
    )
    new, _ = issue_personal_token(player, "tournament/spring", by=by)
    left = Token.objects.exclude(user=by).values_list("pk", flat=True)
    assert set(left) == {kept.pk, session.pk, other.pk, new.pk}
    lines = JournalLine.objects.filter(stream="tournament/spring").order_by("sequence")
    own = f"account/{by.pk}"
    assert [line.actor for line in lines] == [own, "system", "system", own]
    with freeze(session.expiry):  # a session that has ended makes room
        issue_personal_token(player, "tournament/spring", by=by, lifetime=timedelta(hours=12))
    assert not Token.objects.filter(pk__in=(session.pk, other.pk)).exists()


def test_the_session_of_a_link_ends_with_its_token(organiser: Person, anonymous: Person) -> None:
    player = Player.objects.create(name="Ada")
    lifetime = timedelta(hours=12)
    token, _ = issue_personal_token(
        player, "tournament/spring", by=organiser.account, lifetime=lifetime
    )
    session = anonymous.client.session
    session[TOKEN] = token.pk
    session.save()
    with freeze(token.expiry - MOMENT):
        assert anonymous.get("me").json()["name"] == "Ada"
    with freeze(token.expiry):
        problem_in(anonymous.get("me"), 401)


def test_no_personal_token_is_issued_for_a_closed_account(ada: Person, organiser: Person) -> None:
    Account.objects.filter(pk=ada.account.pk).update(is_active=False)
    with pytest.raises(ApiError) as caught:
        issue_personal_token(player_of(ada), "tournament/spring", by=organiser.account)
    assert caught.value.code == "account_inactive"


def test_a_personal_token_cannot_create_others(organiser: Person) -> None:
    """Otherwise the tokens that it created would survive its revocation."""
    ben = make_player("Ben")
    event = make_event(organiser).step("open")
    (entry,) = event.enter(player_of(ben))
    personal = organiser.post(f"{event.path}/entries/{entry.pk}/token").json()["token"]

    response = ben.post(
        "tokens", BODY | {"tournament_slug": "spring"}, Authorization=f"Bearer {personal}"
    )

    problem_in(response, 403, "scope_missing")
    assert [token["issued_by_other"] for token in ben.get("tokens").json()["results"]] == [
        False,
        True,
    ]
