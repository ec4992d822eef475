"""`ETag` on reads, and 304 for a caller who has the current representation."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, player_of

READS = [
    "me",
    "players",
    "players/{player}",
    "games",
    "games/{game}",
    "tournaments",
    "tournaments/spring",
    "tournaments/spring/entries",
    "tournaments/spring/entries/{entry}",
    "tournaments/spring/byes",
    "tournaments/spring/rounds",
    "tournaments/spring/rounds/1",
    "tournaments/spring/rounds/1/pairings",
    "tournaments/spring/rounds/1/pairings.csv",
    "tournaments/spring/journal",
]
TABLES = [
    f"tournaments/spring/{name}"
    for name in ("standings", "standings.csv", "standings.html", "crosstable", "prizes", "clubs")
]


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    event = make_event(organiser)
    event.enter(player_of(ada), player_of(ben), *make_players(2))
    event.step("open", "start").play(1)
    event.publish(2)
    return event


def address(event: Event, path: str) -> str:
    entry = event.tournament.entries.order_by("pk")[0]
    game = event.games(2)[0]
    return path.format(player=entry.player_id, entry=entry.pk, game=game.pk)


def test_an_unchanged_read_is_304(organiser: Person, event: Event) -> None:
    for path in (address(event, path) for path in READS + TABLES):
        first = organiser.get(path)
        again = organiser.get(path, If_None_Match=f'"other", {first["ETag"]}')

        statuses = first.status_code, again.status_code
        assert (path, *statuses, again.content) == (path, 200, 304, b"")
        assert again["ETag"] == first["ETag"] == organiser.get(path)["ETag"]
        assert organiser.get(path, If_None_Match='"other"').content == first.content
        assert organiser.get(path, If_None_Match="*").status_code == 304


def test_a_new_result_changes_the_tags(organiser: Person, event: Event) -> None:
    paths = ["games", "games/{game}", "tournaments/spring/rounds/2/pairings", *TABLES]
    tags = {path: organiser.get(path)["ETag"] for path in (address(event, path) for path in paths)}
    rule_game(event.games(2)[0], by=organiser.account, reason="seen", result="0-1")
    settle()

    for path, tag in tags.items():
        assert (path, organiser.get(path, If_None_Match=tag).status_code) == (path, 200)


def test_the_tag_depends_on_what_the_caller_may_see(
    event: Event, organiser: Person, anonymous: Person
) -> None:
    for path in ("standings", "standings.csv", "entries"):
        tags = {who.get(f"{event.path}/{path}")["ETag"] for who in (organiser, anonymous)}
        assert len(tags) == 2, path


def test_a_sheet_has_the_time_of_printing_and_no_tag(organiser: Person, event: Event) -> None:
    assert "ETag" not in organiser.get(f"{event.path}/standings.pdf")


def test_a_problem_has_no_tag(anonymous: Person, event: Event) -> None:
    response = anonymous.get("games/0", If_None_Match="*")

    assert (response.status_code, "ETag" in response) == (404, False)


def test_an_unchanged_table_is_not_computed(anonymous: Person, event: Event) -> None:
    path = f"{event.path}/standings"
    tag = anonymous.get(path)["ETag"]

    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert anonymous.get(path, If_None_Match=tag).status_code == 304

    assert len(queries) == 2
