"""Claims: an account states that it is a player; owners of the player's events decide.

Who may correct, delete and erase a player; `require_player` decides who may correct one.

One player: read by everybody, corrected by those who know them, deleted if unused.

Merges of two registrations of one person, and their inverse; for site staff.
"""

from dataclasses import dataclass
from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import ApiError, Forbidden, NotFound, Unprocessable
from games.core.permissions import may
from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import current_account, maybe_dry_run, require_account, validated_body
from games.core.serializers import require_no_members
from games.core.views import ApiView, ValuesListView
from games.models import Account, Claim, Merge, Player
from games.players.serializers import (
    ClaimDecisionSerializer,
    ClaimRequestSerializer,
    ClaimSerializer,
    PlayerChangeSerializer,
    PlayerDetailsSerializer,
    PlayerSerializer,
)
from games.players.services import decide_claim, delete_player, edit_player, make_claim
from games.rules.text import Text
from ratings.comparisons.links import player_links
from ratings.comparisons.serializers import LinkedPlayerSerializer
from tournament.core.locking import player_target
from tournament.core.lookup import player_seen, require_player
from tournament.players.queries import merge_as_json, merge_effect_as_json, visible_claims
from tournament.players.serializers import (
    MergeEffectSerializer,
    MergeRequestSerializer,
    MergeSerializer,
)
from tournament.players.services import erase_player, merge_players, undo_merge


@dataclass(frozen=True, slots=True)
class PlayerRights:
    """What a caller may do with a player."""

    edit: bool
    delete: bool
    erase: bool

    def __bool__(self) -> bool:
        return self.edit or self.delete or self.erase


def require_deletion(request: Request, player_id: int) -> tuple[Player, Account]:
    """Return a player whom the caller may delete if unused, and the caller's account.

    The account that registered the player may, and those who may correct the player. Raise
    NotFound, 401 or 403.
    """
    player = player_seen(player_id)
    if player.registered_by_id is not None and player.registered_by_id == request.user.pk:
        return player, require_account(request, "players.create")
    return require_player(request, player_id)


def find_rights(request: Request, player: Player) -> PlayerRights:
    """Return what the caller may do with a player; no query for a stranger."""
    user, token = current_account(request)
    if not isinstance(user, Account):
        return PlayerRights(edit=False, delete=False, erase=False)
    has_registered = player.registered_by_id == user.pk and may(user, token, "players.create")
    can_edit = _may_edit(request, player)
    return PlayerRights(
        edit=can_edit,
        delete=can_edit or has_registered,
        erase=user.is_staff and may(user, token, "player.administer"),
    )


def _may_edit(request: Request, player: Player) -> bool:
    try:
        require_player(request, player.pk)
    except ApiError:
        return False
    return True


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


CLAIM_ACTIONS = {"accept": True, "refuse": False}
"""Whether an action accepts, by its name in the API."""


class ClaimFilter(django_filters.FilterSet):
    class Meta:
        model = Claim
        fields = ["state"]


@extend_schema_view(get=extend_schema(operation_id="claims"))
class ClaimList(ValuesListView):
    """The claims that the account made, and those that it may decide, oldest first."""

    is_public = False
    queryset = Claim.objects.none()
    serializer_class = ClaimSerializer
    filterset_class = ClaimFilter

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        account = require_account(request, "claims.see")
        return self.page_response(self.filter_queryset(visible_claims(account)))

    @extend_schema(
        operation_id="claim_player",
        request=ClaimRequestSerializer,
        responses={201: ClaimSerializer},
    )
    def post(self, request: Request) -> Response:
        """Claim to be a player; an owner of an event of the player, or site staff, decides."""
        account = require_account(request, "claims.make")
        if account.email is None:
            raise Forbidden(
                "account_without_email", Text("a personal link claims no player; sign up")
            )
        number = validated_body(ClaimRequestSerializer, request)["player"]
        player = Player.objects.filter(pk=number).first()
        if player is None:
            raise Unprocessable(
                "unknown_player", Text("there is no player %(number)s", number=number), at="/player"
            )
        with maybe_dry_run(request):
            claim = make_claim(player, by=account)
        return Response(ClaimSerializer(claim).data, status=201)


class ClaimActionView(ApiView):
    action_name = ""

    @extend_schema(request=ClaimDecisionSerializer, responses=ClaimSerializer)
    def post(self, request: Request, claim_id: int) -> Response:
        """Accept or refuse a claim.

        For site staff, and owners of an event that has begun and in which the player is entered;
        nobody decides their own claim.
        """
        content = validated_body(ClaimDecisionSerializer, request)
        account = require_account(request, "claims.decide")
        claim = visible_claims(account).filter(pk=claim_id).first()
        if claim is None:
            raise NotFound(
                "not_found",
                Text("there is no claim %(number)s that you may decide", number=claim_id),
            )
        with maybe_dry_run(request):
            accepted = CLAIM_ACTIONS[self.action_name]
            claim = decide_claim(claim, accepted=accepted, **content, by=account)
        return Response(ClaimSerializer(claim).data)


@extend_schema_view(get=extend_schema(operation_id="merges"))
class MergeList(ValuesListView):
    """The merges, oldest first."""

    is_public = False
    queryset = Merge.objects.none()
    serializer_class = MergeSerializer

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        require_account(request, "player.administer")
        merges = self.filter_queryset(Merge.objects.select_related("keep", "merged"))
        return self.page_response(merges, merge_as_json)

    @extend_schema(
        operation_id="merge_players",
        request=MergeRequestSerializer,
        responses={201: MergeEffectSerializer},
    )
    def post(self, request: Request) -> Response:
        """Merge two registrations of one person; `?dry_run=1` shows what belongs to the merged one.

        Games, entries and ratings of `merge` belong to `keep`, the ratings by a new run. Two
        players of one event are two persons (`same_event`).
        """
        account = require_account(request, "player.administer")
        content = validated_body(MergeRequestSerializer, request)
        with maybe_dry_run(request):
            merge = merge_players(content["keep"], content["merge"], by=account)
            body = merge_effect_as_json(merge)
        return Response(body, status=201)


class UndoMerge(ApiView):
    @extend_schema(operation_id="undo_merge", request=None, responses=MergeEffectSerializer)
    def post(self, request: Request, merge_id: int) -> Response:
        """Undo a merge: the two registrations are two players again, also in the ratings."""
        require_no_members(request.data)
        account = require_account(request, "player.administer")
        merge = Merge.objects.select_related("keep", "merged").filter(pk=merge_id).first()
        if merge is None:
            raise NotFound("not_found", Text("there is no merge %(number)s", number=merge_id))
        with maybe_dry_run(request):
            body = merge_effect_as_json(undo_merge(merge, by=account))
        return Response(body)
