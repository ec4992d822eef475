"""Totals of clubs or federations: the points of each one's best n players.

The best are the first n in the table; everybody in it counts, also who has withdrawn. Higher
totals stand first; of equal ones the one that lacks fewer players, then the lower sum of the
counted players' ranks; what is equal then shares its place. A club with fewer than n players
counts what it has and says how many it lacks.

Capitals and spaces do not tell clubs apart; the name is written as its first player writes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.errors import StandingsError
from tournament.standings.table import StandingsRow, Value, points_value


class GroupBy(StrEnum):
    """What players are added up by."""

    CLUB = "club"
    FEDERATION = "federation"


@dataclass(frozen=True, slots=True)
class ClubTotal:
    """One club's line: `counted` are its best players, best first; `missing` is what it lacks."""

    rank: int
    name: str
    total: Value
    counted: tuple[PlayerId, ...]
    missing: int


def club_totals(
    crosstable: Crosstable, rows: Sequence[StandingsRow], *, best: int, by: GroupBy = GroupBy.CLUB
) -> tuple[ClubTotal, ...]:
    """Rank clubs by the points of their `best` players; players without one are left out.

    Raises StandingsError when `best` is below one.
    """
    if best < 1:
        raise StandingsError(f"the best {best} of a club cannot be added up")
    members: dict[str, list[StandingsRow]] = {}
    names: dict[str, str] = {}
    for row in rows:
        player = crosstable.by_number[row.number]
        name = _plain(player.club if by is GroupBy.CLUB else player.federation)
        if name:
            names.setdefault(name.casefold(), name)
            members.setdefault(name.casefold(), []).append(row)

    keyed = []
    for folded, everybody in members.items():
        counted = everybody[:best]
        units = sum(crosstable.points_of(row.number) for row in counted)
        # A club short of players has no rank to add for the missing ones: it stands behind.
        missing = best - len(counted)
        keyed.append(((-units, missing, sum(row.rank for row in counted)), folded, counted))
    keyed.sort(key=lambda entry: entry[:2])

    totals: list[ClubTotal] = []
    for index, (key, folded, counted) in enumerate(keyed, start=1):
        is_shared = index > 1 and keyed[index - 2][0] == key
        totals.append(
            ClubTotal(
                rank=totals[-1].rank if is_shared else index,
                name=names[folded],
                total=points_value(crosstable, -key[0]),
                counted=tuple(row.number for row in counted),
                missing=key[1],
            )
        )
    return tuple(totals)


def _plain(name: str) -> str:
    return " ".join(name.split())
