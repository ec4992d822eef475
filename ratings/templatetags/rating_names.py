"""The names of states and kinds of ratings, for readers."""

from typing import Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.pages.words import text_of
from games.rules.conditions import HandicapKind
from ratings.models import Analysis, Batch, BatchGame
from ratings.systems.elo import MILLI
from ratings.systems.fair_play_tests import FindingKind
from ratings.systems.handicap import parse_handicap
from ratings.systems.recommendation import CatalogueKind

register = template.Library()

RATING_STATE_NAMES: Final[dict[str, Promise]] = {
    "approved": _("will be rated when it is final"),
    Batch.State.WAITING: _("waits for an officer"),
    Batch.State.FILED: _("filed"),
    Batch.State.REFUSED: _("refused"),
    Batch.State.WITHDRAWN: _("withdrawn"),
}
rating_state = register.filter("rating_state", text_of(RATING_STATE_NAMES))

ANALYSIS_KINDS: Final[dict[str, Promise]] = {
    Analysis.Kind.CALIBRATION: _("Calibration of the handicaps"),
    Analysis.Kind.FAIR_PLAY: _("Review of the results"),
}
analysis_kind = register.filter("analysis_kind", text_of(ANALYSIS_KINDS))

ANALYSIS_STATES: Final[dict[str, Promise]] = {
    "waiting": _("waiting"),
    "running": _("running"),
    "failed": _("failed"),
    "done": _("done"),
}
analysis_state = register.filter("analysis_state", text_of(ANALYSIS_STATES))

EXCLUSIONS: Final[dict[str, Promise]] = {
    BatchGame.Exclusion.UNRATED_EVENT: _("not rated by their conditions"),
    BatchGame.Exclusion.PRIVATE_EVENT: _("private"),
    BatchGame.Exclusion.FORFEIT: _("forfeited"),
    BatchGame.Exclusion.ADVICE: _("with advice to a player"),
    BatchGame.Exclusion.HANDICAP: _("with conditions that no table of handicaps covers"),
    BatchGame.Exclusion.WRONG_GAME: _("of a game or board that the pool does not rate"),
    BatchGame.Exclusion.WRONG_TIME_CLASS: _("of a time class that the pool does not rate"),
    BatchGame.Exclusion.OUT_OF_BAND: _("below the least expected score"),
    BatchGame.Exclusion.SAME_PLAYER: _("of one person against themselves"),
    BatchGame.Exclusion.ANNULLED: pgettext_lazy("games", "annulled"),
    BatchGame.Exclusion.UNFINISHED: _("without a confirmed result"),
    BatchGame.Exclusion.NO_CONSENT: _("without the consent of both players"),
    BatchGame.Exclusion.DAILY_LIMIT: _("above the number of a day"),
    BatchGame.Exclusion.AWAITING_APPROVAL: _("of an event that waits for an officer"),
    BatchGame.Exclusion.EVENT_REFUSED: _("of an event that was refused"),
    BatchGame.Exclusion.BATCH_WITHDRAWN: _("of a batch that was withdrawn"),
}
"""What games that are not rated are, after their number."""
exclusion = register.filter("exclusion", text_of(EXCLUSIONS))

HANDICAP_KINDS: Final[dict[str, Promise]] = {
    CatalogueKind.STONES: _("stones"),
    CatalogueKind.POINTS: _("points"),
    CatalogueKind.FIRST_MOVE: _("first move"),
}
handicap_kind = register.filter("handicap_kind", text_of(HANDICAP_KINDS))

FINDING_KINDS: Final[dict[str, Promise]] = {
    FindingKind.BELOW.value: _("fewer points than expected"),
    FindingKind.ABOVE.value: _("more points than expected"),
    FindingKind.SANDBAGGING.value: _("fewer points before an event, more in it"),
    FindingKind.PAIR.value: _("more points from one opponent than expected"),
}
finding_kind = register.filter("finding_kind", text_of(FINDING_KINDS))

SYSTEM_NAMES: Final[dict[str, str | Promise]] = {
    "glicko-2": "Glicko-2",
    "whole-history": _("whole-history rating"),
}
rating_system = register.filter("rating_system", text_of(SYSTEM_NAMES))


@register.filter
def handicap_text(handicap: str | None) -> str:
    """Return a handicap in words, without the seat that has it."""
    if not handicap:
        return gettext("none")
    if handicap == CatalogueKind.FIRST_MOVE:
        return gettext("first move")
    found = parse_handicap(handicap)
    if found.kind is HandicapKind.STONES:
        text = ngettext("%(count)d stone", "%(count)d stones", found.number)
    else:
        text = ngettext("%(count)d point", "%(count)d points", found.number)
    return text % {"count": found.number}


@register.filter
def points(milli: int) -> int:
    """Return a rating in milli as whole points."""
    return round(milli / MILLI)
