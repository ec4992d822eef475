"""The lists of the whole site: events, the search, all games; and the games of one event."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import CharField, Count, F, Prefetch, Q, QuerySet, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.forms import Form, FormField
from games.core.namesakes import shown_names
from games.core.pages import PageView
from games.core.pagination import PAGING, NewestFirst
from games.core.permissions import viewer
from games.core.requests import requested_choice
from games.models import Account, Game
from games.models.streams import TOURNAMENT_STREAM
from games.play import types
from games.play.queries import GAME_FIELDS, game_as_json, public_games, visible_game_rows
from games.play.views import GameFilter
from games.players.queries import has_name, name_players, players_by_name
from games.rules.registry import GAMES
from games.templatetags.game_names import game_state
from ratings.models import Pool
from tournament.core.lookup import UNPUBLISHED
from tournament.core.pages import EventPage, current_round
from tournament.core.queries import (
    count_results,
    counted_states,
    visible_tournaments,
    with_corrections,
)
from tournament.core.states import may_apply
from tournament.core.systems import system_of
from tournament.entries.queries import names_of_entries
from tournament.events.views import DeleteTournament
from tournament.models import Entry, Round, Tournament
from tournament.tables.recent import recent_table

MOST_FOUND: Final = 20
"""Results of each kind of a search."""

MOST_EVENTS: Final = 6
"""Events of each group on the home page; the first half of them with their leaders."""

MOST_LEADERS: Final = 3
MOST_RESULTS: Final = 8

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
    public_read = "site"
    template = "tournament/events/home.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the events that the reader may see, in three groups, and the last results."""
        published = Round.objects.exclude(state__in=UNPUBLISHED).order_by("number")
        events = seen_events(request).prefetch_related(
            Prefetch("round_set", queryset=published, to_attr="published")
        )
        groups: dict[str, list[Any]] = {
            name: list(events.filter(state__in=states).order_by(order, "name")[: MOST_EVENTS + 1])
            for name, (states, order) in EVENT_GROUPS.items()
        }
        running, coming, past = groups.values()
        add_rounds(running)
        add_entries(coming)
        for event in coming:
            event.can_apply = may_apply(event, has_account=isinstance(request.user, Account))
        for group in (running, past):
            for event in group[: MOST_EVENTS // 2]:
                event.leaders = leaders(event)
        games = public_games().filter(
            stream__in=[event.stream for event in [*running, *past]], state=Game.State.CONFIRMED
        )
        return groups | {
            "most": MOST_EVENTS,
            "shown": shown_game(games),
            "results": latest_results(games),
        }


def add_rounds(events: Sequence[Any]) -> None:
    """Add to events their `current_round`, and its results if it is being played; one query."""
    for event in events:
        event.current_round = current_round(event, event.published)
    played = [
        event.current_round
        for event in events
        if event.current_round and event.current_round.state == Round.State.PUBLISHED
    ]
    counts = count_results(played)
    for event in events:
        event.progress = counts.get(getattr(event.current_round, "pk", 0))


def add_entries(events: Sequence[Any]) -> None:
    """Add to events the number of their players; one query."""
    accepted = Entry.objects.filter(tournament__in=events, state=Entry.State.ACCEPTED)
    rows = accepted.order_by().values("tournament").annotate(players=Count("pk"))
    counts = dict(rows.values_list("tournament", "players"))
    for event in events:
        event.players = counts.get(event.pk, 0)


def leaders(event: Any) -> list[dict[str, Any]]:
    """Return the first players after the last complete round; none of a knockout.

    Its table is the one that the pages of the event show, and is stored with theirs.
    """
    counted = counted_states(event)
    through = max((found.number for found in event.published if found.state in counted), default=0)
    is_cancelled = event.state == State.CANCELLED
    if not through or is_cancelled or system_of(event).draw_bracket is not None:
        return []
    event.counted_round = through
    table = recent_table(event, through=through)
    numbers = {player["id"]: number for number, player in table.players.items()}
    names = shown_names(table.players.values(), numbers)
    return [
        {
            "rank": row.rank,
            "number": row.number,
            "name": names[table.players[row.number]["id"]],
            "points": row.values_as_json()[table.labels[0]],
        }
        for row in table.rows[:MOST_LEADERS]
    ]


def latest_results(games: "QuerySet[Game]") -> list[types.Game]:
    """Return the last results of games."""
    latest = games.order_by(F("confirmed_at").desc(nulls_last=True), "-pk")
    results = [game_as_json(row) for row in latest.values(*GAME_FIELDS)[:MOST_RESULTS]]
    name_players(results)
    return results


def shown_game(games: "QuerySet[Game]") -> Mapping[str, Any] | None:
    """Return the last of games that a record proves, with the names of its players."""
    proved = games.filter(record__isnull=False).order_by("-pk")
    return proved.values("id", "first__name", "second__name").first()


class EventsPage(PageView):
    """All events, the last created first; `?state=` is a group of the home page."""

    public_read = "site"
    query_names = ("state", *PAGING)
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
        players = players_by_name(text).order_by("folded_name", "pk")[: MOST_FOUND + 1]
        events = seen_events(request).filter(has_name(text))
        return {
            "text": text,
            "most": MOST_FOUND,
            "players": list(players),
            "events": list(events.order_by("-starts_on", "name")[: MOST_FOUND + 1]),
        }


EVENT_FILTER: Final = "event"
FILTERS: Final = {
    "ruleset": _("Game"),
    "state": _("State"),
    EVENT_FILTER: _("Event"),
    "pool": _("Rating pool"),
    "player": _("Number of a player"),
}


def page_of_games(
    games: "QuerySet[Any, Any]", request: Request, names: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """Return the requested page of games, in which players who share a name are told apart.

    The names by id are those of an event; without them the players of the page are compared.
    """
    context = NewestFirst().context("games", games, request, game_as_json)
    name_players(context["games"], names)
    return context | {"games": with_corrections(context["games"])}


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
    query_names = PAGING
    tab = "games"

    def content(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return a page of the games."""
        entries = tournament.entries.select_related("player__merged_into")
        rows = visible_game_rows(request).filter(stream=tournament.stream)
        return page_of_games(rows, request, names_of_entries(entries))
