"""What of an event a caller may see: rounds that are not published, forecasts."""

from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.requests import Caller, can_see_drafts
from games.rules.text import Text
from tournament.core.lookup import round_of
from tournament.models import Round, Tournament


def can_see_forecast(request: Request, tournament: Tournament) -> bool:
    """Return True if the organiser lets the caller see forecasts of the event."""
    shown = tournament.forecast
    is_official = shown == Tournament.Forecasts.OFFICIALS
    return shown == Tournament.Forecasts.PUBLIC or (
        is_official and can_see_drafts(request, tournament.stream)
    )


UNPUBLISHED = (Round.State.PLANNED, Round.State.DRAFTED)


def visible_round(caller: Caller, tournament: Tournament, number: int) -> Round:
    """Return a round whose pairings the caller may see; raises NotFound."""
    this_round = round_of(tournament, number)
    if this_round.state in UNPUBLISHED and not can_see_drafts(caller, tournament.stream):
        raise NotFound(
            "not_published", Text("round %(number)s is not published yet", number=number)
        )
    return this_round


def hide_draft(this_round: Round) -> Round:
    """Clear what an unpublished round says about its pairings."""
    if this_round.state in UNPUBLISHED:
        this_round.system, this_round.reason = "", ""
        this_round.notes, this_round.relaxed = [], []
    return this_round
