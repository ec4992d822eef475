"""Load how games begin: what is not indexed, the games of an opening, the turns that follow it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db.models import Avg, Count, F, FilteredRelation, Max, Q, QuerySet
from django.db.models.functions import Coalesce, TruncDate

from games.models import Game, IndexedGame, NextMove, OpeningTurn
from games.rules.seat import Seat

INDEXABLE: Final = Q(state=Game.State.CONFIRMED, void=False, record__isnull=False)
"""The games of the index: only a confirmed record is a game that was played."""

MANY_GAMES: Final = 1000
"""Games of an opening from which the turns that follow it are stored, not counted on request."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A turn that follows an opening, in canonical form, with its results for the seat that moves.

    `move` is empty for the games that end here; `rating` is a mean in milli, None if unknown.
    """

    move: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: int | None
    last_played_on: date | None


CONTINUATION_COLUMNS: Final = tuple(Continuation.__dataclass_fields__)


def games_to_index(limit: int) -> list[int]:
    """Return games whose index is not that of their record: new ones, then changed ones."""
    new = Game.objects.filter(INDEXABLE, indexed=None).order_by("pk")
    found = list(new.values_list("pk", flat=True)[:limit])
    current = IndexedGame.objects.exclude(
        game__state=Game.State.CONFIRMED,
        game__void=False,
        game__record=F("record_number"),
        game__public=F("public"),
    )
    return found + list(
        current.order_by("pk").values_list("pk", flat=True)[: max(limit - len(found), 0)]
    )


def with_opening(games: "QuerySet[Any]", key: int) -> "QuerySet[Any]":
    """Return those of these confirmed games that begin with an opening.

    The relation is named `turn`. Order by `turn__game_id`: the index has the games of an opening in
    this order, wherever a page of them begins.
    """
    turn = FilteredRelation("opening_turns", condition=Q(opening_turns__key=key))
    return games.annotate(turn=turn).filter(turn__key=key, state=Game.State.CONFIRMED)


def load_continuations(key: int, mover: Seat) -> list[Continuation]:
    """Return the turns that follow an opening in public games, the most frequent first."""
    order = ("-games", "move")
    stored = NextMove.objects.filter(key=key).order_by(*order).values_list(*CONTINUATION_COLUMNS)
    rows = list(stored) or list(count_continuations(key, mover).order_by(*order))
    return [Continuation(*row) for row in rows]


def count_continuations(key: int, mover: Seat) -> "QuerySet[Any, Any]":
    """Return the query of the turns that follow an opening, as rows of `CONTINUATION_COLUMNS`."""
    public = OpeningTurn.objects.filter(
        key=key, game__public=True, game__void=False, game__state=Game.State.CONFIRMED
    )
    day = Coalesce("game__played_on", TruncDate("game__confirmed_at"))
    counted = public.order_by().values("move")
    counted = counted.annotate(
        games=Count("*"),
        wins=Count("game_id", filter=Q(game__winner=mover.value)),
        draws=Count("game_id", filter=Q(game__draw=True)),
        losses=Count("game_id", filter=Q(game__winner=mover.other.value)),
        rating=Avg(f"game__{mover.value}_rating"),
        last_played_on=Max(day),
    )
    return counted.values_list(*CONTINUATION_COLUMNS)


def large_openings(keys: Collection[int] | None = None) -> list[tuple[int, Seat]]:
    """Return the openings, of these or of all, with at least `MANY_GAMES` games, and who moves."""
    turns = OpeningTurn.objects.all() if keys is None else OpeningTurn.objects.filter(key__in=keys)
    counted = turns.order_by().values("key", "ply").annotate(games=Count("*"))
    large = counted.filter(games__gte=MANY_GAMES).values_list("key", "ply")
    return [(key, Seat.SECOND if ply % 2 else Seat.FIRST) for key, ply in large]


def ratings_as_json(row: dict[str, Any]) -> dict[str, str | None]:
    """Return the ratings of the players when they were paired, from the columns of a game."""
    ratings = {seat.value: row[f"{seat.value}_rating"] for seat in Seat}
    return {
        seat: None if rating is None else in_thousandths(rating) for seat, rating in ratings.items()
    }


def in_thousandths(number: int) -> str:
    """Return a number of thousandths as a decimal number."""
    return f"{number // 1000}.{number % 1000:03}"
