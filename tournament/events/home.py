"""The lists of the whole site: events, the search, all games; and the games of one event."""

from collections.abc import Mapping
from typing import Any, Final

from django.db.models import CharField, Max, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import Form, FormField
from games.core.namesakes import namesakes_of
from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.core.permissions import viewer
from games.core.requests import requested_choice
from games.models import Game
from games.models.streams import TOURNAMENT_STREAM
from games.play.queries import game_as_json, public_games, visible_game_rows
from games.play.views import GameFilter
from games.players.queries import has_name, players_by_name
from games.rules.registry import GAMES
from games.rules.seat import Seat
from games.templatetags.game_names import game_state
from ratings.models import Pool
from tournament.core.lookup import UNPUBLISHED
from tournament.core.pages import EventPage
from tournament.core.queries import visible_tournaments
from tournament.events.views import DeleteTournament
from tournament.models import Tournament

MOST_HOME_ROWS = 20
"""Events of each group on the home page, and results of each kind of a search."""

LONGEST_SEARCH: Final = 80

State = Tournament.State
EVENT_GROUPS: Final = {
    "running": ((State.RUNNING, State.REVIEW), "-starts_on"),
    "coming": ((State.DRAFT, State.REGISTRATION), "starts_on"),
    "past": ((State.FINAL, State.ARCHIVED, State.CANCELLED), "-starts_on"),
}
"""The states of each group of events, and its order on the home page."""


def seen_events(request: Request) -> "QuerySet[Tournament]":
    """Return the events that the reader may see."""
    return visible_tournaments(*viewer(request, "tournament.see"))


class HomePage(PageView):
    template = "tournament/events/home.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the events that the reader may see, in three groups, with their last round."""
        is_published = ~Q(round_set__state__in=UNPUBLISHED)
        events = seen_events(request).annotate(
            last_round=Max("round_set__number", filter=is_published)
        )
        groups = {
            name: list(events.filter(state__in=states).order_by(order, "name")[:MOST_HOME_ROWS])
            for name, (states, order) in EVENT_GROUPS.items()
        }
        return groups | {"shown": shown_game()}


def shown_game() -> Mapping[str, Any] | None:
    """Return the last public game that a record proves, with the names of its players."""
    proved = public_games().filter(record__isnull=False, state=Game.State.CONFIRMED).order_by("-pk")
    return proved.values("id", "first__name", "second__name").first()


class EventsPage(PageView):
    """All events, the last created first; `?state=` is a group of the home page."""

    template = "tournament/events/events.html"
    actions = {"delete": Form(DeleteTournament, ("slug",))}

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return a page of the events."""
        group = requested_choice(request, "state", ("all", *EVENT_GROUPS))
        events = seen_events(request)
        if group != "all":
            events = events.filter(state__in=EVENT_GROUPS[group][0])
        return {"group": group, **NewestFirst().context("events", events, request)}


class SearchPage(PageView):
    """Players and events whose names contain `?q=`."""

    template = "tournament/events/search.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the players and events that are found; none without a text."""
        text = " ".join(request.query_params.get("q", "").replace("\0", " ").split())
        text = text[:LONGEST_SEARCH]
        if not text:
            return {"text": ""}
        players = players_by_name(text).order_by("folded_name", "pk")[: MOST_HOME_ROWS + 1]
        events = seen_events(request).filter(has_name(text))
        return {
            "text": text,
            "most": MOST_HOME_ROWS,
            "players": list(players),
            "events": list(events.order_by("-starts_on", "name")[: MOST_HOME_ROWS + 1]),
        }


EVENT_FILTER: Final = "event"
FILTERS: Final = {
    "ruleset": _("Game"),
    "state": _("State"),
    EVENT_FILTER: _("Event"),
    "pool": _("Rating pool"),
    "player": _("Number of a player"),
}


def page_of_games(games: "QuerySet[Any, Any]", request: Request) -> dict[str, Any]:
    """Return the requested page of games, in which players who share a name are told apart."""
    context = NewestFirst().context("games", games, request, game_as_json)
    names = namesakes_of(game[seat] for game in context["games"] for seat in Seat)
    for player in (game[seat] for game in context["games"] for seat in Seat):
        player["name"] = names.get(player["id"], player["name"])
    return context


class GameListPage(PageView):
    """A page of the games; the parameters are filters of `GET games`, and parts of names."""

    template = "tournament/events/game_list.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the games that the filters leave, and the filters."""
        given = {name: request.query_params.get(name, "").strip() for name in FILTERS}
        rows = visible_game_rows(request)
        chosen = {name: text for name, text in given.items() if text and name != EVENT_FILTER}
        filters = GameFilter(chosen, games_of_events(rows, given[EVENT_FILTER]), request=request)
        errors = {name: tuple(texts) for name, texts in filters.errors.items()}
        found = rows.none() if errors else filters.qs
        choices = {
            "ruleset": tuple((code, rules.name) for code, rules in GAMES.items()),
            "state": tuple((state.value, str(game_state(state))) for state in Game.State),
            "pool": tuple(Pool.objects.order_by("name").values_list("code", "name")),
        }
        return {
            **page_of_games(found, request),
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
                for name, label in FILTERS.items()
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
    named = Tournament.objects.filter(has_name(name))
    streams = named.annotate(
        path=Concat(Value(TOURNAMENT_STREAM), "slug", output_field=CharField())
    ).values("path")
    return games.filter(Q(event=name) | Q(stream__in=streams))


class GamesPage(EventPage):
    template = "tournament/events/games.html"
    public_read = "slug"
    tab = "games"

    def content(
        self, request: Request, tournament: Tournament, frame: dict[str, Any], **address: Any
    ) -> dict[str, Any]:
        """Return a page of the games."""
        rows = visible_game_rows(request).filter(stream=tournament.stream)
        context = page_of_games(rows, request)
        by_game = tournament.corrections.by_game() if context["games"] else {}
        for game in context["games"]:
            game["corrections"] = by_game.get(game["id"], [])
        return context
