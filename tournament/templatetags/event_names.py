"""The names of states and kinds of an event, for readers."""

from typing import Any, Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.models import Role
from games.pages.detail_texts import detail_text
from games.pages.words import text_of
from games.templatetags.game_names import basis_name, game_state, termination_name
from tournament.documents.sentences import translate_sentence
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.pages.field_texts import ENTRY_LABELS
from tournament.pairing.findings import FindingCode
from tournament.services.violations import GAME_REPORTED
from tournament.standings.prizes.groups import Split
from tournament.standings.tiebreaks.values import Cut, TermKind

register = template.Library()
register.filter("basis_name", basis_name)
register.filter(detail_text)
register.filter("game_state", game_state)
register.filter("termination_name", termination_name)

FINDING_CODES: Final = frozenset(code.value for code in FindingCode)

SPLITS: Final[dict[str, Promise]] = {
    Split.RANK: _("by rank: those of one rank share the prizes of their places"),
    Split.POINTS: _("by points: those of equal points share"),
    Split.HALF: _("half by rank, half by points (Hort)"),
}
split_name = register.filter("split_name", text_of(SPLITS))

EVENT_STATES: Final[dict[str, Promise]] = {
    Tournament.State.DRAFT: _("in preparation"),
    Tournament.State.REGISTRATION: _("open for entries"),
    Tournament.State.RUNNING: _("running"),
    Tournament.State.REVIEW: _("results under review"),
    Tournament.State.FINAL: _("final"),
    Tournament.State.ARCHIVED: _("final, archived"),
    Tournament.State.CANCELLED: _("cancelled"),
}
event_state = register.filter("event_state", text_of(EVENT_STATES))

ROUND_STATE_NAMES: Final[dict[str, Promise]] = {
    Round.State.PLANNED: _("not paired yet"),
    Round.State.DRAFTED: _("being paired"),
    Round.State.PUBLISHED: _("being played"),
    Round.State.COMPLETE: _("complete"),
    Round.State.LOCKED: _("complete"),
}
round_state = register.filter("round_state", text_of(ROUND_STATE_NAMES))

ENTRY_STATES: Final[dict[str, Promise]] = {
    Entry.State.APPLIED: _("applied; the organiser decides"),
    Entry.State.ACCEPTED: _("accepted"),
    Entry.State.REFUSED: _("refused"),
    Entry.State.WAITING: _("on the waiting list"),
    Entry.State.WITHDRAWN: _("withdrawn"),
}
entry_state = register.filter("entry_state", text_of(ENTRY_STATES))

ROLES: Final[dict[str, Promise]] = {
    Role.Name.OWNER: _("owner"),
    Role.Name.DIRECTOR: _("director"),
    Role.Name.SCORER: _("scorer"),
}
role_name = register.filter("role_name", text_of(ROLES))

PAIRING_KIND_NAMES: Final[dict[str, Promise]] = {
    Pairing.Kind.PAIRING_BYE: _("bye"),
    Pairing.Kind.HALF_BYE: _("half-point bye"),
    Pairing.Kind.ZERO_BYE: _("absent"),
    Pairing.Kind.FULL_BYE: _("full-point bye"),
    Pairing.Kind.FREE: _("free"),
}
bye_name = register.filter("bye_name", text_of(PAIRING_KIND_NAMES))

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
rule_name = register.filter("rule_name", text_of(RULES))

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
term_kind = register.filter("term_kind", text_of(TERM_KINDS))

CUTS: Final[dict[str, Promise]] = {
    Cut.LOW: _("cut as one of the lowest"),
    Cut.HIGH: _("cut as one of the highest"),
    Cut.VOLUNTARY: _("cut: a voluntary unplayed round (C.07 16.5)"),
}
cut_name = register.filter("cut_name", text_of(CUTS))
entry_value = register.filter("entry_value", text_of(ENTRY_LABELS))


@register.filter
def finding_sentence(finding: dict[str, Any]) -> str:
    """Return the sentence of a finding, as the API has it, in the language of the reader."""
    return translate_sentence(finding["code"], finding["sentence"])


@register.filter
def check_text(item: dict[str, Any]) -> str:
    """Return what the check of a round says, which may be a finding of the engine."""
    code = item.get("rule", item["code"])
    if code in FINDING_CODES:
        return translate_sentence(code, item["detail"])
    return detail_text(item["detail"])
