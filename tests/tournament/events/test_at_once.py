"""Simultaneous requests: one succeeds, the others get 409, nothing happens twice."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest
from django.db import connection, transaction

from games.core.accounts.tokens import issue_personal_token
from games.core.journal.lines import append_line
from games.models import Game, JournalLine, Player, Role
from games.play.services import rule_game
from tests.events import SET_UP, Event, make_event, make_players, settle
from tests.people import Person, make_person
from tests.processes import eventually
from tournament.entries.services import enter_player
from tournament.events.verification import find_streams, verify_stream
from tournament.models import Bye, Entry, Tournament
from tournament.rounds.pairing import pair_round

pytestmark = pytest.mark.django_db(transaction=True)
DIRECTORS = 6


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(4))
    return event.step("open")


def at_once(who: Person, path: str, body: object = None) -> list[int]:
    """Send the same request several times at once and return the sorted statuses."""

    def send(_: int) -> int:
        try:
            return Person(who.name, secret=who.secret).post(path, body).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=DIRECTORS) as pool:
        return sorted(pool.map(send, range(DIRECTORS)))


def count_lines(event: Event, kind: str) -> int:
    return JournalLine.objects.filter(stream=event.stream, kind=kind).count()


ONE_SUCCEEDS = [200] + [409] * (DIRECTORS - 1)


def test_each_transition_happens_once(organiser: Person, event: Event) -> None:
    assert at_once(organiser, f"{event.path}/start") == ONE_SUCCEEDS
    pair_round(event.tournament, 1, by=organiser.account)
    assert at_once(organiser, f"{event.path}/rounds/1/publish") == ONE_SUCCEEDS
    for game in event.games():
        rule_game(game, by=organiser.account, reason="seen", result="1-0")
    settle()
    assert at_once(organiser, f"{event.path}/rounds/1/complete") == ONE_SUCCEEDS
    assert at_once(organiser, f"{event.path}/review") == ONE_SUCCEEDS
    assert at_once(organiser, f"{event.path}/finalise") == ONE_SUCCEEDS

    kinds = ("tournament.running", "round.published", "round.complete", "tournament.final")
    assert [count_lines(event, kind) for kind in kinds] == [1, 1, 1, 1]
    assert Game.objects.count() == 2


def test_an_entry_and_a_bye_are_created_once(organiser: Person, event: Event) -> None:
    (player,) = make_players(1)
    found = at_once(organiser, f"{event.path}/entries", {"player_id": player.pk})
    assert found == [201] + [409] * (DIRECTORS - 1)
    entry = Entry.objects.get(player=player)

    found = at_once(
        organiser, f"{event.path}/byes", {"entry_id": entry.pk, "round": 1, "kind": "half_bye"}
    )

    assert found == [201] + [409] * (DIRECTORS - 1)
    assert Bye.objects.count() == 1


def test_twenty_commands_of_two_directors(organiser: Person) -> None:
    """Each command is answered; of two on the same board, one is done and the other notified."""
    event = make_event(organiser, rounds=1)
    event.enter(*make_players(20))
    games = event.step("open", "start").publish()
    directors = (organiser, make_person("Dina"))
    Role.objects.create(stream=event.stream, account=directors[1].account, role="director")
    tags = {game.pk: organiser.get(f"games/{game.pk}")["ETag"] for game in games}

    def rule(command: tuple[Game, Person]) -> tuple[int, int]:
        game, director = command
        try:
            return game.pk, Person(director.name, secret=director.secret).post(
                f"games/{game.pk}/rule",
                {"result": "1-0", "reason": f"seen by {director.name}"},
                If_Match=tags[game.pk],
            ).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=20) as pool:
        answers = list(pool.map(rule, product(games, directors)))

    assert sorted(answers) == [(game, status) for game in sorted(tags) for status in (202, 412)]
    assert count_lines(event, "report.ruling") == len(games)
    settle()
    assert Game.objects.filter(state="confirmed", winner="first").count() == len(games)
    lines = JournalLine.objects.filter(stream=event.stream).order_by("sequence")
    numbers = list(lines.values_list("sequence", flat=True))
    assert numbers == list(range(1, len(numbers) + 1))


def test_one_of_several_drafts_gets_a_slug(organiser: Person) -> None:
    drafts = [make_event(organiser, slug=f"draft-{number}") for number in range(DIRECTORS)]

    def move(draft: Event) -> int:
        try:
            person = Person(organiser.name, secret=organiser.secret)
            return person.patch(draft.path, {"slug": "autumn"}).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=DIRECTORS) as pool:
        assert sorted(pool.map(move, drafts)) == ONE_SUCCEEDS
    assert Tournament.objects.filter(slug="autumn").count() == 1
    assert [error for stream in find_streams() for error in verify_stream(stream)] == []


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")
def test_a_token_that_waits_for_its_event_does_not_lock_the_player(
    organiser: Person, event: Event
) -> None:
    """Otherwise two players who are entered into two events at once are a deadlock."""
    other = make_event(organiser, slug="autumn")
    (player,) = make_players(1)

    with ThreadPoolExecutor(2) as threads:
        with transaction.atomic():
            append_line(event.stream, "tournament.changed", {}, by=None)
            issued = threads.submit(issue_token, player, event)
            eventually(is_waiting_for_lock)
            threads.submit(enter, player, other).result()
        issued.result()

    assert other.tournament.entries.get().player == player
    assert count_lines(event, "token.issued") == 1


def issue_token(player: Player, event: Event) -> None:
    try:
        issue_personal_token(player, event.stream, by=event.owner.account)
    finally:
        connection.close()


def enter(player: Player, event: Event) -> None:
    """Enter a player; raises OperationalError if something is locked."""
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '2s'")
            enter_player(event.tournament, player, by=event.owner.account)
    finally:
        connection.close()


def is_waiting_for_lock() -> bool:
    """Return True if a connection to this database waits: other tests have their own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock')"
        )
        return bool(cursor.fetchone()[0])


@pytest.mark.parametrize(
    ("quota", "path", "body"),
    [
        ("events_per_day", "tournaments", SET_UP | {"slug": "event-%s"}),
        ("players_per_day", "players", {"name": "Player %s"}),
        ("applications_by_account", "tournaments/spring/entries/apply", {"name": "Player %s"}),
    ],
)
def test_parallel_requests_do_not_exceed_a_quota(
    settings: Any, organiser: Person, stranger: Person, quota: str, path: str, body: dict[str, Any]
) -> None:
    make_event(organiser).step("open")
    settings.QUOTAS = {**settings.QUOTAS, quota: 2}

    def send(number: int) -> int:
        try:
            person = Person(stranger.name, secret=stranger.secret)
            numbered = {
                name: value % number if "%s" in str(value) else value
                for name, value in body.items()
            }
            return person.post(path, numbered).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=DIRECTORS) as pool:
        statuses = sorted(pool.map(send, range(DIRECTORS)))

    assert statuses == [201, 201, 409, 409, 409, 409]
