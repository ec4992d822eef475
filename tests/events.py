"""Events for tests, created by the services: a draft, a running event, games to report."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import F
from django.test import Client

from games import tasks
from games.core.journal.lines import NewLine, append_lines
from games.core.journal.rows import changed_rows
from games.core.uploads.services import insert_rows
from games.core.uploads.tasks import uploads_in_turn
from games.models import Game, Player
from ratings.models import Decision, Pool
from tests.people import Person, player_of
from tournament.core.states import BEFORE_START
from tournament.entries.services import enter_player, entry_payload
from tournament.events.services import create_tournament
from tournament.events.transitions import change_tournament_state
from tournament.models import Entry, Pairing, Tournament
from tournament.rounds.pairing import pair_round
from tournament.rounds.services import complete_round, publish_round
from tournament.tasks import computations_in_turn

SET_UP = {
    "name": "Spring Open",
    "starts_on": "2026-05-01",
    "ends_on": "2026-05-03",
    "ruleset": "star-star",
    "board_size": "4",
    "system": "monrad",
    "rounds": 3,
}
"""The fields that a tournament requires, as a request sends them."""
COLUMNS = {"ruleset": "game", "board_size": "board"}
"""The columns of settings that have another name in a request."""

TAGS = '[Game "star-star"]\n[Board "4"]\n\n'
FIRST_WINS = TAGS + "S10 T10 agreed 11-10\n"
FIRST_WINS_OTHERWISE = TAGS + "S10 A10 agreed 11-10\n"
SECOND_WINS = TAGS + "S10 T10 agreed 10-11\n"
FILLED_TWICE = TAGS + "S10 T10 S10\n"
UNFINISHED = TAGS + "S10 T10\n"


@dataclass(slots=True)
class Event:
    """A tournament with its owner."""

    tournament: Tournament
    owner: Person

    @property
    def path(self) -> str:
        return f"tournaments/{self.tournament.slug}"

    @property
    def stream(self) -> str:
        return self.tournament.stream

    def again(self) -> "Event":
        """Return the event as it is stored, for the next test by `rows_of_module`."""
        stored = Tournament.objects.get(pk=self.tournament.pk)
        return Event(stored, replace(self.owner, client=Client()))

    def enter(self, *players: Player, agreement: str = "agreed") -> list[Entry]:
        """Enter players, who have agreed to it; several before the start at once, as an import."""
        by, values = self.owner.account, {"agreement": agreement}
        if len(players) < 2 or self.tournament.state not in BEFORE_START:
            return [enter_player(self.tournament, each, by=by, **values) for each in players]
        with transaction.atomic():
            first = self.tournament.entries.count() + 1
            entries = [
                Entry(
                    tournament=self.tournament,
                    ordinal=ordinal,
                    player=player,
                    seed_rating=player.seed_rating or 0,
                    first_round=1,
                    **values,
                )
                for ordinal, player in enumerate(players, first)
            ]
            Entry.objects.bulk_create(entries)
            lines = [
                NewLine("entry.accepted", entry_payload(entry), by, changed_rows(entry))
                for entry in entries
            ]
            append_lines(self.stream, lines)
        return entries

    def step(self, *words: str) -> "Event":
        for word in words:
            self.tournament = change_tournament_state(self.tournament, word, by=self.owner.account)
        return self

    def draft(self, number: int) -> None:
        """Pair a round."""
        pair_round(self.tournament, number, by=self.owner.account)

    def publish(self, number: int = 1) -> list[Game]:
        """Pair and publish a round; return its games by board."""
        self.draft(number)
        publish_round(self.tournament, number, by=self.owner.account)
        return self.games(number)

    def games(self, number: int = 1) -> list[Game]:
        """Return the games of a round by board."""
        current = Pairing.objects.filter(
            tournament=self.tournament, round__number=number, version=F("round__version")
        )
        lines = current.order_by("board_number").select_related("game")
        return [line.game for line in lines if line.game is not None]

    def play(self, number: int, result: str = "11-10") -> None:
        """Pair a round, rule every game of it, complete it."""
        self.publish(number)
        self.finish(number, result)

    def rule(self, game: Game, record: str = FIRST_WINS) -> None:
        """Prove a game by a record that its owner enters."""
        body = {"record": record, "reason": "a slip"}
        assert self.owner.post(f"games/{game.pk}/rule", body).status_code == 202
        settle()

    def finish(self, number: int, result: str = "11-10") -> None:
        """Rule every game of a published round, complete it."""
        from games.play.services import rule_game

        for game in self.games(number):
            rule_game(game, by=self.owner.account, reason="a slip", result=result)
        settle()
        complete_round(self.tournament, number, by=self.owner.account)

    def correct(self, game: Game, result: str) -> None:
        """Correct the result of a game of a complete round, with the effect that is previewed."""
        path = f"{self.path}/corrections"
        body = {"changes": [{"game_id": game.pk, "result": result}], "reason": "a wrong slip"}
        digest = self.owner.post(f"{path}?dry_run=1", body).json()["digest"]
        assert self.owner.post(path, body | {"digest": digest}).status_code in (200, 201, 202)


def make_event(owner: Person, **fields: Any) -> Event:
    """Return a draft; the officers of its pool, if it has one, approved the owner."""
    if pool := fields.get("pool"):
        approve_organiser(owner, pool)
    settings = SET_UP | {"slug": "spring"} | fields
    columns = {COLUMNS.get(name, name): value for name, value in settings.items()}
    tournament = create_tournament(by=owner.account, **columns)
    tournament.refresh_from_db()
    return Event(tournament, owner)


def approve_organiser(person: Person, pool: str = "star") -> None:
    """Let a pool rate all events of a person."""
    Decision.objects.get_or_create(
        pool=Pool.objects.get(code=pool), organiser=person.account, defaults={"approved": True}
    )


def make_players(count: int, first_rating: int = 1500, by: Person | None = None) -> list[Player]:
    """Return players without accounts, registered by a person; Player 1 has the highest rating."""
    account = by and by.account
    players = [
        Player(
            name=f"Player {n}", country="POR", seed_rating=first_rating - n, registered_by=account
        )
        for n in range(1, count + 1)
    ]
    insert_rows(players)
    return players


def make_running(owner: Person, count: int, **fields: Any) -> Event:
    """Return a running event with `count` players, of the Dutch system by default."""
    event = make_event(owner, **({"system": "dutch"} | fields))
    event.enter(*make_players(count, by=owner))
    return event.step("open", "start")


def make_published(owner: Person, *players: Person, **fields: Any) -> Event:
    """Return a running event of these players whose first round is published."""
    event = make_event(owner, **fields)
    event.enter(*map(player_of, players))
    event.step("open", "start").publish()
    return event


@contextmanager
def taken_back() -> Iterator[None]:
    """Take back what a case changes, so that the next one begins with the same rows."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def settle() -> int:
    """Settle what is due, as the sweep does; return the number of games."""
    return tasks.settle_due.run()


def run_due() -> int:
    """Run the long tasks that are due, as the workers do; return their number."""
    due = [*uploads_in_turn(), *computations_in_turn()]
    for row in due:
        with suppress(Exception):  # it is due again
            current_app.tasks[row.task].run()
    return len(due)
