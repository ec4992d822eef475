"""The names of states and kinds of ratings, for readers."""

from django import template
from django.utils.translation import gettext

from games.play.boards import describe_amounts, label_of
from games.rules.records.handicaps import FIRST_MOVE
from ratings.analyses.queries import AnalysisState
from ratings.models import Analysis, Batch, BatchGame
from ratings.systems.elo import MILLI
from ratings.systems.handicap import parse_handicap
from ratings.systems.presets import Preset
from ratings.systems.recommendation import CatalogueKind
from ratings.systems.research.fair_play import FindingKind

register = template.Library()

batch_state = label_of(Batch.State)
analysis_kind = register.filter("analysis_kind", label_of(Analysis.Kind))
analysis_state = register.filter("analysis_state", label_of(AnalysisState))
exclusion = register.filter("exclusion", label_of(BatchGame.Exclusion))
handicap_kind = register.filter("handicap_kind", label_of(CatalogueKind))
finding_kind = register.filter("finding_kind", label_of(FindingKind))
preset_name = register.filter("preset_name", label_of(Preset))


@register.filter
def rating_state(state: str) -> str:
    """Return the state of the rating of an event: that of its batch, which it has once final."""
    return gettext("will be rated when it is final") if state == "approved" else batch_state(state)


@register.filter
def handicap_text(handicap: str | None) -> str:
    """Return a handicap in words, without the seat that has it."""
    if not handicap:
        return gettext("none")
    if handicap == FIRST_MOVE:
        return gettext("first move")
    return describe_amounts(parse_handicap(handicap))


@register.filter
def percent(share: float) -> str:
    """Return the expected score of a game as a percentage."""
    return f"{share * 100:.0f}\N{NO-BREAK SPACE}%"


@register.filter
def points(milli: int) -> int:
    """Return a rating in milli as whole points."""
    return round(milli / MILLI)
