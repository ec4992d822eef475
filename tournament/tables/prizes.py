"""The prize groups of an event with the prizes that players win, as a table.

CSV columns: `group,place,number,name,amount,currency`.
"""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict, cast

from django.utils.translation import gettext

from games.core.tables.table import Column, ColumnKind, TableDocument
from games.rules.messages import gettext_noop
from tournament.core.rankings import Table
from tournament.core.references import NumberedEntry
from tournament.standings.prizes import PrizeAward, PrizeGroup, Split, Unrated, parse_groups
from tournament.standings.prizes.money import format_coins
from tournament.tables.awards import load_awards
from tournament.tables.headings import TableHead, heading_of, table_head
from tournament.tables.notes import edition_notes, expelled_notes

COLUMNS = (
    Column(
        "group",
        gettext_noop("Group"),
        ColumnKind.TEXT,
        sheet_heading=gettext_noop("Prize"),
        is_wide=True,
    ),
    Column("place", gettext_noop("Place")),
    Column("number", gettext_noop("No")),
    Column("name", gettext_noop("Name"), ColumnKind.TEXT, of="player.name", is_wide=True),
    Column("amount"),
)


class Award(NumberedEntry):
    """A prize that a player wins."""

    place: int
    coins: Annotated[int, "in the smallest coin of `currency`"]
    amount: Annotated[str, "the same in decimals, as `300.00`"]
    shared_places: list[int]


class AwardedGroup(TypedDict):
    """A group with its conditions and its awards."""

    name: str
    amounts: list[int]
    split: Split
    exclusive: Annotated[bool, "a winner is skipped in later groups"]
    offered: Annotated[int, "the sum of the amounts"]
    paid: Annotated[int, "the sum of the awards"]
    left: Annotated[int, "of places without a winner"]
    awards: list[Award]
    sex: NotRequired[Annotated[str, "`m` or `w`"]]
    federation: NotRequired[str]
    club: NotRequired[str]
    category: NotRequired[Annotated[str, "of the entry"]]
    unrated: NotRequired[Unrated]
    withdrawn: NotRequired[bool]
    rating_from: NotRequired[int]
    rating_to: NotRequired[int]
    age_from: NotRequired[int]
    age_to: NotRequired[int]
    birth_year_from: NotRequired[int]
    birth_year_to: NotRequired[int]
    games_from: NotRequired[int]


class Prizes(TableHead):
    """The prizes that players win."""

    currency: Annotated[str | None, "of all amounts; null: not named"]
    year: Annotated[int, "the year for which ages are computed"]
    groups: list[AwardedGroup]


def prizes_document(table: Table) -> TableDocument:
    """Return the prizes that players win."""
    awards = load_awards(table)
    currency = table.tournament.currency
    groups = [
        _group_as_json(table, group, [award for award in awards if award.group == group.name])
        for group in parse_groups(table.tournament.prizes)
    ]
    records = [{"group": group["name"], **award} for group in groups for award in group["awards"]]
    body: Prizes = {
        **table_head(table),
        "year": table.tournament.starts_on.year,
        "currency": currency or None,
        "groups": groups,
    }
    return TableDocument(
        heading=heading_of(table, gettext("Prizes"), ".prizes"),
        columns=(
            *COLUMNS,
            Column("currency", kind=ColumnKind.TEXT, cell=lambda _: currency),
            Column(
                "prize",
                gettext_noop("Amount"),
                of="amount",
                cell=lambda amount: f"{amount} {currency}".rstrip(),
            ),
        ),
        records=records,
        people=[table.entry_as_json(number) for number in table.players],
        csv=("group", "place", "number", "name", "amount", "currency"),
        page=("place", "number", "name", "group", "prize"),
        sheet=("group", "place", "number", "name", "prize"),
        notes=(*expelled_notes(table), *edition_notes(table)),
        body=body,
    )


def _group_as_json(table: Table, group: PrizeGroup, awards: Sequence[PrizeAward]) -> AwardedGroup:
    offered, paid = sum(group.amounts), sum(award.coins for award in awards)
    found = {
        **group.as_json(),
        "offered": offered,
        "paid": paid,
        "left": offered - paid,
        "awards": [
            {
                "place": award.place,
                **table.entry_as_json(award.number),
                "coins": award.coins,
                "amount": format_coins(award.coins, table.tournament.currency),
                "shared_places": list(award.shared_places),
            }
            for award in awards
        ],
    }
    return cast("AwardedGroup", found)
