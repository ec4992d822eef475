"""The prize groups of an event: their prizes and conditions, in the order of their awards."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.utils.formats import get_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.errors import check_all
from games.core.forms import Form, form_body, form_fields
from games.core.places import country_choices, currency_choices
from games.models import Player
from tournament.core.pages import RunPage, event_action, quoted_tag
from tournament.core.targets import tournament_target
from tournament.events.serializers import TournamentChangeSerializer, accepted_in
from tournament.events.services import wrong_prizes
from tournament.events.views import EditTournament
from tournament.models import Tournament
from tournament.standings.errors import PrizeError
from tournament.standings.prizes import NUMBER_RANGES, Split, Unrated
from tournament.standings.prizes.groups import FLAG_DEFAULTS
from tournament.standings.prizes.money import CURRENCIES, format_coins, parse_amounts

Sent = dict[str, Any]
LABELS: Final[Mapping[str, Promise]] = {
    "sex": _("Sex"),
    "federation": _("Country"),
    "club": _("Club"),
    "category": _("Category"),
    "unrated": _("Players without a rating (empty: they can win)"),
    "rating_from": _("Rating from"),
    "rating_to": _("Rating to"),
    "age_from": _("Age from"),
    "age_to": _("Age to (U12: 12)"),
    "birth_year_from": _("Year of birth from"),
    "birth_year_to": _("Year of birth to"),
    "games_from": _("Games played at least (empty: 1)"),
}
"""The conditions of a group."""


def groups_body(form: Sent, _address: Mapping[str, Any]) -> Sent:
    """Return the body of the fields `prizes.0.name`, without groups that have no name or prizes."""
    currency = str(form.get("currency", ""))
    groups = _named_groups(form)
    read = (partial(_amounts, index, group, currency) for index, group in enumerate(groups))
    amounts = check_all(*read)
    return {
        "currency": currency,
        "prizes": [
            _group(group) | ({"amounts": coins} if "amounts" in group else {})
            for group, coins in zip(groups, amounts, strict=True)
        ],
        **accepted_in(form),
    }


def _amounts(index: int, group: Sent, currency: str) -> list[int]:
    """Return the prizes of a group in coins; raises Unprocessable."""
    try:
        return parse_amounts(str(group.get("amounts", "")), currency)
    except PrizeError as error:
        raise wrong_prizes(error, lambda _: f"/prizes/{index}/amounts") from error


def _named_groups(form: Sent) -> list[Sent]:
    sent = form.get("prizes", {})
    groups = sent.values() if isinstance(sent, dict) else ()
    named = [group for group in groups if isinstance(group, dict)]
    return [group for group in named if group.keys() & {"name", "amounts"}]


def _group(sent: Sent) -> Sent:
    group: Sent = {name: name in sent for name in FLAG_DEFAULTS}
    for name, text in sent.items():
        if name not in FLAG_DEFAULTS and name != "amounts":
            group[name] = _number(text) if name in NUMBER_RANGES else text
    return group


def _number(text: Any) -> Any:
    is_number = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) < 18
    return int(text) if is_number else text


class PrizeGroupsPage(RunPage):
    template = "tournament/events/run_prizes.html"
    section = "prizes"
    actions = {
        "save": Form(
            EditTournament, body=groups_body, sentence=gettext_noop("The prizes are saved.")
        )
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the groups, with an empty one at the end, and their fields."""
        currency = tournament.currency
        groups = [_shown(group, currency) for group in tournament.prizes]
        if self.form.action:
            sent = form_body(request.POST)
            groups, currency = _named_groups(sent), str(sent.get("currency", ""))
        groups.append(_shown({}, currency))
        return {
            "allowed": {"edit": event_action(request, tournament, "edit")},
            "if_match": quoted_tag(tournament_target(tournament)),
            **form_fields(TournamentChangeSerializer(), ["reason"], state=self.form),
            "groups": [self._fields(index, group) for index, group in enumerate(groups)],
            "splits": list(Split),
            "currency": currency,
            "currencies": currency_choices(CURRENCIES),
            "currency_errors": self.form.errors.get("currency", ()),
        }

    def _fields(self, index: int, group: Sent) -> Sent:
        """Return a group with the fields of its conditions, and its errors."""
        place = f"prizes.{index}"
        messages = [
            message
            for name, several in self.form.errors.items()
            if name == place or name.startswith(f"{place}.")
            for message in several
        ]
        return {
            "place": place,
            "number": index + 1,
            "errors": messages,
            "value": group,
            "conditions": [
                {
                    "name": name,
                    "label": LABELS[name],
                    "value": group.get(name, ""),
                    "choices": _choices(name),
                }
                for name in LABELS
            ],
            "has_conditions": any(group.get(name) for name in LABELS),
        }


def _choices(name: str) -> tuple[tuple[str, str], ...]:
    """Return the values that a condition can have, if they are few."""
    if name == "unrated":
        return tuple((unrated.value, gettext(unrated.label)) for unrated in Unrated)
    if name == "federation":
        return tuple(country_choices().items())
    return tuple((key, str(text)) for key, text in Player.Sex.choices) if name == "sex" else ()


def _shown(group: Mapping[str, Any], currency: str) -> Sent:
    """Return a stored group as the form shows it, its prizes with the reader's decimal sign."""
    coins = group.get("amounts", ())
    amounts = " ".join(format_coins(amount, currency) for amount in coins)
    values = {**group, "amounts": amounts.replace(".", get_format("DECIMAL_SEPARATOR"))}
    flags = {name: group.get(name, default) for name, default in FLAG_DEFAULTS.items()}
    return {name: value for name, value in (values | flags).items() if value not in (None, False)}
