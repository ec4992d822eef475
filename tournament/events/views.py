"""Tournaments: the list, a single one, its transitions."""

from functools import lru_cache
from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.permissions import find_refusals
from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import (
    current_account,
    is_dry_run,
    maybe_dry_run,
    require_account,
    task_response,
    validated_body,
    viewer,
)
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.http.members import require_no_members
from games.models.time_controls import TimeClass, TimeControl
from ratings.core.pools import batch_progress
from ratings.core.serializers import ReasonSerializer
from tournament import queries
from tournament.core.actions import EVENT_PERMISSIONS, event_actions
from tournament.core.locking import tournament_target
from tournament.core.lookup import require_in_event, tournament_seen_by
from tournament.core.rankings import current_ranks
from tournament.events.serializers import TournamentChangeSerializer
from tournament.events.services import create_tournament, edit_tournament
from tournament.events.states import change_tournament_state, filed_batch
from tournament.models import Tournament
from tournament.serializers.tournaments import (
    EditedTournamentSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    TournamentWithActionsSerializer,
)

EVENT_FIELDS = (
    "slug", "name", "place", "country", "starts_on", "ends_on", "time_zone", "state", "game",
    "board", "main_minutes", "increment_seconds", "system", "rounds", "rated", "pool",
)  # fmt: skip
EVENT_COLUMNS = ("id", *EVENT_FIELDS)
"""The columns of a list: the cursor of a page contains the id."""


@lru_cache(maxsize=1_000)
def _time_class(main_minutes: int | None, increment_seconds: int) -> TimeClass | None:
    return TimeControl(main_minutes, increment_seconds).time_class


class TournamentFilter(django_filters.FilterSet):
    name = django_filters.CharFilter(
        lookup_expr="icontains", label="a part of the name", max_length=200
    )

    class Meta:
        model = Tournament
        fields = ["name", "state", "game", "board", "country", "system"]


class TournamentList(ValuesListView):
    """Tournaments that the caller may see, oldest first."""

    queryset = queries.visible_tournaments(None).values(*EVENT_COLUMNS).order_by("id")
    serializer_class = TournamentSerializer
    filterset_class = TournamentFilter

    def get_queryset(self) -> Any:
        account, stream = viewer(self.request, "tournament.see")
        if account is None:
            return super().get_queryset()
        return queries.visible_tournaments(account, stream).values(*EVENT_COLUMNS)

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        del row["id"]
        row["time_class"] = _time_class(row["main_minutes"], row["increment_seconds"])
        return row

    @extend_schema(
        operation_id="create_tournament",
        request=TournamentSerializer,
        responses={201: TournamentDetailSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a tournament in draft; the caller becomes its owner."""
        account = require_account(request, "tournament.create")
        settings = validated_body(TournamentSerializer, request)
        with maybe_dry_run(request):
            tournament = create_tournament(by=account, **settings)
        headers = {"Location": f"/api/v1/tournaments/{tournament.slug}"}
        return Response(TournamentDetailSerializer(tournament).data, status=201, headers=headers)


class TournamentView(ApiView):
    has_precondition = True

    @extend_schema(operation_id="tournament", responses=TournamentWithActionsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return a tournament."""
        tournament = tournament_seen_by(request, slug)
        user, token = current_account(request)
        permissions = ["drafts.see", *EVENT_PERMISSIONS]
        refusals = find_refusals(user, token, permissions, stream=tournament.stream)
        is_official = refusals["drafts.see"] is None
        if is_official:
            tag_for_writes(request, tournament_target(tournament))
        body = TournamentDetailSerializer(tournament).data
        if tournament.state == Tournament.State.RUNNING and not is_official:
            body["separations"] = None
        return Response({**body, "allowed_actions": event_actions(tournament, refusals)})

    @extend_schema(
        operation_id="edit_tournament",
        request=TournamentChangeSerializer,
        responses=EditedTournamentSerializer,
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings; those that played rounds depend on only before the start.

        A running event can have more or fewer rounds, as long as none is drafted and no published
        round is removed, and other tie-breaks: `rank_changes` lists what they change.
        """
        tournament, account = require_in_event(request, slug, "edit")
        changes = validated_body(TournamentChangeSerializer, request, partial=True)
        target = tournament_target(tournament)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            before = current_ranks(tournament) if "tiebreaks" in changes else {}
            tournament = edit_tournament(tournament, changes, by=account)
            after = current_ranks(tournament) if "tiebreaks" in changes else {}
            body = TournamentDetailSerializer(tournament).data
        rank_changes = [
            {"pairing_number": number, "before": before[number], "after": after[number]}
            for number in before
            if before[number] != after[number]
        ]
        return Response(body | {"rank_changes": rank_changes})


class TournamentActionView(ApiView):
    """Perform a transition that needs no reason."""

    has_precondition = True
    transition = ""

    @extend_schema(
        request=None,
        responses={200: TournamentDetailSerializer, 202: TournamentDetailSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Bring the tournament to its next state.

        `finalise` files the rated games with ratings. If the pool accepts them, the answer is 202
        with the task that computes the ratings; if not, `rating` in the answer says why.
        """
        require_no_members(request.data)
        tournament, account = require_in_event(request, slug, self.transition)
        target = tournament_target(tournament)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            tournament = change_tournament_state(tournament, self.transition, by=account)
            batch = filed_batch(tournament) if self.transition == "finalise" else None
            body = TournamentDetailSerializer(tournament).data
        if batch is None or is_dry_run(request):
            return Response(body)
        return task_response(request, batch_progress, batch.pk, body)


class UnsafeTournamentActionView(ApiView):
    """Perform a transition that requires a reason."""

    has_precondition = True
    transition = ""

    @extend_schema(request=ReasonSerializer, responses=TournamentDetailSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Cancel the tournament, or reopen a final one for corrections.

        `resume` undoes `cancel`. A reopened tournament is in review: its results can change, and
        its games are not rated until `finalise` files them again.
        """
        tournament, account = require_in_event(request, slug, self.transition)
        content = validated_body(ReasonSerializer, request)
        target = tournament_target(tournament)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            tournament = change_tournament_state(tournament, self.transition, by=account, **content)
            body = TournamentDetailSerializer(tournament).data
        return Response(body)
