"""Merges of two registrations of one person, and their inverse; for site staff."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound
from games.core.requests import maybe_dry_run, require_account, validated_body
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.http.members import require_no_members
from games.models import Merge
from games.rules.text import Text
from tournament.players.serializers import (
    MergeEffectSerializer,
    MergeRequestSerializer,
    MergeSerializer,
)
from tournament.queries.merges import merge_as_json, merge_effect_as_json
from tournament.services.merges import merge_players, undo_merge


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
