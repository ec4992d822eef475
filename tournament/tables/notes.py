"""What the tables note: corrections, adjourned games, empty tie-breaks, decided ties."""

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias, TypedDict

from django.utils.formats import date_format
from django.utils.translation import gettext

from games.core.tables.table import Column, ColumnKind, listed
from games.core.text import semicolons, sentence, translated
from games.rules.messages import gettext_noop
from games.rules.seat import Seat
from tournament.core.rankings import Table
from tournament.core.references import NumberedEntry
from tournament.models import Entry
from tournament.pairing.differences import PairedNumbers

WITHDRAWN_COLUMN = Column(
    "withdrawn", gettext_noop("Withdrawn"), ColumnKind.TEXT, of="withdrawn", cell={True: "yes"}.get
)
"""`yes` for a player who has withdrawn, in the formats for programs."""

STATE_COLUMN = Column(
    "state",
    gettext_noop("State"),
    ColumnKind.TEXT,
    of="withdrawn",
    cell=lambda is_so: gettext("withdrawn") if is_so else "",
)
"""The same in the words of the reader."""

CORRECTIONS_COLUMN = Column("corrections", kind=ColumnKind.TEXT, of="corrections", cell=listed)
"""The numbers of the corrections that changed something of a row, in the formats for programs."""


class ExpelledEntry(NumberedEntry):
    """A player whom a table does not rank; their results count for the opponents."""

    reason: str


class EmptyColumn(TypedDict):
    """A tie-break that nobody has a value of: it decides nothing."""

    tiebreak: str
    detail: Annotated[str, "why nobody has a value"]


class AdjournedGame(TypedDict):
    """A game without a result so far."""

    round: int
    first: NumberedEntry
    second: NumberedEntry


Corrections: TypeAlias = Annotated[
    list[int],
    "the numbers of the corrections in force that changed a result, a bye or the "
    "entry, as far as this table counts them",
]
Withdrawn: TypeAlias = Annotated[bool, "now, also in an earlier round"]


def numbers_of_corrections(table: Table) -> dict[int, list[int]]:
    """Return the numbers of the corrections that a table counts, by entry.

    They changed a game, a bye or a column of the entry.
    """
    found: dict[int, list[int]] = {}
    for correction, changes in table.corrections.items():
        names = ("first", "second", "entry")
        for entry in {change[name] for change in changes for name in names if name in change}:
            found.setdefault(entry, []).append(correction.number)
    return found


def correction_notes(table: Table) -> tuple[str, ...]:
    """Return when and why each correction that a table counts was made, for files."""
    note = gettext("Corrected on %(day)s: %(reason)s")
    return tuple(
        note % {"day": date_format(correction.committed_at), "reason": correction.reason}
        for correction in table.corrections
    )


def find_adjourned(table: Table) -> Iterator[dict[str, Any]]:
    """Yield round and pairing numbers of each adjourned game, by round."""
    players = table.crosstable.players
    for index in range(table.through):
        for player in players:
            result = player.result(index + 1)
            if result.adjourned and result.seat is Seat.FIRST:
                yield {"round": index + 1, "first": player.number, "second": result.opponent}


def adjourned_as_json(table: Table) -> list[AdjournedGame]:
    """Return each adjourned game, by round."""
    return [
        {
            "round": game["round"],
            "first": table.entry_as_json(game["first"]),
            "second": table.entry_as_json(game["second"]),
        }
        for game in find_adjourned(table)
    ]


def withdrawn_numbers(table: Table) -> list[int]:
    """Return the pairing numbers of the players who have withdrawn; one query."""
    withdrawn = set(
        table.tournament.entries.filter(state=Entry.State.WITHDRAWN).values_list("pk", flat=True)
    )
    return [number for number, entry in table.entries.items() if entry in withdrawn]


def adjourned_notes(table: Table) -> tuple[str, ...]:
    """Return a note that lists the adjourned games; none if there is no such game."""
    games = [
        f"{table.players[game['first']]['name']} – {table.players[game['second']]['name']} ("
        + gettext("round %(round)s") % {"round": game["round"]}
        + ")"
        for game in find_adjourned(table)
    ]
    if not games:
        return ()
    note = gettext("Adjourned, without points so far: %(games)s.")
    return (note % {"games": semicolons(games)},)


def expelled_as_json(table: Table) -> list[ExpelledEntry]:
    """Return the players whom the table does not rank, each with the reason."""
    return [
        {**table.entry_as_json(number), "reason": reason}
        for number, reason in table.expelled.items()
    ]


def expelled_notes(table: Table) -> tuple[str, ...]:
    """Return a note for each player whom the table does not rank, with the reason."""
    note = gettext("Expelled and not ranked: %(name)s (%(reason)s).")
    return tuple(
        note % {"name": table.players[number]["name"], "reason": reason}
        for number, reason in table.expelled.items()
    )


def edition_notes(table: Table) -> tuple[str, ...]:
    """Return by which edition of the tie-breaks an older event is ranked."""
    return (f"{sentence(table.edition)}.",) if table.edition else ()


def empty_column_notes(table: Table) -> tuple[str, ...]:
    """Return a note for each tie-break that has no values, which says why."""
    return tuple(
        gettext("%(code)s is left empty: %(why)s.") % {"code": label, "why": translated(why)}
        for label, why in table.empty_columns.items()
    )


def decided_tie_notes(table: Table) -> tuple[str, ...]:
    """Return a note for each tie that a director has decided."""
    note = gettext("Tied, and ordered by the director: %(names)s.")
    return tuple(
        note % {"names": semicolons(table.players[number]["name"] for number in tie["numbers"])}
        for tie in decided_ties_as_json(table)
    )


def decided_ties_as_json(table: Table) -> list[PairedNumbers]:
    """Return the ties that a director has decided, and that are one in this table."""
    ranks = {row.number: row.rank for row in table.rows}
    return [
        {"numbers": list(tie.players)}
        for tie in table.crosstable.decided
        if tie.after == table.crosstable.completed
        and [ranks.get(number) for number in tie.players]
        == [*range(ranks.get(tie.players[0], 0), ranks.get(tie.players[0], 0) + len(tie.players))]
    ]


def empty_columns_as_json(table: Table) -> list[EmptyColumn]:
    """Return the tie-breaks without values as JSON."""
    return [{"tiebreak": label, "detail": why} for label, why in table.empty_columns.items()]
