"""Serializers of players, of their import and of claims."""

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games import models
from games.core.accounts.types import TokenOfAccount, tokens_as_json
from games.core.references import (
    AccountReference,
    PlayerOfFile,
    PlayerReference,
    absolute_url,
    account_reference,
    page_url,
    player_reference,
)
from games.core.serializers import (
    BirthYearField,
    CountryField,
    IdField,
    MaybeUnset,
    ModelSerializer,
    NameField,
    OptionalChoiceField,
    OptionalNameField,
    OptionalReasonField,
    RatingField,
    validate_text,
)
from games.core.types import described
from games.core.wrong_values import WrongValue
from games.models import Player, Token
from games.models.streams import tournament_of
from games.names import EXTERNAL_SCHEME, MAX_NAME_LENGTH, check_fide_id
from games.rules.ratings import MOST_SEED_GAMES
from games.rules.text import Text

MOST_EXTERNAL_IDS = 8
NOT_PUBLIC = _(
    "Not public: only for the player, or until they have a login for who registered them, the"
    " officers of their pool and site staff."
)


class ExternalIdsField(serializers.DictField):
    """Ids of the player elsewhere, by organisation: `{"fide": "1503014"}`."""

    child = serializers.CharField(max_length=40, validators=[validate_text])

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Return the ids; reject too many, and organisations that are not short words."""
        ids: dict[str, str] = super().to_internal_value(data)
        if len(ids) > MOST_EXTERNAL_IDS:
            raise WrongValue(Text("a player has at most %(most)s ids", most=MOST_EXTERNAL_IDS))
        for scheme in ids:
            if not EXTERNAL_SCHEME.fullmatch(scheme):
                detail = Text(
                    "an organisation is at most 16 small letters and digits, such as fide"
                )
                raise WrongValue({scheme[:40]: detail})
        try:
            return ids | ({"fide": check_fide_id(ids["fide"])} if "fide" in ids else {})
        except ValueError as error:
            raise WrongValue({"fide": str(error)}) from error


class FideIdField(MaybeUnset, serializers.CharField):
    """An id of FIDE, or nothing."""

    def to_internal_value(self, data: Any) -> str:
        """Return the id; reject anything but digits."""
        text: str = super().to_internal_value(data)
        try:
            return check_fide_id(text) if text else ""
        except ValueError as error:
            raise WrongValue(str(error)) from error


class PlayerSerializer(ModelSerializer[Player]):
    name = NameField(
        max_length=MAX_NAME_LENGTH,
        label=_("Name"),
        help_text=_("As in tables: family name, given name."),
    )
    club = OptionalNameField(max_length=MAX_NAME_LENGTH, label=_("Club"))
    seed_rating = RatingField(allow_null=True, required=False, label=_("Rating"))
    seed_games = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SEED_GAMES,
        required=False,
        label=_("Rated games before"),
        help_text=_("The games that led to this rating; with more of them, it changes less."),
    )
    seed_reached_2400 = serializers.BooleanField(
        required=False,
        label=_("The rating has been 2400 or more"),
        help_text=_("In FIDE's system, such a rating changes least."),
    )
    country = CountryField()
    external_ids = ExternalIdsField(
        required=False,
        label=_("Ids elsewhere"),
        style={
            "base_template": "textarea.html",
            "help": _("One a line: the organisation and the number there, such as fide:1503014."),
        },
    )
    url = serializers.SerializerMethodField()
    page_url = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = [
            "id", "name", "country", "club", "seed_rating", "seed_games", "seed_reached_2400",
            "external_ids", "created_at", "updated_at", "url", "page_url",
        ]  # fmt: skip
        read_only_fields = ["created_at"]

    def get_url(self, player: Player) -> str:
        return absolute_url(f"players/{player.pk}")

    def get_page_url(self, player: Player) -> str:
        """Return the address of the page of the player."""
        return page_url(f"players/{player.pk}")


class PlayerDetailsSerializer(PlayerSerializer):
    """A player with the year of birth and the sex, which are not public."""

    birth_year = BirthYearField(help_text=NOT_PUBLIC)
    sex = OptionalChoiceField(
        Player.Sex.choices,
        label=_("Sex"),
        error_messages={"invalid_choice": _("sex is m or w, the codes of FIDE, or empty")},
        help_text=NOT_PUBLIC,
    )

    class Meta(PlayerSerializer.Meta):
        may_be_absent = ["birth_year", "sex"]


LOOK_ALIKES = "registered players whose names look like this one, and are spelt otherwise"


class RegisteredPlayerSerializer(PlayerDetailsSerializer):
    """A new player, with those whom readers could take for them."""

    look_alikes = described(PlayerReference)(many=True, help_text=LOOK_ALIKES)


class PlayerChangeSerializer(PlayerDetailsSerializer):
    """Changes of a player; omitted values stay unchanged."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, partial=True, **options)


