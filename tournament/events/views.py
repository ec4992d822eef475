"""Tournaments: the list, a single one, its transitions.

The events that request their rating in a pool, and the decisions of its officers.

The people of an event: roles, and invitations to them; for its owners.
"""

from functools import lru_cache
from typing import Any

import django_filters
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.accounts.mail import Kind, open_links
from games.core.accounts.serializers import (
    HeldRoleSerializer,
    InvitationSerializer,
    NewRoleSerializer,
    RoleRequestSerializer,
)
from games.core.accounts.services import (
    grant_or_invite,
    remove_role,
    resend_invitation,
    revoke_invitation,
)
from games.core.errors import NotFound
from games.core.pagination import NewestFirst
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
from games.core.serializers import require_no_members
from games.core.views import ApiView, ValuesListView
from games.models import EmailLink, Role
from games.models.time_controls import TimeClass, TimeControl
from games.rules.text import Text
from ratings.core.pools import batch_progress, require_pool
from ratings.core.serializers import DecisionSerializer, ReasonSerializer
from ratings.pools.services import decide_event
from ratings.pools.views import DECISIONS
from tournament.core.actions import EVENT_PERMISSIONS, event_actions
from tournament.core.locking import tournament_target
from tournament.core.lookup import require_in_event, require_tournament, tournament_seen_by
from tournament.core.queries import visible_tournaments
from tournament.core.rankings import current_ranks
from tournament.events.rating import requesting_tournaments, requests_as_json
from tournament.events.serializers import (
    EditedTournamentSerializer,
    RatingRequestSerializer,
    TournamentChangeSerializer,
    TournamentDetailSerializer,
    TournamentSerializer,
    TournamentWithActionsSerializer,
)
from tournament.events.services import create_tournament, edit_tournament
from tournament.events.states import change_tournament_state, filed_batch
from tournament.models import Tournament

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

    queryset = visible_tournaments(None).values(*EVENT_COLUMNS).order_by("id")
    serializer_class = TournamentSerializer
    filterset_class = TournamentFilter

    def get_queryset(self) -> Any:
        account, stream = viewer(self.request, "tournament.see")
        if account is None:
            return super().get_queryset()
        return visible_tournaments(account, stream).values(*EVENT_COLUMNS)

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


@extend_schema_view(get=extend_schema(operation_id="pool_events"))
class PoolEventList(ValuesListView):
    """List the events that request their rating in the pool, newest first; for its officers."""

    queryset = Tournament.objects.none()
    serializer_class = RatingRequestSerializer
    is_public = False
    filterset_fields = ["state"]
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        pool, _ = require_pool(request, kwargs["code"])
        tournaments = self.filter_queryset(requesting_tournaments(pool))
        page = self.paginate_queryset(tournaments) or []
        return self.get_paginated_response(requests_as_json(pool, page))


class PoolEventActionView(ApiView):
    action_name = ""

    @extend_schema(request=DecisionSerializer, responses=RatingRequestSerializer)
    def post(self, request: Request, code: str, slug: str) -> Response:
        """Approve or refuse the rating of an event, final or not; for the officers of the pool.

        The games of a final event that is approved are filed at once. What is filed cannot be
        refused (`batch_filed`); withdraw its batch instead.
        """
        pool, account = require_pool(request, code)
        content = validated_body(DecisionSerializer, request)
        tournament = requesting_tournaments(pool).filter(slug=slug).first()
        if tournament is None:
            detail = Text(
                "no event %(name)s requests its rating in %(pool)s",
                name=f"{slug[:80]!r}",
                pool=pool.code,
            )
            raise NotFound("not_found", detail)
        with maybe_dry_run(request):
            approved = DECISIONS[self.action_name]
            decide_event(pool, tournament.stream, approved=approved, **content, by=account)
            (body,) = requests_as_json(pool, [tournament])
        return Response(body)


@extend_schema_view(get=extend_schema(operation_id="roles"))
class RoleList(ValuesListView):
    """The owners, directors and scorers of the event."""

    queryset = Role.objects.none()
    serializer_class = HeldRoleSerializer
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "tournament.tokens")
        held = Role.objects.filter(stream=tournament.stream).select_related("account")
        return self.page_response(self.filter_queryset(held))

    @extend_schema(
        operation_id="grant_role",
        request=RoleRequestSerializer,
        responses={201: NewRoleSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Grant a role to the account of an address; invite an address without an account."""
        tournament, account = require_tournament(request, slug, "tournament.roles")
        content = validated_body(RoleRequestSerializer, request)
        with maybe_dry_run(request):
            granted = grant_or_invite(
                tournament.stream, **content, name=tournament.name, by=account
            )
        is_role = isinstance(granted, Role)
        body = {"role": granted if is_role else None, "invitation": None if is_role else granted}
        return Response(NewRoleSerializer(body).data, status=201)


class RoleView(ApiView):
    problems = {"DELETE": (409,)}

    @extend_schema(operation_id="remove_role", responses={204: None})
    def delete(self, request: Request, slug: str, role_id: int) -> Response:
        """Remove a role; the last owner stays (`last_owner`)."""
        tournament, account = require_tournament(request, slug, "tournament.roles")
        role = Role.objects.filter(stream=tournament.stream, pk=role_id).first()
        if role is None:
            raise NotFound(
                "not_found",
                Text(
                    "there is no role %(number)s in %(event)s",
                    number=role_id,
                    event=tournament.name,
                ),
            )
        with maybe_dry_run(request):
            remove_role(role, by=account)
        return Response(status=204)


@extend_schema_view(get=extend_schema(operation_id="invitations"))
class InvitationList(ValuesListView):
    """The open invitations of the event."""

    queryset = EmailLink.objects.none()
    serializer_class = InvitationSerializer
    is_public = False

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return one page."""
        tournament, _ = require_tournament(request, kwargs["slug"], "tournament.tokens")
        links = open_links(Kind.INVITATION).filter(stream=tournament.stream)
        return self.page_response(self.filter_queryset(links))


class InvitationView(ApiView):
    problems = {"DELETE": (409,)}

    @extend_schema(operation_id="revoke_invitation", responses={204: None})
    def delete(self, request: Request, slug: str, invitation_id: int) -> Response:
        """Revoke an invitation; its token does not work any more."""
        tournament, account = require_tournament(request, slug, "tournament.roles")
        link = _invitation_of(tournament, invitation_id)
        with maybe_dry_run(request):
            revoke_invitation(link, by=account)
        return Response(status=204)


class ResendInvitation(ApiView):
    @extend_schema(operation_id="resend_invitation", request=None, responses=InvitationSerializer)
    def post(self, request: Request, slug: str, invitation_id: int) -> Response:
        """Send the message of an invitation again; its earlier token does not work any more."""
        require_no_members(request.data)
        tournament, account = require_tournament(request, slug, "tournament.roles")
        link = _invitation_of(tournament, invitation_id)
        with maybe_dry_run(request):
            link = resend_invitation(link, by=account)
        return Response(InvitationSerializer(link).data)


def _invitation_of(tournament: Tournament, invitation_id: int) -> EmailLink:
    """Return an invitation of the event; raise NotFound."""
    links = EmailLink.objects.filter(stream=tournament.stream, kind=Kind.INVITATION)
    link = links.filter(pk=invitation_id).first()
    if link is None:
        detail = Text(
            "there is no invitation %(number)s in %(event)s",
            number=invitation_id,
            event=tournament.name,
        )
        raise NotFound("not_found", detail)
    return link
