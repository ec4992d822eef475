"""Claims: an account states that it is a player; owners of the player's events decide."""

from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import Forbidden, NotFound, Unprocessable
from games.core.requests import maybe_dry_run, require_account, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.models import Claim, Player
from games.players.services import decide_claim, make_claim
from games.rules.text import Text
from games.serializers.claims import (
    ClaimDecisionSerializer,
    ClaimRequestSerializer,
    ClaimSerializer,
)
from tournament.players.queries import visible_claims

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
