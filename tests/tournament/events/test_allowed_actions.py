"""`allowed_actions`: the level of an action says what the call does, in every state, for all."""

import re
from itertools import cycle

import pytest

from games.models import Game
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of
from tests.tournament.actions import (
    GAME_CALLS,
    compare_actions,
    list_allowed,
    objects_of,
    states_of,
    with_officials,
)
from tournament.models import Entry

pytestmark = pytest.mark.any_database

DAY = """
draft:
    event, owner: edit open cancel! delete enter request_bye
    event, director: edit open enter request_bye
    entry, owner director: edit refuse wait withdraw availability
one entry:
    event, owner: edit cancel! enter apply request_bye
    event, director: edit enter apply request_bye
    event, scorer player stranger: apply
    entry, owner director: edit refuse wait withdraw availability
    entry, player: withdraw consent availability
registration:
    event, owner: edit start cancel! enter apply request_bye
    event, director: edit start enter apply request_bye
    event, scorer player stranger: apply
    entry, owner director: edit refuse wait withdraw availability
    entry, player: withdraw consent availability
running:
    event, owner: edit cancel! correct! enter request_bye
    event, director: edit correct! enter request_bye
    entry, owner director: edit! withdraw availability
    entry, player: withdraw consent availability
    round 1, owner director: edit pair set_pairings!
    round 2, owner director: edit
round 1 drafted:
    event, owner: edit cancel! correct! enter request_bye
    event, director: edit correct! enter request_bye
    entry, owner director: edit! withdraw availability
    entry, player: withdraw consent availability
    round 1, owner director: edit pair set_pairings! change_boards! publish unpair
    round 2, owner director: edit
round 1 published:
    event, owner: edit cancel! correct! enter request_bye
    event, director: edit correct! enter request_bye
    entry, owner director: edit! withdraw availability
    entry, player: withdraw consent availability
    round 1, owner director: edit change_boards! unpair! enter_results
    round 1, scorer: enter_results
    round 2, owner director: edit
    game, owner director scorer: rule! annul! adjourn!
    game, player: report
one side has reported:
    event, owner: edit cancel! correct! enter request_bye
    event, director: edit correct! enter request_bye
    entry, owner director: edit! withdraw availability
    entry, player: withdraw consent availability
    round 1, owner director: edit change_boards! unpair! enter_results
    round 1, scorer: enter_results
    round 2, owner director: edit
    game, owner director scorer: rule! annul! adjourn!
    game, player: report confirm dispute
results of round 1:
    event, owner: edit cancel! correct! enter request_bye
    event, director: edit correct! enter request_bye
    entry, owner director: edit! withdraw availability
    entry, player: withdraw consent availability
    round 1, owner director: edit change_boards! unpair! enter_results complete
    round 1, scorer: enter_results
    round 2, owner director: edit
    game, owner director scorer: rule! annul!
round 1 complete:
    event, owner: edit cancel! correct! enter request_bye
    event, director: edit correct! enter request_bye
    entry, owner director: edit! withdraw availability
    entry, player: withdraw consent availability
    round 1, owner director: unpair! enter_results reopen!
    round 1, scorer: enter_results
    round 2, owner director: edit pair set_pairings!
round 1 unpaired:
    event, owner: edit cancel! correct! enter request_bye
    event, director: edit correct! enter request_bye
    entry, owner director: edit! withdraw availability
    entry, player: withdraw consent availability
    round 1, owner director: edit pair set_pairings! restore!
    round 2, owner director: edit
round 2 published:
    event, owner: edit cancel! correct!
    event, director: edit correct!
    entry, owner director: edit! withdraw
    entry, player: withdraw consent
    round 1, owner director scorer: enter_results
    round 2, owner director: edit change_boards! unpair! enter_results
    round 2, scorer: enter_results
round 2 complete, Ada withdrawn:
    event, owner: edit review cancel! correct!
    event, director: edit review correct!
    entry, owner director: edit! approve return
    entry, player: consent
    round 1, owner director scorer: enter_results
    round 2, owner director: unpair! enter_results reopen!
    round 2, scorer: enter_results
review:
    event, owner: edit finalise correct!
    event, director: edit correct!
    entry, owner director: edit!
    round 1, owner director scorer: enter_results
    round 2, owner director scorer: enter_results
final:
    event, owner: archive reopen! correct!
    event, director: archive
archived:
"""
"""What is allowed to whom, by the state of the event; `!` follows an unsafe action."""

Tried = dict[str, set[str]]
"""What was tried of each kind of object."""


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    event = make_event(organiser, rounds=2)
    event.enter(player_of(ada))
    return event


@pytest.fixture
def entry(event: Event) -> Entry:
    return event.tournament.entries.get()


@pytest.fixture
def people(
    event: Event, organiser: Person, ada: Person, stranger: Person, anonymous: Person
) -> dict[str, Person]:
    others = {"owner": organiser, "player": ada, "stranger": stranger, "anonymous": anonymous}
    return with_officials(event.stream, others)


def allowed_lines(
    event: Event, entry: Entry, game: Game | None, people: dict[str, Person], tried: Tried | None
) -> list[str]:
    """Compare the actions of each object for each role; return what is allowed to whom."""
    lines = []
    for name, (path, calls) in objects_of(event, entry, game).items():
        roles: dict[str, list[str]] = {}
        for role, person in people.items():
            known = None if tried is None else tried.setdefault(name.split()[0], set())
            allowed = list_allowed(compare_actions(person, path, calls, known))
            roles.setdefault(allowed, []).append(role)
        lines += [f"{name}, {' '.join(who)}: {what}" for what, who in roles.items() if what]
    return lines


def lines_of(roles: dict[str, set[str]]) -> list[str]:
    """Return the lines of the day for some roles in each state."""
    lines, state = [], ""
    for line in DAY.strip().splitlines():
        if not line.startswith(" "):
            state = line.removesuffix(":")
            lines.append(line)
            continue
        name, who, what = re.fullmatch(r" +(.+), (.+): (.+)", line).groups()
        if known := [role for role in who.split() if role in roles[state]]:
            lines.append(f"    {name}, {' '.join(known)}: {what}")
    return lines


@pytest.mark.parametrize("is_short", [True, pytest.param(False, marks=pytest.mark.long)])
def test_the_level_of_an_action_says_what_the_call_does(
    event: Event, entry: Entry, people: dict[str, Person], ada: Person, is_short: bool
) -> None:
    """Ask in each state for everyone; in short, for the owner, the player and another in turn."""
    tried: Tried | None = {} if is_short else None
    next_other = cycle([role for role in people if role not in ("owner", "player")])

    lines, roles = [], {}
    for state, game in states_of(event, ada):
        roles[state] = {"owner", "player", next(next_other)} if is_short else set(people)
        present = {role: person for role, person in people.items() if role in roles[state]}
        allowed = allowed_lines(event, entry, game, present, tried)
        lines += [f"{state}:", *(f"    {line}" for line in allowed)]

    assert lines == lines_of(roles)


def test_a_cancelled_draft_can_only_be_resumed_and_deleted(
    event: Event, entry: Entry, people: dict[str, Person]
) -> None:
    event.step("cancel")

    assert allowed_lines(event, entry, None, people, None) == ["event, owner: resume delete"]


def test_a_ruled_game_without_reports_allows_its_players_nothing(event: Event, ada: Person) -> None:
    event.enter(*make_players(3))
    event.step("open", "start").publish(1)
    event.finish(1)
    game = next(game for game in event.games() if player_of(ada) in (game.first, game.second))

    assert list_allowed(compare_actions(ada, f"games/{game.pk}", GAME_CALLS)) == ""
