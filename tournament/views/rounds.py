"""Rounds and their pairings."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import can_see_drafts, maybe_dry_run, validated_body
from games.core.serializers import results_of
from games.core.views import ApiView
from tournament.core.locking import round_target, tournament_target
from tournament.core.lookup import (
    allowed_round_actions,
    require_in_round,
    round_of,
    tournament_seen_by,
)
from tournament.rounds.queries import pairings_as_json
from tournament.rounds.serializers import RoundPairingsSerializer
from tournament.rounds.services import reopen_round, unpair_round
from tournament.serializers.rounds import (
    PublishRequestSerializer,
    RoundActionSerializer,
    RoundDetailSerializer,
    RoundRequestSerializer,
    RoundSerializer,
)
from tournament.services import rounds
from tournament.views.seen import hide_draft


class RoundList(ApiView):
    public_read = "slug"

    @extend_schema(operation_id="rounds", responses=results_of(RoundSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """Return the rounds of the event, which its start plans."""
        tournament = tournament_seen_by(request, slug)
        found = list(tournament.round_set.order_by("number"))
        if not can_see_drafts(request, tournament.stream):
            found = [hide_draft(this_round) for this_round in found]
        return Response({"results": RoundSerializer(found, many=True).data})


class RoundView(ApiView):
    has_precondition = True
    public_read = "slug"

    @extend_schema(operation_id="round", responses=RoundDetailSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return a round."""
        tournament = tournament_seen_by(request, slug)
        this_round = round_of(tournament, number)
        if can_see_drafts(request, tournament.stream):
            tag_for_writes(request, round_target(tournament, number, this_round))
        else:
            this_round = hide_draft(this_round)
        actions = allowed_round_actions(request, tournament, this_round)
        return Response({**RoundSerializer(this_round).data, "allowed_actions": actions})

    @extend_schema(
        operation_id="edit_round", request=RoundRequestSerializer, responses=RoundSerializer
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Set the date, or the date and time, of the round and of its games.

        Before the start of the event, too. Without a time, the round has only a date.
        """
        tournament, account = require_in_round(request, slug, number, "edit")
        context = {"zone": tournament.time_zone}
        content = validated_body(RoundRequestSerializer, request, context=context)
        day, starts_at = content.get("starts_on"), content.get("starts_at")
        time = None
        if starts_at is not None:
            day, time = starts_at.date(), starts_at.time()
        is_planned = tournament.round_set.filter(number=number).exists()
        target = round_target(tournament, number) if is_planned else tournament_target(tournament)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            this_round = rounds.schedule_round(tournament, number, day, time, by=account)
        return Response(RoundSerializer(this_round).data)


class PublishRound(ApiView):
    has_precondition = True

    @extend_schema(
        operation_id="publish_round",
        request=PublishRequestSerializer,
        responses=RoundPairingsSerializer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Publish a draft and create its games.

        If the round breaks rules, such as a rematch set by hand or a player who withdrew, `accept`
        must name them; otherwise the response is 409 `acceptance_needed` and lists them.
        """
        tournament, account = require_in_round(request, slug, number, "publish")
        accept = validated_body(PublishRequestSerializer, request)["accept"]
        target = round_target(tournament, number)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            this_round = rounds.publish_round(tournament, number, by=account, accept=accept)
            body = pairings_as_json(tournament, this_round)
        return Response(body)


class RoundActionView(ApiView):
    has_precondition = True
    action_name = ""

    @extend_schema(request=RoundActionSerializer, responses=RoundPairingsSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Unpair, complete or reopen a round.

        `unpair` withdraws the pairings: the round is planned again, and its games are void until
        `restore` makes this version current again. `reopen` sets a complete round back to
        published. Both withdraw the drafts of later rounds, and are rejected once a later round is
        published (409 `later_round_published`).
        """
        tournament, account = require_in_round(request, slug, number, self.action_name)
        reason = validated_body(RoundActionSerializer, request)["reason"]
        target = round_target(tournament, number)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            if self.action_name == "complete":
                this_round = rounds.complete_round(tournament, number, by=account)
            elif self.action_name == "reopen":
                this_round = reopen_round(tournament, number, reason=reason, by=account)
            else:
                this_round = unpair_round(tournament, number, reason=reason, by=account)
            body = pairings_as_json(tournament, this_round)
        return Response(body)
