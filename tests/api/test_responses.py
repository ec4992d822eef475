"""Every response matches the OpenAPI schema: status, content type and body.

Each write is sent as a dry run first, which changes nothing and has no ids and secrets that never
will be. Each POST of an account has an
Idempotency-Key, and is sent again if it succeeds. `make test` does both once for each operation.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from itertools import count
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.http import HttpResponse
from django.urls import resolve
from hypothesis import settings

from games import tasks
from games.core.views import action_of
from games.models import EmailLink, Game, JournalLine, LiveRecord, Player
from ratings import tasks as rating_tasks
from ratings.models import Batch, Rating
from tests.api.documented import Documented
from tests.api.presence import Presence
from tests.deploy.documentation import payload_members
from tests.events import FILLED_TWICE, FIRST_WINS, SET_UP, make_running, run_due
from tests.people import BASE, URL, Person, add_second_factor, player_of
from tests.tournament.imports import empty_tables
from tournament.forecasts import services as steps
from tournament.models import Entry, WebhookDelivery

pytestmark = pytest.mark.any_database

READ_ONLY = ("rules/referee", "/check", "/explain", "/what-if")
"""The ends of the addresses whose POST changes nothing."""
READ_ONLY_OPERATIONS = {"judge_records", "check_round", "explain_pairing", "suppose_results"}
WITHOUT_ACCOUNT = {"open_session", "request_forecast"}
"""Requests without a login, which have no Idempotency-Key."""
PRIVATE = ("birth_year", "sex")
PLAYER_KINDS = ("RegisteredPlayerMade",)
CHANGED = ("ChangedEntryMade", "ChangedEntryWritten")
ENTRY_KINDS = (*CHANGED, "EditedEntryWritten", "EntryDetails", "OwnEntry")
OF_ENTRIES = ("agreement", "paid", "notes", "birth_year", "category", "sex")
OF_CHANGES = ("after", "before", "board", "first", "game_id", "round", "second")
MAY_BE_ABSENT = {
    # for strangers
    *(f"{kind}.{name}" for kind in ENTRY_KINDS for name in OF_ENTRIES),
    *(f"{kind}.{name}" for kind in PLAYER_KINDS for name in PRIVATE),
    *(f"CorrectedItem.{name}" for name in OF_CHANGES),  # of a bye
    *("RequestedBye.reason", "ShownLine.payload"),  # for strangers
    "TournamentWithActions.separations",  # for strangers, while the event is running
    "Caution.entries",  # of a caution about nobody in particular
    "Handicap.points",  # of none but stones
    "OwnAccount.email",  # for an app, and for a token of one event
    "CommittedCorrection.task",  # of an event that is not rated
}
"""Optional members that all responses here have, and when others have not."""
PASSWORD = {"password": "correct horse battery"}
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
def operations(schema: dict[str, Any]) -> list[tuple[str, re.Pattern[str], Any]]:
    """The method, the address and the schema of each operation, by the parameters of addresses."""
    found: list[tuple[str, re.Pattern[str], Any]] = []
    for path, methods in schema["paths"].items():
        suffixes = methods.get("get", {}).get("x-suffixes", ())
        end = f"(?:{'|'.join(map(re.escape, suffixes))})?"
        pattern = re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/.]+", re.escape(path)) + end)
        found += [(m, pattern, methods[m]) for m in METHODS if m in methods]
    return sorted(found, key=lambda operation: operation[1].pattern.count("[^/.]+"))


@pytest.fixture
def check(
    schema: dict[str, Any], operations: list[tuple[str, re.Pattern[str], Any]]
) -> Callable[[HttpResponse], HttpResponse]:
    """Compare a response with the schema of its operation."""
    documented, presence = Documented(schema), Presence(schema)
    checked: set[str] = set()
    succeeded: set[str] = set()
    dry_runs: set[str] = set()
    replayed: set[str] = set()

    @cache
    def find(method: str, path: str) -> Any:
        """Return the operation whose address has the fewest parameters, as `games/search`."""
        return next(i for verb, form, i in operations if verb == method and form.fullmatch(path))

    def compare(response: HttpResponse) -> HttpResponse:
        request = response.request
        method, path = request["REQUEST_METHOD"].lower(), request["PATH_INFO"]
        operation = find(method, path)
        checked.add(operation["operationId"])
        if response.status_code < 300:
            succeeded.add(operation["operationId"])
        if "dry_run=1" in request["QUERY_STRING"] and response.status_code < 300:
            dry_runs.add(operation["operationId"])
        if "Idempotent-Replayed" in response:
            replayed.add(operation["operationId"])
        assert documented.differences(operation, response) == [], (method, path)
        described = operation["responses"][str(response.status_code)].get("content", {})
        if "application/json" in described and "application/json" in response["Content-Type"]:
            presence.add(response.json(), described["application/json"]["schema"])
        return response

    is_short = settings.get_current_profile_name() != "long"

    def is_left(done: set[str], method: str, path: str) -> bool:
        """Return True if the operation is still to be sent as a dry run, or again."""
        path = path if path.startswith("/") else f"{BASE}{path}"
        return not (is_short and find(method.lower(), path)["operationId"] in done)

    compare.presence = presence  # type: ignore[attr-defined]
    compare.checked, compare.dry_runs = checked, dry_runs  # type: ignore[attr-defined]
    compare.succeeded = succeeded  # type: ignore[attr-defined]
    compare.replayed, compare.is_left = replayed, is_left  # type: ignore[attr-defined]
    return compare


def load_rows() -> dict[str, list[Any]]:
    """Return all rows of all tables, without the last use of tokens, which any request changes."""
    rows = {}
    connection.ensure_connection()
    with closing(connection.connection.cursor()) as cursor:  # Django's cursor takes twice as long
        for label, query in queries_of_rows().items():
            cursor.execute(query)
            rows[label] = cursor.fetchall()
    return rows


def undocumented_payloads() -> Iterator[tuple[str, set[str]]]:
    """Yield the members of lines of tournaments that the reference of the journal lacks."""
    documented = payload_members()
    lines = JournalLine.objects.filter(stream__startswith="tournament/", payload__isnull=False)
    for kind, body in lines.values_list("kind", "payload__body"):
        known = documented.get(kind, set())
        if body and "*" not in known and not body.keys() <= known:
            yield kind, body.keys() - known


@cache
def queries_of_rows() -> dict[str, str]:
    queries = {}
    for model in apps.get_models():
        columns = {field.column for field in model._meta.concrete_fields} - {"last_used_at"}
        names = ", ".join(f'"{name}"' for name in sorted(columns))
        key = ", ".join(f'"{field.column}"' for field in model._meta.pk_fields)
        queries[model._meta.label] = f'SELECT {names} FROM "{model._meta.db_table}" ORDER BY {key}'
    return queries


def last_link() -> EmailLink:
    return max(EmailLink.objects.all(), key=lambda link: link.pk)


def has_dry_run(operation: Any) -> bool:
    return "dry_run" in {parameter["name"] for parameter in operation.get("parameters", ())}


MODELS = {"game": Game, "return_game": Game, "entry": Entry, "batch": Batch, "player": Player}
"""The models whose ids the members of a response have."""
SECRETS = ("token", "secret", "key", "task")
"""Members that only a write makes."""


KNOWN = ("add_pool_officer", "issue_personal_token", "open_session")
"""Actions that create an object with the id of one that exists."""


def faults_of_dry_run(response: HttpResponse, action: Any) -> list[str]:
    """Return what a dry run is answered with that does not exist, or should be there."""
    content = response.json()
    faults = [name for name in ("Location", "ETag") if name in response]
    if content.get("dry_run") is not True:
        faults.append("dry_run")
    if action.status == 201 and "id" in content and action.name not in KNOWN:
        faults.append("id")
    for name, value in members(content):
        is_unknown = name in MODELS and type(value) is int
        if name in SECRETS or (is_unknown and not MODELS[name].objects.filter(pk=value).exists()):
            faults.append(f"{name} {value}")
    return faults


def members(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield the members of JSON at every depth."""
    if isinstance(content, dict):
        yield from content.items()
    for value in content.values() if isinstance(content, dict) else content:
        if isinstance(value, dict | list):
            yield from members(value)


