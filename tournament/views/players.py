"""One player: read by everybody, corrected by those who know them, deleted if unused."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import maybe_dry_run, require_account, validated_body
from games.core.views import ApiView
from games.http.members import require_no_members
from games.players.serializers import (
    PlayerChangeSerializer,
    PlayerDetailsSerializer,
    PlayerSerializer,
)
from games.services.players import delete_player, edit_player
from ratings.comparisons.links import player_links
from ratings.serializers.player_links import LinkedPlayerSerializer
from tournament.core.locking import player_target
from tournament.core.lookup import player_seen, require_player
from tournament.players.services import erase_player
from tournament.views.player_rights import find_rights, require_deletion


class PlayerView(ApiView):
    has_precondition = True

    @extend_schema(operation_id="player", responses=LinkedPlayerSerializer)
    def get(self, request: Request, player_id: int) -> Response:
        """Return a player; for a merged player, the one they were merged into.

        `links` are the addresses of the ratings, their history, charts and lists.
        The year of birth and the sex are there for those who may correct them.
        """
        player = player_seen(player_id)
        links = {"links": player_links(player.pk)}
        if not find_rights(request, player).edit:
            return Response(PlayerSerializer(player).data | links)
        tag_for_writes(request, player_target(player))
        return Response(PlayerDetailsSerializer(player).data | links)

    @extend_schema(
        operation_id="edit_player",
        request=PlayerChangeSerializer,
        responses=PlayerDetailsSerializer,
    )
    def patch(self, request: Request, player_id: int) -> Response:
        """Correct the details of a player; omitted values stay unchanged.

        For site staff and the player; for owners and directors of an event in which the player is
        entered, until the player has a login of their own.
        """
        player, account = require_player(request, player_id)
        changes = validated_body(PlayerChangeSerializer, request)
        with (
            maybe_dry_run(request),
            unless_changed(request, player_target(player), by=account),
        ):
            player = edit_player(player, changes, by=account)
        return Response(PlayerDetailsSerializer(player).data)

    @extend_schema(operation_id="delete_player", responses={204: None})
    def delete(self, request: Request, player_id: int) -> Response:
        """Delete a player who was never entered and never played.

        For site staff, the player, and the account that registered them.
        """
        player, account = require_deletion(request, player_id)
        with maybe_dry_run(request):
            delete_player(player, by=account)
        return Response(status=204)


class ErasePlayer(ApiView):
    @extend_schema(operation_id="erase_player", request=None, responses=PlayerDetailsSerializer)
    def post(self, request: Request, player_id: int) -> Response:
        """Erase the personal data of a player at their request; for site staff, and final.

        Their games, results and ratings stay, under the name `player 17`.
        """
        require_no_members(request.data)
        account = require_account(request, "player.administer")
        player = player_seen(player_id)
        with maybe_dry_run(request):
            player = erase_player(player, by=account)
        return Response(PlayerDetailsSerializer(player).data)