class PlayerRowSerializer(PlayerDetailsSerializer):
    """A row of an import: a player as in a registration, or the id of a registered one."""

    name = NameField(max_length=MAX_NAME_LENGTH, required=False)
    player_id = IdField(required=False, help_text="of a registered player; a name has to be theirs")
    is_new = serializers.BooleanField(required=False, help_text="although a registered one fits")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Reject a row that means a new player and a registered one, or nobody."""
        if attrs.get("is_new") and "player_id" in attrs:
            detail = Text("a new player has no id yet; send either `player_id` or `is_new`")
            raise WrongValue({"player_id": detail})
        has_id = "player_id" in attrs or (attrs.get("external_ids") and not attrs.get("is_new"))
        if not attrs.get("name") and not has_id:
            raise WrongValue({"name": Text("a new player needs a name")}, "required")
        return attrs


class PlayerRowsSerializer(serializers.Serializer):
    rows = PlayerRowSerializer(many=True, allow_empty=False)


SameAsLine = Annotated[int | None, "the earlier line of the file that registers the same player"]
LookAlikes = Annotated[
    list[PlayerReference],
    "of a new player: registered players who have the same name, or one that looks like it",
]


class LeftOutColumn(TypedDict):
    column: Annotated[int, "its place, 1 for the first"]
    heading: Annotated[str, "may be empty"]
    sample: Annotated[list[str], "the first of its values"]


class SkippedLine(TypedDict):
    line: int
    text: str


class ReadFile(TypedDict):
    """How the file was read."""

    columns: Annotated[dict[str, str], "the column of each heading of the file, or `ignore`"]
    left_out: Annotated[list[LeftOutColumn], "columns that were neither recognised nor named"]
    skipped: Annotated[list[SkippedLine], "no players: titles above the headings, sums below"]


class ImportedLine(TypedDict):
    line: int
    player: PlayerOfFile
    action: Literal["created", "known"]
    same_as_line: SameAsLine
    look_alikes: LookAlikes


class ImportedPlayers(ReadFile):
    dry_run: bool
    rows: list[ImportedLine]


class EventToken(TokenOfAccount):
    """A token that is valid for an event only, and whose it is."""

    account: AccountReference
    player: Annotated[PlayerReference | None, "the player of the account"]


def event_tokens_as_json(tokens: Collection[Token]) -> list[EventToken]:
    """Return tokens of an event as JSON.

    The account of a player, who has got the token from a director, is named as the player.
    """
    found: list[EventToken] = []
    for token, shown in zip(tokens, tokens_as_json(tokens), strict=True):
        player = getattr(token.user, "player", None)
        account = account_reference(token.user)
        if token.issued_by_other and player:
            account["name"] = player.name
        named = player_reference(player) if player else None
        url = absolute_url(f"tournaments/{tournament_of(token.stream)}/tokens/{token.token_key}")
        found.append({**shown, "account": account, "player": named, "url": url})
    return found


class ClaimRequestSerializer(serializers.Serializer):
    player_id = IdField()


class ClaimDecisionSerializer(serializers.Serializer):
    reason = OptionalReasonField()


class Claim(TypedDict):
    """The claim of an account to be a player."""

    id: int
    player: PlayerReference
    account: AccountReference
    state: Annotated[models.Claim.State, "open: not decided yet"]
    agreed: Annotated[list[Literal["custodian", "organiser"]], "who agreed so far"]
    reason: Annotated[str | None, "of the decision"]
    created_at: datetime
    decided_at: datetime | None


def claim_as_json(claim: models.Claim) -> Claim:
    """Return a claim as JSON; organisers who agreed are named without their events."""
    return {
        "id": claim.pk,
        "player": player_reference(claim.player),
        "account": account_reference(claim.account),
        "state": models.Claim.State(claim.state),
        "agreed": sorted(
            {"custodian" if one == claim.CUSTODIAN else "organiser" for one in claim.agreed}
        ),
        "reason": claim.reason or None,
        "created_at": claim.created_at,
        "decided_at": claim.decided_at,
    }