def test_every_response_matches_the_schema(
    check: Any,
    schema: dict[str, Any],
    operations: list[tuple[str, re.Pattern[str], Any]],
    organiser: Person,
    ada: Person,
    ben: Person,
    stranger: Person,
    anonymous: Person,
    officer: Person,
    staff: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Run one event from the first player to the ratings, with every operation at least once.

    The remaining reads are requested at the end.
    """
    numbers = count()

    def try_out(person: Person, method: str, path: str, body: Any, **headers: str) -> HttpResponse:
        before = load_rows()
        response = check(person.send(method, path, body, **headers))
        assert load_rows() == before, path
        found = action_of(resolve(response.request["PATH_INFO"]).func.cls, method)
        assert response.status_code >= 400 or faults_of_dry_run(response, found) == [], path
        return response

    def do(
        person: Person, method: str, path: str, body: Any = None, **headers: str
    ) -> HttpResponse:
        path = path.removeprefix(URL)
        if path.endswith("?dry_run=1"):
            return try_out(person, method, path, body, **headers)
        if method == "GET" or path.endswith(READ_ONLY) or "Prefer" in headers:
            return check(person.send(method, path, body, **headers))
        dry_run, address, joint = None, path.partition("?")[0], "&" if "?" in path else "?"
        if check.is_left(check.dry_runs, method, address):
            dry_run = try_out(person, method, f"{path}{joint}dry_run=1", body, **headers)
        if method == "POST" and person.secret:
            headers["Idempotency-Key"] = f"request {next(numbers)}"
        response = check(person.send(method, path, body, **headers))
        is_again = response.status_code < 300 and check.is_left(check.replayed, method, address)
        if "Idempotency-Key" in headers and is_again:
            again = check(person.send(method, path, body, **headers))
            assert again.content == response.content, path
        if dry_run:
            expected = 200 if response.status_code < 300 else response.status_code
            assert dry_run.status_code == expected, path
        return response

    do(anonymous, "GET", "/api/v1")
    do(anonymous, "GET", "me")
    do(organiser, "GET", "me")
    do(organiser, "PATCH", "me", {"name": "Olga"})
    do(organiser, "GET", "tokens")
    token = do(organiser, "POST", "tokens", {"name": "laptop", "scopes": ["tournament:read"]})
    do(organiser, "DELETE", f"tokens/{token.json()['id']}")
    cleo = do(organiser, "POST", "players", {"name": "Cleo", "seed_rating": 1700}).json()["id"]
    do(organiser, "POST", "players/import", "name\nDora\n", content_type="text/csv")
    later = {"content_type": "text/csv", "Prefer": "respond-async"}
    for content in ("name\nEve\n", "name,country\nEve,Nowhere\n"):
        task = do(organiser, "POST", "players/import", content, **later)["Location"]
        do(organiser, "GET", task)
        run_due()
        do(organiser, "GET", task)
    do(anonymous, "GET", "players")
    do(anonymous, "GET", f"players/{cleo}")
    do(staff, "PATCH", f"players/{cleo}", {"birth_year": 1990, "external_ids": {"fide": "17"}})
    do(staff, "GET", f"players/{cleo}")
    extra = do(organiser, "POST", "players", {"name": "Zoe"})["Location"]
    unused = do(organiser, "POST", "players", {"name": "Zoe"})["Location"]
    do(organiser, "DELETE", unused)
    do(staff, "POST", f"{extra}/erase")
    merge = do(staff, "POST", "merges", {"keep_id": cleo, "merge_id": int(extra.split("/")[-1])})
    do(staff, "GET", "merges")
    do(staff, "POST", f"merges/{merge.json()['id']}/undo")
    for action in ("refuse", "approve"):
        claim = do(stranger, "POST", "claims", {"player_id": cleo}).json()["id"]
        do(staff, "GET", "claims")
        do(staff, "POST", f"claims/{claim}/{action}", {"reason": "seen"})
        if action == "refuse":
            again = do(stranger, "POST", "claims", {"player_id": cleo}).json()["id"]
            do(stranger, "POST", f"claims/{again}/withdraw")
    smear = {"player_id": cleo, "reason": "a smear"}
    report = do(stranger, "POST", "name-reports", smear).json()["id"]
    do(staff, "GET", "name-reports")
    do(staff, "POST", f"name-reports/{report}/refuse")
    do(staff, "POST", f"players/{cleo}/hide-name", {"reason": "a smear"})
    do(staff, "PATCH", f"players/{cleo}", {"name": "Cleo"})
    do(anonymous, "GET", "rulesets")
    do(anonymous, "POST", "rules/referee", {"record": FIRST_WINS})
    do(anonymous, "POST", "rules/referee", {"records": [FIRST_WINS, FILLED_TWICE]})
    do(anonymous, "POST", "rules/referee", {"record": FILLED_TWICE})
    do(anonymous, "POST", "rules/referee", FIRST_WINS, content_type="text/plain")
    do(anonymous, "GET", "pools")
    do(anonymous, "GET", "pools/star")
    for person in (stranger, staff):
        new = {"code": "moon", "name": "Moon", "preset": "decay", "rated_rulesets": {"hex": []}}
        do(person, "POST", "pools", new)
    do(officer, "PATCH", "pools/star", {"policy": "approved"})
    values = {"first_move": 40, "first_stone": 120, "further_stone": 90, "point": 8}
    rows = [{"ruleset": "star-star", "board_size": "10", **values}]
    table = {"pool": "star", "reason": "a test", "rows": rows}
    do(officer, "POST", "handicap-tables", table)
    do(anonymous, "GET", "handicap-tables")
    do(staff, "POST", "pools/star/officers", {"account_id": stranger.account.pk})
    do(officer, "GET", "pools/star/officers")
    do(staff, "DELETE", f"pools/star/officers/{stranger.account.pk}")
    for action in ("refuse", "approve"):
        reason = {"reason": "an event of the club"}
        do(officer, "POST", f"pools/star/organisers/{stranger.account.pk}/{action}", reason)
    do(officer, "GET", "pools/star/organisers")

    event = "tournaments/spring-open"
    do(organiser, "POST", "tournaments", SET_UP | {"rounds": 2, "pool": "star"})
    do(organiser, "POST", "tournaments", SET_UP)
    own = f"{event}/roles", "me/invitations", "me/roles"
    held = []
    for role in ("scorer", "director", "owner"):
        do(organiser, "POST", own[0], {"email": stranger.account.email, "role": role})
        (offer,) = do(stranger, "GET", own[1]).json()["results"]
        if role == "owner":
            do(stranger, "POST", f"{own[1]}/{offer['id']}/decline")
        else:
            answer = do(stranger, "POST", f"{own[1]}/{offer['id']}/accept")
            held.append(answer.json()["id"])
    do(organiser, "GET", own[0])
    do(organiser, "DELETE", f"{own[0]}/{held[0]}")
    do(stranger, "DELETE", f"{own[2]}/{held[1]}")
    invitations = f"{event}/invitations"
    invited = []
    for email in ("a@example.org", "b@example.org"):
        body = {"email": email, "role": "director"}
        invited.append(do(organiser, "POST", f"{event}/roles", body).json()["id"])
    add_second_factor(organiser.account)
    for is_needed in (True, False):
        do(organiser, "PUT", f"{event}/second-factor", {"needed": is_needed})
        do(organiser, "GET", invitations)
        do(organiser, "POST", f"{invitations}/{invited[-1]}/resend")
    do(organiser, "DELETE", f"{invitations}/{invited[0]}")
    for action in ("hide", "show"):
        do(staff, "POST", f"{event}/{action}", {"reason": "a smear"})
    webhook = {"tournament_slug": "spring-open", "receiver_url": "https://hooks.example.org/"}
    hook = do(organiser, "POST", "webhooks", webhook)["Location"]
    do(organiser, "POST", "webhooks", webhook | {"receiver_url": "https://127.0.0.1/"})
    do(organiser, "GET", "webhooks")
    do(organiser, "GET", "me/stream")
    do(
        organiser,
        "POST",
        "webhooks",
        {"feed": "account", "receiver_url": "https://hooks.example.org/"},
    )
    do(organiser, "PATCH", hook, {"kinds": ["round.published"]})
    do(organiser, "GET", hook)
    do(organiser, "POST", f"{hook}/rotate-secret")
    sent = do(organiser, "POST", f"{hook}/ping").json()["id"]
    do(organiser, "POST", f"{hook}/deliveries/{sent}/replay")
    WebhookDelivery.objects.update(state=WebhookDelivery.State.GIVEN_UP)
    do(organiser, "POST", f"{hook}/deliveries/{sent}/replay")
    do(organiser, "GET", f"{hook}/deliveries")
    do(organiser, "DELETE", hook)
    do(organiser, "GET", "tournaments")
    do(organiser, "GET", event)
    do(organiser, "PATCH", event, {"place": "Lisbon"})
    prizes = [{"name": "all", "amounts": [100, 50]}, {"name": "U12", "amounts": [9], "age_to": 12}]
    do(organiser, "PATCH", event, {"prizes": prizes})
    do(organiser, "PATCH", event, {"separations": [{"by": "club", "preference": True}]})
    do(organiser, "POST", "tournaments", SET_UP | {"slug": "swiss", "system": "dutch"})
    do(organiser, "POST", "tournaments/swiss/open")
    for number in (player_of(ada).pk, player_of(ben).pk, cleo):
        do(organiser, "POST", "tournaments/swiss/entries", {"player_id": number})
    do(organiser, "POST", "tournaments/swiss/start")
    do(organiser, "POST", "tournaments/swiss/rounds/1/pair", {})
    do(
        organiser,
        "POST",
        "tournaments/swiss/rounds/1/explain",
        {"first_number": 1, "second_number": 2},
    )
    do(organiser, "POST", "tournaments/swiss/rounds/1/explain")
    do(organiser, "GET", "tournaments/swiss/rounds/1/pairings?explain=1")
    scores = {"slug": "bands", "system": "mcmahon", "system_options": {"band": 200, "bar": None}}
    do(organiser, "POST", "tournaments", SET_UP | scores)
    do(organiser, "POST", "tournaments/bands/cancel", {"reason": "a test"})
    do(organiser, "POST", "tournaments/bands/resume")
    do(organiser, "DELETE", "tournaments/bands")
    do(anonymous, "GET", "rules/systems")
    do(organiser, "POST", f"{event}/open")
    entries = {
        name: do(organiser, "POST", f"{event}/entries", {"player_id": number}).json()["id"]
        for name, number in (("Ada", player_of(ada).pk), ("Ben", player_of(ben).pk), ("Cleo", cleo))
    }
    do(organiser, "GET", f"{event}/entries")
    do(organiser, "GET", f"{event}/entries/{entries['Ada']}")
    do(organiser, "PATCH", f"{event}/entries/{entries['Ada']}", {"lot": 3})
    do(organiser, "PATCH", f"{event}/entries/{entries['Ada']}", {"birth_year": 1990, "sex": "w"})
    do(anonymous, "GET", f"{event}/entries/{entries['Ada']}")
    made = do(organiser, "POST", f"{event}/links", {}).json()["results"]
    for suffix in ("", ".csv", "/cards.pdf"):
        do(organiser, "GET", f"{event}/links{suffix}")
    secret = made[0]["page_url"].partition("#")[2]
    do(anonymous, "POST", f"{event}/links/session", {"link": secret})
    do(organiser, "DELETE", f"{event}/links/{made[0]['id']}")
    do(organiser, "POST", f"{event}/application-link")
    do(organiser, "GET", f"{event}/application-link")
    hal = do(organiser, "POST", f"{event}/entries/apply", {"name": "Hal"}).json()["id"]
    do(organiser, "POST", f"{event}/entries/refuse-applications", {"entry_id": hal})
    do(organiser, "DELETE", f"{event}/application-link")
    do(organiser, "PATCH", event, {"check_in": "tournament"})
    for word in ("check-in", "check-out"):
        do(organiser, "POST", f"{event}/entries/{entries['Cleo']}/{word}")
    do(organiser, "PATCH", event, {"check_in": "none"})
    for word in ("refuse", "approve", "wait", "approve", "withdraw", "return"):
        do(organiser, "POST", f"{event}/entries/{entries['Cleo']}/{word}")
    do(organiser, "POST", f"{event}/entries/{entries['Cleo']}/token")
    issued = do(organiser, "GET", f"{event}/tokens").json()["results"]
    do(organiser, "DELETE", f"{event}/tokens/{issued[0]['id']}")
    do(ada, "POST", f"{event}/entries/{entries['Ada']}/accept")
    for person, word in ((ben, "decline"), (ben, "accept"), (organiser, "approve")):
        do(person, "POST", f"{event}/entries/{entries['Ben']}/{word}")
    do(ada, "POST", f"{event}/entries/{entries['Ada']}/consent")
    do(organiser, "POST", f"{event}/start")
    bye = {"entry_id": entries["Cleo"], "round": 2, "kind": "half_bye"}
    do(organiser, "PUT", f"{event}/entries/{bye['entry_id']}/availability", {})
    number = do(organiser, "POST", f"{event}/byes", bye).json()["id"]
    do(organiser, "GET", f"{event}/byes")
    do(organiser, "DELETE", f"{event}/byes/{number}")

    do(organiser, "GET", f"{event}/rounds")
    do(organiser, "GET", f"{event}/rounds/1")
    do(organiser, "PATCH", f"{event}/rounds/1", {"starts_on": "2026-05-01"})
    do(anonymous, "GET", f"{event}/rounds/1/pairings")
    do(organiser, "POST", f"{event}/rounds/1/check")
    do(organiser, "POST", f"{event}/rounds/1/pair", {})
    do(organiser, "GET", f"{event}/rounds/1/certificate")
    do(organiser, "GET", f"{event}/rounds/1/pairings?explain=1")
    do(organiser, "POST", f"{event}/rounds/1/explain", {"first_number": 1, "second_number": 2})
    do(organiser, "POST", f"{event}/rounds/1/unpair", {"reason": "a late entry"})
    lines = [
        {"first_id": entries["Ada"], "second_id": entries["Ben"]},
        {"first_id": entries["Cleo"]},
    ]
    do(organiser, "PUT", f"{event}/rounds/1/pairings", {"reason": "drawn", "pairings": lines})
    change = {"reason": "seats", "boards": [lines[0] | {"board": 1}]}
    do(organiser, "PATCH", f"{event}/rounds/1/pairings", change)
    do(organiser, "POST", f"{event}/rounds/1/publish", {})
    pairings = do(anonymous, "GET", f"{event}/rounds/1/pairings").json()["rows"]
    game = f"games/{pairings[0]['game_id']}"
    do(anonymous, "GET", f"{game}/record")
    do(ada, "POST", f"{game}/live", {})
    do(ada, "DELETE", f"{game}/live")
    do(ada, "POST", f"{game}/live", {})
    do(ada, "POST", f"{game}/live/turns", {"number": 1, "turns": ["S10", "T10"]})
    do(ada, "DELETE", f"{game}/live/turns/2")
    do(ben, "GET", f"{game}/live")
    do(ada, "POST", f"{game}/reports", {"record": FILLED_TWICE})
    do(ben, "POST", f"{game}/reports", {"claim": {"result": "11-10"}})
    for own in ("games", "entries", "next"):
        do(ben, "GET", f"me/{own}")
    task = do(ada, "POST", f"{game}/reports", {"record": FIRST_WINS})["Location"]
    do(ben, "POST", f"{game}/dispute", {"reason": "it was otherwise"})
    do(ben, "POST", f"{game}/confirm", {"version": 2})
    tasks.settle_due.run()
    slip = {"results": [{"board": 1, "result": "11-10"}], "basis": "slip"}
    do(organiser, "POST", f"{event}/rounds/1/results", slip)
    do(anonymous, "GET", f"{event}/rounds/1/results?missing=1")
    do(ada, "GET", task)
    do(ada, "GET", f"{game}/reports")
    do(anonymous, "GET", game)
    for form in ("", ".txt", ".json"):
        do(anonymous, "GET", f"{game}/record{form}")
    do(organiser, "POST", f"{game}/rule", {"result": "10-11", "reason": "the other board"})
    do(
        organiser,
        "POST",
        f"{event}/rounds/1/results/revoke",
        {"game_ids": [pairings[0]["game_id"]]},
    )
    do(organiser, "POST", f"{event}/rounds/1/complete", {})
    do(organiser, "POST", f"{event}/rounds/1/reopen", {"reason": "a board was left out"})
    do(organiser, "POST", f"{event}/rounds/1/unpair", {"reason": "the wrong round"})
    versions = do(organiser, "GET", f"{event}/rounds/1/versions").json()["results"]
    last = versions[-1]["version"]
    do(organiser, "GET", f"{event}/rounds/1/versions/{last}")
    restored = {"version": last, "reason": "the right round"}
    do(organiser, "POST", f"{event}/rounds/1/restore", restored)
    do(organiser, "POST", f"{event}/rounds/1/complete", {})
    accept = {"reason": "for a tie", "accept": ["ranks_change", "prizes_change"]}
    do(organiser, "PATCH", event, {"tiebreaks": ["PTS"], **accept})
    told = do(organiser, "POST", f"{event}/announcements", {"text": "Lunch is at one."}).json()
    do(anonymous, "GET", f"{event}/announcements")
    do(organiser, "DELETE", f"{event}/announcements/{told['number']}")
    (tie,) = do(anonymous, "GET", f"{event}/ties").json()["results"]
    order = {"numbers": tie["numbers"][::-1], "by": "lot", "reason": "drawn before all"}
    do(organiser, "POST", f"{event}/ties", order)
    do(organiser, "POST", f"{event}/rounds/2/pair", {})
    do(organiser, "POST", f"{event}/rounds/2/publish", {})
    monkeypatch.setattr(steps, "SIMULATIONS", 4)
    do(anonymous, "POST", f"{event}/forecast")
    do(anonymous, "GET", f"{event}/forecast")
    run_due()
    do(anonymous, "POST", f"{event}/forecast")
    for form in ("", ".csv", ".ndjson", ".html", ".svg", ".pdf"):
        do(anonymous, "GET", f"{event}/forecast{form}?top=1")
    for line in do(anonymous, "GET", f"{event}/rounds/2/pairings").json()["rows"]:
        if line["game_id"]:
            reason = {"reason": "both are absent"}
            do(organiser, "POST", f"games/{line['game_id']}/adjourn", reason)
            tasks.settle_due.run()
            do(organiser, "POST", f"games/{line['game_id']}/resume", reason)
            do(organiser, "POST", f"games/{line['game_id']}/annul", reason)
            do(organiser, "POST", f"games/{line['game_id']}/rule", reason | {"result": "0-0"})
    tasks.settle_due.run()
    do(organiser, "POST", f"{event}/rounds/2/complete", {})
    do(anonymous, "GET", "games")
    for form in ("", ".json", ".csv", ".ndjson", ".html", ".trf", ".pdf"):
        do(anonymous, "GET", f"{event}/standings{form}")
    for form in ("", ".csv", ".pdf"):
        do(anonymous, "GET", f"{event}/crosstable{form}")
    for form in ("", ".csv", ".ndjson", ".html"):
        do(anonymous, "GET", f"{event}/prizes{form}")
    groups = SET_UP | {"slug": "groups", "system": "groups-knockout", "rounds": 5}
    do(organiser, "POST", "tournaments", groups)
    for form in ("", ".csv", ".html"):
        do(organiser, "GET", f"tournaments/groups/groups{form}")
    do(anonymous, "GET", f"{event}/groups")
    for form in ("", ".json", ".csv", ".ndjson", ".html"):
        do(anonymous, "GET", f"{event}/clubs{form}?by=country&best=2")
    for table in ("standings", "crosstable", "rounds/1/pairings", "rounds/1/results"):
        for name in ("board", "state") if "/" in table else ("rank", "player"):
            do(anonymous, "GET", f"{event}/{table}?fields={name}")
    do(anonymous, "GET", f"{event}/standings?round=1")
    do(anonymous, "GET", f"{event}/standings?terms=1")
    for form in ("", ".json", ".ndjson"):
        do(organiser, "GET", f"{event}/journal{form}")
    do(organiser, "POST", f"{event}/review")
    for action in ("refuse", "approve"):
        path = f"pools/star/tournaments/spring-open/{action}"
        do(officer, "POST", path, {"reason": "an event of the club"})
    do(officer, "GET", "pools/star/tournaments")
    done = do(organiser, "POST", f"{event}/finalise")
    do(anonymous, "GET", done["Location"])
    corrected = {
        "changes": [{"game_id": pairings[0]["game_id"], "result": "0-1f"}],
        "reason": "a test",
    }
    shown = do(organiser, "POST", f"{event}/corrections?dry_run=1", corrected).json()
    do(organiser, "POST", f"{event}/corrections", corrected | {"digest": shown["digest"]})
    do(organiser, "POST", f"{event}/corrections", corrected | {"digest": "1." + "0" * 64})
    do(anonymous, "GET", f"{event}/corrections")
    do(anonymous, "GET", f"{event}/corrections/1")
    do(organiser, "POST", f"{event}/corrections/1/undo?dry_run=1", {"reason": "a test"})
    do(organiser, "POST", f"{event}/corrections/1/undo", {"reason": "a test"})
    do(organiser, "POST", f"{event}/reopen", {"reason": "a test"})
    do(organiser, "POST", f"{event}/finalise")
    do(organiser, "POST", f"{event}/copy", {"name": "Autumn Open", "starts_on": "2026-10-03"})
    do(organiser, "POST", f"{event}/archive")
    do(organiser, "POST", f"{event}/cancel", {"reason": "too late"})

    tagged = (
        f'[First "Ada"]\n[FirstCountry "POR"]\n[Second "Ivo"]\n[Date "2026.05.01"]\n{FIRST_WINS}'
    )
    do(staff, "POST", "games/import", tagged, content_type="text/plain")
    conditions = {"seat": "first", "ruleset": "star-star", "board_size": "4"}
    for person, action in ((ben, "accept"), (ben, "decline"), (ada, "cancel")):
        proposed = do(ada, "POST", "games", conditions | {"opponent_id": player_of(ben).pk}).json()
        do(person, "POST", f"games/{proposed['id']}/{action}")
    by_turns = conditions | {"opponent_id": player_of(ben).pk, "play": "by_turns"}
    played = f"games/{do(ada, 'POST', 'games', by_turns).json()['id']}"
    do(ben, "POST", f"{played}/accept")
    do(ada, "POST", f"{played}/live/turns", {"number": 1, "turns": ["S10"]})
    answers = (ada, "decline"), (ben, "withdraw"), (ada, "accept")
    for person, action in (each for answer in answers for each in ((ben, "offer"), answer)):
        body = {} if action in ("decline", "withdraw") else {"result": "11-10"}
        do(person, "POST", f"{played}/live/{action}", body)
    timed = by_turns | {"days_per_turn": 1}
    played = f"games/{do(ada, 'POST', 'games', timed).json()['id']}"
    do(ben, "POST", f"{played}/accept")
    LiveRecord.objects.update(turn_since=datetime(2026, 5, 1, tzinfo=UTC))
    do(ben, "POST", f"{played}/live/claim-time")

    rating_tasks.advance_pool.run(Batch.objects.get().pool_id)
    Rating.objects.update(games=10)  # with fewer, they would not be on the lists
    do(anonymous, "GET", done["Location"])
    for path in ("", "/runs", "/runs/1", "/runs/1/changes"):
        do(anonymous, "GET", f"pools/star{path}")
    do(anonymous, "GET", "pools/star/ratings?provisional=true")
    for body in ({"kind": "calibration"}, {"kind": "fair_play", "level": 0.05}):
        analysis = do(officer, "POST", "pools/star/analyses", body)["Location"]
        run_due()
        for suffix in ("", ".csv"):
            do(officer, "GET", f"{analysis}{suffix}")
    do(officer, "GET", "pools/star/analyses")
    published = do(officer, "POST", "pools/star/lists")["Location"]
    do(anonymous, "GET", "pools/star/lists")
    do(anonymous, "GET", published)
    for suffix in ("", ".csv", ".ndjson", ".html", ".pdf"):
        do(anonymous, "GET", f"pools/star/ratings{suffix}")
        do(anonymous, "GET", f"{published}/ratings{suffix}")
    for name in ("rank", "player"):
        do(anonymous, "GET", f"{published}/ratings?fields={name}")
    for owner in ("pools/star", published):
        do(anonymous, "GET", f"{owner}/ratings/{player_of(ada).pk}")
    batch = f"pools/star/batches/{Batch.objects.get().pk}"
    do(anonymous, "GET", "pools/star/export.ndjson")
    for action in ("cancel", "undo"):
        do(officer, "POST", f"{batch}/{action}", {"reason": "a test"})
    backdate = {"effective_at": "2026-01-01T00:00:00Z", "reason": "a test"}
    do(officer, "POST", f"{batch}/backdate", backdate)
    do(officer, "GET", "pools/star/batches")
    do(anonymous, "GET", "pools/star/batches")
    do(anonymous, "GET", "recompute_pool.py")
    for suffix in ("", ".csv", ".ndjson"):
        do(anonymous, "GET", f"players/{player_of(ada).pk}/rating-history{suffix}")
    do(anonymous, "GET", f"players/{player_of(ada).pk}/ratings")
    opponent = player_of(ben).pk
    do(anonymous, "GET", f"players/{player_of(ada).pk}/head-to-head/{opponent}")
    supposed = {"pool": "star", "results": [{"opponent_id": opponent, "score": "1"}]}
    do(anonymous, "POST", f"players/{player_of(ada).pk}/what-if", supposed)
    do(anonymous, "GET", f"{game}/rating-changes")

    trf = do(anonymous, "GET", f"{event}/standings.trf").content.decode()
    address = "tournaments/import?ruleset=star-star&board_size=4&slug=again"
    do(organiser, "POST", address, trf, content_type="text/plain")
    do(organiser, "POST", "tournaments/import", trf, content_type="text/plain")
    do(organiser, "POST", "tournaments/again/records/import", FIRST_WINS, content_type="text/plain")
    tagged = f'[Round "1"]\n[Table "1"]\n{FIRST_WINS}'
    do(organiser, "POST", "tournaments/again/records/import", tagged, content_type="text/plain")
    do(organiser, "POST", "tournaments", SET_UP | {"slug": "list"})
    do(organiser, "POST", "tournaments/list/entries/import", "name\nZoe\n", content_type="text/csv")
    bundle = do(organiser, "GET", f"{event}/bundle.zip").content
    do(organiser, "POST", "tournaments/import/bundle", bundle, content_type="application/zip")

    tasks.index_games.run()
    start = "ruleset=star-star&board_size=4"
    for address in ("next-moves?", "search?moves=S10&"):
        do(anonymous, "GET", f"games/{address}{start}")
    do(
        anonymous,
        "GET",
        f"handicap?first_player_id={player_of(ada).pk}&second_player_id={opponent}&pool=star&{start}",
    )
    do(anonymous, "GET", "problems/stale")
    for sheet in ("board", "sheet"):
        do(anonymous, "GET", f"rulesets/star-star/{sheet}?board_size=4")
    names = {"slug": "spring-open", "number": "1", "game_id": game.partition("/")[2]}
    names |= {"player_id": str(player_of(ada).pk)}
    for path, methods in schema["paths"].items():
        if "get" in methods and methods["get"]["operationId"] not in check.checked:
            code = "star-star" if "/rulesets/" in path else "star"
            do(anonymous, "GET", path.format(**names, code=code))
    assert [*undocumented_payloads()] == []
    empty_tables()
    do(staff, "POST", "tournaments/import/bundle", bundle, content_type="application/zip")
    assert {item["operationId"] for _, _, item in operations} - check.succeeded == set()
    writes = {item["operationId"] for verb, _, item in operations if verb != "get"}
    assert writes - check.dry_runs == READ_ONLY_OPERATIONS
    tried = {item["operationId"] for _, _, item in operations if has_dry_run(item)}
    assert tried == check.dry_runs | READ_ONLY_OPERATIONS
    posts = {item["operationId"] for verb, _, item in operations if verb == "post"}
    assert posts - check.replayed == READ_ONLY_OPERATIONS | WITHOUT_ACCOUNT
    assert check.presence.always_there() == sorted(MAY_BE_ABSENT)


def test_what_others_may_not_see_is_described_as_absent(
    schema: dict[str, Any], organiser: Person, anonymous: Person
) -> None:
    event = make_running(organiser, 4)
    event.publish()
    documented = Documented(schema)
    read = 0
    for path, methods in schema["paths"].items():
        address = path.replace("{slug}", "spring").replace("{number}", "1")
        content = methods.get("get", {}).get("responses", {}).get("200", {}).get("content", {})
        if address == path or "{" in address or "application/json" not in content:
            continue
        response = anonymous.get(address)
        assert documented.differences(methods["get"], response) == [], address
        read += response.status_code == 200

    assert read > 10
