"""One player, corrected by those who know them; claims of accounts to be a player; merges."""

from dataclasses import dataclass
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Call
from games.core.errors import ApiError, Forbidden, Unprocessable, require_found
from games.core.permissions import Caller, current_account, may, require_account
from games.core.preconditions import Target, tag_for_writes
from games.core.views import ApiView, ValuesListView, endpoint
from games.models import Account, Claim, Game, Merge, Player
from games.play.views import GameFilter, PlayedFilter
from games.players import serializers
from games.players.queries import named_player, no_player
from games.players.serializers import (
    ClaimDecisionSerializer,
    ClaimRequestSerializer,
    PlayerChangeSerializer,
    PlayerDetailsSerializer,
    PlayerSerializer,
    claim_as_json,
)
from games.players.services import delete_player, edit_player
from games.players.targets import player_target
from games.rules.text import Text
from games.study.views import GameSearch, SearchFilter
from ratings.casual.views import CasualGameList
from ratings.comparisons.views import HeadToHeadView
from ratings.core.pools import pool_choices
from tournament.core.lookup import check_tournament
from tournament.players.agreements import hidden_streams
from tournament.players.claims import accept_claim, make_claim, refuse_claim, withdraw_claim
from tournament.players.custody import require_custodian
from tournament.players.queries import (
    MergeEffect,
    merge_as_json,
    merge_effect_as_json,
    player_seen,
    visible_claims,
)
from tournament.players.serializers import MergeRequestSerializer
from tournament.players.services import erase_player, merge_players, undo_merge


@dataclass(frozen=True, slots=True)
class PlayerRights:
    """What a caller may do with a player."""

    edit: bool
    erase: bool

    def __bool__(self) -> bool:
        return self.edit or self.erase


def find_rights(caller: Caller, player: Player) -> PlayerRights:
    """Return what the caller may do with a player; no query for a stranger."""
    user, token = current_account(caller)
    if not isinstance(user, Account):
        return PlayerRights(edit=False, erase=False)
    try:
        can_edit = bool(require_custodian(caller, player))
    except ApiError:
        can_edit = False
    return PlayerRights(
        edit=can_edit, erase=user.acts_as_staff and may(user, token, "player.administer")
    )


class PlayerAction(Action):
    """A write to a player, for the player and the custodians of the registration."""

    permission = "player.edit"

    def find(self, call: Call) -> Player:
        return player_seen(call.address["player_id"])

    def check(self, call: Call, found: Player) -> None:
        require_custodian(call, found)


class EditPlayer(PlayerAction):
    """Correct the details of a player; omitted values stay unchanged.

    For site staff and the player; until the player has a login of their own, for the custodians of
    the registration: the account that made it, the owners and directors of the tournament that it
    was made in, and the officers of the pools that rate the player.
    """

    name = "edit_player"
    body = PlayerChangeSerializer
    example = {"club": "Rooks", "country": "POR"}
    response = PlayerDetailsSerializer
    has_precondition = True
    tag_of = "players/{player_id}"
    done = gettext_noop("The player's details are corrected, in all events.")

    def target(self, call: Call, found: Player) -> Target:
        return player_target(found)

    def perform(self, call: Call, player: Player) -> dict[str, Any]:
        return PlayerDetailsSerializer(edit_player(player, call.body, by=call.account)).data


class DeletePlayer(PlayerAction):
    """Delete a player who was never entered and never played.

    For those who may correct the player.
    """

    name = "delete_player"
    done = gettext_noop("The player is deleted.")

    def perform(self, call: Call, player: Player) -> None:
        delete_player(player, by=call.account)


class ErasePlayer(PlayerAction):
    """Erase the personal data of a player at their request; for site staff, and final.

    Their games, results and ratings stay, under the name `player 17`.
    """

    permission = "player.administer"
    response = PlayerDetailsSerializer
    done = gettext_noop("The personal data are erased.")

    def check(self, call: Call, found: Player) -> None:
        require_account(call, self.permission)

    def perform(self, call: Call, player: Player) -> dict[str, Any]:
        return PlayerDetailsSerializer(erase_player(player, by=call.account)).data


class PlayerView(ApiView):
    patch = endpoint(EditPlayer)
    delete = endpoint(DeletePlayer)

    @extend_schema(responses=PlayerDetailsSerializer)
    def get(self, request: Request, player_id: int) -> Response:
        """Return a player; for a merged player, the one they were merged into.

        The year of birth and the sex are there for those who may correct them.
        """
        player = player_seen(player_id)
        if not find_rights(request, player).edit:
            return Response(PlayerSerializer(player).data)
        tag_for_writes(request, player_target(player))
        return Response(PlayerDetailsSerializer(player).data)


class ClaimPlayer(Action):
    """Claim to be a player; a custodian of the registration, or site staff, decides.

    While the player is in a tournament of others that is under way, its organisers must agree too.
    """

    name = "claim_player"
    permission = "claims.make"
    body = ClaimRequestSerializer
    example = {"player_id": 17}
    status = 201
    made = ("id",)
    done = gettext_noop("Your claim is sent. Who registered this player decides.")

    def check(self, call: Call, found: None) -> None:
        if require_account(call, self.permission).email is None:
            detail = Text("a personal link claims no player; sign up")
            raise Forbidden("account_without_email", detail)

    def perform(self, call: Call, found: None) -> serializers.Claim:
        number = call.body["player_id"]
        player = Player.objects.filter(pk=number).first()
        if player is None:
            raise Unprocessable("unknown_player", no_player(number), at="/player_id")
        return claim_as_json(make_claim(player, by=call.account))


