"""Random commands of all kinds on an event, through the API.

`allowed_actions` says what each of them does. After each, the journal gives the rows of the tables;
an undone command leaves what was there before; a stored response is the one that would be computed
now; in the end the points follow from the public files, and the event can be exported, imported and
finished.
"""

from collections.abc import Callable, Container
from random import Random
from typing import Any

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.deploy.stored_reads import READS, check_stored_reads, storing
from tests.events import settle
from tests.people import Person, make_person, make_player
from tests.tournament.actions import NAMES
from tests.tournament.days.calls import CALLS, correction, random_content
from tests.tournament.days.day import WHY, Day
from tests.tournament.days.invariants import (
    check_bundle,
    check_games_of_players,
    check_journal,
    check_standings,
)

pytestmark = [pytest.mark.django_db, pytest.mark.long]

STREAM = "tournament/open"
STAR: dict[str, Any] = {"ruleset": "star-star", "board_size": "4", "rounds": 3}
TWO_GAMES = {
    "ruleset": "twixt", "board_size": "24", "games_per_pairing": 2, "tiebreaks": ["PTS", "GPTS"],
    "points": {"win": 2, "draw": 1, "loss": 0, "pairing_bye": 2}, "rounds": 3,
}  # fmt: skip
LEAGUE = {"system": "round-robin", "system_options": {"schedule": "league"}}
FILLS = {"fills_places": True, "seed_source": "pool", "pool": "star"}
STONES = {"handicaps": "recommended", "handicap_kinds": ["stones"]}
EVENTS: dict[str, tuple[int, dict[str, Any]]] = {
    "dutch": (5, STAR | {"system": "dutch", "missed_rounds": "half"}),
    "monrad": (6, STAR | {"system": "monrad", "check_in": "round", "places": 7}),
    "mcmahon": (5, STAR | {"system": "mcmahon", "check_in": "tournament", "places": 6, **FILLS}),
    "two games": (5, TWO_GAMES | {"system": "dutch"}),
    "round robin": (4, STAR | {"system": "round-robin"}),
    "league": (3, STAR | LEAGUE),
    "handicaps": (4, STAR | {"board_size": "10", "system": "monrad", **STONES}),
    "knockout": (5, STAR | {"system": "knockout"}),
}
"""The number of players, and the settings."""


