"""What surrounds a round's pairing: the pre-flight, the pairing, its certificate, its reasons."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.errors import NotFound
from games.http.request import can_see_drafts, maybe_dry_run, require_account, validated_body
from games.http.tasks import task_response
from tournament import queries
from tournament.models import Explanation
from tournament.pairing.relaxations import parse_relaxations
from tournament.serializers.pairing import (
    CertificateSerializer,
    CheckSerializer,
    ExplainedSerializer,
    ExplainRequest,
    PairRequest,
)
from tournament.serializers.rounds import RoundPairings
from tournament.services import checks, explanations, pairings
from tournament.services.certificates import current_certificate
from tournament.views.lookup import round_of, tournament_seen_by
from tournament.views.rounds import pairings_answer, shown_round

DRY_RUN = OpenApiParameter("dry_run", bool, description="show the maybe_dry_run, change nothing")


class CheckRound(APIView):
    @extend_schema(operation_id="check_round", request=None, responses=CheckSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Look whether a round can be paired, who blocks it, and what could give way.

        Nothing is changed.
        """
        tournament = tournament_seen_by(request, slug)
        require_account(request, "rounds.edit", stream=tournament.stream)
        this_round = round_of(tournament, number)
        return Response(checks.check_round(tournament, this_round).as_dict())


class PairRound(APIView):
    @extend_schema(
        operation_id="pair_round",
        parameters=[DRY_RUN],
        request=PairRequest,
        responses=RoundPairings,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Pair a round by the event's system; a draft is paired anew.

        Where there is no legal pairing, 409 names who blocks, and `relaxations` what could give
        way: validated_body back as `relax`, with a reason, it may.
        """
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "rounds.edit", stream=tournament.stream)
        round_of(tournament, number)
        content = validated_body(PairRequest, request)
        relax = parse_relaxations(content["relax"])
        with maybe_dry_run(request):
            this_round = pairings.pair_round(
                tournament, number, by=account, relax=relax, reason=content["reason"]
            )
            return pairings_answer(tournament, this_round)


class CertificateView(APIView):
    @extend_schema(operation_id="certificate", responses=CertificateSerializer)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """The certificate of a round that the engine paired, as a file for `verify_certificate`."""
        tournament = tournament_seen_by(request, slug)
        this_round = shown_round(request, tournament, number)
        found = current_certificate(this_round)
        if found is None:
            detail = f"round {number} has no certificate: {this_round.system or 'it is not paired'}"
            raise NotFound("no_certificate", detail)
        return HttpResponse(found.text, content_type="application/json")


class ExplainTwo(APIView):
    @extend_schema(
        operation_id="explain",
        request=ExplainRequest,
        responses={200: ExplainedSerializer, 202: ExplainedSerializer},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Tell why two players, by pairing number, do not meet in a round.

        The round is paired again with the two made to meet, and what gets worse is told. Of a
        large round that is a task: 202, and its result holds the reason.
        """
        tournament = tournament_seen_by(request, slug)
        this_round = shown_round(request, tournament, number)
        content = validated_body(ExplainRequest, request)
        if not can_see_drafts(request, tournament.stream):
            require_account(request, "rounds.explain", stream=tournament.stream)
        found = explanations.explain_two(tournament, this_round, content["a"], content["c"])
        body = {"round": number, **content, "numbers": found.certificate.entries}
        return explained(request, found, body, found.body or {})


def explained(
    request: Request, found: Explanation, body: Mapping[str, Any], reasons: Mapping[str, Any]
) -> Response:
    """What was asked with its reasons, or with the task that brings them."""
    if found.body is not None:
        return Response({**body, **reasons})
    return task_response(request, lambda: queries.explanation_progress(found.pk), dict(body))
