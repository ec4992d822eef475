"""The names of states and kinds of an event, for readers."""

from typing import Any, Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Role
from games.pages.detail_texts import detail_text
from games.templatetags.game_names import basis_name, game_state, termination_name
from tournament.documents.sentences import translate_sentence
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.pages.field_texts import LABELS as FIELD_NAMES
from tournament.pairing.findings import FindingCode
from tournament.services.violations import GAME_REPORTED
from tournament.standings.prizes.groups import Split
from tournament.standings.tiebreaks.values import Cut, TermKind

register = template.Library()
for name_of in (basis_name, detail_text, game_state, termination_name):
    register.filter(name_of)

FINDING_CODES: Final = frozenset(code.value for code in FindingCode)

SPLITS: Final[dict[str, Promise]] = {
    Split.RANK: _("by rank: those of one rank share the prizes of their places"),
    Split.POINTS: _("by points: those of equal points share"),
    Split.HALF: _("half by rank, half by points (Hort)"),
}
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
ENTRY_STATES: Final[dict[str, Promise]] = {
    Entry.State.APPLIED: _("applied; the organiser decides"),
    Entry.State.ACCEPTED: _("accepted"),
    Entry.State.REFUSED: _("refused"),
    Entry.State.WAITING: _("on the waiting list"),
    Entry.State.WITHDRAWN: _("withdrawn"),
}
ROLES: Final[dict[str, Promise]] = {
    Role.Name.OWNER: _("owner"),
    Role.Name.DIRECTOR: _("director"),
    Role.Name.SCORER: _("scorer"),
}
BYES: Final[dict[str, Promise]] = {
    Pairing.Kind.PAIRING_BYE: _("bye"),
    Pairing.Kind.HALF_BYE: _("half-point bye"),
    Pairing.Kind.ZERO_BYE: _("absent"),
    Pairing.Kind.FULL_BYE: _("full-point bye"),
    Pairing.Kind.FREE: _("free"),
}
RULES: Final[dict[str, Promise]] = {
    FindingCode.REMATCH: _("players who have met before"),
    FindingCode.SECOND_BYE: _("a bye after a bye or a win without a game"),
    FindingCode.SAME_SEATS: _("players who must both sit in the same seat"),
    FindingCode.FORBIDDEN_PAIRS: _("players who are kept apart"),
    FindingCode.SEVERAL_BYES: _("several byes"),
    FindingCode.PLAYER_ABSENT: _("a player who is absent"),
    GAME_REPORTED: _("games that have reports become void"),
}
"""What a round that breaks a rule has."""
TERM_KINDS: Final[dict[str, Promise]] = {
    TermKind.SCORE: _("score"),
    TermKind.ADJUSTED: _("score, with byes at the end counted as draws (C.07 16.3.2)"),
    TermKind.DUMMY: _("unplayed: the player's own score (C.07 16.4)"),
    TermKind.DUMMY_OF_OPPONENT: _("unplayed: at most the opponent's score (C.07 16.4.1)"),
    TermKind.DUMMY_OF_DRAWS: _("unplayed: at most a draw in every round (C.07 16.4.2)"),
    TermKind.RATING: _("rating of the opponent"),
    TermKind.OPPONENT_VALUE: _("value of the opponent"),
    TermKind.ROUND: _("own round"),
    TermKind.START: _("score before round 1"),
    TermKind.OWN: _("own number or rating"),
}
CUTS: Final[dict[str, Promise]] = {
    Cut.LOW: _("cut as one of the lowest"),
    Cut.HIGH: _("cut as one of the highest"),
    Cut.VOLUNTARY: _("cut: a voluntary unplayed round (C.07 16.5)"),
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
def entry_state(state: str) -> Promise | str:
    """Return the name of a state of an entry."""
    return ENTRY_STATES.get(state, state)


@register.filter
def role_name(role: str) -> Promise | str:
    """Return the name of a role in an event."""
    return ROLES.get(role, role)


@register.filter
def bye_name(kind: str) -> Promise | str:
    """Return the name of a bye."""
    return BYES.get(kind, kind)


@register.filter
def term_kind(kind: str) -> Promise | str:
    """Return what a term of a tie-break is computed from."""
    return TERM_KINDS.get(kind, kind)


@register.filter
def cut_name(cut: str) -> Promise | str:
    """Return why a term of a tie-break does not count."""
    return CUTS.get(cut, cut)


@register.filter
def entry_value(name: str) -> Promise | str:
    """Return the name of a value of an entry."""
    return FIELD_NAMES.get(name, name)


@register.filter
def finding_sentence(finding: dict[str, Any]) -> str:
    """Return the sentence of a finding, as the API has it, in the language of the reader."""
    return translate_sentence(finding["code"], finding["sentence"])


@register.filter
def rule_name(code: str) -> Promise | str:
    """Return what a director accepts if a round breaks a rule."""
    return RULES.get(code, code)


@register.filter
def split_name(split: str) -> Promise | str:
    """Return how players share prizes."""
    return SPLITS.get(split, split)


@register.filter
def check_text(item: dict[str, Any]) -> str:
    """Return what the check of a round says, which may be a finding of the engine."""
    code = item.get("rule", item["code"])
    if code in FINDING_CODES:
        return translate_sentence(code, item["detail"])
    return detail_text(item["detail"])
