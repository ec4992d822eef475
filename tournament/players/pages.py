"""Register a player; correct the details of one, delete or erase one."""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.page_actions import PageAction
from games.core.pages import PageView
from games.core.requests import require_account
from games.models import Game
from games.players.serializers import PlayerChangeSerializer, PlayerDetailsSerializer
from games.players.views import PlayerList
from games.queries import players_by_name
from tournament.core.locking import player_target
from tournament.core.lookup import player_seen, require_player
from tournament.core.pages import quoted_tag
from tournament.models import Entry
from tournament.pages.player_fields import player_body, player_fields
from tournament.pages.player_search import find_players
from tournament.players.services import closes_account
from tournament.views.player_rights import find_rights
from tournament.views.players import ErasePlayer, PlayerView

MOST_SIMILAR = 10
"""Registered players whose names contain that of a new one, which its preview shows."""


class NewPlayerPage(PageView):
    """The form of a new player; its preview shows who is registered under this name already."""

    template = "tournament/new_player.html"
    actions = {
        "register": PageAction(
            PlayerList,
            gettext_noop("The player is registered."),
            body=player_body,
            serializer=PlayerDetailsSerializer,
        )
    }

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the form, who was just registered, and who has the name of a preview already."""
        require_account(request, "players.create")
        name = str(self.form.typed.get("name", "")).replace("\0", "").strip()
        similar = players_by_name(name).order_by("folded_name", "pk") if name else ()
        serializer = PlayerDetailsSerializer()
        return {
            "fields": player_fields(serializer, self.form, None, action="register"),
            "similar": list(similar[:MOST_SIMILAR]),
            "registered": find_players(request),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, which names the new player and has an empty form for the next."""
        return f"{request.path}?done={name}&id={content['id']}"


class PlayerDetailsPage(PageView):
    template = "tournament/player_details.html"
    actions = {
        "edit": PageAction(
            PlayerView,
            gettext_noop("The player's details are corrected, in all events."),
            method="patch",
            body=player_body,
            serializer=PlayerChangeSerializer,
        ),
        "delete": PageAction(PlayerView, done="", method="delete"),
        "erase": PageAction(ErasePlayer, gettext_noop("The personal data are erased.")),
    }

    def context(self, request: Request, player_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the details in a form, and what deleting and erasing the player would do."""
        player = player_seen(player_id)
        rights = find_rights(request, player)
        if not rights:
            require_player(request, player_id)
        numbers = [player.pk, *player.merged.values_list("pk", flat=True)]
        seats = Q(first__in=numbers) | Q(second__in=numbers)
        entries = Entry.objects.filter(player__in=numbers).count()
        games = Game.objects.filter(seats).count()
        return {
            "player": player,
            "rights": rights,
            "is_used": bool(entries or games or len(numbers) > 1),
            "entries": entries,
            "games": games,
            "merged": len(numbers) - 1,
            "closes_account": rights.erase and closes_account(player),
            "if_match": quoted_tag(player_target(player)),
            "fields": player_fields(PlayerChangeSerializer(), self.form, player, action="edit"),
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, or the list of players after the deletion of this one."""
        if name == "delete":
            return "/players?done=delete"
        return super().next_address(request, name, content, **address)