class ApproveClaim(Action):
    """Approve a claim: `accepted` once all have who must, until then still `open`.

    A custodian of the registration must, and an owner or a director of each tournament that is
    under way with the player; site staff agree for all. Nobody decides their own claim.
    """

    permission = "claims.decide"
    body = ClaimDecisionSerializer
    example = {"reason": "I know them from the club"}
    done = gettext_noop("The claim is accepted.")
    decide = staticmethod(accept_claim)

    def prepare(self, call: Call, found: None) -> Claim:
        number = call.address["claim_id"]
        detail = Text("there is no claim %(number)s that you may decide", number=number)
        return require_found(visible_claims(call.account).filter(pk=number).first(), detail)

    def perform(self, call: Call, claim: Claim) -> serializers.Claim:
        return claim_as_json(self.decide(claim, **call.body, by=call.account))


class RefuseClaim(ApproveClaim):
    """Refuse a claim, as a custodian of the registration or site staff.

    One refusal decides it, whoever has agreed before. The claimant sees the `reason` and may claim
    again.
    """

    done = gettext_noop("The claim is refused.")
    decide = staticmethod(refuse_claim)
    example = {"reason": "another person of this name"}


class WithdrawClaim(Action):
    """Withdraw a claim of the account's own that is not decided.

    A decided one is a conflict (`nothing_to_do`). Who has withdrawn a claim may make it again.
    """

    permission = "claims.make"
    done = gettext_noop("Your claim is withdrawn.")

    def prepare(self, call: Call, found: None) -> Claim:
        number = call.address["claim_id"]
        detail = Text("there is no claim %(number)s of yours", number=number)
        return require_found(call.account.claims.filter(pk=number).first(), detail)

    def perform(self, call: Call, claim: Claim) -> serializers.Claim:
        return claim_as_json(withdraw_claim(claim, by=call.account))


class ClaimFilter(django_filters.FilterSet):
    class Meta:
        model = Claim
        fields = ["state"]


class ClaimList(ValuesListView):
    """The claims that the account made, and those that it may decide, oldest first.

    A claim is decided by the custodians of the registration, the organisers of tournaments that are
    under way with the player, and site staff. `state` selects.
    """

    permission = "claims.see"
    queryset = Claim.objects.none()
    filterset_class = ClaimFilter
    post = endpoint(ClaimPlayer)
    row_as_json = staticmethod(claim_as_json)

    def get_queryset(self) -> Any:
        return visible_claims(require_account(self.request, self.permission))


class MergePlayers(Action):
    """Merge two registrations of one person; `?dry_run=1` shows what belongs to the merged one.

    Games, entries and ratings of `merge_id` belong to `keep_id`, the ratings by a new run. Two
    players of one tournament are two persons (`same_tournament`).
    """

    name = "merge_players"
    permission = "player.administer"
    body = MergeRequestSerializer
    example = {"keep_id": 17, "merge_id": 42}
    status = 201
    made = ("id",)
    done = gettext_noop("The two players are one player now.")

    def perform(self, call: Call, found: None) -> MergeEffect:
        merge = merge_players(call.body["keep_id"], call.body["merge_id"], by=call.account)
        return merge_effect_as_json(merge)


class UndoMerge(Action):
    """Undo a merge: the two registrations are two players again, also in the ratings.

    Games and entries belong to the player again who had them. If the kept player
    was merged since, undo that merge first (409 `merged_since`).
    """

    permission = "player.administer"
    done = gettext_noop("The merge is undone: they are two players again.")

    def prepare(self, call: Call, found: None) -> Merge:
        number = call.address["merge_id"]
        merge = Merge.objects.select_related("keep", "merged").filter(pk=number).first()
        return require_found(merge, Text("there is no merge %(number)s", number=number))

    def perform(self, call: Call, merge: Merge) -> MergeEffect:
        return merge_effect_as_json(undo_merge(merge, by=call.account))


class MergeList(ValuesListView):
    """The merges, oldest first.

    `undone_at` is null while a merge holds.
    """

    permission = "player.administer"
    post = endpoint(MergePlayers)
    row_as_json = staticmethod(merge_as_json)

    def get_queryset(self) -> Any:
        require_account(self.request, self.permission)
        return Merge.objects.select_related("keep", "merged")


class ShownHeadToHead(HeadToHeadView):
    def shown_games(self, request: Request, *players: Player) -> "QuerySet[Game]":
        """Return the games that count, without the events that the players' own pages hide."""
        games = super().shown_games(request, *players)
        return games.exclude(stream__in=hidden_streams(*players))


class ShownFilter(PlayedFilter):
    """The filters of games that need to know tournaments and pools."""

    pool = django_filters.ChoiceFilter(
        method="filter_pool",
        choices=pool_choices,
        label="the code of a pool in which the games are rated",
    )

    def filter_tournament(self, games: Any, name: str, value: str) -> Any:
        """Return the games of a tournament; raises Unprocessable for one that is not found."""
        check_tournament(self.request, name, value)
        return super().filter_tournament(games, name, value)

    def filter_player(self, games: Any, name: str, value: int) -> Any:
        """Return the games of the player; others see those that the player's own page shows.

        The list of one event shows all of its games.
        """
        found = super().filter_player(games, name, value)
        player = named_player(value)
        if self.form.cleaned_data.get("tournament"):
            return found
        if player.account_id is not None and player.account_id == self.request.user.pk:
            return found
        return found.exclude(stream__in=hidden_streams(player))


class ShownGameFilter(ShownFilter, GameFilter):
    """The filters of the list of games."""


class ShownGameList(CasualGameList):
    filterset_class = ShownGameFilter


class ShownSearchFilter(ShownFilter, SearchFilter):
    """The filters of a search, besides the start."""


class ShownGameSearch(GameSearch):
    filterset_class = ShownSearchFilter
