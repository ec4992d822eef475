"""The names of states and kinds of an event, for readers."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.core.namesakes import number_after
from games.core.text import semicolons, translated
from games.play.boards import label_of
from games.players.serializers import PlayerDetailsSerializer
from games.templatetags.game_names import basis_name, game_state, termination_name
from tournament.core.texts import days_of, state_in_words
from tournament.corrections.serializers import CorrectedItemSerializer
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.findings import FindingCode
from tournament.rounds.acceptance import LABELS
from tournament.rounds.tables import forfeit_in_words
from tournament.standings.errors import TiebreakError
from tournament.standings.prizes.groups import Split
from tournament.standings.prizes.money import decimals_of
from tournament.standings.tiebreaks import TIEBREAKS, TiebreakCode
from tournament.standings.tiebreaks.values import Cut, TermKind
from tournament.tables.standings import TIEBREAK_HEADINGS

register = template.Library()
register.filter(days_of)
register.filter(state_in_words)
register.filter(forfeit_in_words)
register.filter("basis_name", basis_name)
register.filter(translated)
register.filter(number_after)
register.filter("game_state", game_state)
register.filter("termination_name", termination_name)

split_name = register.filter("split_name", label_of(Split))
event_state = register.filter("event_state", label_of(Tournament.State))
round_state = register.filter("round_state", label_of(Round.State))
bye_name = register.filter("bye_name", label_of(Pairing.Kind))
term_kind = register.filter("term_kind", label_of(TermKind))
cut_name = register.filter("cut_name", label_of(Cut))
finding_name = label_of(FindingCode)


@register.filter
def money(coins: int, currency: str) -> str:
    """Return an amount in its currency, as readers write it: `300,00 EUR`."""
    decimals = decimals_of(currency)
    amount = number_format(Decimal(coins).scaleb(-decimals), decimals, force_grouping=True)
    return f"{amount} {currency}".rstrip()


_COUNT: Final = re.compile(r" \(\d+\)$")
"""What the label of a second column of the same tie-break ends with."""


@register.filter
def tiebreak_name(label: str) -> str:
    """Return the name of a tie-break with its modifiers; the label itself if it is unknown."""
    return ", ".join(_name_and_modifiers(label))


def _name_and_modifiers(label: str) -> list[str]:
    try:
        code = TiebreakCode.parse(_COUNT.sub("", label))
    except TiebreakError:
        return [label]
    if code.name not in TIEBREAKS:
        return [label]
    modifiers = (gettext(pattern) % values for pattern, values in code.phrases())
    return [gettext(TIEBREAKS[code.name].name), *modifiers]


@register.filter
def result_in_words(result: str) -> str:
    """Return a result without the letter of a forfeit, which a word beside it names."""
    return result.removesuffix("f")


@register.filter
def tiebreak_names(labels: Iterable[str]) -> list[tuple[str, str]]:
    """Return each code that heads a column with its name."""
    return [(label, tiebreak_name(label)) for label in labels if label not in TIEBREAK_HEADINGS]


@register.filter
def tiebreak_list(labels: Iterable[str]) -> str:
    """Return the names of tie-breaks in their order, without what a colon explains."""
    named = (_name_and_modifiers(label) for label in labels)
    return semicolons(", ".join([name.partition(":")[0].rstrip(), *rest]) for name, *rest in named)


@register.filter
def tiebreak_short(label: str) -> str:
    """Return the name of a tie-break, without what a colon explains."""
    return tiebreak_list([label])


@register.filter
def rule_name(code: str) -> str:
    """Return what a round that breaks a rule has, or what else is to be accepted."""
    return str(LABELS[code]) if code in LABELS else finding_name(code)


COLUMNS: Final = {
    "player": _("Number of the registered player"),
    "given_name": _("Given name"),
    "fide": _("FIDE id"),
    "ids": _("Ids elsewhere"),
    "number": _("Pairing number"),
    "state": _("State"),
}
"""Columns of lists of players that are no values of an entry."""


@register.filter
def entry_value(name: str) -> str:
    """Return the label of a value of an entry, or of a column of a list of players."""
    fields = {**PlayerDetailsSerializer().fields, **CorrectedItemSerializer().fields}
    return str(COLUMNS.get(name) or (fields[name].label if name in fields else name))
