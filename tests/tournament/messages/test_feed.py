"""The feed of a stream: which journal lines are public, and what is said about them."""

import json
from typing import Any

import pytest
from django.conf import settings

from games.core.journal.lines import append_line
from games.core.references import player_reference
from games.models import Game, JournalPayload, Player
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person
from tests.tournament.webhooks.messages import (
    callbacks,
    check_message,
    described,
    resolved,
    schema_of,
)
from tournament.core.references import entry_reference
from tournament.entries.applications import apply
from tournament.entries.services import change_entry_state, enter_player, withdraw_entry
from tournament.messages.feed import last_number, load_feed
from tournament.messages.kinds import KINDS
from tournament.models import Entry
from tournament.players.services import erase_player
from tournament.rounds.services import complete_round, reopen_round, restore_version, unpair_round
from tournament.webhooks.signatures import PING

pytestmark = pytest.mark.django_db
API = f"{settings.PUBLIC_URL}/api/v1/tournaments/spring"
PAGE = f"{settings.PUBLIC_URL}/e/spring"
SPRING = {"slug": "spring", "name": "Spring Open"}


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser, system="dutch")
    event.enter(*make_players(4))
    return event.step("open", "start")


def test_the_description_has_every_kind() -> None:
    assert callbacks().keys() == {*KINDS, PING}
    members = described()["components"]["schemas"]["WebhookInput"]["properties"]
    assert {place for each in callbacks().values() for place in each} == {
        f"{{$request.body#/{name}}}" for name in members if name == "receiver_url"
    }
    assert all(kind in resolved(schema_of(kind))["properties"]["type"]["enum"] for kind in KINDS)


def feed_of(event: Event, after: int = 0) -> list[tuple[str, Any]]:
    """Return the kinds and the data of the feed, which must be JSON, as it is described."""
    entries = load_feed(event.stream, after=after, limit=100)
    for entry in entries:
        message = entry.as_message()
        assert json.loads(json.dumps(message)) == message
        check_message(message)
    return [(entry.kind, entry.data) for entry in entries]


def kinds_of(event: Event, after: int = 0) -> list[str]:
    return [kind for kind, _ in feed_of(event, after)]


def seat(player: Player, number: int) -> dict[str, Any]:
    found = entry_reference(Entry.objects.get(player=player))
    assert found["number"] == number
    return {**found}


def test_the_feed_of_a_round(organiser: Person) -> None:
    event = make_event(organiser, system="dutch")
    event.enter(*make_players(4))
    end = last_number(event.stream)
    event.step("open", "start")
    games = event.publish(1)
    rule_game(games[0], by=event.owner.account, reason="a private reason", result="11-10")
    settle()

    boards = [
        {
            "board": number,
            "game_ids": [game.pk],
            "first": seat(game.first, event_number(event, game.first)),
            "second": seat(game.second, event_number(event, game.second)),
        }
        for number, game in enumerate(games, start=1)
    ]
    result = {
        "tournament": SPRING,
        "round": 1,
        "board": 1,
        "game_id": games[0].pk,
        "return_game": False,
        "first": {"player": player_reference(games[0].first)},
        "second": {"player": player_reference(games[0].second)},
        "state": "confirmed",
        "adjourned": False,
        "basis": "ruling",
        "result": "11-10",
        "winner": "first",
        "termination": "ruled",
        "url": f"{settings.PUBLIC_URL}/api/v1/games/{games[0].pk}",
        "page_url": f"{settings.PUBLIC_URL}/games/{games[0].pk}",
    }
    assert feed_of(event, end) == [
        ("tournament.opened", state("registration")),
        ("tournament.started", state("running")),
        (
            "round.published",
            {
                "tournament": SPRING,
                "round": 1,
                "boards": boards,
                "byes": [],
                "url": f"{API}/rounds/1/pairings",
            },
        ),
        ("game.confirmed", result),
    ]


def state(name: str) -> dict[str, Any]:
    return {"tournament": SPRING, "state": name, "url": API}


def event_number(event: Event, player: Player) -> int:
    number = event.tournament.entries.get(player=player).pairing_number
    assert number is not None
    return number


