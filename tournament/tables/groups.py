"""The groups before a knockout: CSV columns `group,rank,number,name`, tie-breaks, and others.

These are `qualification`, `withdrawn` and `corrections`. The groups are ranked by the results that
decide who qualifies. A player who is tied for a place qualifies when a director decides it.
Once the first round of the knockout is published, who plays in it has qualified.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any, Self, TypedDict

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core.errors import NotFound
from games.core.tables.table import Column, ColumnKind, TableDocument
from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.core.crosstable import load_participants
from tournament.core.engine import pairing_codes
from tournament.core.queries import current_pairings
from tournament.core.rankings import Table
from tournament.core.references import NumberedEntry
from tournament.core.systems import system_of
from tournament.models import Correction, Round, Tournament
from tournament.pairing.errors import OptionError
from tournament.pairing.systems.groups import GroupStage, RankedGroup
from tournament.rounds.queries import count_games_by_round
from tournament.standings.crosstable import PlayerId
from tournament.standings.table import label_columns
from tournament.standings.tiebreaks import parse_codes
from tournament.tables.headings import heading_of, table_head
from tournament.tables.notes import (
    CORRECTIONS_COLUMN,
    WITHDRAWN_COLUMN,
    Corrections,
    Withdrawn,
    decided_tie_notes,
    decided_ties_as_json,
    edition_notes,
    empty_column_notes,
    empty_columns_as_json,
    expelled_as_json,
    expelled_notes,
    numbers_of_corrections,
    withdrawn_numbers,
)
from tournament.tables.ranking import COLUMNS, value_columns
from tournament.tables.standings import TIEBREAK_HEADINGS, Ranked, Values


class Qualification(TextChoices):
    """What is known of the place of a player in the knockout after the groups."""

    QUALIFIED = "qualified", _("qualified")
    UNDECIDED = "tie_not_decided", _("tie not decided")


class GroupLine(NumberedEntry):
    """A player in the table of a group."""

    group: str
    rank: Annotated[int, "in the group"]
    qualification: Annotated[Qualification | None, "null: not, or open"]
    withdrawn: Withdrawn
    corrections: Corrections
    values: Values


class TableOfGroup(TypedDict):
    """The table of a group."""

    group: Annotated[str, "A, B and so on"]
    rows: list[GroupLine]


class GroupStandings(Ranked):
    """The tables of all groups before a knockout, by the tie-breaks that can rank a group."""

    advance: Annotated[int, "the number of players of each who qualify"]
    groups: list[TableOfGroup]


@dataclass(frozen=True, kw_only=True)
class GroupTable(Table):
    """The rows of all groups, one group after the other; none before the event has its groups."""

    stage: GroupStage
    qualification: Mapping[PlayerId, Qualification]

    @classmethod
    def load(cls, tournament: Tournament, through: int) -> Self:
        """Return the groups after a round, or after their last one.

        Raises NotFound in other systems.
        """
        system = system_of(tournament)
        if system.rank_groups is None:
            detail = Text("%(system)s: there are no groups", system=Text(system.name))
            raise NotFound("not_found", detail)
        crosstable, participants = load_participants(tournament, through=through, for_pairing=True)
        codes = pairing_codes(tournament)
        stage = GroupStage(groups=(), rounds=0, advance=0, is_over=False)
        with suppress(OptionError):
            stage = system.rank_groups(crosstable, tournament.system_options, codes)
        rows = tuple(row for group in stage.groups for row in group.rows)
        through = min(through, stage.rounds)
        return cls(
            tournament=tournament,
            through=through,
            crosstable=crosstable.after(through),
            labels=tuple(rows[0].values) if rows else tuple(label_columns(parse_codes(codes))),
            rows=rows,
            players=participants.players,
            entries=participants.entries,
            expelled=participants.expelled,
            for_pairing=True,
            stage=stage,
            qualification=_qualify(tournament, stage) if through == stage.rounds else {},
        )


def _qualify(tournament: Tournament, stage: GroupStage) -> dict[PlayerId, Qualification]:
    """Return the players whose place in the knockout is certain, and those who are tied for one.

    Two queries.
    """
    following = tournament.round_set.filter(number=stage.rounds + 1, published_at__isnull=False)
    if following.exists():
        seated = current_pairings(tournament).filter(round__number=stage.rounds + 1)
        numbers = seated.values_list("first__pairing_number", "second__pairing_number")
        playing = {number for pair in numbers for number in pair if number}
        return dict.fromkeys(playing, Qualification.QUALIFIED)
    rows = (row for group in stage.groups for row in group.rows if row.rank <= stage.advance)
    certain = {row.number: Qualification.QUALIFIED for row in rows if stage.is_over}
    tied = (number for tie in stage.ties for number in tie.players)
    return certain | dict.fromkeys(tied, Qualification.UNDECIDED)


def groups_document(table: GroupTable) -> TableDocument:
    """Return the table of each group."""
    labels = table.labels
    withdrawn, corrections = set(withdrawn_numbers(table)), numbers_of_corrections(table)
    by_group: dict[str, list[GroupLine]] = {
        group.name: [
            {
                "group": group.name,
                "rank": row.rank,
                **table.entry_as_json(row.number),
                "qualification": table.qualification.get(row.number),
                "withdrawn": row.number in withdrawn,
                "corrections": corrections.get(table.entries[row.number], []),
                "values": row.values_as_json(),
            }
            for row in group.rows
        ]
        for group in table.stage.groups
    }
    records = [row for rows in by_group.values() for row in rows]
    has_state = bool(table.qualification) or any(record["withdrawn"] for record in records)
    people = ("rank", "number", "name", *(["state"] if has_state else []), *labels)
    body: GroupStandings = {
        **table_head(table),
        "advance": table.stage.advance,
        "tiebreaks": list(labels),
        "empty": empty_columns_as_json(table),
        "decided": decided_ties_as_json(table),
        "expelled": expelled_as_json(table),
        "groups": [{"group": name, "rows": rows} for name, rows in by_group.items()],
    }
    return TableDocument(
        heading=heading_of(table, gettext("Groups"), ".groups"),
        columns=(
            Column("group", gettext_noop("Group"), ColumnKind.TEXT),
            *COLUMNS,
            *value_columns({label: TIEBREAK_HEADINGS.get(label, label) for label in labels}),
            Column("state", gettext_noop("State"), ColumnKind.TEXT, cell=_state),
            Column("qualification", kind=ColumnKind.TEXT),
            WITHDRAWN_COLUMN,
            CORRECTIONS_COLUMN,
        ),
        records=records,
        people=[table.entry_as_json(number) for number in table.players],
        csv=(
            *("group", "rank", "number", "name", *labels),
            *("qualification", "withdrawn", "corrections"),
        ),
        page=people,
        sheet=people,
        section=lambda record: gettext("Group %(name)s") % {"name": record["group"]},
        notes=(
            *_notes(table, withdrawn),
            *empty_column_notes(table),
            *decided_tie_notes(table),
            *expelled_notes(table),
            *edition_notes(table),
        ),
        body=body,
    )


def _state(record: Mapping[str, Any]) -> str:
    """Return what a reader must know of a player besides the values."""
    found = record["qualification"]
    words = [str(found.label)] if found else []
    return ", ".join([*words, *([gettext("withdrawn")] if record["withdrawn"] else [])])


def _is_passed_over(table: GroupTable, group: RankedGroup, withdrawn: Collection[PlayerId]) -> bool:
    """Return True if somebody plays in the knockout in place of one who is at least as high."""
    playing = {
        number for number, found in table.qualification.items() if found is Qualification.QUALIFIED
    }
    last = max((row.rank for row in group.rows if row.number in playing), default=0)
    return any(
        row.rank <= last and row.number not in playing and row.number not in withdrawn
        for row in group.rows
        if table.qualification.get(row.number) is not Qualification.UNDECIDED
    )


def _notes(table: GroupTable, withdrawn: Collection[PlayerId]) -> list[str]:
    """Return who qualifies, and what adjourned games count; one query."""
    if not table.rows:
        return []
    note = gettext("The best %(advance)s of each group qualify for the knockout.")
    notes = [note % {"advance": table.stage.advance}]
    if Qualification.UNDECIDED in table.qualification.values():
        notes.append(
            gettext("Players whose tie is not decided share their rank until the director decides.")
        )
    counts = count_games_by_round(table.tournament)
    if any(count.adjourned for number, count in counts.items() if number <= table.through):
        notes.append(gettext("An adjourned game counts as a draw for who qualifies."))
    if any(_is_passed_over(table, group, withdrawn) for group in table.stage.groups):
        notes.append(gettext("The knockout was paired by other results than these."))
    of_tables = table.tournament.corrections.filter(scope=Correction.Scope.STANDINGS)
    if of_tables.with_changes(lambda change: change.get("round", 0) <= table.through):
        notes.append(gettext("Corrections of the standings alone do not decide who qualifies."))
    return notes


def open_groups(tournament: Tournament, this_round: Round, through: int) -> GroupTable | None:
    """Return the groups while they are played or who qualifies is open; None without any.

    `this_round` is the last published round, `through` the last complete one.
    """
    if system_of(tournament).rank_groups is None:
        return None
    table = GroupTable.load(tournament, through)
    return table if this_round.number <= table.stage.rounds else None
