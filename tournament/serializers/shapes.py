"""The shapes of tournaments, entries, rounds, pairings and standings."""

import re
from datetime import date
from typing import Any

from rest_framework import serializers

from games.serializers.games import TaskShape
from games.serializers.players import one_line
from tournament.models import Bye, Entry, Pairing, Round, Tournament
from tournament.pairing.differences import DifferenceCode
from tournament.serializers.pairing import ReasonShape
from tournament.serializers.systems import SeparationShape, SystemOptionsField
from tournament.services import lots
from tournament.services.setup import MOST_ROUNDS
from tournament.standings.prizes import MOST_GROUPS

HIGHEST_RATING = 4000
MOST_BOARDS = 10_000
MOST_SEPARATIONS = 40
HIGHEST_LOT = 100_000
FIRST_YEAR, LAST_YEAR = 1900, 2199
NUMBER_OF_POINTS = re.compile(r"-?[0-9]{1,4}(\.[0-9]{1,4}|/[1-9][0-9]?)?", re.ASCII)


def day_of_play(day: date) -> None:
    """Refuse a day that no event is played on, and that time zones and reports cannot write."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise serializers.ValidationError(f"a year lies between {FIRST_YEAR} and {LAST_YEAR}")


class PointsField(serializers.DictField):
    """Points by kind of result, `{"win": 3, "draw": 1}`; decimals and `1/2` as text."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        """Names and values as text; what they mean is checked with the whole set-up."""
        values = super().to_internal_value(data)
        wrong = [
            name
            for name, value in values.items()
            if isinstance(value, bool)
            or not isinstance(value, str | int | float)
            or not NUMBER_OF_POINTS.fullmatch(str(value))
        ]
        if wrong:
            raise serializers.ValidationError(f"{wrong[0][:20]!r} is no number of points")
        return {str(name): str(value) for name, value in values.items()}


class TournamentShape(serializers.ModelSerializer[Tournament]):
    """A tournament; the keys (game, system, tiebreaks, pool) are checked against their dicts."""

    slug = serializers.SlugField(max_length=80, required=False)
    country = serializers.RegexField(r"\A[A-Za-z]{3}\Z", required=False, allow_blank=True)
    options = serializers.ListField(
        child=serializers.CharField(max_length=40), required=False, max_length=8
    )
    points = PointsField(required=False)
    tiebreaks = serializers.ListField(
        child=serializers.CharField(max_length=16), required=False, max_length=12, min_length=1
    )
    rounds = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS)
    confirm_hours = serializers.IntegerField(min_value=0, max_value=24 * 60, required=False)
    half_byes = serializers.IntegerField(min_value=0, max_value=MOST_ROUNDS, required=False)
    top_seed_seat = serializers.ChoiceField(["first", "second"], required=False)
    system_options = SystemOptionsField(
        required=False, help_text="what `rules/systems` lists for the system"
    )
    separations = serializers.ListField(
        child=SeparationShape(), required=False, max_length=MOST_SEPARATIONS
    )
    prizes = serializers.ListField(
        child=serializers.DictField(), required=False, max_length=MOST_GROUPS
    )

    class Meta:
        model = Tournament
        fields = [
            "slug", "name", "place", "country", "starts_on", "ends_on", "time_zone", "arbiter",
            "time_control", "state", "public", "game", "board", "options", "swap", "rated",
            "pool", "confirm_hours", "system", "rounds", "points", "tiebreaks", "top_seed_seat",
            "half_byes", "prizes", "system_options", "separations", "balance_seats",
        ]  # fmt: skip
        read_only_fields = ["state"]
        extra_kwargs = {
            **{
                name: {"validators": [one_line]}
                for name in ("name", "place", "arbiter", "time_control")
            },
            **{name: {"validators": [day_of_play]} for name in ("starts_on", "ends_on")},
        }


class TournamentPage(TournamentShape):
    """A tournament by itself, with what it has promised of its lots."""

    lots_digest = serializers.SerializerMethodField(
        help_text="SHA-256 of the seed of all lots, from the opening of registration on"
    )
    lots = serializers.SerializerMethodField(
        help_text="the seed, once a round is published or the event is final"
    )

    class Meta(TournamentShape.Meta):
        fields = [*TournamentShape.Meta.fields, "lots_digest", "lots"]

    def get_lots_digest(self, tournament: Tournament) -> str | None:
        """The seed's digest, once registration is open."""
        return lots.promised_digest(tournament)

    def get_lots(self, tournament: Tournament) -> str | None:
        """The seed, once it has served."""
        return lots.shown_seed(tournament)


class EntryRequest(serializers.Serializer):
    player = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    seed_rating = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_RATING, required=False, allow_null=True, default=None
    )
    lot = serializers.IntegerField(
        min_value=1,
        max_value=HIGHEST_LOT,
        required=False,
        allow_null=True,
        default=None,
        help_text="the number drawn, where a round robin has its numbers by lot",
    )


class LotRequest(serializers.Serializer):
    lot = serializers.IntegerField(min_value=1, max_value=HIGHEST_LOT, allow_null=True)


