"""Serializers of entries and byes."""

import re
from typing import Any, Final

from django.utils.translation import gettext_lazy, gettext_noop
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import (
    IdField,
    OptionalChoiceField,
    OptionalNameField,
    OptionalReasonField,
    OptionalText,
    validate_text,
)
from games.core.wrong_values import WrongValue
from games.models import Player
from games.names import FIRST_BIRTH_YEAR, MAX_NAME_LENGTH
from games.players.serializers import PlayerRowSerializer
from games.rules.text import Text
from tournament.core.serializers import PairingNumberField, RoundField, SeedRatingField
from tournament.entries.queries import SHOWN_CLUB
from tournament.models import Bye

LONGEST_CATEGORY = 40
NO_CHANGES = frozenset({"reason", "accept"})
"""What comes with the changes of an entry."""
ROUND_NUMBER = re.compile(r"[1-9][0-9]?", re.ASCII)


class EntryValuesSerializer(serializers.Serializer):
    """The values that entries, applications, corrections and files can give an entry.

    Each is optional and may be cleared. Prizes need these.
    """

    birth_year = serializers.IntegerField(
        min_value=FIRST_BIRTH_YEAR,
        required=False,
        allow_null=True,
        label=_("Year of birth"),
        help_text=gettext_noop("not after the year of the event"),
    )
    sex = OptionalChoiceField(
        Player.Sex.choices,
        label=_("Sex"),
        error_messages={
            "invalid_choice": gettext_lazy("sex is m or w, the codes of FIDE, or empty")
        },
    )
    category = OptionalNameField(
        max_length=LONGEST_CATEGORY,
        label=_("Category"),
        help_text=gettext_noop("a category of prize groups"),
    )


VALUES: Final = tuple(EntryValuesSerializer().fields)


class EntryRequestSerializer(EntryValuesSerializer):
    player_id = IdField()
    seed_rating = SeedRatingField(help_text="omitted: that of the player; null: unrated")
    lot = PairingNumberField(allow_null=True, default=None, help_text="if numbers are drawn by lot")


class EntryRowSerializer(PlayerRowSerializer):
    """A row of an import: a player as there, with the values of their entry."""

    category = OptionalNameField(max_length=LONGEST_CATEGORY)


class EntryRowsSerializer(serializers.Serializer):
    rows = EntryRowSerializer(many=True, allow_empty=False)


class EntryChangeSerializer(EntryValuesSerializer):
    """Changes of an entry; omitted values stay unchanged."""

    seed_rating = SeedRatingField(label=_("Rating"))
    club = OptionalNameField(max_length=MAX_NAME_LENGTH, label=_("Club"), help_text=SHOWN_CLUB)
    first_round = RoundField(required=False, label=_("First round"))
    lot = PairingNumberField(required=False, allow_null=True, label=_("Number drawn by lot"))
    paid = serializers.BooleanField(
        required=False,
        label=_("The entry fee is paid"),
        help_text="the entry fee; needs no reason",
        style={"help": ""},
    )
    expelled = OptionalText(
        max_length=240,
        validators=[validate_text],
        label=_("Expelled: the reason, for everybody"),
        help_text=gettext_noop(
            "of a withdrawn player: the tables leave them out and state the reason; the results"
            " count for the opponents; empty: ranked"
        ),
    )
    reason = OptionalText(
        max_length=240,
        validators=[validate_text],
        help_text=gettext_noop("required after the start of the event"),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs.keys() - NO_CHANGES:
            names = ", ".join(name for name in self.get_fields() if name not in NO_CHANGES)
            raise WrongValue(Text("send at least one of: %(names)s", names=names))
        return attrs


class WithdrawalSerializer(serializers.Serializer):
    from_round = RoundField(
        allow_null=True,
        default=None,
        label=_("From round"),
        help_text=gettext_noop("if omitted, from the next round that is paired"),
    )
    reason = OptionalReasonField()


class AvailabilitySerializer(serializers.BaseSerializer[Any]):
    """The byes of an entry by round, as `{"3": "half_bye"}`."""

    child = serializers.ChoiceField(Bye.Kind.choices)

    def to_internal_value(self, data: dict[str, Any]) -> dict[int, Bye.Kind]:
        """Return the kinds by round; raises ValidationError with all other names and kinds."""
        kinds: dict[int, Bye.Kind] = {}
        wrong = {}
        for name, kind in data.items():
            try:
                number = _round_number(name)
                kinds[number] = Bye.Kind(self.child.run_validation(kind))
            except serializers.ValidationError as error:
                wrong[name] = error.detail
        if wrong:
            raise serializers.ValidationError(wrong)
        return kinds


def _round_number(name: str) -> int:
    if not ROUND_NUMBER.fullmatch(name):
        detail = Text("%(word)s is not the number of a round, such as 3", word=f"{name[:40]!r}")
        raise WrongValue(detail, "unknown_member")
    return int(name)


class ByeRequestSerializer(serializers.Serializer):
    entry_id = IdField()
    round = RoundField()
    kind = serializers.ChoiceField(Bye.Kind.choices)
    reason = OptionalReasonField()
