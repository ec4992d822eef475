"""Rounds and their pairings."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.http.errors import NotFound
from games.http.request import (
    can_see_drafts,
    is_flag_set,
    maybe_dry_run,
    require_account,
    validated_body,
)
from games.http.tasks import task_response
from games.serializers.fields import results_of
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.serializers.rounds import (
    ByHandRequest,
    RoundPairings,
    RoundRequest,
    RoundSerializer,
    WhyRequest,
)
from tournament.services import by_hand, explanations, pairings, rounds
from tournament.views.lookup import round_of, tournament_seen_by

EXPLAIN = OpenApiParameter("explain", bool, description="with the reasons of every board")
UNPUBLISHED = (Round.State.PLANNED, Round.State.DRAFTED)


def pairings_answer(
    tournament: Tournament, this_round: Round, hand: by_hand.HandPairedRound | None = None
) -> Response:
    """A round with its current pairings by board, byes last.

    Of pairings set by hand also what they break and what they change of the engine's.
    """
    return Response(shown_pairings(tournament, this_round) | (hand.as_json() if hand else {}))


def shown_pairings(tournament: Tournament, this_round: Round) -> dict[str, Any]:
    """A round and its pairings as the API shows them."""
    return {
        **({"notes": this_round.notes} if this_round.notes else {}),
        "round": this_round.number,
        "state": this_round.state,
        "system": this_round.system,
        "reason": this_round.reason,
        "relaxed": this_round.relaxed,
        "pairings": [
            pairing.as_json() for pairing in queries.load_pairings(tournament, this_round)
        ],
    }


def shown_round(request: Request, tournament: Tournament, number: int) -> Round:
    """A round whose pairings the asker may see; raises NotFound for a draft of others."""
    this_round = round_of(tournament, number)
    if this_round.state in UNPUBLISHED and not can_see_drafts(request, tournament.stream):
        raise NotFound("not_published", f"round {number} is not published yet")
    return this_round


def without_draft(this_round: Round) -> Round:
    """The round without what is known of its pairings before they are published."""
    if this_round.state in UNPUBLISHED:
        this_round.system, this_round.reason = "", ""
        this_round.notes, this_round.relaxed = [], []
    return this_round


class RoundList(APIView):
    @extend_schema(operation_id="rounds", responses=results_of(RoundSerializer))
    def get(self, request: Request, slug: str) -> Response:
        """The rounds of the event; they are planned when it starts."""
        tournament = tournament_seen_by(request, slug)
        found = list(tournament.round_set.order_by("number"))
        if not can_see_drafts(request, tournament.stream):
            found = [without_draft(one) for one in found]
        return Response({"results": RoundSerializer(found, many=True).data})


class RoundView(APIView):
    @extend_schema(operation_id="round", responses=RoundSerializer)
    def get(self, request: Request, slug: str, number: int) -> Response:
        """One round."""
        tournament = tournament_seen_by(request, slug)
        found = round_of(tournament, number)
        if not can_see_drafts(request, tournament.stream):
            found = without_draft(found)
        return Response(RoundSerializer(found).data)

    @extend_schema(operation_id="edit_round", request=RoundRequest, responses=RoundSerializer)
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Say on which day the round is played; its games take the day over."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "rounds.edit", stream=tournament.stream)
        this_round = round_of(tournament, number)
        day = validated_body(RoundRequest, request)["starts_on"]
        with maybe_dry_run(request):
            this_round = rounds.schedule_round(tournament, number, day, by=account)
        return Response(RoundSerializer(this_round).data)


class RoundPairingsView(APIView):
    @extend_schema(
        operation_id="pairings",
        parameters=[EXPLAIN],
        responses={200: RoundPairings, 202: RoundPairings},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """The pairings of a round; a draft is for the directors alone.

        With `?explain=1` each board has its reasons; of a large round a task brings them (202).
        """
        tournament = tournament_seen_by(request, slug)
        this_round = shown_round(request, tournament, number)
        body = shown_pairings(tournament, this_round)
        if not is_flag_set(request, "explain"):
            return Response(body)
        found = explanations.explain_pairings(this_round)
        if found.body is None:
            return task_response(request, lambda: queries.explanation_progress(found.pk), body)
        return Response(explanations.add_reasons(body, found))

    @extend_schema(operation_id="set_pairings", request=ByHandRequest, responses=RoundPairings)
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Set a round's pairings by hand, with a reason; boards in the order they are sent."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "rounds.edit", stream=tournament.stream)
        round_of(tournament, number)
        content = validated_body(ByHandRequest, request)
        boards = [
            by_hand.HandPairing(board["first"], board["second"], Pairing.Kind(board["bye"]))
            for board in content["pairings"]
        ]
        with maybe_dry_run(request):
            hand = by_hand.set_pairings(
                tournament, number, boards, reason=content["reason"], by=account
            )
            return pairings_answer(tournament, hand.round, hand)


class RoundStep(APIView):
    word = ""

    @extend_schema(request=WhyRequest, responses=RoundPairings)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Publish, unpair or complete a round."""
        tournament = tournament_seen_by(request, slug)
        account = require_account(request, "rounds.edit", stream=tournament.stream)
        this_round = round_of(tournament, number)
        reason = validated_body(WhyRequest, request)["reason"]
        step: Any = {
            "publish": rounds.publish_round,
            "complete": rounds.complete_round,
        }.get(self.word)
        with maybe_dry_run(request):
            if step is None:
                this_round = pairings.unpair_round(tournament, number, reason=reason, by=account)
            else:
                this_round = step(tournament, number, by=account)
            return pairings_answer(tournament, this_round)
