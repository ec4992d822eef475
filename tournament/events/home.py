"""All games that the reader may see, newest first, with filters that the API has."""

from typing import Any, Final

from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import FormField
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.requests import viewer
from games.models import Game
from games.pages.games import EVENT_STREAM
from games.queries import game_as_json, visible_game_rows
from games.rules.registry import GAMES
from games.templatetags.game_names import game_state
from games.views.games import GameFilter
from ratings.models import Pool
from tournament.models import Tournament

EVENT_FILTER: Final = "event"
GAME_FILTER_LABELS: Final = {
    "game": _("Game"),
    "state": _("State"),
    EVENT_FILTER: _("Event"),
    "pool": _("Pool of a casual game"),
    "player": _("Number of a player"),
}


class GameListPage(PageView):
    """A page of the games; the parameters are filters of `GET games`, and parts of names."""

    template = "tournament/game_list.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the games that the filters leave, and the filters."""
        given = {name: request.query_params.get(name, "").strip() for name in GAME_FILTER_LABELS}
        rows = visible_game_rows(*viewer(request, "game.see"))
        chosen = {name: text for name, text in given.items() if text and name != EVENT_FILTER}
        filters = GameFilter(chosen, games_of_events(rows, given[EVENT_FILTER]), request=request)
        errors = {name: tuple(texts) for name, texts in filters.errors.items()}
        found = rows.none() if errors else filters.qs
        choices = {
            "game": tuple((code, rules.name) for code, rules in GAMES.items()),
            "state": tuple((state.value, str(game_state(state))) for state in Game.State),
            "pool": tuple(Pool.objects.order_by("name").values_list("code", "name")),
        }
        return {
            **NewestFirst().context("games", found, request, game_as_json),
            "fields": [
                FormField(
                    name,
                    str(label),
                    kind="select" if name in choices else "text",
                    value=given[name],
                    choices=choices.get(name, ()),
                    help=gettext("A part of the name") if name == EVENT_FILTER else "",
                    longest=120,
                    errors=errors.get(name, ()),
                )
                for name, label in GAME_FILTER_LABELS.items()
            ],
            "is_filtered": any(given.values()),
        }


def games_of_events(games: "QuerySet[Any, Any]", text: str) -> "QuerySet[Any, Any]":
    """Return the games of events whose names contain a text, and imported games with this name.

    The events are searched, because they are few beside the games.
    """
    name = text.replace("\0", "")
    if not name:
        return games
    named = Tournament.objects.filter(name__icontains=name)
    streams = named.annotate(
        path=Concat(Value(EVENT_STREAM), "slug", output_field=CharField())
    ).values("path")
    return games.filter(Q(event=name) | Q(stream__in=streams))
