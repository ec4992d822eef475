"""Requested byes."""

from typing import Any

from django.db.models import Q
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound, Unprocessable
from games.core.pagination import CursorPages
from games.core.requests import can_see_drafts, maybe_dry_run, validated_body
from games.core.views import ApiView
from games.http.actions import list_actions_in_refusals
from games.http.generics import ValuesListView
from games.rules.text import Text
from tournament import queries
from tournament.core.actions import BEFORE_END
from tournament.core.lookup import (
    own_account,
    require_in_event,
    require_tournament,
    tournament_seen_by,
)
from tournament.entries.byes import cancel_bye, request_bye
from tournament.entries.serializers import ByeRequestSerializer, ByeSerializer
from tournament.models import Bye
from tournament.services.entry_actions import bye_actions
from tournament.views.seen import UNPUBLISHED


class ByRound(CursorPages):
    ordering = ("round", "entry_id")


@extend_schema_view(get=extend_schema(operation_id="byes"))
class ByeList(ValuesListView):
    """The requested byes by round; only directors see the reasons.

    Others see their own byes and, until the last round is complete, those of published rounds.
    """

    queryset = Bye.objects.none()
    serializer_class = ByeSerializer
    pagination_class = ByRound
    fields = ("id", "entry_id", "round", "kind", "reason")
    shows_reasons = False

    def get_queryset(self) -> Any:
        tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        self.shows_reasons = can_see_drafts(self.request, tournament.stream)
        if self.shows_reasons or tournament.state not in BEFORE_END:
            return tournament.byes.all()
        published = tournament.round_set.exclude(state__in=UNPUBLISHED).values("number")
        own = queries.is_own(own_account(self.request, tournament), "entry__player")
        return tournament.byes.filter(own | Q(round__in=published))

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": row["id"],
            "entry": row["entry_id"],
            "round": row["round"],
            "kind": row["kind"],
            "reason": row["reason"] if self.shows_reasons else "",
        }

    @extend_schema(
        operation_id="request_bye", request=ByeRequestSerializer, responses={201: ByeSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Grant an entry a bye in a round that is not paired yet."""
        tournament, account = require_in_event(request, slug, "request_bye")
        content = validated_body(ByeRequestSerializer, request)
        entry = tournament.entries.select_related("tournament").filter(pk=content["entry"]).first()
        if entry is None:
            detail = Text(
                "there is no entry %(number)s in %(event)s",
                number=content["entry"],
                event=tournament.name,
            )
            raise Unprocessable("unknown_entry", detail, at="/entry")
        kind = Bye.Kind(content["kind"])
        with maybe_dry_run(request):
            bye = request_bye(entry, content["round"], kind, by=account, reason=content["reason"])
        return Response(ByeSerializer(bye).data, status=201)


class ByeView(ApiView):
    problems = {"DELETE": (409,)}

    @extend_schema(operation_id="cancel_bye", responses={204: None})
    def delete(self, request: Request, slug: str, bye_id: int) -> Response:
        """Cancel a bye in a round that is not paired yet."""
        tournament, account = require_tournament(request, slug, "entries.edit")
        bye = tournament.byes.select_related("tournament").filter(pk=bye_id).first()
        if bye is None:
            raise NotFound(
                "not_found",
                Text(
                    "there is no bye %(number)s in %(event)s", number=bye_id, event=tournament.name
                ),
            )
        list_actions_in_refusals(request, lambda: bye_actions(tournament, bye))
        with maybe_dry_run(request):
            cancel_bye(bye, by=account)
        return Response(status=204)
