"""The shapes of prizes: the groups of an event, and who wins what in them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tournament.serializers.entries import EntryPlayer
from tournament.serializers.tables import TableHead
from tournament.standings.prizes import (
    MOST_COINS,
    MOST_GROUPS,
    MOST_PRIZES,
    NUMBERS,
    SEXES,
    Split,
    Unrated,
)

TOLD = {
    "name": "of the group; no two have the same",
    "amounts": "the prizes of the first, second, ... place in whole coins of the smallest kind, "
    "none higher than the one before",
    "split": "how equals share: `rank`, equal rank shares the prizes of its places; `points`, "
    "equal points do; `half`, half of each prize by rank and half by points (Hort). Coins that "
    "cannot be shared go one each to the better ranked, then the lower pairing number",
    "exclusive": "who wins here is passed over in all later groups",
    "withdrawn": "whether who has withdrawn and was away in the last round can win",
    "unrated": "players without a rating: `in`, as if rated 0; `out`, barred; `only`, nobody else",
    "games_from": "how many games over the board it takes; 1 unless it is given",
    "rating_from": "the rating with which players were seeded",
    "age_from": "the year in which the event starts less the year of birth: U12 is `age_to` 12",
    "birth_year_from": "a year; who has none meets no condition on it",
}


def _text(told: str) -> dict[str, Any]:
    return {"type": "string", "maxLength": 120, "description": told}


def _word(words: list[str], told: str) -> dict[str, Any]:
    return {"type": "string", "enum": words, "description": told}


CONDITIONS: dict[str, Any] = {
    "sex": _word(list(SEXES), "as FIDE writes it"),
    **{name: _text("the same, whatever its capitals") for name in ("federation", "club")},
    "category": _text("of the entry"),
    "unrated": _word(list(Unrated), TOLD["unrated"]),
    "withdrawn": {"type": "boolean", "description": TOLD["withdrawn"]},
    **{
        name: {
            "type": ["integer", "null"],
            "minimum": least,
            "maximum": most,
            "description": TOLD.get(name, f"see {name.replace('_to', '_from')}"),
        }
        for name, (least, most) in NUMBERS.items()
    },
}
AMOUNTS = {
    "type": "array",
    "items": {"type": "integer", "minimum": 0, "maximum": MOST_COINS},
    "minItems": 1,
    "maxItems": MOST_PRIZES,
    "description": TOLD["amounts"],
}
GROUP: dict[str, Any] = {
    "type": "object",
    "required": ["name", "amounts"],
    "properties": {
        "name": _text(TOLD["name"]),
        "amounts": AMOUNTS,
        "split": _word(list(Split), TOLD["split"]),
        "exclusive": {"type": "boolean", "default": True, "description": TOLD["exclusive"]},
        **CONDITIONS,
    },
    "additionalProperties": False,
}


@extend_schema_field(
    {
        "type": "array",
        "items": GROUP,
        "maxItems": MOST_GROUPS,
        "description": "prize groups, in the order in which they are dealt with",
    }
)
class PrizeGroupsField(serializers.ListField):
    """The prize groups of an event; what is in them is checked with the whole set-up."""

    child = serializers.DictField()


class AwardSerializer(serializers.Serializer):
    place = serializers.IntegerField()
    number = serializers.IntegerField()
    player = EntryPlayer()
    coins = serializers.IntegerField(help_text="of the smallest kind")
    shared_places = serializers.ListField(child=serializers.IntegerField())


class PrizeGroupSerializer(serializers.Serializer):
    """A group as it was set up, its conditions included, with what comes out of it."""

    name = serializers.CharField()
    amounts = serializers.ListField(child=serializers.IntegerField())
    split = serializers.ChoiceField([one.value for one in Split])
    exclusive = serializers.BooleanField(help_text="who wins here is passed over in later groups")
    offered = serializers.IntegerField(help_text="the sum of the amounts")
    paid = serializers.IntegerField(help_text="the sum of the awards")
    left = serializers.IntegerField(help_text="of places that nobody takes")
    awards = AwardSerializer(many=True)


class CorrectedAward(serializers.Serializer):
    group = serializers.CharField()
    number = serializers.IntegerField(help_text="that of then, where there was one")
    player = EntryPlayer()
    place = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="then, now; null wins nothing"
    )
    coins = serializers.ListField(child=serializers.IntegerField(), help_text="then, now")


class PrizesSerializer(TableHead):
    year = serializers.IntegerField(help_text="the one in which ages are counted")
    groups = PrizeGroupSerializer(many=True)
    corrected = CorrectedAward(many=True, required=False, help_text="what differs by now")
