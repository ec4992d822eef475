"""The page of a player: ratings with a chart, the explained history, events, comparisons."""

from typing import Any

from django.db.models import Q
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.pages import PageView, redirect
from games.core.pagination import NewestFirst
from games.core.requests import viewer
from games.play.lookup import visible_games
from games.queries import game_as_json, players_by_name, visible_game_rows
from ratings.lists.queries import player_ratings_as_json
from ratings.queries import head_to_head
from ratings.runs.changes import CHANGE_FIELDS, change_as_json, player_changes
from ratings.views.change_pages import HistoryPages
from tournament import queries
from tournament.core.lookup import player_seen
from tournament.views.player_rights import find_rights

MOST_PLAYED_EVENTS = 30
MOST_FOUND_PLAYERS, LONGEST_SEARCH = 30, 80
"""Players that a search lists, and characters of its text."""


class PlayerPage(PageView):
    template = "tournament/player.html"

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the ratings, a page of the changes, and the events that the reader may see."""
        player = player_seen(player_id)
        seen = queries.visible_tournaments(*viewer(request, "tournament.see"))
        entered = Q(entries__player=player) | Q(entries__player__merged_into=player)
        rows = player_changes(player.pk, visible_games(request))
        return {
            "player": player,
            "can_change": bool(find_rights(request, player)),
            "ratings": player_ratings_as_json(player.pk),
            "events": seen.filter(entered)
            .distinct()
            .order_by("-starts_on", "name")[:MOST_PLAYED_EVENTS],
            **HistoryPages().context(
                "changes", rows.values(*CHANGE_FIELDS), request, change_as_json
            ),
        }


class PlayerGamesPage(PageView):
    template = "tournament/player_games.html"

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return a page of the games that the reader may see, newest first."""
        player = player_seen(player_id)
        numbers = [player.pk, *player.merged.values_list("pk", flat=True)]
        own = Q(first__in=numbers) | Q(second__in=numbers)
        rows = visible_game_rows(*viewer(request, "game.see")).filter(own)
        return {"player": player, **NewestFirst().context("games", rows, request, game_as_json)}


class OpponentsPage(PageView):
    """The players whose names contain `?q=`, to compare one with; a single one is at once."""

    template = "tournament/opponents.html"

    def get(self, request: Request, player_id: int = 0, **address: Any) -> HttpResponseBase:
        """Return the players who are found, or a redirect to the comparison with the only one."""
        player = player_seen(player_id)
        text = request.query_params.get("q", "").replace("\0", " ").strip()[:LONGEST_SEARCH]
        found = players_by_name(text).exclude(pk=player.pk).order_by("folded_name", "pk")
        players = list(found[:MOST_FOUND_PLAYERS]) if text else []
        if len(players) == 1:
            return redirect(f"/players/{player.pk}/versus/{players[0].pk}")
        return self.page({"player": player, "text": text, "players": players})


class VersusPage(PageView):
    template = "tournament/versus.html"

    def context(
        self, request: Request, player_id: int = 0, opponent_id: int = 0, **address: Any
    ) -> dict[str, Any]:
        """Return the results of two players against each other."""
        player, opponent = head_to_head.find_players(player_id, opponent_id)
        return head_to_head.head_to_head_as_json(player, opponent, visible_games(request))
