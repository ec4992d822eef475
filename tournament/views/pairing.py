"""The pre-flight check, the pairing of a round, its certificate and its explanations."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.errors import NotFound
from games.http.members import require_no_members
from games.http.preconditions import unless_changed
from games.http.request import (
    begin_write,
    can_see_drafts,
    is_dry_run,
    require_account,
    task_response,
    validated_body,
)
from games.http.views import ApiView
from games.rules.text import Text
from tournament import queries
from tournament.queries.pairings import pairings_as_json
from tournament.serializers.pairing import (
    CertificateSerializer,
    CheckSerializer,
    ExplainRequestSerializer,
    ExplanationSerializer,
    PairRequestSerializer,
)
from tournament.serializers.pairings import RoundPairingsSerializer
from tournament.services.certificates import current_certificate
from tournament.services.checks import check_round
from tournament.services.explanations import explain_two
from tournament.services.pairings import compute_pairings, pair_round, preview_round
from tournament.views.lookup import require_in_round, round_of, tournament_seen_by
from tournament.views.rounds import visible_round
from tournament.views.targets import round_target


class CheckRound(ApiView):
    problems = {"POST": (409,)}
    throttle_scope = "pairing"
    is_read_only = True

    @extend_schema(operation_id="check_round", request=None, responses=CheckSerializer)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Check whether a round can be paired, who blocks it, and what could give way.

        Nothing is changed.
        """
        require_no_members(request.data)
        tournament, _ = require_in_round(request, slug, number, "pair")
        this_round = round_of(tournament, number)
        return Response(check_round(tournament, this_round).as_json())


class PairRound(ApiView):
    has_precondition = True
    throttle_scope = "pairing"

    @extend_schema(
        operation_id="pair_round",
        request=PairRequestSerializer,
        responses=RoundPairingsSerializer,
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Pair a round with the tournament's pairing system. A draft is paired again.

        If there is no legal pairing, the response is 409. It names the players who block the
        round, and in `relaxations` the rules that could give way. To relax these rules, send them
        as `relax`, with a reason.
        """
        tournament, account = require_in_round(request, slug, number, "pair")
        content = validated_body(PairRequestSerializer, request)
        computed = compute_pairings(tournament, number, **content)
        target, dry_run = round_target(tournament, number), is_dry_run(request)
        begin_write(request)
        with unless_changed(request, target, by=account, dry_run=dry_run):
            if dry_run:
                preview = preview_round(tournament, number, computed, reason=content["reason"])
                return Response(preview)
            this_round = pair_round(tournament, number, by=account, computed=computed, **content)
        return Response(pairings_as_json(tournament, this_round))


class CertificateView(ApiView):
    @extend_schema(operation_id="certificate", responses=CertificateSerializer)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return the certificate of a paired round, as a file for `verify_certificate`."""
        tournament = tournament_seen_by(request, slug)
        this_round = visible_round(request, tournament, number)
        certificate = current_certificate(this_round)
        if certificate is None:
            paired_by = (
                Text("paired by %(name)s", name=this_round.system)
                if this_round.system
                else Text("not paired")
            )
            raise NotFound(
                "no_certificate",
                Text(
                    "round %(number)s has no certificate: %(detail)s",
                    number=number,
                    detail=paired_by,
                ),
            )
        return HttpResponse(certificate.text, content_type="application/json")


class ExplainTwo(ApiView):
    problems = {"POST": (409,)}
    throttle_scope = "explanation"
    is_read_only = True

    @extend_schema(
        operation_id="explain",
        request=ExplainRequestSerializer,
        responses={200: ExplanationSerializer, 202: ExplanationSerializer},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Explain why two players, by pairing number, do not meet in a round.

        The round is paired again with the pair forced; the reason says what gets worse. For a large
        round, the response is 202, and the result of the task has the reason.
        """
        tournament = tournament_seen_by(request, slug)
        this_round = visible_round(request, tournament, number)
        content = validated_body(ExplainRequestSerializer, request)
        if not can_see_drafts(request, tournament.stream):
            require_account(request, "rounds.explain", stream=tournament.stream)
        explanation = explain_two(tournament, this_round, content["a"], content["c"])
        body = {"round": number, **content, "numbers": explanation.certificate.entries}
        explained = queries.explanation_with_names(explanation)
        if explained is not None:
            return Response(body | explained)
        return task_response(request, queries.explanation_progress, explanation.pk, body)