def test_a_withdrawn_round_is_left_out_until_it_is_restored(event: Event) -> None:
    by: Any = event.owner.account
    end = last_number(event.stream)
    (game, *_) = event.publish(1)
    rule_game(game, by=by, reason="seen", result="11-10")
    settle()
    unpair_round(event.tournament, 1, reason="a private reason", by=by)
    address = f"{API}/rounds/1"

    assert feed_of(event, end) == [
        ("round.unpaired", {"tournament": SPRING, "round": 1, "url": address})
    ]
    assert "private" not in str(feed_of(event))

    restore_version(event.tournament, 1, 1, reason="a private reason", by=by)
    kinds = ["round.published", "game.confirmed", "round.unpaired", "round.restored"]
    assert kinds_of(event, end) == kinds
    assert "private" not in str(feed_of(event))


def test_the_end_of_an_event(event: Event) -> None:
    by: Any = event.owner.account
    end = last_number(event.stream)
    event.play(1)
    reopen_round(event.tournament, 1, reason="a private reason", by=by)
    complete_round(event.tournament, 1, by=by)
    body = {
        "changes": [{"game_id": event.games(1)[0].pk, "result": "10-11"}],
        "scope": "standings",
        "reason": "a private reason",
    }
    digest = event.owner.post(f"{event.path}/corrections?dry_run=1", body).json()["digest"]
    assert event.owner.post(f"{event.path}/corrections", body | {"digest": digest}).json()
    event.play(2)
    event.play(3)
    event.step("review", "finalise")

    feed = feed_of(event, end)
    assert [kind for kind, _ in feed if not kind.startswith("game.")] == [
        "round.published", "round.completed", "round.reopened", "round.completed",
        "correction.committed", "round.published", "round.completed", "round.published",
        "round.completed", "tournament.completed", "tournament.finalised",
    ]  # fmt: skip
    assert dict(feed)["correction.committed"] == {
        "tournament": SPRING,
        "number": 1,
        "scope": "standings",
        "undoes": None,
        "game_ids": [event.games(1)[0].pk],
        "url": f"{API}/corrections/1",
    }
    assert feed[-1] == ("tournament.finalised", state("final"))
    assert "private" not in str(feed)


def test_settings_of_every_kind_are_told(event: Event) -> None:
    end = last_number(event.stream)
    for body in ({"places": 20}, {"place": "Lisbon"}, {"name": "Spring Open"}):
        assert event.owner.patch(event.path, body).status_code == 200
    assert {*kinds_of(event, end)} == {"tournament.edited"}


def test_a_line_without_its_payload_is_left_out(event: Event) -> None:
    end = last_number(event.stream)
    event.publish(1)
    JournalPayload.objects.filter(line__kind="round.published").delete()

    assert feed_of(event, end) == []


def test_the_second_game_of_a_board_has_exchanged_seats(organiser: Person) -> None:
    event = make_event(organiser, slug="two", games_per_pairing=2)
    event.enter(*make_players(2))
    (game,) = event.step("open", "start").publish(1)
    (board,) = dict(feed_of(event))["round.published"]["boards"]
    return_game = Game.objects.get(pk=board["game_ids"][1])
    rule_game(return_game, by=organiser.account, reason="seen", result="11-10")
    settle()

    result = dict(feed_of(event))["game.confirmed"]
    assert board["game_ids"][0] == game.pk
    players = [board[seat]["player"] for seat in ("second", "first")]
    assert [result[seat]["player"] for seat in ("first", "second")] == players
    assert (result["return_game"], result["winner"]) == (True, "first")


def test_the_feed_of_a_pool(db: None) -> None:
    before = last_number("pool/star")
    run = {"run": 3, "parent": 2, "from_batch": 7, "batches": 1, "players": 4, "input_digest": "ab"}
    append_line("pool/star", "rating.run", run, by=None)
    append_line("pool/star", "batch.filed", {"stream": "tournament/secret"}, by=None)
    published = {"published_on": "2026-12-01", "run": 3, "input_digest": "ab", "players": 4}
    append_line("pool/star", "list.published", published, by=None)

    entries = load_feed("pool/star", after=before, limit=9)
    for entry in entries:
        check_message(entry.as_message())
    assert [(entry.sequence - before, entry.kind, entry.data) for entry in entries] == [
        (
            1,
            "pool.rated",
            {
                "pool": "star",
                "run_number": 3,
                "batches": 1,
                "players": 4,
                "input_digest": "ab",
                "url": f"{settings.PUBLIC_URL}/api/v1/pools/star/runs/3",
            },
        ),
        (
            3,
            "list.published",
            {
                "pool": "star",
                "published_on": "2026-12-01",
                "run_number": 3,
                "players": 4,
                "url": f"{settings.PUBLIC_URL}/api/v1/pools/star/lists/2026-12-01",
            },
        ),
    ]