class Commands(RuleBasedStateMachine):
    """Commands on one event, whose rows are removed at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = transaction.atomic()
        self.rows.__enter__()
        self.day = Day(make_person("Olga"), make_player("Ada", 1950), Person("nobody"))

    @initialize(
        name=st.sampled_from(list(EVENTS)),
        steps=st.integers(0, 10),
        reads=st.lists(st.sampled_from(READS), min_size=3, max_size=3, unique=True),
    )
    def create(self, name: str, steps: int, reads: list[str]) -> None:
        self.reads = reads
        players, self.settings = EVENTS[name]
        self.day.create(players, **self.settings)
        self.advance(Random(steps), steps)

    @rule(name=st.sampled_from(list("aaaaatttuuv")), seed=st.integers(0, 9999))
    def do(self, name: str, seed: int) -> None:
        commands: dict[str, Callable[[Random], None]] = {
            "a": self.act, "t": self.try_to_act, "u": self.do_and_undo, "v": self.advance,
        }  # fmt: skip
        commands[name](Random(seed))
        check_games_of_players(STREAM, self.settings.get("games_per_pairing", 1))
        check_journal(STREAM)
        check_stored_reads("open", self.reads, [self.day.organiser])

    def advance(self, random: Random, steps: int = 0) -> None:
        """Do what comes next in the event, a few times."""
        for _ in range(steps or random.randint(1, 6)):
            self.day.step()

    def act(self, random: Random) -> None:
        """Do an action that is allowed."""
        kind, person, path = self.choose(random)
        actions = self.day.list_actions(person, path)
        allowed = [NAMES[row["operation"]] for row in actions if row["level"] != "forbidden"]
        if allowed:
            self.perform(person, kind, path, random.choice(allowed), actions, random)

    def try_to_act(self, random: Random) -> None:
        """Try an action, whether or not it is allowed."""
        kind, person, path = self.choose(random)
        actions = self.day.list_actions(person, path)
        self.perform(person, kind, path, random.choice(list(CALLS[kind])), actions, random)

    def choose(self, random: Random) -> tuple[str, Person, str]:
        """Choose a kind of object, a person, and the address of such an object."""
        kind = random.choice(["event", "entry", "round", "round", "game", "game"])
        day, person = self.day, self.day.organiser
        if kind == "entry":
            path = f"{day.path}/entries/{random.choice(day.entries())}"
        elif kind == "round" and (numbers := day.round_numbers()):
            path = f"{day.path}/rounds/{random.choice(numbers)}"
        elif kind == "game" and (games := day.games()):
            path = f"games/{random.choice(games)}"
            person = random.choice([day.organiser, day.player, day.player])
        else:
            kind, path = "event", day.path
        return kind, person, path

    def perform(
        self,
        person: Person,
        kind: str,
        path: str,
        action: str,
        actions: list[dict[str, Any]],
        random: Random,
    ) -> None:
        content = random_content(self.day, kind, action, path, random)
        self.day.perform(person, path, action, CALLS[kind][action], content, actions)

    def do_and_undo(self, random: Random) -> None:
        """Do an action that another one undoes; what the public sees is as it was before."""
        day = self.day
        settle()
        before, state = day.view(), day.event()["state"]
        rounds = {row["number"]: row for row in day.rounds()}
        entry = random.choice(day.entries())
        accepted = {row["id"] for row in before["entries"] if row["state"] == "accepted"}
        number = random.choice([*rounds, 1])
        if state == "final" and random.random() < 0.5:
            assert day.post("/reopen", WHY)
            assert day.post("/finalise")
        elif random.random() < 0.3 and day.post("/corrections", correction(day, random)):
            number = len(day.ask("GET", f"{day.path}/corrections")["results"])
            for undone in range(number, number + random.choice([1, 1, 3])):
                accept = {"accept": ["advance_changes"]}
                assert day.post(f"/corrections/{undone}/undo", WHY | accept)
        elif random.random() < 0.2 and day.post("/cancel", WHY):
            assert day.post("/resume")
        elif random.random() < 0.3 and self.withdraw(entry, accepted):
            assert day.post(f"/entries/{entry}/return")
            if "system_options" in self.settings:  # a withdrawal rules the games of a league
                return
        elif random.random() < 0.5 and day.post(f"/rounds/{number}/reopen", WHY):
            assert day.post(f"/rounds/{number}/complete")
        elif day.post(f"/rounds/{number}/unpair", WHY):
            if not day.ask("GET", f"{day.path}/rounds/{number}/versions")["results"]:
                return  # nobody was paired, because nobody had checked in
            version = {"version": rounds[number]["version"]}
            assert day.post(f"/rounds/{number}/restore", WHY | version)
            if rounds[number]["state"] == "complete":
                assert day.post(f"/rounds/{number}/complete")
        assert day.view() == before

    def withdraw(self, entry: int, accepted: Container[int]) -> bool:
        """Withdraw an entry; only an accepted one is the same after its return."""
        return entry in accepted and bool(self.day.post(f"/entries/{entry}/withdraw"))

    def teardown(self) -> None:
        try:
            if self.day.is_created:
                check_standings(self.day)
                check_bundle(self.day)
                self.day.finish()
                check_standings(self.day)
                check_journal(STREAM)
        finally:
            transaction.set_rollback(True)
            self.rows.__exit__(None, None, None)


def test_commands_do_what_the_allowed_actions_say() -> None:
    examples = settings.default.max_examples // 5  # each has many steps
    with storing():
        run_state_machine_as_test(
            Commands, settings=settings(settings.default, max_examples=examples, print_blob=False)
        )
