"""Serializers of entries and byes."""

import re
from functools import partial
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.utils.translation import gettext_lazy, gettext_noop
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from msgspec import Meta
from rest_framework import serializers

from games.core.errors import Unprocessable, check_all
from games.core.openapi.types import described
from games.core.references import PlayerReference
from games.core.serializers import (
    AllowedActionSerializer,
    OptionalChoiceField,
    OptionalNameField,
    OptionalText,
    RatingField,
    invalid_content,
    validate_text,
)
from games.core.text import translated
from games.core.wrong_values import listed_errors
from games.models import Player
from games.names import FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR, MAX_NAME_LENGTH
from games.rules.text import Text
from tournament.core.references import EntryReference, entry_reference, shown_player
from tournament.core.serializers import FindingSerializer
from tournament.models import Bye, Entry
from tournament.models.settings import MOST_TOURNAMENT_ROUNDS


class SeedRatingField(serializers.IntegerField):
    """The rating of an entry, null for a player who is unrated; 0 is stored for that."""

    def __init__(self) -> None:
        super().__init__(read_only=True, allow_null=True, help_text="null: unrated")

    def to_representation(self, value: int) -> Any:
        """Return the rating, None for 0."""
        return value or None


HIGHEST_LOT = 100_000
LONGEST_CATEGORY = 40
SHOWN_CLUB = gettext_noop("in this event; empty: the club of the player")
NO_CHANGES = frozenset({"reason", "accept"})
"""What comes with the changes of an entry."""
ROUND_NUMBER = re.compile(r"[1-9][0-9]?", re.ASCII)
BYES_BY_ROUND = serializers.DictField(child=serializers.ChoiceField(Bye.Kind.choices))
OFFICIALS_ONLY = "only for the tournament's officials and the player"


