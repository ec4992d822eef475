"""Rounds and their pairings."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.errors import NotThere
from games.serializers.answers import results_of
from games.views.asking import effect, require_account, sees_drafts, sent
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.pairing import Violation
from tournament.serializers.shapes import (
    ByHandRequest,
    RoundPairings,
    RoundRequest,
    RoundShape,
    WhyRequest,
)
from tournament.services import pairings, rounds
from tournament.views.finding import round_of, tournament_seen_by

UNPUBLISHED = (Round.State.PLANNED, Round.State.DRAFTED)


def pairings_answer(
    tournament: Tournament, this_round: Round, violations: Sequence[Violation] = ()
) -> Response:
    """A round with its current pairings by board, byes last, and what they break, if known."""
    broken = [
        {"code": one.code, "players": list(one.players), "detail": one.sentence}
        for one in violations
    ]
    return Response(
        {
            **({"violations": broken} if broken else {}),
            **({"notes": this_round.notes} if this_round.notes else {}),
            "round": this_round.number,
            "state": this_round.state,
            "system": this_round.system,
            "reason": this_round.reason,
            "pairings": queries.pairings_of(tournament, this_round),
        }
    )


def without_draft(this_round: Round) -> Round:
    """The round without what is known of its pairings before they are published."""
    if this_round.state in UNPUBLISHED:
        this_round.system, this_round.reason = "", ""
    return this_round


class RoundList(APIView):
    @extend_schema(operation_id="rounds", responses=results_of(RoundShape))
    def get(self, request: Request, slug: str) -> Response:
        """The rounds of the event; they are planned when it starts."""
        tournament = tournament_seen_by(request, slug)
        found = list(tournament.round_set.order_by("number"))
        if not sees_drafts(request, tournament.stream):
            found = [without_draft(one) for one in found]
        return Response({"results": RoundShape(found, many=True).data})


class RoundView(APIView):
    @extend_schema(operation_id="round", responses=RoundShape)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """One round."""
        tournament = tournament_seen_by(request, slug)
        found = round_of(tournament, number)
        if not sees_drafts(request, tournament.stream):
            found = without_draft(found)
        return Response(RoundShape(found).data)

    @extend_schema(operation_id="edit_round", request=RoundRequest, responses=RoundShape)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Say on which day the round is played; its games take the day over."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "rounds.edit", stream=tournament.stream)
        this_round = round_of(tournament, number)
        day = sent(RoundRequest, request)["starts_on"]
        with effect(request):
            this_round = rounds.schedule_round(tournament, number, day, by=account)
        return Response(RoundShape(this_round).data)


class RoundPairingsView(APIView):
    @extend_schema(operation_id="pairings", responses=RoundPairings)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The pairings of a round; a draft is for the directors alone."""
        tournament = tournament_seen_by(request, slug)
        this_round = round_of(tournament, number)
        if this_round.state in UNPUBLISHED and not sees_drafts(request, tournament.stream):
            raise NotThere("not_published", f"round {number} is not published yet")
        return pairings_answer(tournament, this_round)

    @extend_schema(operation_id="set_pairings", request=ByHandRequest, responses=RoundPairings)
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Set a round's pairings by hand, with a reason; boards in the order they are sent."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "rounds.edit", stream=tournament.stream)
        this_round = round_of(tournament, number)
        content = sent(ByHandRequest, request)
        boards = [
            pairings.Board(board["first"], board["second"], Pairing.Kind(board["bye"]))
            for board in content["pairings"]
        ]
        with effect(request):
            this_round, violations = pairings.set_pairings(
                tournament, number, boards, reason=content["reason"], by=account
            )
            return pairings_answer(tournament, this_round, violations)


class RoundStep(APIView):
    word = ""

    @extend_schema(request=WhyRequest, responses=RoundPairings)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Pair, publish, unpair or complete a round."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "rounds.edit", stream=tournament.stream)
        this_round = round_of(tournament, number)
        reason = sent(WhyRequest, request)["reason"]
        step: Any = {
            "pair": pairings.pair_round,
            "publish": rounds.publish_round,
            "complete": rounds.complete_round,
        }.get(self.word)
        with effect(request):
            if step is None:
                this_round = pairings.unpair_round(tournament, number, reason=reason, by=account)
            else:
                this_round = step(tournament, number, by=account)
            return pairings_answer(tournament, this_round)
