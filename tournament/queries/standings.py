"""What every table of an event is made of: the results, the ranked rows, and the players."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournament import queries
from tournament.models import Tournament
from tournament.queries.crosstable import Field
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.errors import TiebreakError
from tournament.standings.table import StandingsRow, rank
from tournament.standings.tiebreaks import TiebreakCode, parse_codes


@dataclass(frozen=True, slots=True)
class Stood:
    """When a table stood as it is told, and the digest of its crosstable."""

    at: datetime
    digest: str


@dataclass(frozen=True, slots=True)
class Table:
    """The standings of an event after a round, as they come out now or, of `stood`, as they stood.

    `labels` name the columns, also when there is no row yet; `people` are the players as the API
    shows them and `entries` their entries, by pairing number.
    """

    tournament: Tournament
    through: int
    crosstable: Crosstable
    labels: tuple[str, ...]
    rows: tuple[StandingsRow, ...]
    people: Mapping[PlayerId, Mapping[str, Any]]
    entries: Mapping[PlayerId, int]
    stood: Stood | None = None

    @property
    def is_provisional(self) -> bool:
        """Whether rounds are still to come."""
        return self.through < self.tournament.rounds

    @property
    def title(self) -> str:
        """What stands above the table, as `Spring Open: after round 2 of 5`."""
        where = f"after round {self.through} of {self.tournament.rounds}"
        return f"{self.tournament.name}: {where if self.is_provisional else 'final standings'}"

    def head(self) -> dict[str, Any]:
        """What every JSON form begins with."""
        return {
            "tournament": self.tournament.slug,
            "round": self.through,
            "provisional": self.is_provisional,
            "computed": "then" if self.stood else "now",
            **({"stood_at": self.stood.at} if self.stood else {}),
        }


def compute_table(
    tournament: Tournament,
    codes: Sequence[str] | str = "",
    *,
    through: int,
    with_counts: bool = False,
) -> Table:
    """Rank everybody by a list of codes, the event's own when none is given.

    Stars and quarks are read where a code counts them, or `with_counts` says so. Takes a fixed
    number of queries. Raises TiebreakError for codes that no one knows or that do not fit the
    event, and for STARS and QUARKS where a game is not proven by its record.
    """
    listed, crosstable, field = _loaded(tournament, codes, through, with_counts)
    return _ranked(tournament, crosstable, field, listed, through)


def _loaded(
    tournament: Tournament, codes: Sequence[str] | str, through: int, with_counts: bool
) -> tuple[Sequence[TiebreakCode], Crosstable, Field]:
    listed = parse_codes(
        codes or tournament.tiebreaks, round_robin=queries.is_round_robin(tournament)
    )
    crosstable, field = queries.load_field(
        tournament,
        through=through,
        with_counts=with_counts or any(code.name in queries.COUNTED for code in listed),
    )
    return listed, crosstable, field


def _ranked(
    tournament: Tournament,
    crosstable: Crosstable,
    field: Field,
    listed: Sequence[TiebreakCode],
    through: int,
) -> Table:
    rows = rank(crosstable, listed)
    return Table(
        tournament=tournament,
        through=through,
        crosstable=crosstable,
        labels=tuple(rows[0].values) if rows else tuple(str(code) for code in listed),
        rows=rows,
        people=field.people,
        entries=field.entries,
    )


def compute_provable(
    tournament: Tournament,
    codes: Sequence[str] | str = "",
    *,
    through: int,
    with_counts: bool = False,
) -> Table:
    """The same; where a code asks for a proof that a game lacks, by the codes that do not."""
    listed, crosstable, field = _loaded(tournament, codes, through, with_counts)
    return _ranked_as_proven(tournament, crosstable, field, listed, through)


def compute_each(tournament: Tournament, rounds: Sequence[int]) -> Iterator[Table]:
    """The provable table with its counts after each of some complete rounds, in their order.

    The rows are read once, in as many queries as one table takes.
    """
    listed, whole, field = _loaded(tournament, "", max(rounds, default=0), True)
    for number in rounds:
        yield _ranked_as_proven(tournament, whole.after(number), field, listed, number)


def _ranked_as_proven(
    tournament: Tournament,
    crosstable: Crosstable,
    field: Field,
    listed: Sequence[TiebreakCode],
    through: int,
) -> Table:
    try:
        return _ranked(tournament, crosstable, field, listed, through)
    except TiebreakError:
        rest = [code for code in listed if code.name not in queries.PROVEN] or parse_codes("PTS")
        return _ranked(tournament, crosstable, field, rest, through)


def now_beside(table: Table) -> Table:
    """The table that comes out now by the same codes, as far as they can be proven."""
    return compute_provable(table.tournament, codes_of(table.labels), through=table.through)


def codes_of(labels: Iterable[str]) -> list[str]:
    """The codes of columns by their labels; a second `DE` is labelled `DE (2)`."""
    return [label.partition(" (")[0] for label in labels]


def person(table: Table, number: PlayerId) -> Mapping[str, Any]:
    """A player as the API shows players."""
    return table.people[number]
