"""`Idempotency-Key`: a POST that is sent again acts once and gets the same response."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.signals import post_save
from django.http import HttpResponse

from games import tasks
from games.core import idempotency
from games.models import Game, JournalLine, Player, Report, Role, StoredResponse, Token
from tests.events import FILLED_TWICE, FIRST_WINS, SET_UP, make_event, make_players
from tests.people import Person, player_of, problem_in
from tests.processes import Worker
from tournament.entries.applications import create_application_key
from tournament.entries.links import create_links, page_address
from tournament.models import Entry, PersonalLink, Tournament

THREADS = 20
KEY = {"Idempotency_Key": "a key of my own"}
CLEO = {"name": "Cleo", "country": "POR"}


@pytest.fixture
def game(organiser: Person, ada: Person, ben: Person) -> Game:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben))
    return event.step("open", "start").publish()[0]


def answer(response: HttpResponse) -> tuple[int, str | None, bytes]:
    return response.status_code, response.get("Location"), response.content


REQUESTS: dict[str, tuple[str, Any]] = {
    "a player": ("players", CLEO),
    "a token, with its secret": ("tokens", {"scopes": ["tournament:read"]}),
    "an action": ("tournaments/spring/open", None),
    "a file": ("players/import", "name\nCleo\n"),
}


@pytest.mark.parametrize(("path", "body"), REQUESTS.values(), ids=REQUESTS)
def test_a_repeated_request_acts_once(organiser: Person, path: str, body: Any) -> None:
    make_event(organiser)
    kind = {"content_type": "text/csv"} if isinstance(body, str) else {}

    first = organiser.post(path, body, **KEY, **kind)
    lines, tokens = JournalLine.objects.count(), Token.objects.count()
    again = organiser.post(path, body, **KEY, **kind)

    assert first.status_code in (200, 201)
    assert answer(again) == answer(first)
    assert ("Idempotent-Replayed" in first, again["Idempotent-Replayed"]) == (False, "true")
    assert (JournalLine.objects.count(), Token.objects.count()) == (lines, tokens)
    assert Player.objects.filter(name="Cleo").count() <= 1


def test_the_secret_of_a_token_is_not_stored(organiser: Person) -> None:
    body = organiser.post("tokens", {"scopes": ["tournament:read"]}, **KEY).json()
    (row,) = StoredResponse.objects.all()

    stored = repr((row.key_digest, row.headers, bytes(row.content)))
    assert body["token"] not in stored
    assert KEY["Idempotency_Key"] not in stored


@contextmanager
def suspended(worker: Worker) -> Iterator[None]:
    worker.suspend()
    yield
    worker.send(signal.SIGCONT)


def test_a_repetition_waits_for_a_report(worker: Worker, game: Game, ada: Person) -> None:
    path, body = f"games/{game.pk}/reports", {"record": FIRST_WINS}
    with suspended(worker):
        first = ada.post(path, body, **KEY)
        same = ada.post(path, body, **KEY)

    again = ada.post(path, body, **KEY, Prefer="wait=20")
    third = ada.post(path, body, **KEY)

    assert (first.status_code, answer(same)) == (202, answer(first))
    assert (again.status_code, again["Idempotent-Replayed"]) == (200, "true")
    assert again["Preference-Applied"] == "wait=20"
    assert again["Location"] == first["Location"]
    body = again.json()
    assert body["task"]["state"] == "done"
    assert body["report"]["settled_at"] is not None
    assert body["report"]["id"] == first.json()["report"]["id"]
    assert answer(third) == answer(again)
    assert Report.objects.count() == 1


CSV = {"content_type": "text/csv", "Prefer": "respond-async"}
ACCEPTED: dict[str, tuple[str, Any, int]] = {
    "an import": ("players/import", "name\nCleo\n", 201),
    "a refused import": ("players/import", "name,country\nCleo,Atlantis\n", 422),
    "an analysis": ("pools/star/analyses", {"kind": "calibration"}, 200),
}


@pytest.mark.parametrize(("path", "body", "status"), ACCEPTED.values(), ids=ACCEPTED)
def test_a_repetition_waits_for_a_task(
    worker: Worker, officer: Person, path: str, body: Any, status: int
) -> None:
    kind = CSV if isinstance(body, str) else {}
    with suspended(worker):
        first = officer.post(path, body, **KEY, **kind)
    assert first.status_code == 202, first.content

    again = officer.post(path, body, **KEY, **kind | {"Prefer": "wait=20"})
    third = officer.post(path, body, **KEY, **kind)

    assert again.status_code == status, again.content
    assert again["Idempotent-Replayed"] == "true"
    assert ("wait=20" in again.get("Preference-Applied", "")) == (status < 300)
    assert answer(third) == answer(again)
    assert Player.objects.filter(name="Cleo").count() == (status == 201)


def test_who_may_not_do_it_any_more_waits_for_nothing(worker: Worker, officer: Person) -> None:
    path, body = "pools/star/analyses", {"kind": "calibration"}
    with suspended(worker):
        first = officer.post(path, body, **KEY)
    Role.objects.filter(account=officer.account).delete()

    again = officer.post(path, body, **KEY, Prefer="wait=20")

    assert (first.status_code, answer(again)) == (202, answer(first))
    assert "Preference-Applied" not in again


def test_a_repetition_waits_for_the_rating_of_an_event(worker: Worker, officer: Person) -> None:
    event = make_event(officer, pool="star", rounds=1)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    event.step("review")
    tag = {"If_Match": officer.get(event.path)["ETag"]}
    path = f"{event.path}/finalise"
    with suspended(worker):
        first = officer.post(path, None, **KEY, **tag)
    assert first.status_code == 202, first.content

    again = officer.post(path, None, **KEY, **tag, Prefer="wait=20")

    assert (again.status_code, again.json()["task"]["state"]) == (200, "done")
    assert again["ETag"] == first["ETag"]
    assert {**again.json(), "task": None} == {**first.json(), "task": None}


def test_a_rejected_record_is_journalled(ada: Person, game: Game) -> None:
    problem_in(ada.post(f"games/{game.pk}/reports", {"record": FILLED_TWICE}, **KEY), 422)

    assert JournalLine.objects.filter(kind="report.refused").count() == 1
    assert not StoredResponse.objects.exists()


OTHERS: dict[str, tuple[str, Any]] = {
    "another body": ("players", CLEO | {"country": "ESP"}),
    "another address": ("tournaments", SET_UP),
    "another parameter": ("players?dry_run=1", CLEO),
}


@pytest.mark.parametrize(("path", "body"), OTHERS.values(), ids=OTHERS)
def test_another_request_with_the_key_is_refused(organiser: Person, path: str, body: Any) -> None:
    organiser.post("players", CLEO, **KEY)

    problem = problem_in(organiser.post(path, body, **KEY), 422, "idempotency_key_reused")
    assert problem["errors"][0]["parameter"] == "Idempotency-Key"
    assert (Player.objects.count(), Tournament.objects.count()) == (1, 0)


def test_another_token_does_not_read_the_response(organiser: Person) -> None:
    organiser.post("players", CLEO, **KEY)
    other = organiser.with_token("tournament:write")

    problem_in(other.post("players", CLEO, **KEY), 422, "idempotency_key_reused")


def test_the_keys_of_accounts_are_their_own(organiser: Person, stranger: Person) -> None:
    for person in (organiser, stranger):
        assert person.post("players", CLEO, **KEY).status_code == 201

    assert Player.objects.filter(name="Cleo").count() == 2


def test_a_rejected_request_can_succeed_later(organiser: Person) -> None:
    event = make_event(organiser).step("open")
    problem_in(organiser.post(f"{event.path}/start", **KEY), 409, "too_few_entries")
    event.enter(*make_players(2))

    assert organiser.post(f"{event.path}/start", **KEY).status_code == 200


def test_the_order_and_space_of_json_do_not_count(organiser: Person) -> None:
    first = organiser.post("players", b'{"name": "Cleo", "country": "POR"}', **KEY)

    assert answer(organiser.post("players", b'{"country":"POR","name":"Cleo"}', **KEY)) == answer(
        first
    )


@pytest.mark.parametrize("key", ["", "x" * 256, "\u00e9"])
def test_a_wrong_key_is_refused(organiser: Person, key: str) -> None:
    response = organiser.post("players", CLEO, Idempotency_Key=key)

    problem_in(response, 400, "wrong_idempotency_key")


def test_a_request_that_writes_nothing_needs_no_key(anonymous: Person) -> None:
    for _ in range(2):
        response = anonymous.post("rules/referee", {"record": FIRST_WINS}, **KEY)
        assert (response.status_code, "Idempotent-Replayed" in response) == (200, False)


def test_an_application_without_an_account_acts_once(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser).step("open")
    key = create_application_key(event.tournament, by=organiser.account)
    path, body = f"{event.path}/entries/apply", CLEO | {"key": key}

    first, again = (anonymous.post(path, body, **KEY) for _ in range(2))
    other = anonymous.post(path, body | {"name": "Dan"}, **KEY)

    assert first.status_code == 201
    assert answer(again) == answer(first)
    assert (other.status_code, "Idempotent-Replayed" in other) == (201, False)
    assert Entry.objects.count() == Entry.objects.filter(state="applied").count() == 2


def test_a_session_of_a_link_is_opened_once(organiser: Person, anonymous: Person) -> None:
    event = make_event(organiser)
    event.enter(*make_players(2))
    create_links(event.tournament, by=organiser.account)
    one, two = (page_address(event.tournament, link) for link in PersonalLink.objects.all())
    path = f"{event.path}/links/session"

    def open_session(address: str) -> HttpResponse:
        return anonymous.post(path, {"link": address.partition("#")[2]}, **KEY)

    first, again, other = open_session(one), open_session(one), open_session(two)

    assert (first.status_code, other.status_code) == (201, 201)
    assert again.json()["token"] == first.json()["token"] != other.json()["token"]
    assert Token.objects.filter(scopes=first.json()["scopes"]).count() == 2
    stored = b"".join(bytes(row.content) for row in StoredResponse.objects.all())
    assert first.json()["token"].encode() not in stored


def test_a_response_survives_another_secret_key(organiser: Person, settings: Any) -> None:
    first = organiser.post("players", CLEO, **KEY)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key of this service"

    assert answer(organiser.post("players", CLEO, **KEY)) == answer(first)
    assert Player.objects.filter(name="Cleo").count() == 1

    settings.SECRET_KEY_FALLBACKS = []
    problem_in(organiser.post("players", CLEO, **KEY), 409, "idempotent_response_lost")
    assert Player.objects.filter(name="Cleo").count() == 1


def test_a_response_is_stored_for_a_day(organiser: Person) -> None:
    organiser.post("players", CLEO, **KEY)
    row = StoredResponse.objects.get()
    row.created_at -= timedelta(hours=23)
    row.save()
    tasks.delete_old_responses.run()
    assert "Idempotent-Replayed" in organiser.post("players", CLEO, **KEY)

    row.created_at -= timedelta(hours=1)
    row.save()
    assert "Idempotent-Replayed" not in organiser.post("players", CLEO, **KEY)
    row = StoredResponse.objects.get()
    row.created_at -= timedelta(hours=24)
    row.save()
    tasks.delete_old_responses.run()
    assert not StoredResponse.objects.exists()


@pytest.mark.parametrize(("quota", "limit"), [("responses", 1), ("response_bytes", 50)])
def test_quotas(organiser: Person, settings: Any, quota: str, limit: int) -> None:
    settings.QUOTAS = {**settings.QUOTAS, quota: limit}
    assert organiser.post("players", CLEO, **KEY).status_code == 201

    problem = problem_in(
        organiser.post("players", CLEO, Idempotency_Key="another"), 409, "quota_reached"
    )

    assert problem["quota"] == quota
    assert organiser.post("players", CLEO).status_code == 201


def test_a_response_that_is_too_large_changes_nothing(
    organiser: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "LARGEST_STORED_RESPONSE", 20)

    problem_in(organiser.post("players", CLEO, **KEY), 422, "response_too_large")
    assert (Player.objects.count(), StoredResponse.objects.count()) == (0, 0)


class Crash(BaseException):
    """The end of the process."""


@pytest.mark.django_db(transaction=True)
def test_a_crash_before_the_commit_leaves_neither_write_nor_response(organiser: Person) -> None:
    def crash(*, created: bool, **_: object) -> None:
        if not created:  # the response is stored after the write
            assert Player.objects.exists()
            raise Crash

    post_save.connect(crash, sender=StoredResponse)
    try:
        with pytest.raises(Crash):
            organiser.post("players", CLEO, **KEY)
    finally:
        post_save.disconnect(crash, sender=StoredResponse)
    assert (Player.objects.count(), StoredResponse.objects.count()) == (0, 0)

    assert organiser.post("players", CLEO, **KEY).status_code == 201
    assert organiser.post("players", CLEO, **KEY).status_code == 201
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_threads_with_one_key_act_once(organiser: Person) -> None:
    def send(_: int) -> tuple[int, str | None, bytes]:
        try:
            return answer(Person("Olga", secret=organiser.secret).post("players", CLEO, **KEY))
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=THREADS) as pool:
        answers = list(pool.map(send, range(THREADS)))

    assert len(set(answers)) == 1
    assert answers[0][0] == 201
    assert Player.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_key_in_use_is_not_waited_for_long(organiser: Person) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("on SQLite, any write waits for the only writer")
    organiser.post("players", CLEO, **KEY)
    (row,) = StoredResponse.objects.all()
    row.delete()

    def send() -> HttpResponse:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '200ms'")  # as in a process of the service
            return Person("Olga", secret=organiser.secret).post("players", CLEO, **KEY)
        finally:
            with connection.cursor() as cursor:
                cursor.execute("RESET lock_timeout")  # the next test may get the connection
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(max_workers=1) as pool:
        row.save(force_insert=True)  # as the first request does
        response = pool.submit(send).result()

    problem_in(response, 409, "idempotency_key_in_use")
    assert response["Retry-After"] == "1"
