"""Corrections of an event: preview, commit, undo, and what each did."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from games.core.actions import Answer, Call, with_accepted_task, with_task
from games.core.errors import Unprocessable, check_all, require_found
from games.core.pagination import CursorPages
from games.core.permissions import can_see_drafts
from games.core.preconditions import content_tag
from games.core.types import described, written
from games.core.views import ApiView, ValuesListView, endpoint
from games.rules.text import Text
from ratings.batches.queries import batch_progress
from tournament.core.lookup import ActionInEvent, tournament_seen_by
from tournament.corrections.effects import Preview
from tournament.corrections.queries import (
    CommittedCorrection,
    CorrectionDetails,
    CorrectionPreview,
    CorrectionRow,
    correction_as_json,
    correction_with_effect,
    describe_effect,
    load_corrections,
)
from tournament.corrections.serializers import CorrectionRequestSerializer, UndoRequestSerializer
from tournament.corrections.services import Requested, commit, draft, preview
from tournament.models import Correction, Tournament


def correction_of(tournament: Tournament, number: int) -> Correction:
    """Return a correction of the event; raises NotFound."""
    detail = Text(
        "there is no correction %(number)s of %(event)s", number=number, event=tournament.name
    )
    return require_found(load_corrections(tournament).filter(number=number).first(), detail)


CORRECTED = PolymorphicProxySerializer(
    component_name="CorrectionOrPreview",
    serializers=[described(CommittedCorrection), written(CorrectionPreview, ())],
    resource_type_field_name=None,
)
"""A correction, after the wait for its task; of a dry run, its effect."""


class CommitCorrection(ActionInEvent):
    """Correct results of games, byes, and values of entries of complete rounds.

    A dry run returns the effect and its `digest`: the standings and prizes that change, the later
    rounds that would be paired differently, the ratings of this and later tournaments, and in a
    bracket the first round with wrong players. The same body with this `digest` commits it; if the
    effect has changed since, the answer is 412 with what changed. Later rounds stay as they were
    played; a draft that would be paired differently is withdrawn. Where a tournament is filed with
    a pool, the answer is 202 with the task that computes the ratings anew, else 201. Directors
    correct until the tournament is final, its owners then, and site staff once it is archived.
    """

    rule = "correct"
    body: type[Serializer] = CorrectionRequestSerializer
    example = {
        "reason": "the slip of board 3 was misread",
        "changes": [{"game_id": 311, "result": "0-1"}],
    }
    responses = {200: CORRECTED, 201: CommittedCorrection, 202: CommittedCorrection}
    location = "tournaments/{slug}/corrections/{number}"
    problems = (412,)
    cost = "pairing"
    needs_digest = True
    done = gettext_noop("The correction is made.")

    def requested(self, call: Call, tournament: Tournament) -> Requested:
        """Return the correction that a call requests."""
        return Requested(tournament=tournament, by=call.account, **call.body)

    def prepare(self, call: Call, tournament: Tournament) -> tuple[Requested, Preview]:
        requested = self.requested(call, tournament)
        needs_digest = self.needs_digest and not call.dry_run
        *_, previewed = check_all(
            *([partial(_require_digest, requested)] if needs_digest else []),
            partial(preview, requested),
        )
        return requested, previewed

    def try_out(self, call: Call, prepared: tuple[Requested, Preview]) -> CorrectionPreview:
        """Return the effect with its digest; check a digest that is given as a commit does."""
        requested, previewed = prepared
        if requested.digest:
            draft(*prepared)
        changes, effect = previewed.changes.as_json(), previewed.effect.as_json()
        body = describe_effect(requested.tournament, changes, effect, is_official=True)
        return {"digest": previewed.digest, **body}

    def perform(self, call: Call, prepared: tuple[Requested, Preview]) -> Answer:
        requested, _ = prepared
        correction, batches = commit(*prepared)
        correction.refresh_from_db()  # a database may order the members of JSON: the tag is equal
        body = correction_with_effect(requested.tournament, correction, is_official=True)
        if batches:
            return with_task(lambda: body, batch_progress, batches[0].pk)
        return Answer(body, status=201)

    def made_tag(self, call: Call, content: Any) -> str:
        return content_tag(content)

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        return with_accepted_task(accepted, batch_progress)


def _require_digest(requested: Requested) -> None:
    if not requested.digest:
        detail = Text("a correction needs the `digest` of its dry run (`?dry_run=1`)")
        needed = {"code": "required", "pointer": "/digest", "detail": detail}
        raise Unprocessable("invalid", detail, [needed])


class UndoCorrection(CommitCorrection):
    """Undo a correction by the inverse one, which can be undone in turn.

    Games have the reports and results that they had before. A dry run returns the effect and its
    `digest`. Refused (409 `changed_since`) if one of the values has changed since, and, with the
    `digest` of the dry run, if the effect has (412).
    """

    name = "undo_correction"
    body = UndoRequestSerializer
    example = {"reason": "the slip was right"}
    needs_digest = False
    done = gettext_noop("The correction is undone.")

    def requested(self, call: Call, tournament: Tournament) -> Requested:
        """Return the inverse of the correction in the address; raise NotFound."""
        undoes = correction_of(tournament, call.address["correction"])
        return Requested(tournament=tournament, by=call.account, undoes=undoes, **call.body)


class CorrectionsByNumber(CursorPages):
    ordering = ("number",)


class CorrectionList(ValuesListView):
    """The corrections of a tournament, oldest first.

    Anyone who sees the tournament may read it. One that undoes another names it in `undoes`.
    """

    pagination_class = CorrectionsByNumber
    post = endpoint(CommitCorrection)

    def get_queryset(self) -> Any:
        self.tournament = tournament_seen_by(self.request, self.kwargs["slug"])
        return load_corrections(self.tournament)

    def row_as_json(self, row: Any) -> CorrectionRow:
        return correction_as_json(self.tournament, row)


class CorrectionView(ApiView):
    @extend_schema(responses=described(CorrectionDetails))
    def get(self, request: Request, slug: str, correction: int) -> Response:
        """Return a correction and what it did.

        Personal values of entries, and rounds that are not published, are for officials only.
        """
        tournament = tournament_seen_by(request, slug)
        found = correction_of(tournament, correction)
        is_official = can_see_drafts(request, tournament.stream)
        return Response(correction_with_effect(tournament, found, is_official=is_official))
