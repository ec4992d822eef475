"""Serializers of corrections: what is requested, and what it did."""

from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.core.serializers import IdField, OptionalChoiceField, ReasonField, RecordField
from games.core.wrong_values import WrongValue
from games.play.serializers import ResultField
from games.rules.text import Text
from ratings.core.serializers import ReasonSerializer
from tournament.core.serializers import PUBLIC_REASON, AcceptField, RoundField, SeedRatingField
from tournament.corrections.changes import CORRECTED_BYES, CORRECTED_ENTRY_FIELDS, RequestedChange
from tournament.entries.serializers import EntryValuesSerializer
from tournament.models import Correction
from tournament.results.serializers import ScoreField
from tournament.rounds.advances import ADVANCE_CHANGES

MOST_CHANGES = 100
FIDE_TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")


class CorrectedItemSerializer(EntryValuesSerializer):
    """A change: of a game its result or record, of an entry a bye in a round, or values."""

    game_id = IdField(source="game", required=False)
    result = ResultField(
        required=False, help_text="as in rounds/{n}/results: 26-25, 1-0, 1/2, 0-1f; or `annulled`"
    )
    score = ScoreField(required=False)
    record = RecordField(required=False)
    entry_id = IdField(source="entry", required=False)
    round = RoundField(required=False)
    bye = serializers.ChoiceField(CORRECTED_BYES, required=False)
    seed_rating = SeedRatingField(label=_("Rating"))
    title = OptionalChoiceField(FIDE_TITLES, label=_("Title"))

    def validate(self, attrs: dict[str, Any]) -> RequestedChange:
        """Return the change; require exactly one thing to change."""
        columns = {name: attrs.pop(name) for name in CORRECTED_ENTRY_FIELDS if name in attrs}
        names = frozenset(attrs)
        is_game = names in ({"game", "result"}, {"game", "result", "score"}, {"game", "record"})
        is_of_entry = names == ({"entry"} if columns else {"entry", "round", "bye"})
        if not (is_of_entry or (is_game and not columns)):
            raise WrongValue(
                Text(
                    "a change is `game_id` with `result` (and `score`) or `record`, "
                    "`entry_id` with `round` and `bye`, or `entry_id` with some of %(names)s",
                    names=", ".join(sorted(CORRECTED_ENTRY_FIELDS)),
                )
            )
        return RequestedChange(**attrs, columns=columns)


AcceptAdvancesField = partial(
    AcceptField,
    [ADVANCE_CHANGES],
    f"`{ADVANCE_CHANGES}` if other players should have advanced in a bracket",
)
DigestField = partial(
    serializers.RegexField,
    r"\A\d{1,17}\.[0-9a-f]{64}\Z",
    help_text="of the dry run; the effect must still have it",
    error_messages={"invalid": gettext_lazy("this is not the digest of a dry run, as 12.3f…")},
)


class CorrectionRequestSerializer(serializers.Serializer):
    changes = serializers.ListField(
        child=CorrectedItemSerializer(), allow_empty=False, max_length=MOST_CHANGES
    )
    scope = serializers.ChoiceField(
        Correction.Scope.choices,
        default=Correction.Scope.ALL,
        help_text="what takes the correction into account, besides the ratings of games",
    )
    reason = ReasonField(style={"help": PUBLIC_REASON})
    digest = DigestField(required=False)
    accept = AcceptAdvancesField()


class UndoRequestSerializer(ReasonSerializer):
    digest = DigestField(required=False)
    accept = AcceptAdvancesField()
