"""The prize groups of an event with the prizes that players win, as a table.

CSV columns: `group,place,number,name,amount,currency`.
"""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from games.core.tables.table import Column, ColumnKind, TableDocument
from games.rules.messages import gettext_noop
from tournament.core.rankings import Table
from tournament.core.serializers import ListedEntrySerializer
from tournament.standings.prizes import (
    NUMBER_RANGES,
    PrizeAward,
    PrizeGroup,
    Split,
    Unrated,
    parse_groups,
)
from tournament.standings.prizes.money import format_coins
from tournament.tables.awards import load_awards
from tournament.tables.headings import TableHeadSerializer, heading_of
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
    Column("name", gettext_noop("Name"), ColumnKind.TEXT, is_wide=True),
    Column("amount"),
    Column("currency", kind=ColumnKind.TEXT),
    Column("prize", gettext_noop("Amount")),
)


def prizes_document(table: Table) -> TableDocument:
    """Return the prizes that players win."""
    awards = load_awards(table)
    currency = table.tournament.currency
    groups = [
        _group_as_json(table, group, [award for award in awards if award.group == group.name])
        for group in parse_groups(table.tournament.prizes)
    ]
    records = [{"group": group["name"], **award} for group in groups for award in group["awards"]]
    heading = heading_of(table, gettext("Prizes"), ".prizes")
    return TableDocument(
        heading=heading,
        columns=COLUMNS,
        records=records,
        people=[table.entry_as_json(number) for number in table.players],
        cells=lambda record: (
            record["group"],
            record["place"],
            record["number"],
            record["player"]["name"],
            record["amount"],
            currency,
            f"{record['amount']} {currency}".rstrip(),
        ),
        csv=("group", "place", "number", "name", "amount", "currency"),
        page=("place", "number", "name", "group", "prize"),
        sheet=("group", "place", "number", "name", "prize"),
        notes=(*expelled_notes(table), *edition_notes(table)),
        body={
            **heading.members,
            "year": table.tournament.starts_on.year,
            "currency": currency or None,
            "groups": groups,
        },
    )


def _group_as_json(table: Table, group: PrizeGroup, awards: Sequence[PrizeAward]) -> dict[str, Any]:
    offered, paid = sum(group.amounts), sum(award.coins for award in awards)
    return {
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


class AwardSerializer(ListedEntrySerializer):
    place = serializers.IntegerField()
    coins = serializers.IntegerField(help_text="in the smallest coin of `currency`")
    amount = serializers.CharField(help_text="the same in decimals, as `300.00`")
    shared_places = serializers.ListField(child=serializers.IntegerField())


class PrizeGroupSerializer(serializers.Serializer):
    """A group with its conditions and its awards."""

    name = serializers.CharField()
    amounts = serializers.ListField(child=serializers.IntegerField())
    split = serializers.ChoiceField([split.value for split in Split])
    exclusive = serializers.BooleanField(help_text="a winner is skipped in later groups")
    offered = serializers.IntegerField(help_text="the sum of the amounts")
    paid = serializers.IntegerField(help_text="the sum of the awards")
    left = serializers.IntegerField(help_text="of places without a winner")
    awards = AwardSerializer(many=True)
    sex = serializers.CharField(required=False, help_text="`m` or `w`")
    federation = serializers.CharField(required=False)
    club = serializers.CharField(required=False)
    category = serializers.CharField(required=False, help_text="of the entry")
    unrated = serializers.ChoiceField([*Unrated], required=False)
    withdrawn = serializers.BooleanField(required=False)

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, with the conditions that are numbers."""
        numbers = {name: serializers.IntegerField(required=False) for name in NUMBER_RANGES}
        return {**super().get_fields(), **numbers}


class PrizesSerializer(TableHeadSerializer):
    currency = serializers.CharField(allow_null=True, help_text="of all amounts; null: not named")
    year = serializers.IntegerField(help_text="the year for which ages are computed")
    groups = PrizeGroupSerializer(many=True)
