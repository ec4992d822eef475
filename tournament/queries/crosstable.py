"""The crosstable of an event, from its rows, in two or three queries."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.db.models.fields.json import KeyTextTransform

from games.models import Player
from games.queries import plain
from games.rules.seat import Seat
from tournament.models import Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.baku import accelerate, size_of_group_a
from tournament.queries.events import last_complete_round, numbered_entries
from tournament.queries.results import load_results
from tournament.standings.crosstable import ABSENT, Competitor, Crosstable, PlayerId
from tournament.standings.points import PointSystem

ROUND_ROBINS = frozenset(code for code, system in PAIRING_SYSTEMS.items() if system.is_round_robin)
COUNTED = frozenset({"STARS", "QUARKS"})
"""The tie-breaks that read what a record's verdict counts on the board."""
PROVEN = COUNTED | {"MARGIN"}
"""The tie-breaks that need every game proven by its record."""


def point_system(tournament: Tournament) -> PointSystem:
    """The event's points as whole units; raises PointSystemError for senseless ones."""
    return PointSystem.from_points(
        **{name: Fraction(str(value)) for name, value in tournament.points.items()}
    )


def is_round_robin(tournament: Tournament) -> bool:
    """Whether everybody meets everybody, which tie-breaks read otherwise than a Swiss."""
    return tournament.system in ROUND_ROBINS


def pairing_codes(tournament: Tournament) -> tuple[str, ...]:
    """The codes that rank players to be paired: the event's, but for those that need proofs.

    One ruling would stop the event otherwise, and no certificate holds the records.
    """
    codes = [code for code in tournament.tiebreaks if code.partition("/")[0] not in PROVEN]
    return tuple(codes) or ("PTS",)


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
    points = point_system(tournament)
    rows = list(
        numbered_entries(tournament).values_list(
            "pairing_number", "pk", "player_id", "player__merged_into_id", "player__name",
            "player__country", "player__club", KeyTextTransform("fide", "player__external_ids"),
            "seed_rating", "birth_year", "sex", "title", "category",
        )
    )  # fmt: skip
    numbers = {row[1]: row[0] for row in rows}
    results = load_results(tournament, through, points, numbers, with_counts=with_counts)
    became = survivors([row[3] for row in rows if row[3]])
    competitors, people, entries = [], {}, {}
    nothing = (ABSENT,) * through
    for row in rows:
        (
            number,
            entry,
            player,
            merged,
            name,
            country,
            club,
            fide,
            rating,
            birth_year,
            sex,
            title,
            category,
        ) = row
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
                birth=str(birth_year or ""),
                sex=sex,
                title=title,
                club=person["club"],
                category=category,
                results=tuple(own) if own else nothing,
            )
        )
    table = Crosstable(
        players=tuple(competitors),
        rounds=tournament.rounds,
        points=points,
        round_robin=is_round_robin(tournament),
        initial_seat=Seat(tournament.initial_seat),
        held=through,
    )
    return _with_starting_points(tournament, table), Field(people, entries)


def survivors(ids: Collection[int]) -> dict[int, Person]:
    """The players of these ids, into whom others were merged; no query for none."""
    if not ids:
        return {}
    found = plain(Player.objects.filter(pk__in=ids), "id", "name", "country", "club")
    return {row["id"]: row for row in found}


def _with_starting_points(tournament: Tournament, table: Crosstable) -> Crosstable:
    """The table with what its system gives before any round: virtual points, starting scores."""
    system = PAIRING_SYSTEMS[tournament.system]
    if system.is_accelerated:
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
