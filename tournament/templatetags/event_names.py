"""The names of states and kinds of an event, for readers."""

from typing import Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Game
from tournament.models import Round, Tournament

register = template.Library()

EVENT_STATES: Final[dict[str, Promise]] = {
    Tournament.State.DRAFT: _("in preparation"),
    Tournament.State.REGISTRATION: _("open for entries"),
    Tournament.State.RUNNING: _("running"),
    Tournament.State.REVIEW: _("results under review"),
    Tournament.State.FINAL: _("final"),
    Tournament.State.ARCHIVED: _("final, archived"),
    Tournament.State.CANCELLED: _("cancelled"),
}
ROUND_STATES: Final[dict[str, Promise]] = {
    Round.State.PLANNED: _("not paired yet"),
    Round.State.DRAFTED: _("being paired"),
    Round.State.PUBLISHED: _("being played"),
    Round.State.COMPLETE: _("complete"),
    Round.State.LOCKED: _("complete"),
}
GAME_STATES: Final[dict[str, Promise]] = {
    Game.State.OPEN: _("being played"),
    Game.State.WAITING: _("reported by one side"),
    Game.State.DISPUTED: _("disputed"),
    Game.State.CONFIRMED: _("confirmed"),
    Game.State.ANNULLED: _("annulled"),
}
BASES: Final[dict[str, Promise]] = {
    Game.Basis.PROOF: _("proved by the record of the game"),
    Game.Basis.AGREEMENT: _("both sides agree"),
    Game.Basis.RULING: _("ruled by an arbiter"),
}


@register.filter
def event_state(state: str) -> Promise | str:
    """Return the name of a state of an event."""
    return EVENT_STATES.get(state, state)


@register.filter
def round_state(state: str) -> Promise | str:
    """Return the name of a state of a round."""
    return ROUND_STATES.get(state, state)


@register.filter
def game_state(state: str) -> Promise | str:
    """Return the name of a state of a game."""
    return GAME_STATES.get(state, state)


@register.filter
def basis_name(basis: str) -> Promise | str:
    """Return what a result is based on."""
    return BASES.get(basis, basis)
