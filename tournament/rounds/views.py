"""The pre-flight check, the pairing of a round, its certificate and its explanations."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.actions import Action, Answer, Call, endpoint, with_task
from games.core.errors import NotFound
from games.core.requests import can_see_drafts, require_account
from games.core.views import ApiView
from games.rules.text import Text
from tournament import queries
from tournament.core.lookup import ActionInRound, RoundAt, round_of, tournament_seen_by
from tournament.models import Round
from tournament.rounds.checks import check_round
from tournament.rounds.explanations import explain_two
from tournament.rounds.pairing import ComputedPairings, compute_pairings, pair_round, preview_round
from tournament.rounds.queries import pairings_as_json
from tournament.rounds.serializers import RoundPairingsSerializer
from tournament.serializers.pairing import (
    CertificateSerializer,
    CheckSerializer,
    ExplainRequestSerializer,
    ExplanationSerializer,
    PairRequestSerializer,
)
from tournament.services.certificates import current_certificate
from tournament.views.seen import visible_round


class CheckRound(ActionInRound):
    """Check whether a round can be paired, who blocks it, and what could give way.

    Nothing is changed.
    """

    name = "check_round"
    round_action = "pair"
    response = CheckSerializer
    problems = (409,)
    cost = "pairing"
    is_read_only = True

    def perform(self, call: Call, found: RoundAt) -> dict[str, Any]:
        return check_round(found.tournament, round_of(*found)).as_json()


class PairRound(ActionInRound):
    """Pair a round with the tournament's pairing system. A draft is paired again.

    If there is no legal pairing, the response is 409. It names the players who block the round, and
    in `relaxations` the rules that could give way. To relax these rules, send them as `relax`, with
    a reason.
    """

    name = "pair_round"
    round_action = "pair"
    body = PairRequestSerializer
    response = RoundPairingsSerializer
    has_precondition = True
    cost = "pairing"
    done = gettext_noop("The round is paired; only officials see it.")

    def prepare(self, call: Call, found: RoundAt) -> tuple[RoundAt, ComputedPairings]:
        return found, compute_pairings(*found, **call.body)

    def try_out(self, call: Call, prepared: tuple[RoundAt, ComputedPairings]) -> dict[str, Any]:
        found, computed = prepared
        return preview_round(*found, computed, reason=call.body["reason"])

    def perform(self, call: Call, prepared: tuple[RoundAt, ComputedPairings]) -> dict[str, Any]:
        found, computed = prepared
        paired = pair_round(*found, by=call.account, computed=computed, **call.body)
        return pairings_as_json(found.tournament, paired)


class ExplainTwo(Action):
    """Explain why two players, by pairing number, do not meet in a round.

    The round is paired again with the pair forced; the reason says what gets worse. For a large
    round, the response is 202, and the result of the task has the reason.
    """

    name = "explain"
    permission = "rounds.explain"
    body = ExplainRequestSerializer
    responses = {200: ExplanationSerializer, 202: ExplanationSerializer}
    problems = (409,)
    cost = "explanation"
    is_read_only = True

    def find(self, call: Call) -> Round:
        tournament = tournament_seen_by(call, call.address["slug"])
        return visible_round(call, tournament, call.address["number"])

    def check(self, call: Call, found: Round) -> None:
        stream = found.tournament.stream
        if not can_see_drafts(call, stream):
            require_account(call, self.permission, stream=stream)

    def perform(self, call: Call, this_round: Round) -> Answer:
        explanation = explain_two(this_round.tournament, this_round, call.body["a"], call.body["c"])
        numbers = explanation.certificate.entries
        body = {"round": this_round.number, **call.body, "numbers": numbers}
        explained = queries.explanation_with_names(explanation)
        if explained is not None:
            return Answer(body | explained)
        return with_task(body, queries.explanation_progress, explanation.pk)


class RoundCheck(ApiView):
    post = endpoint(CheckRound)


class RoundPairing(ApiView):
    post = endpoint(PairRound)


class RoundExplanation(ApiView):
    post = endpoint(ExplainTwo)


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