class EntryPlayer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField()
    club = serializers.CharField()


class EntryShape(serializers.Serializer):
    id = serializers.IntegerField()
    player = EntryPlayer()
    state = serializers.ChoiceField(Entry.State.choices)
    seed_rating = serializers.IntegerField()
    pairing_number = serializers.IntegerField(allow_null=True)
    lot = serializers.IntegerField(allow_null=True)
    first_round = serializers.IntegerField()


class ByeRequest(serializers.Serializer):
    entry = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    round = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS)
    kind = serializers.ChoiceField(Bye.Kind.choices)
    reason = serializers.CharField(max_length=240, required=False, allow_blank=True, default="")


class ByeShape(serializers.Serializer):
    id = serializers.IntegerField()
    entry = serializers.IntegerField(source="entry_id")
    round = serializers.IntegerField()
    kind = serializers.ChoiceField(Bye.Kind.choices)
    reason = serializers.CharField()


class PersonalToken(serializers.Serializer):
    entry = serializers.IntegerField()
    player = serializers.IntegerField()
    scopes = serializers.ListField(child=serializers.CharField())
    token = serializers.CharField(help_text="the secret, shown this once")


class RoundShape(serializers.ModelSerializer[Round]):
    class Meta:
        model = Round
        fields = [
            "number", "state", "version", "system", "reason", "relaxed", "starts_on",
            "published_at", "completed_at",
        ]  # fmt: skip


class RoundRequest(serializers.Serializer):
    starts_on = serializers.DateField(allow_null=True, validators=[day_of_play])


class PairedEntry(serializers.Serializer):
    entry = serializers.IntegerField()
    pairing_number = serializers.IntegerField()
    player = serializers.IntegerField()
    name = serializers.CharField()


class PairingShape(serializers.Serializer):
    board = serializers.IntegerField(allow_null=True)
    kind = serializers.ChoiceField(Pairing.Kind.choices)
    by_hand = serializers.BooleanField(help_text="set by hand, and not as the engine pairs")
    first = PairedEntry()
    second = PairedEntry(allow_null=True)
    game = serializers.IntegerField(allow_null=True)
    state = serializers.CharField(allow_null=True)
    basis = serializers.CharField(allow_null=True)
    result = serializers.CharField(allow_null=True, help_text="26-25, 1-0, 0-1, 1/2, 0-0")
    termination = serializers.CharField(allow_null=True)
    reasons = ReasonShape(many=True, required=False, help_text="with `?explain=1`")


class BrokenRule(serializers.Serializer):
    code = serializers.CharField()
    players = serializers.ListField(child=serializers.IntegerField(), help_text="pairing numbers")
    detail = serializers.CharField()


class DifferenceShape(serializers.Serializer):
    code = serializers.ChoiceField([one.value for one in DifferenceCode])
    board = serializers.IntegerField(allow_null=True)
    players = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="pairing numbers; null at a bye"
    )
    engine = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(allow_null=True)),
        help_text="where the engine has them",
    )


class RoundNote(serializers.Serializer):
    code = serializers.CharField(
        help_text="handicap, forfeit, decided, level-tie, qualified or wish-given-up"
    )
    entries = serializers.ListField(child=serializers.IntegerField())
    value = serializers.IntegerField(
        required=False, help_text="the handicap recommended, for the first of the entries"
    )


class RoundPairings(serializers.Serializer):
    round = serializers.IntegerField()
    state = serializers.ChoiceField(Round.State.choices)
    system = serializers.CharField()
    reason = serializers.CharField()
    pairings = PairingShape(many=True)
    notes = RoundNote(many=True, required=False, help_text="what the system has to say")
    relaxed = serializers.ListField(
        child=serializers.CharField(), help_text="rules that gave way on the organiser's word"
    )
    violations = BrokenRule(many=True, required=False, help_text="of pairings set by hand")
    differences = DifferenceShape(
        many=True, required=False, help_text="between pairings set by hand and the engine's"
    )
    numbers = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        help_text="with reasons: the entries by the pairing numbers they use, number 1 first",
    )
    task = TaskShape(required=False, help_text="what brings the reasons of a large round")


class BoardRequest(serializers.Serializer):
    first = serializers.IntegerField(min_value=1, max_value=2**63 - 1, help_text="an entry's id")
    second = serializers.IntegerField(
        min_value=1, max_value=2**63 - 1, required=False, allow_null=True, default=None
    )
    bye = serializers.ChoiceField(
        [kind for kind in Pairing.Kind.values if kind != "game"],
        required=False,
        default=Pairing.Kind.PAIRING_BYE,
    )


class ByHandRequest(serializers.Serializer):
    reason = serializers.CharField(max_length=240)
    pairings = BoardRequest(many=True, allow_empty=False)

    def validate_pairings(self, boards: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """A round has a sensible number of boards."""
        if len(boards) > MOST_BOARDS:
            raise serializers.ValidationError(f"at most {MOST_BOARDS} boards")
        return boards


class WhyRequest(serializers.Serializer):
    reason = serializers.CharField(max_length=240, required=False, allow_blank=True, default="")