class EntryValuesSerializer(serializers.Serializer):
    """The values that entries, applications, corrections and files can give an entry.

    Each is optional and may be cleared. Prizes need these.
    """

    birth_year = serializers.IntegerField(
        min_value=FIRST_BIRTH_YEAR,
        max_value=LAST_BIRTH_YEAR,
        required=False,
        allow_null=True,
        label=_("Year of birth"),
        error_messages=dict.fromkeys(
            ("min_value", "max_value"),
            _("A year of birth is between 1900 and the year of the event."),
        ),
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
    player = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    seed_rating = RatingField(
        required=False,
        allow_null=True,
        help_text="omitted: that of the player; null: unrated",
    )
    lot = serializers.IntegerField(
        min_value=1,
        max_value=HIGHEST_LOT,
        required=False,
        allow_null=True,
        default=None,
        help_text="the drawn number if pairing numbers are drawn by lot",
    )

    def validate_seed_rating(self, value: int | None) -> int:
        """Return the rating as it is stored, 0 for none."""
        return value or 0


class ShownValuesSerializer(serializers.Serializer):
    """The values of an entry that everybody sees; each is optional."""

    seed_rating = RatingField(required=False, allow_null=True, label=_("Rating"))
    club = OptionalNameField(
        max_length=MAX_NAME_LENGTH,
        label=_("Club"),
        help_text=SHOWN_CLUB,
    )

    def validate_seed_rating(self, value: int | None) -> int:
        """Return the rating as it is stored, 0 for none."""
        return value or 0


class EntryChangeSerializer(ShownValuesSerializer, EntryValuesSerializer):
    """Changes of an entry; omitted values stay unchanged."""

    first_round = serializers.IntegerField(
        min_value=1, max_value=MOST_TOURNAMENT_ROUNDS, required=False, label=_("First round")
    )
    lot = serializers.IntegerField(
        min_value=1,
        max_value=HIGHEST_LOT,
        required=False,
        allow_null=True,
        label=_("Number drawn by lot"),
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
    reason = serializers.CharField(
        max_length=240,
        required=False,
        allow_blank=True,
        validators=[validate_text],
        help_text=gettext_noop("required after the start of the event"),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Reject an empty body."""
        if not attrs.keys() - NO_CHANGES:
            names = ", ".join(name for name in self.get_fields() if name not in NO_CHANGES)
            raise serializers.ValidationError(
                translated(Text("send at least one of: %(names)s", names=names))
            )
        return attrs


class EntrySerializer(serializers.Serializer):
    id = serializers.IntegerField()
    number = serializers.IntegerField(
        source="pairing_number", allow_null=True, help_text="the pairing number"
    )
    player = serializers.SerializerMethodField()
    state = serializers.ChoiceField(Entry.State.choices)
    seed_rating = SeedRatingField()
    lot = serializers.IntegerField(allow_null=True)
    first_round = serializers.IntegerField(help_text="the first that can pair the player")
    last_round = serializers.IntegerField(
        allow_null=True, help_text="the last that can pair the player; null: every round"
    )
    checked_in_round = serializers.IntegerField(
        allow_null=True, help_text="the round before which the player checked in"
    )
    agreement = serializers.ChoiceField(
        Entry.Agreement.choices,
        required=False,
        help_text=f"the player's answer, if somebody else has entered them; {OFFICIALS_ONLY}",
    )
    consented_at = serializers.DateTimeField(
        allow_null=True, help_text="when the player agreed that their games are rated"
    )
    expelled = OptionalText(read_only=True, help_text="why the player is not ranked; null: ranked")
    club = OptionalText(read_only=True, help_text=SHOWN_CLUB)
    birth_year = serializers.IntegerField(required=False, allow_null=True, help_text=OFFICIALS_ONLY)
    sex = OptionalText(help_text=OFFICIALS_ONLY)
    category = OptionalText(help_text=OFFICIALS_ONLY)

    @extend_schema_field(described(PlayerReference))
    def get_player(self, entry: Entry) -> PlayerReference:
        """Return the current player, with the club that the entry shows."""
        return shown_player(entry)


class RenumberedEntrySerializer(serializers.Serializer):
    id = serializers.IntegerField(
        allow_null=True, help_text="of the entry; null in the dry run that would create it"
    )
    number = serializers.IntegerField(help_text="the pairing number")
    printed_number = serializers.IntegerField(
        allow_null=True, help_text="the pairing number on its card; null without a card"
    )


class OutdatedPapersSerializer(serializers.Serializer):
    """What was printed with other pairing numbers, since a round was last published."""

    cards = RenumberedEntrySerializer(many=True)
    sheets = serializers.ListField(
        child=serializers.CharField(),
        help_text="addresses below the tournament: rounds/1/pairings.pdf",
    )


class DraftWarningSerializer(FindingSerializer):
    round = serializers.IntegerField()


class ChangedEntrySerializer(EntrySerializer):
    outdated = OutdatedPapersSerializer()
    missed_rounds = serializers.DictField(
        child=serializers.ChoiceField(Bye.Kind.choices), help_text="of a late entry, by round"
    )
    warnings = DraftWarningSerializer(
        many=True, help_text="a draft pairs a player who cannot play; pair it again"
    )


class EntryWithActionsSerializer(EntrySerializer):
    allowed_actions = AllowedActionSerializer(
        many=True,
        required=False,
        help_text="with `actions`; empty for others than the tournament's directors and the player",
    )


class WithdrawalSerializer(serializers.Serializer):
    from_round = serializers.IntegerField(
        min_value=1,
        max_value=MOST_TOURNAMENT_ROUNDS,
        required=False,
        allow_null=True,
        default=None,
        label=_("From round"),
        help_text=gettext_noop("if omitted, from the next round that is paired"),
    )
    reason = serializers.CharField(
        max_length=240, required=False, allow_blank=True, default="", validators=[validate_text]
    )


def _require_round(name: str) -> None:
    if not ROUND_NUMBER.fullmatch(name):
        detail = Text("%(word)s is not the number of a round, such as 3", word=f"{name[:40]!r}")
        raise Unprocessable("unknown_member", detail, at=f"/{name[:40]}")


def _read_kinds(data: Any) -> dict[str, Any]:
    try:
        kinds: dict[str, Any] = BYES_BY_ROUND.run_validation(data)
    except serializers.ValidationError as error:
        raise invalid_content(list(listed_errors(error.detail, BYES_BY_ROUND, data))) from error
    return kinds


class AvailabilitySerializer(serializers.BaseSerializer[Any]):
    """The byes of an entry by round, as `{"3": "half_bye"}`."""

    def to_internal_value(self, data: Any) -> dict[int, Bye.Kind]:
        """Return the kinds by round; raises Unprocessable for other names, and for other kinds."""
        names = [*data] if isinstance(data, dict) else []
        _, kinds = check_all(
            lambda: check_all(*(partial(_require_round, name) for name in names)),
            partial(_read_kinds, data),
        )
        return {int(name): Bye.Kind(kind) for name, kind in kinds.items()}


class AvailabilityResponseSerializer(serializers.Serializer):
    id = serializers.IntegerField(help_text="of the entry")
    availability = serializers.DictField(
        child=serializers.ChoiceField(Bye.Kind.choices), help_text="every bye, by round"
    )


class ByeRequestSerializer(serializers.Serializer):
    entry = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    round = serializers.IntegerField(min_value=1, max_value=MOST_TOURNAMENT_ROUNDS)
    kind = serializers.ChoiceField(Bye.Kind.choices)
    reason = serializers.CharField(max_length=240, required=False, allow_blank=True, default="")


class RequestedBye(TypedDict):
    """A bye of an entry in a round."""

    id: int
    entry: EntryReference
    round: int
    kind: Bye.Kind
    reason: NotRequired[
        Annotated[str | None, Meta(description="only for the tournament's directors")]
    ]


def bye_as_json(bye: Bye, *, shows_reason: bool) -> RequestedBye:
    """Return a bye for the API."""
    found: RequestedBye = {
        "id": bye.pk,
        "entry": entry_reference(bye.entry),
        "round": bye.round,
        "kind": Bye.Kind(bye.kind),
    }
    return {**found, "reason": bye.reason or None} if shows_reason else found
