"""Totals of clubs or federations: the points of their best n players.

The best players are the first n in the standings; withdrawn players count too. Clubs are ordered
by total, then by fewer missing players, then by the lower sum of the ranks of the counted players;
clubs that are still equal share a rank. A club with fewer than n players counts all of them and
states how many are missing.

Club names that differ only in case or spaces are the same club, named as by its first player.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.errors import StandingsError
from tournament.standings.points import Number, to_points
from tournament.standings.table import StandingsRow


class GroupBy(LabelledEnum):
    """The field of a player that totals are grouped by."""

    CLUB = "club", gettext_noop("Club")
    COUNTRY = "country", gettext_noop("Federation")


@dataclass(frozen=True, slots=True)
class ClubTotal:
    """The total of a club: the `counted` players, best first, and the number of missing ones."""

    rank: int
    name: str
    total: Number
    counted: tuple[PlayerId, ...]
    missing: int


def club_totals(
    crosstable: Crosstable, rows: Sequence[StandingsRow], *, best: int, by: GroupBy = GroupBy.CLUB
) -> tuple[ClubTotal, ...]:
    """Rank the clubs by the points of their `best` players; players without a club are left out.

    Raises StandingsError if `best` is less than 1.
    """
    if best < 1:
        raise StandingsError(Text("best must be at least 1, not %(value)s", value=best))
    members: dict[str, list[StandingsRow]] = {}
    names: dict[str, str] = {}
    for row in rows:
        player = crosstable.by_number[row.number]
        name = " ".join((player.club if by is GroupBy.CLUB else player.federation).split())
        if name:
            names.setdefault(name.casefold(), name)
            members.setdefault(name.casefold(), []).append(row)

    keyed = []
    for folded, club_rows in members.items():
        counted = club_rows[:best]
        units = sum(crosstable.points_of(row.number) for row in counted)
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
                total=to_points(-key[0], crosstable.points.unit),
                counted=tuple(row.number for row in counted),
                missing=key[1],
            )
        )
    return tuple(totals)
