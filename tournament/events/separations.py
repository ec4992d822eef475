"""Players who are kept apart from each other: by club, by country, or by name, as director's lists.

A field names a player of the event as the list of the page does, with what tells namesakes apart,
or by name or pairing number; `#` and the number of a registration names any player.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request

from games.core.errors import Unprocessable, check_all
from games.core.forms import Form, FormField, form_body, form_fields, typed_members
from games.models import Player
from games.rules.text import Text
from tournament.core.pages import RunPage, event_action, quoted_tag
from tournament.core.queries import ENDED_APPLICATIONS, find_tournament
from tournament.core.targets import tournament_target
from tournament.entries.queries import names_of_entries
from tournament.events.serializers import (
    MOST_SEPARATIONS,
    MOST_SYSTEM_PLAYERS,
    SeparationSerializer,
    TournamentChangeSerializer,
    accepted_in,
)
from tournament.events.views import EditTournament
from tournament.models import Round, Tournament
from tournament.pairing.separations import By
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.cautions import about_separations

Sent = dict[str, Any]
SPARE_NAMES: Final = 3
NUMBER_IN_LINE: Final = re.compile(r".*#\s*([0-9]{1,17})", re.ASCII)


def separations_body(form: Sent, address: Mapping[str, Any]) -> Sent:
    """Return the separations of the fields `separations.0.by`, without those that are empty.

    Raises Unprocessable for each line that names no player, or several.
    """
    tournament = find_tournament(f"tournament/{address['slug']}")
    named = _named(form)
    entries = _entries(tournament) if any("players" in item for item in named) else []
    names = names_of_entries(entries)
    players = check_all(
        *(partial(_find_all, item, entries, names, index) for index, item in enumerate(named))
    )
    bodies = []
    for item, found in zip(named, players, strict=True):
        body: Sent = {"by": item["by"], "preference": item.get("preference") == "true"}
        rounds: Sent = {name: item[name] for name in ("first_round", "last_round") if name in item}
        body |= typed_members(SeparationSerializer(), rounds)
        if found:
            body["players"] = found
        bodies.append(body)
    return {"separations": bodies, **accepted_in(form)}


def _named(form: Sent) -> list[Sent]:
    """Return the separations of a form that name what the players have in common, or players."""
    sent = form.get("separations", {})
    items = [dict(item) for item in sent.values() if isinstance(item, dict)] if sent else []
    return [{"by": By.PLAYERS.value} | item for item in items if item.keys() & {"by", "players"}]


def _lines(sent: Any) -> list[str]:
    texts = sent if isinstance(sent, list) else re.split(r"[\n;]", str(sent))
    lines = (str(line).strip() for line in texts)
    return [line for line in lines if line][: MOST_SYSTEM_PLAYERS + 1]


def _entries(tournament: Tournament) -> list[Any]:
    """Return the entries that may play, with their players."""
    rows = tournament.entries.exclude(state__in=ENDED_APPLICATIONS)
    return list(rows.select_related("player__merged_into").order_by("player__folded_name", "pk"))


def _find_all(
    item: Sent, entries: Sequence[Any], names: Mapping[int, str], index: int
) -> list[int]:
    """Return the ids of the players whom a separation names; raises Unprocessable."""
    lines = _lines(item.get("players", "")) if item["by"] == By.PLAYERS else []
    at = f"/separations/{index}/players"
    return check_all(*(partial(_find, line, entries, names, at) for line in lines))


def _find(line: str, entries: Sequence[Any], names: Mapping[int, str], at: str) -> int:
    """Return the id of the player whom a line names."""
    if number := NUMBER_IN_LINE.fullmatch(line):
        return int(number[1])
    chosen = [entry for entry in entries if names[entry.player.current_id] == line]
    found = chosen or [entry for entry in entries if _is_named(entry, line)]
    if len(found) == 1:
        return int(found[0].player_id)
    if found:
        listed = ", ".join(names[entry.player.current_id] for entry in found[:9])
        detail = Text("several players have this name; choose one of: %(names)s", names=listed)
        raise Unprocessable("ambiguous_player", detail, at=at)
    detail = Text(
        "no player of the event has the name or the pairing number %(text)s", text=f"{line[:60]!r}"
    )
    raise Unprocessable("unknown_player", detail, at=at)


def _is_named(entry: Any, line: str) -> bool:
    if line.isascii() and line.isdigit():
        return bool(entry.pairing_number == int(line[:9]))
    return line.casefold() in {entry.player.name.casefold(), entry.player.current.name.casefold()}


class SeparationsPage(RunPage):
    template = "tournament/events/run_separations.html"
    section = "setup"
    actions = {
        "save": Form(
            EditTournament,
            body=separations_body,
            sentence=gettext_noop("These players are kept apart in the rounds to come."),
        )
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the separations, with an empty one at the end, and the players to name."""
        entries = _entries(tournament)
        names = names_of_entries(entries)
        system = PAIRING_SYSTEMS[tournament.system]
        if self.form.action:
            shown = _named(form_body(request.POST))
        else:
            shown = _shown(
                tournament.separations,
                {entry.player_id: names[entry.player.current_id] for entry in entries},
            )
        if len(shown) < MOST_SEPARATIONS:
            paired = [found.number for found in self.rounds if found.state != Round.State.PLANNED]
            shown.append({"first_round": paired[-1] + 1} if paired else {})
        return {
            "allowed": event_action(request, tournament, "edit"),
            "if_match": quoted_tag(tournament_target(tournament)),
            **form_fields(TournamentChangeSerializer(), ["reason"], state=self.form),
            "cautions": about_separations(tournament),
            "can_separate": system.can_separate,
            "system": gettext(system.name),
            "separations": [self._fields(index, item) for index, item in enumerate(shown)],
            "players": [names[entry.player.current_id] for entry in entries],
        }

    def _fields(self, index: int, item: Sent) -> Sent:
        """Return the fields of a separation, with their errors."""
        place = f"separations.{index}"
        errors = self.form.errors
        texts: dict[str, tuple[str, str, str]] = {
            "by": (gettext("Keep apart"), "select", ""),
            "players": (
                gettext("The players"),
                "names",
                gettext("Store to get more fields; empty ones are left out."),
            ),
            "first_round": (gettext("From round"), "number", ""),
            "last_round": (gettext("To round"), "number", gettext("Empty: to the last one.")),
            "preference": (gettext("Only if the rules of the system allow it"), "checkbox", ""),
        }
        fields = [
            FormField(
                name=f"{place}.{name}",
                label=label,
                kind=kind,
                value=_with_spare(_lines(item.get(name, "")))
                if kind == "names"
                else item.get(name, ""),
                help=help_text,
                choices=tuple((by.value, gettext(by.label)) for by in By)
                if kind == "select"
                else (),
                errors=tuple(
                    message
                    for wrong, messages in errors.items()
                    if wrong == f"{place}.{name}" or wrong.startswith(f"{place}.{name}.")
                    for message in messages
                ),
            )
            for name, (label, kind, help_text) in texts.items()
        ]
        return {
            "number": index + 1,
            "is_new": item.keys().isdisjoint(("by", "players")),
            "fields": fields,
        }


def _with_spare(names: list[str]) -> list[str]:
    """Return names, and empty fields for more: for two players at least."""
    return [*names, *[""] * max(1, SPARE_NAMES - len(names))]


def _shown(separations: Sequence[Mapping[str, Any]], names: dict[int, str]) -> list[Sent]:
    """Return stored separations as the form shows them, with the names of the players."""
    named = {number for item in separations for number in item["players"]}
    if others := named - names.keys():
        rows = Player.objects.filter(pk__in=others).values_list("pk", "name")
        names |= {number: f"{name} #{number}" for number, name in rows}
    return [
        {
            **item,
            "players": [names.get(number, f"#{number}") for number in item["players"]],
            "first_round": item["first_round"] if item.get("first_round", 1) > 1 else "",
            "last_round": item["last_round"] or "",
        }
        for item in separations
    ]