def test_other_streams_have_no_feed(db: None) -> None:
    append_line("game/1", "game.confirmed", {"game": 1, "state": "confirmed"}, by=None)
    append_line("tournament/gone", "tournament.final", {"state": "final"}, by=None)

    assert [load_feed(stream, after=0, limit=9) for stream in ("game/1", "tournament/gone")] == [
        [],
        [],
    ]
    assert last_number("nothing") == 0


def entry_data(entry: Entry, number: int | None = None) -> dict[str, Any]:
    """Return what the feed says of an entry that all see."""
    return {
        "tournament": SPRING,
        "entry": {**entry_reference(entry), "number": number},
        "url": f"{API}/entries/{entry.pk}",
        "page_url": f"{PAGE}/players" if number is None else f"{PAGE}/players/{number}",
    }


@pytest.fixture
def registration(organiser: Person) -> Event:
    """An event that is open for entries; two players have entered, with personal values."""
    event = make_event(organiser, system="dutch")
    by: Any = organiser.account
    for player in make_players(2):
        enter_player(event.tournament, player, by=by, birth_year=1961, sex="w", category="Zq")
    return event.step("open")


HIDDEN = {
    "tournament": SPRING,
    "url": f"{API}/entries",
    "entry": None,
    "page_url": f"{PAGE}/players",
}
"""What the feed says of an application that the list of entries does not show."""


def test_entries_in_the_feed(registration: Event) -> None:
    event, by = registration, registration.owner.account
    assert by is not None
    end = last_number(event.stream)
    (player,) = make_players(1)
    entry = apply(event.tournament, player, by=by)

    assert feed_of(event, end) == [("entry.applied", HIDDEN)]

    change_entry_state(entry, Entry.State.ACCEPTED, by=by, reason="a private reason")
    withdraw_entry(entry, by=by, reason="a private reason")
    change_entry_state(entry, Entry.State.ACCEPTED, by=by)

    kinds = ["entry.applied", "entry.accepted", "entry.withdrawn", "entry.returned"]
    data = entry_data(entry)
    expected = dict.fromkeys(kinds, data) | {"entry.withdrawn": data | {"last_round": None}}
    assert feed_of(event, end) == list(expected.items())

    event.step("start")
    number = event_number(event, player)
    assert dict(feed_of(event, end))["entry.accepted"] == entry_data(entry, number)


def test_an_entry_that_is_not_listed_is_not_in_the_feed(registration: Event) -> None:
    event, by = registration, registration.owner.account
    assert by is not None
    end = last_number(event.stream)
    (player,) = make_players(1)
    entry = apply(event.tournament, player, by=by)
    change_entry_state(entry, Entry.State.ACCEPTED, by=by)
    change_entry_state(entry, Entry.State.REFUSED, by=by, reason="a private reason")

    assert feed_of(event, end) == [("entry.applied", HIDDEN)]


def test_nothing_personal_of_an_entry_is_in_the_feed(registration: Event) -> None:
    by: Any = registration.owner.account
    entry = registration.tournament.entries.order_by("pk")[0]
    withdraw_entry(entry, by=by, reason="a private reason")

    names = {"tournament", "entry", "url", "page_url"}
    found = [data for kind, data in feed_of(registration) if kind.startswith("entry.")]
    assert len(found) == 3
    assert found[-1].pop("last_round") is None
    assert all(data.keys() == names for data in found)
    assert not any(word in str(found) for word in ("1961", "Zq", "private"))


def test_the_entry_of_an_erased_player_has_no_name(registration: Event) -> None:
    player = registration.tournament.entries.order_by("pk")[0].player
    erase_player(player, by=None)

    found = dict(feed_of(registration))
    assert player.name not in str(found)


def test_a_late_entry_comes_back(event: Event) -> None:
    """Also one who was to leave later, whose entry is still accepted."""
    by: Any = event.owner.account
    event.play(1)
    end = last_number(event.stream)
    entry = event.tournament.entries.order_by("pk")[0]
    withdraw_entry(entry, by=by, from_round=3, reason="a private reason")
    change_entry_state(entry, Entry.State.ACCEPTED, by=by)

    data = entry_data(entry, entry.pairing_number)
    assert feed_of(event, end) == [
        ("entry.withdrawn", data | {"last_round": 2}),
        ("entry.returned", data),
    ]
