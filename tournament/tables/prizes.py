"""The JSON of prizes: the groups of an event, and the awards in them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.core.serializers import PlayerSummarySerializer
from tournament.standings.prizes import (
    MOST_COINS,
    MOST_GROUPS,
    MOST_PRIZES,
    NUMBER_RANGES,
    SEXES,
    Split,
    Unrated,
)
from tournament.tables.serializers import TableHeadSerializer

PRIZE_DESCRIPTIONS = {
    "name": "unique among the groups",
    "amounts": "the prizes of places 1, 2, ... in the smallest coin, none higher than the one "
    "before",
    "split": "how equal players share: `rank`, those of equal rank share the prizes of their "
    "places; `points`, those of equal points do; `half`, half of each prize by rank and half by "
    "points (Hort). Coins that cannot be shared go one each to the better rank, then to the lower "
    "pairing number",
    "exclusive": "a winner is skipped in all later groups",
    "withdrawn": "true if a player can win who has withdrawn and was absent in the last round",
    "unrated": "players without a rating: `in`, as if rated 0; `out`, excluded; `only`, no others",
    "games_from": "the number of games over the board that a winner has played; 1 by default",
    "rating_from": "the seed rating",
    "age_from": "the year in which the event starts minus the year of birth: U12 is `age_to` 12",
    "birth_year_from": "a player without a year of birth meets no condition on it",
}


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "maxLength": 120, "description": description}


def _choice(values: list[str], description: str) -> dict[str, Any]:
    return {"type": "string", "enum": values, "description": description}


PRIZE_CONDITIONS: dict[str, Any] = {
    "sex": _choice(list(SEXES), "as FIDE writes it"),
    **{name: _text("equal, without regard to case") for name in ("federation", "club")},
    "category": _text("of the entry"),
    "unrated": _choice(list(Unrated), PRIZE_DESCRIPTIONS["unrated"]),
    "withdrawn": {"type": "boolean", "description": PRIZE_DESCRIPTIONS["withdrawn"]},
    **{
        name: {
            "type": ["integer", "null"],
            "minimum": least,
            "maximum": most,
            "description": PRIZE_DESCRIPTIONS.get(name, f"see {name.replace('_to', '_from')}"),
        }
        for name, (least, most) in NUMBER_RANGES.items()
    },
}
AMOUNTS = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0, "maximum": MOST_COINS},
    "minItems": 1,
    "maxItems": MOST_PRIZES,
    "description": PRIZE_DESCRIPTIONS["amounts"],
}
GROUP: dict[str, Any] = {
    "type": "object",
    "required": ["name", "amounts"],
    "properties": {
        "name": _text(PRIZE_DESCRIPTIONS["name"]),
        "amounts": AMOUNTS,
        "split": _choice(list(Split), PRIZE_DESCRIPTIONS["split"]),
        "exclusive": {
            "type": "boolean",
            "default": True,
            "description": PRIZE_DESCRIPTIONS["exclusive"],
        },
        **PRIZE_CONDITIONS,
    },
    "additionalProperties": False,
}


@extend_schema_field(
    {
        "type": "array",
        "items": GROUP,
        "maxItems": MOST_GROUPS,
        "description": "prize groups, in the order in which they are awarded",
    }
)
class PrizeGroupsField(serializers.ListField):
    """The prize groups of an event; the service checks their content with the whole set-up."""

    child = serializers.DictField()


class AwardSerializer(serializers.Serializer):
    place = serializers.IntegerField()
    number = serializers.IntegerField()
    player = PlayerSummarySerializer()
    coins = serializers.IntegerField(help_text="in the smallest coin")
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


class CorrectedAwardSerializer(serializers.Serializer):
    group = serializers.CharField()
    number = serializers.IntegerField(help_text="of the snapshot, if it has the player")
    player = PlayerSummarySerializer()
    place = serializers.ListField(
        child=serializers.IntegerField(allow_null=True),
        help_text="snapshot, current; null without an award",
    )
    coins = serializers.ListField(child=serializers.IntegerField(), help_text="snapshot, current")


class PrizesSerializer(TableHeadSerializer):
    year = serializers.IntegerField(help_text="the year for which ages are computed")
    groups = PrizeGroupSerializer(many=True)
    corrected = CorrectedAwardSerializer(many=True, required=False)
