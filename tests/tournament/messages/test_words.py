"""Whom each kind of line concerns, and in which words: one table."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings

from tournament.messages.data import FeedBoard, FeedRows
from tournament.messages.feed import FeedEntry, messages_of
from tournament.messages.kinds import KINDS
from tournament.messages.words import Message

SITE = settings.PUBLIC_URL
EVENT = f"{SITE}/e/spring"


def seat(number: int, name: str) -> Any:
    return {"id": 30 + number, "number": number, "player": {"id": 10 + number, "name": name}}


ADA, BOB = seat(1, "Ada"), seat(2, "Bob")
BOARD = FeedBoard(3, 1, (7,), ("3/1/1",), ADA, BOB)
BYE = FeedBoard(3, None, (), (), seat(3, "Cid"), None)
ROWS = FeedRows(
    "spring",
    title="Spring Open",
    zone="Europe/Lisbon",
    rounds={3: 1},
    starts={3: "2026-05-02, 09:30 WEST"},
    boards={3: [BOARD, BYE]},
    games={"3/1/1": (7, BOARD)},
    published=frozenset({(3, 1)}),
    entries={1: ADA},
    announced=frozenset({2}),
)
CASUAL = FeedRows("", games={"": (7, FeedBoard(None, None, (7,), ("",), ADA, BOB))})
RATING: Any = {
    "pool": "star", "run_number": 4, "player": ADA["player"], "before": None, "after": 1512,
    "url": "", "page_url": f"{SITE}/players/11",
}  # fmt: skip
STAR = FeedRows("star", title="Star games", place="pools", ratings={4: RATING})
GAME: dict[str, Any] = {
    "place": "3/1/1", "state": "confirmed", "adjourned": False, "basis": "slip", "winner": "first",
    "draw": False, "score": [11, 10], "termination": "",
}  # fmt: skip
ROUND = {"round": 3, "unpaired": 1}
ENTRY = {"ordinal": 1, "last_round": None}
CORRECTION = {"correction": 2, "scope": "standings", "undoes": None, "places": []}
RUN = {"run": 4, "batches": 1, "players": 12, "input_digest": "ab"}

EVERYBODY, ENTRANTS, OFFICIALS = "everybody", "entrants", "officials"
ALL = (EVERYBODY, ENTRANTS, OFFICIALS)
BOTH = ("player/11", "player/12")
SEEN = (EVERYBODY, OFFICIALS, *BOTH)
ARGUED = (OFFICIALS, *BOTH)
OWN = (OFFICIALS, "player/11")
PLACE = "Spring Open, round 3, board 1"
GAME_PAGE = f"{SITE}/games/7"

TOLD: list[tuple[str, dict[str, Any], tuple[str, ...], str, str]] = [
    ("entry.applied", ENTRY, (OFFICIALS,), "Spring Open: a new application has arrived",
        f"{EVENT}/run/entries"),
    ("entry.accepted", ENTRY, OWN, "Spring Open: Ada is accepted", f"{EVENT}/players/1"),
    ("entry.withdrawn", ENTRY, OWN, "Spring Open: Ada has withdrawn", f"{EVENT}/players/1"),
    ("entry.returned", ENTRY, OWN, "Spring Open: Ada has come back", f"{EVENT}/players/1"),
    ("round.scheduled", {"round": 3, "starts_on": None}, ALL,
        "Spring Open: start of round 3: not fixed yet", EVENT),
    ("round.scheduled", {"round": 3, "starts_on": "2026-05-02", "start_time": None}, ALL,
        "Spring Open: start of round 3: 2026-05-02", EVENT),
    ("round.scheduled", {"round": 3, "starts_on": "2026-05-02", "start_time": "09:30"}, ALL,
        "Spring Open: start of round 3: 2026-05-02, 09:30 WEST", EVENT),
    ("round.unpaired", ROUND, ALL, "Spring Open: the pairings of round 3 are withdrawn", EVENT),
    ("round.completed", ROUND, ALL, "Spring Open: standings after round 3", f"{EVENT}/standings"),
    ("round.reopened", ROUND, ALL, "Spring Open: round 3 is open again", f"{EVENT}/rounds/3"),
    ("game.proposed", {"state": "proposed"}, BOTH, "Casual game: Ada – Bob is proposed", GAME_PAGE),
    ("game.accepted", {"state": "open"}, BOTH, "Casual game: Ada – Bob is accepted", GAME_PAGE),
    ("game.declined", {"state": "declined"}, BOTH, "Casual game: Ada – Bob is declined", GAME_PAGE),
    ("game.cancelled", {"state": "cancelled"}, BOTH,
        "Casual game: Ada – Bob is not proposed any more", GAME_PAGE),
    ("game.expired", {"state": "expired"}, BOTH,
        "Casual game: the time for Ada – Bob is over", GAME_PAGE),
    ("game.reopened", GAME | {"state": "open"}, ARGUED,
        f"{PLACE}: Ada – Bob is open again", GAME_PAGE),
    ("game.reported", GAME | {"state": "waiting"}, ARGUED,
        f"{PLACE}: the result of Ada – Bob is reported, not yet confirmed", GAME_PAGE),
    ("game.confirmed", GAME, SEEN, f"{PLACE}: Ada – Bob 11-10", GAME_PAGE),
    ("game.disputed", GAME | {"state": "disputed"}, ARGUED,
        f"{PLACE}: the result of Ada – Bob is disputed", GAME_PAGE),
    ("game.adjourned", GAME | {"state": "open", "adjourned": True}, SEEN,
        f"{PLACE}: Ada – Bob is adjourned", GAME_PAGE),
    ("game.annulled", GAME | {"state": "annulled"}, SEEN,
        f"{PLACE}: Ada – Bob is annulled", GAME_PAGE),
    ("correction.committed", CORRECTION, ALL, "Spring Open: results are corrected",
        f"{EVENT}/corrections/2"),
    ("tie.decided", {"after": 3, "by": "lot"}, ALL,
        "Spring Open: a tie after round 3 is decided", f"{EVENT}/standings"),
    ("tournament.announced", {"number": 2, "text": "Lunch"}, ALL,
        "Spring Open: the directors announce", EVENT),
    ("announcement.withdrawn", {"number": 2}, ALL,
        "Spring Open: announcement 2 is withdrawn", EVENT),
    ("tournament.edited", {}, (OFFICIALS,), "Spring Open: the settings are changed", EVENT),
    ("tournament.opened", {}, ALL, "Spring Open is open for entries", EVENT),
    ("tournament.started", {}, ALL, "Spring Open has started", EVENT),
    ("tournament.completed", {}, ALL,
        "Spring Open: all rounds are played, the results are under review", EVENT),
    ("tournament.finalised", {}, ALL, "Spring Open: the results are final", f"{EVENT}/standings"),
    ("tournament.archived", {}, (OFFICIALS,), "Spring Open is archived", EVENT),
    ("tournament.cancelled", {}, ALL, "Spring Open is cancelled", EVENT),
    ("tournament.resumed", {}, ALL, "Spring Open: play goes on", EVENT),
    ("tournament.reopened", {}, ALL, "Spring Open is open again", EVENT),
    ("pool.rated", RUN, (EVERYBODY, OFFICIALS), "Star games: new ratings (players: 12)",
        f"{SITE}/pools/star"),
    ("rating.changed", RUN, ("player/11",),
        "Star games: the rating of Ada is 1512, before –", f"{SITE}/players/11"),
    ("list.published", {"published_on": "2026-12-01", "run": 4, "players": 12},
        (EVERYBODY, OFFICIALS), "Star games: the rating list of 2026-12-01",
        f"{SITE}/pools/star/lists/2026-12-01"),
]  # fmt: skip
PAIRED = ("round.published", "round.changed", "round.restored")


def messages(kind: str, payload: dict[str, Any]) -> list[Message]:
    """Return the messages of a line with this payload."""
    found = KINDS[kind]
    of_pool = "pool" in found.feeds or kind == "rating.changed"
    rows = CASUAL if found.feeds == ("account",) else ROWS
    rows = STAR if of_pool else rows
    data: Any = found.data(payload, rows)
    return messages_of(FeedEntry("any", 1, 1, kind, datetime.now(UTC), data, rows))


@pytest.mark.parametrize(("kind", "payload", "to", "title", "link"), TOLD)
def test_who_is_told_what(
    kind: str, payload: dict[str, Any], to: tuple[str, ...], title: str, link: str
) -> None:
    found = messages(kind, payload)

    assert [message.to for message in found] == [*to]
    assert {(message.title, message.link) for message in found} == {(title, link)}
    rounds = {message.standings for message in found}
    assert rounds == ({3} if kind in ("round.completed", "tournament.finalised") else {None})


@pytest.mark.parametrize("kind", PAIRED)
def test_each_player_is_told_their_board_or_bye(kind: str) -> None:
    page, title = f"{EVENT}/rounds/3", "Spring Open: pairings of round 3"
    changed = ", changed" if kind == "round.changed" else ""
    own = f"Spring Open, round 3{changed}: you play against {{}} on board 1"
    seats = (
        "You are the first player (dark stones).",
        "You are the second player (orange stones).",
    )
    begins = "Begins: 2026-05-02, 09:30 WEST"

    assert messages(kind, ROUND) == [
        Message("everybody", title, page, ("1. Ada – Bob",)),
        Message("officials", title, page, ("1. Ada – Bob",)),
        Message("player/13", "Spring Open, round 3: you have a bye, so you do not play", page),
        Message("player/11", own.format("Bob"), f"{page}/boards/1", (seats[0], begins)),
        Message("player/12", own.format("Ada"), f"{page}/boards/1", (seats[1], begins)),
    ]


def test_every_kind_is_in_the_table() -> None:
    assert {kind for kind, *_ in TOLD} | {*PAIRED} == KINDS.keys()
