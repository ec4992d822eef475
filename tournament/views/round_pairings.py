"""The pairings of a round: read them, set them by hand, change single boards."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.preconditions import tag_for_writes, unless_changed
from games.core.requests import (
    can_see_drafts,
    is_dry_run,
    is_flag_set,
    maybe_dry_run,
    task_response,
    validated_body,
)
from games.core.views import ApiView
from tournament import queries
from tournament.core.locking import round_target
from tournament.core.lookup import require_in_round, tournament_seen_by
from tournament.core.violations import HandPairing
from tournament.models import Pairing
from tournament.rounds.by_hand import change_boards
from tournament.rounds.explanations import add_reasons, explain_pairings
from tournament.rounds.queries import pairings_as_json
from tournament.rounds.serializers import (
    BoardChangesSerializer,
    ByHandRequestSerializer,
    RoundPairingsSerializer,
)
from tournament.services import by_hand
from tournament.views.seen import visible_round

EXPLAIN = OpenApiParameter("explain", bool, description="add the reasons of every board")


class RoundPairingsView(ApiView):
    problems = {"GET": (409,)}
    has_precondition = True
    public_read = "slug"

    @extend_schema(
        operation_id="pairings",
        parameters=[EXPLAIN],
        responses={200: RoundPairingsSerializer, 202: RoundPairingsSerializer},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return the pairings of a round; only directors see a draft.

        With `?explain=1` each board has its reasons; a task computes those of a large round (202).
        """
        tournament = tournament_seen_by(request, slug)
        this_round = visible_round(request, tournament, number)
        if can_see_drafts(request, tournament.stream):
            tag_for_writes(request, round_target(tournament, number, this_round))
        body = pairings_as_json(tournament, this_round)
        if not is_flag_set(request, "explain"):
            return Response(body)
        self.is_final = False
        explanation = explain_pairings(this_round)
        if explanation.body is not None:
            return Response(add_reasons(body, explanation))
        return task_response(request, queries.explanation_progress, explanation.pk, body)

    @extend_schema(
        operation_id="set_pairings",
        request=ByHandRequestSerializer,
        responses=RoundPairingsSerializer,
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Set all pairings of a draft by hand, with a reason; boards are numbered as sent.

        Each player who is present needs a game or a bye. `violations` are the rules that the
        pairings break; `publish` requires their acceptance. In an event with handicaps, boards for
        which none is named get the recommended one, in the seats that it needs.
        """
        tournament, account = require_in_round(request, slug, number, "set_pairings")
        content = validated_body(ByHandRequestSerializer, request)
        pairings = _hand_pairings(content["pairings"])
        reason = content["reason"]
        target = round_target(tournament, number)
        dry_run = is_dry_run(request)
        with unless_changed(request, target, by=account, dry_run=dry_run):
            if dry_run:
                preview = by_hand.preview_pairings(tournament, number, pairings, reason=reason)
                return Response(preview)
            this_round, draft = by_hand.set_pairings(
                tournament, number, pairings, reason=reason, by=account
            )
        return Response(pairings_as_json(tournament, this_round) | draft.as_json())

    @extend_schema(
        operation_id="change_boards",
        request=BoardChangesSerializer,
        responses=RoundPairingsSerializer,
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        """Change single boards or byes of a draft or of a published round, with a reason.

        The other boards stay as they are, with their games. The games of changed boards become
        void. In a published round, `accept` must name the rules that the round breaks then, and
        `game-reported` if a changed board has reports (409 `acceptance_needed`). Only the handicap
        of two players can change too, until their game has a report (409 `handicap_fixed`).
        """
        tournament, account = require_in_round(request, slug, number, "change_boards")
        content = validated_body(BoardChangesSerializer, request)
        changes = _hand_pairings(content.pop("boards"))
        target = round_target(tournament, number)
        with maybe_dry_run(request), unless_changed(request, target, by=account):
            this_round, draft = change_boards(tournament, number, changes, **content, by=account)
            body = pairings_as_json(tournament, this_round)
        return Response(body | draft.as_json())


def _hand_pairings(rows: list[dict[str, Any]]) -> list[HandPairing]:
    return [
        HandPairing(
            first=row["first"],
            second=row["second"],
            bye=Pairing.Kind(row["bye"]),
            board=row.get("board"),
            handicap=(row["handicap"] or "") if "handicap" in row else None,
        )
        for row in rows
    ]
