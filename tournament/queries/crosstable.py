"""The crosstable of an event, from its rows, in two or three queries."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import Any

from games.models import Game
from games.queries import plain
from tournament.models import Pairing, Tournament
from tournament.pairing import SYSTEMS
from tournament.pairing.baku import accelerate, size_of_group_a
from tournament.queries.events import (
    DONE,
    current_pairings,
    last_complete_round,
    numbered_entries,
)
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, Kind, RoundResult, Seat
from tournament.standings.points import PointSystem

ROUND_ROBINS = frozenset(code for code, system in SYSTEMS.items() if system.is_round_robin)
BYES = {
    Pairing.Kind.PAIRING_BYE: Kind.PAIRING_BYE,
    Pairing.Kind.HALF_BYE: Kind.HALF_BYE,
    Pairing.Kind.ZERO_BYE: Kind.ZERO_BYE,
    Pairing.Kind.FULL_BYE: Kind.FULL_BYE,
}
COUNTED = frozenset({"STARS", "QUARKS"})
"""The tie-breaks that read what a record's verdict counts on the board."""


def point_system(tournament: Tournament) -> PointSystem:
    """The event's points as whole units; raises PointSystemError for senseless ones."""
    return PointSystem.of_points(
        **{name: Fraction(str(value)) for name, value in tournament.points.items()}
    )


def is_round_robin(tournament: Tournament) -> bool:
    """Whether everybody meets everybody, which tie-breaks read otherwise than a Swiss."""
    return tournament.system in ROUND_ROBINS


def _pair_of_results(row: dict[str, Any]) -> tuple[RoundResult, RoundResult]:
    """What a game at a board was for its first and for its second seat."""
    numbers = row["first__pairing_number"], row["second__pairing_number"]
    winner = row["game__winner"]
    forfeit = row["game__termination"] in ("forfeit", "double-forfeit")
    if row["game__state"] != Game.State.CONFIRMED:
        return ABSENT, ABSENT
    if row["game__draw"]:
        kinds = [Kind.DRAW, Kind.DRAW]
    elif forfeit:
        kinds = [Kind.FORFEIT_WIN if winner == seat else Kind.FORFEIT_LOSS for seat in Seat]
    else:
        kinds = [Kind.WIN if winner == seat else Kind.LOSS for seat in Seat]
    scores: tuple[tuple[int, int] | None, ...] = (None, None)
    if row["game__score_first"] is not None and row["game__record_id"]:
        score = row["game__score_first"], row["game__score_second"]
        scores = score, score[::-1]
    counts = row.get("game__record__outcome__detail") or {}
    first, second = (
        RoundResult(
            kind,
            opponent=opponent,
            seat=seat,
            score=score,
            stars=counts.get(seat, {}).get("stars"),
            quarks=counts.get(seat, {}).get("quarks"),
        )
        for kind, opponent, seat, score in zip(kinds, numbers[::-1], Seat, scores, strict=True)
    )
    return first, second


def load_crosstable(
    tournament: Tournament, *, through: int | None = None, with_counts: bool = False
) -> Crosstable:
    """Everybody's results in the complete rounds, up to round `through`; two or three queries.

    `with_counts` reads the stars and quarks of games whose record proves them as well.
    """
    last = last_complete_round(tournament) if through is None else through
    results: dict[int, dict[int, RoundResult]] = defaultdict(dict)
    rows = plain(
        current_pairings(tournament).filter(round__number__lte=last, round__state__in=DONE),
        "round__number", "kind", "first__pairing_number", "second__pairing_number",
        "game__state", "game__winner", "game__draw", "game__termination",
        "game__score_first", "game__score_second", "game__record_id",
        *(["game__record__outcome__detail"] if with_counts else []),
    )  # fmt: skip
    for row in rows:
        number = row["round__number"]
        if row["kind"] == Pairing.Kind.GAME:
            first, second = _pair_of_results(row)
            results[row["first__pairing_number"]][number] = first
            results[row["second__pairing_number"]][number] = second
        else:
            kind = BYES[Pairing.Kind(row["kind"])]
            results[row["first__pairing_number"]][number] = RoundResult(kind)
    competitors = (
        Competitor(
            number=row["pairing_number"],
            name=row["player__name"],
            rating=row["seed_rating"],
            federation=row["player__country"],
            fide_id=str(row["player__external_ids"].get("fide", "")),
            birth=str(row["born"] or ""),
            sex=row["sex"],
            club=row["player__club"],
            category=row["category"],
            results=tuple(
                results[row["pairing_number"]].get(number, ABSENT) for number in range(1, last + 1)
            ),
        )
        for row in plain(
            numbered_entries(tournament),
            "pairing_number",
            "seed_rating",
            "player__name",
            "player__country",
            "player__club",
            "player__external_ids",
            "born",
            "sex",
            "category",
        )
    )
    table = Crosstable(
        players=tuple(competitors),
        rounds=tournament.rounds,
        points=point_system(tournament),
        round_robin=is_round_robin(tournament),
        initial_seat=Seat(tournament.top_seed_seat),
    )
    system = SYSTEMS[tournament.system]
    if system.accelerated:
        return accelerate(table, boundary=baku_boundary(tournament))
    if system.starting_scores is None:
        return table
    start = system.starting_scores(table, tournament.system_options)
    return replace(
        table, players=tuple(replace(one, start=start[one.number]) for one in table.players)
    )


def baku_boundary(tournament: Tournament) -> int:
    """The pairing number of the last of group A (C.04.7); late entries do not move it.

    The group is counted from those who could be paired in round 1, 0 when there was nobody.
    """
    field = numbered_entries(tournament).filter(first_round=1)
    numbers = [row["pairing_number"] for row in plain(field, "pairing_number")]
    size = size_of_group_a(len(numbers))
    return max(numbers[:size], default=0)
