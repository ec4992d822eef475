"""The crosstable of an event, from its rows, in two or three queries."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.db.models.fields.json import KeyTextTransform

from games.models import Game, Player
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
from tournament.standings.crosstable import (
    ABSENT,
    Competitor,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
    Seat,
)
from tournament.standings.points import PointSystem

ROUND_ROBINS = frozenset(code for code, system in SYSTEMS.items() if system.is_round_robin)
BYES = {
    Pairing.Kind.PAIRING_BYE: Kind.PAIRING_BYE,
    Pairing.Kind.HALF_BYE: Kind.HALF_BYE,
    Pairing.Kind.ZERO_BYE: Kind.ZERO_BYE,
    Pairing.Kind.FULL_BYE: Kind.FULL_BYE,
}
BYE_RESULTS = {str(kind): RoundResult(BYES[kind]) for kind in BYES}
GAME, CONFIRMED = str(Pairing.Kind.GAME), str(Game.State.CONFIRMED)
FORFEITED = frozenset({"forfeit", "double-forfeit"})
GAME_KINDS = {
    "first": (Kind.WIN, Kind.LOSS),
    "second": (Kind.LOSS, Kind.WIN),
    "": (Kind.LOSS, Kind.LOSS),
}
"""What a game was for its first and its second seat, by the winner's."""
FORFEIT_KINDS = {
    "first": (Kind.FORFEIT_WIN, Kind.FORFEIT_LOSS),
    "second": (Kind.FORFEIT_LOSS, Kind.FORFEIT_WIN),
    "": (Kind.FORFEIT_LOSS, Kind.FORFEIT_LOSS),
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


Person = dict[str, Any]
"""A player as the API shows players: id, name, country, club."""


@dataclass(frozen=True, slots=True)
class Field:
    """Who is in an event: the players as the API shows them and their entries, by number."""

    people: Mapping[PlayerId, Person]
    entries: Mapping[PlayerId, int]


def load_crosstable(
    tournament: Tournament, *, through: int | None = None, with_counts: bool = False
) -> Crosstable:
    """Everybody's results in the complete rounds, up to round `through`; two or three queries.

    `with_counts` reads the stars and quarks of games whose record proves them as well.
    """
    last = last_complete_round(tournament) if through is None else through
    return load_field(tournament, through=last, with_counts=with_counts)[0]


def load_field(
    tournament: Tournament, *, through: int, with_counts: bool = False
) -> tuple[Crosstable, Field]:
    """The crosstable through a round, and who is in it; two queries, four where some are merged.

    Who was merged into another player is told as the one he became.
    """
    results = _load_results(tournament, through, with_counts=with_counts)
    rows = list(
        numbered_entries(tournament).values_list(
            "pairing_number", "pk", "player_id", "player__merged_into_id", "player__name",
            "player__country", "player__club", KeyTextTransform("fide", "player__external_ids"),
            "seed_rating", "born", "sex", "category",
        )
    )  # fmt: skip
    became = survivors([row[3] for row in rows if row[3]])
    competitors, people, entries = [], {}, {}
    nothing = (ABSENT,) * through
    for row in rows:
        number, entry, player, merged, name, country, club, fide, rating, born, sex, category = row
        person = {"id": player, "name": name, "country": country, "club": club}
        if merged:
            person = became[merged]
        people[number], entries[number] = person, entry
        own = results.get(number)
        competitors.append(
            Competitor(
                number=number,
                name=person["name"],
                rating=rating,
                federation=person["country"],
                fide_id="" if fide is None else str(fide),
                birth=str(born or ""),
                sex=sex,
                club=person["club"],
                category=category,
                results=tuple(own) if own else nothing,
            )
        )
    table = Crosstable(
        players=tuple(competitors),
        rounds=tournament.rounds,
        points=point_system(tournament),
        round_robin=is_round_robin(tournament),
        initial_seat=Seat(tournament.top_seed_seat),
    )
    return _with_starting_points(tournament, table), Field(people, entries)


def survivors(ids: Collection[int]) -> dict[int, Person]:
    """The players of these ids, into whom others were merged; no query for none."""
    if not ids:
        return {}
    found = plain(Player.objects.filter(pk__in=ids), "id", "name", "country", "club")
    return {row["id"]: row for row in found}


def _load_results(
    tournament: Tournament, last: int, *, with_counts: bool
) -> dict[PlayerId, list[RoundResult]]:
    """What each pairing number had in rounds 1 to `last`; nothing is recorded of the others."""
    rows = (
        current_pairings(tournament)
        .filter(round__number__lte=last, round__state__in=DONE)
        .values_list(
            "round__number", "kind", "first__pairing_number", "second__pairing_number",
            "game__state", "game__winner", "game__draw", "game__termination",
            "game__score_first", "game__score_second", "game__record_id",
            *(["game__record__outcome__detail"] if with_counts else []),
        )
    )  # fmt: skip
    results: dict[PlayerId, list[RoundResult]] = defaultdict(lambda: [ABSENT] * last)
    for number, kind, first, second, *game in rows:
        if kind != GAME:
            results[first][number - 1] = BYE_RESULTS[kind]
        elif game[0] == CONFIRMED:
            pair = _pair_of_results(first, second, *game[1:])
            results[first][number - 1], results[second][number - 1] = pair
        else:
            results[first][number - 1] = results[second][number - 1] = ABSENT
    return results


def _pair_of_results(
    one: PlayerId,
    other: PlayerId,
    winner: str,
    is_draw: bool,
    termination: str,
    score_first: int | None,
    score_second: int | None,
    record: int | None,
    counts: Any = None,
) -> tuple[RoundResult, RoundResult]:
    """What a confirmed game was for its first seat and for its second."""
    if is_draw:
        kinds = (Kind.DRAW, Kind.DRAW)
    else:
        by_winner = FORFEIT_KINDS if termination in FORFEITED else GAME_KINDS
        kinds = by_winner.get(winner) or by_winner[""]
    if record is None:
        # What no record proves has neither score nor counts.
        return (
            RoundResult(kinds[0], other, Seat.FIRST),
            RoundResult(kinds[1], one, Seat.SECOND),
        )
    score = None
    if score_first is not None and score_second is not None:
        score = score_first, score_second
    return (
        RoundResult(
            kinds[0],
            other,
            Seat.FIRST,
            score=score,
            stars=_count(counts, Seat.FIRST, "stars"),
            quarks=_count(counts, Seat.FIRST, "quarks"),
        ),
        RoundResult(
            kinds[1],
            one,
            Seat.SECOND,
            score=score and score[::-1],
            stars=_count(counts, Seat.SECOND, "stars"),
            quarks=_count(counts, Seat.SECOND, "quarks"),
        ),
    )


def _count(counts: Any, seat: Seat, what: str) -> int | None:
    """A count of a verdict's detail, which games without stars have otherwise or not at all."""
    own = counts.get(seat) if isinstance(counts, dict) else None
    found = own.get(what) if isinstance(own, dict) else None
    return found if type(found) is int else None


def _with_starting_points(tournament: Tournament, table: Crosstable) -> Crosstable:
    """The table with what its system gives before any round: virtual points, starting scores."""
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
