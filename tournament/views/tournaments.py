"""Tournaments: the list, one, its states."""

from typing import Any

import django_filters
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.generics import ValuesListView
from games.http.request import is_dry_run, maybe_dry_run, require_account, viewer
from games.http.tasks import task_response
from ratings.queries.pools import batch_progress
from tournament import queries
from tournament.models import Tournament
from tournament.serializers.tournaments import TournamentPage, TournamentSerializer
from tournament.services import setup, states
from tournament.views.lookup import tournament_seen_by

FIELDS = (
    "slug", "name", "place", "country", "starts_on", "ends_on", "time_zone", "state", "game",
    "board", "system", "rounds", "rated", "pool",
)  # fmt: skip
DRY_RUN = OpenApiParameter("dry_run", bool, description="show the maybe_dry_run, change nothing")


class TournamentFilter(django_filters.FilterSet):
    name = django_filters.CharFilter(lookup_expr="icontains", label="a part of the name")

    class Meta:
        model = Tournament
        fields = ["name", "state", "game", "board", "country", "system"]


class TournamentList(ValuesListView):
    """Tournaments that the asker may see, oldest first."""

    queryset = Tournament.objects.none()
    serializer_class = TournamentSerializer
    filterset_class = TournamentFilter
    fields = ("id", *FIELDS)  # the cursor of a page contains the id

    def get_queryset(self) -> Any:
        return queries.visible_tournaments(*viewer(self.request, "tournament.see"))

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        return {name: row[name] for name in FIELDS}

    @extend_schema(
        operation_id="create_tournament",
        parameters=[DRY_RUN],
        request=TournamentSerializer,
        responses={201: TournamentPage},
    )
    def post(self, request: Request) -> Response:
        """Make a tournament, in draft; the asker owns it."""
        account = require_account(request, "tournament.create")
        shape = TournamentSerializer(data=request.data)
        shape.is_valid(raise_exception=True)
        with maybe_dry_run(request):
            made = setup.create_tournament(by=account, **shape.validated_data)
        headers = {"Location": f"/api/v1/tournaments/{made.slug}"}
        return Response(TournamentPage(made).data, status=201, headers=headers)


class TournamentView(APIView):
    @extend_schema(operation_id="tournament", responses=TournamentPage)
    def get(self, request: Request, slug: str) -> Response:
        """One tournament."""
        return Response(TournamentPage(tournament_seen_by(request, slug)).data)

    @extend_schema(
        operation_id="edit_tournament",
        parameters=[DRY_RUN],
        request=TournamentSerializer,
        responses=TournamentPage,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change the set-up; what pairings and standings rest on is frozen once it runs."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "tournament.edit", stream=tournament.stream)
        shape = TournamentSerializer(tournament, data=request.data, partial=True)
        shape.is_valid(raise_exception=True)
        changes = {k: v for k, v in shape.validated_data.items() if k != "slug"}
        with maybe_dry_run(request):
            edited = setup.edit_tournament(tournament, changes, by=account)
        return Response(TournamentPage(edited).data)


class TournamentStep(APIView):
    word = ""

    @extend_schema(
        parameters=[DRY_RUN],
        request=None,
        responses={200: TournamentPage, 202: TournamentPage},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Bring the tournament to its next state.

        `finalise` files the rated games; where it does, the answer is 202 with the task that
        computes the ratings.
        """
        tournament = tournament_seen_by(request, slug)
        action = "tournament.finish" if self.word in ("finalise", "cancel") else "tournament.edit"
        account = require_account(request, action, stream=tournament.stream)
        with maybe_dry_run(request):
            tournament = states.change_tournament_state(tournament, self.word, by=account)
            batch = states.rating_batch(tournament) if self.word == "finalise" else None
        body = dict(TournamentPage(tournament).data)
        if batch is None or is_dry_run(request):
            return Response(body)
        return task_response(request, lambda: batch_progress(batch.pk), body)
