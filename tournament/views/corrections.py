"""Corrections of an event: preview, commit, undo, and what each did."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from games.http.errors import NotFound
from games.http.generics import ValuesListView
from games.http.pagination import CursorPages
from games.http.request import (
    begin_write,
    can_see_drafts,
    is_dry_run,
    task_response,
    validated_body,
)
from games.http.views import ApiView
from games.rules.text import Text
from ratings.queries.pools import batch_progress
from ratings.serializers.pools import ReasonSerializer
from tournament.models import Correction, Tournament
from tournament.queries.corrections import (
    correction_as_json,
    correction_with_effect,
    describe_effect,
    load_corrections,
)
from tournament.serializers.corrections import (
    CorrectionCommittedSerializer,
    CorrectionDetailSerializer,
    CorrectionPreviewRequestSerializer,
    CorrectionPreviewSerializer,
    CorrectionRequestSerializer,
    CorrectionSerializer,
    UndoRequestSerializer,
)
from tournament.services.corrections import commit
from tournament.services.corrections.effects import Preview
from tournament.services.corrections.writing import Committed
from tournament.views.lookup import require_in_event, tournament_seen_by


def correction_of(tournament: Tournament, number: int) -> Correction:
    """Return a correction of the event; raises NotFound."""
    correction = load_corrections(tournament).filter(number=number).first()
    if correction is None:
        raise NotFound(
            "not_found",
            Text(
                "there is no correction %(number)s of %(event)s",
                number=number,
                event=tournament.name,
            ),
        )
    return correction


def _committed_response(request: Request, tournament: Tournament, committed: Committed) -> Response:
    correction, batches = committed
    body = correction_with_effect(tournament, correction, is_official=True)
    if batches:
        return task_response(request, batch_progress, batches[0].pk, body)
    return Response(body)


def _preview_response(tournament: Tournament, preview: Preview) -> Response:
    changes, effect = preview.changes.as_json(), preview.effect.as_json()
    body = describe_effect(tournament, changes, effect, is_official=True)
    return Response({"digest": preview.digest, **body})


class CorrectionPreview(ApiView):
    problems = {"POST": (409,)}
    throttle_scope = "pairing"
    is_read_only = True

    @extend_schema(
        operation_id="preview_correction",
        request=CorrectionPreviewRequestSerializer,
        responses=CorrectionPreviewSerializer,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Return what a correction of complete rounds would do; nothing is changed.

        Corrected are results of games, byes, and values of entries. The effect has the standings
        and prizes that change, the later rounds that would be paired differently, the ratings of
        this and later events, and in a bracket the first round with wrong players. `digest` commits
        the correction.
        """
        tournament, account = require_in_event(request, slug, "correct")
        content = validated_body(CorrectionPreviewRequestSerializer, request)
        requested = content.pop("changes")
        preview = commit.preview_correction(tournament, requested, **content, by=account)
        return _preview_response(tournament, preview)


class CorrectionsByNumber(CursorPages):
    ordering = ("number",)


@extend_schema_view(get=extend_schema(operation_id="corrections"))
class CorrectionList(ValuesListView):
    """The corrections of an event, oldest first."""

    queryset = Correction.objects.none()
    serializer_class = CorrectionSerializer
    pagination_class = CorrectionsByNumber
    problems = {"POST": (412,)}

    def get_queryset(self) -> Any:
        return load_corrections(tournament_seen_by(self.request, self.kwargs["slug"]))

    def row_as_json(self, row: Any) -> dict[str, Any]:
        return correction_as_json(row)

    @extend_schema(
        operation_id="commit_correction",
        request=CorrectionRequestSerializer,
        responses={200: CorrectionCommittedSerializer, 202: CorrectionCommittedSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Commit a correction that was previewed: the same body with the `digest` of the preview.

        If its effect has changed since, the answer is 412 with what changed. Later rounds stay as
        they were played; a draft that would be paired differently is withdrawn. The snapshots of
        rounds stay; those of a final event get a new version. Where an event is filed with a pool,
        the answer is 202 with the task that computes the ratings anew. Directors correct until the
        event is final, its owners then, and site staff once it is archived.
        """
        tournament, account = require_in_event(request, slug, "correct")
        content = validated_body(CorrectionRequestSerializer, request)
        requested = content.pop("changes")
        begin_write(request)
        committed = commit.commit_correction(
            tournament, requested, **content, by=account, dry_run=is_dry_run(request)
        )
        return _committed_response(request, tournament, committed)


class CorrectionView(ApiView):
    @extend_schema(operation_id="correction", responses=CorrectionDetailSerializer)
    def get(self, request: Request, slug: str, correction: int) -> Response:
        """Return a correction and what it did.

        Personal values of entries, and rounds that are not published, are for officials only.
        """
        tournament = tournament_seen_by(request, slug)
        found = correction_of(tournament, correction)
        is_official = can_see_drafts(request, tournament.stream)
        return Response(correction_with_effect(tournament, found, is_official=is_official))


class UndoPreview(ApiView):
    problems = {"POST": (409,)}
    throttle_scope = "pairing"
    is_read_only = True

    @extend_schema(
        operation_id="preview_undo", request=ReasonSerializer, responses=CorrectionPreviewSerializer
    )
    def post(self, request: Request, slug: str, correction: int) -> Response:
        """Return what undoing a correction would do, and its digest; nothing is changed."""
        tournament, account = require_in_event(request, slug, "correct")
        content = validated_body(ReasonSerializer, request)
        found = correction_of(tournament, correction)
        preview = commit.preview_undo(tournament, found, **content, by=account)
        return _preview_response(tournament, preview)


class UndoCorrection(ApiView):
    problems = {"POST": (412,)}
    throttle_scope = "pairing"

    @extend_schema(
        operation_id="undo_correction",
        request=UndoRequestSerializer,
        responses={
            200: CorrectionCommittedSerializer,
            202: CorrectionCommittedSerializer,
        },
    )
    def post(self, request: Request, slug: str, correction: int) -> Response:
        """Undo a correction by the inverse one, which can be undone in turn.

        Games have the reports and results that they had before. Refused (409 `changed_since`) if
        one of the values has changed since, and, with the `digest` of its preview, if the effect
        has (412).
        """
        tournament, account = require_in_event(request, slug, "correct")
        content = validated_body(UndoRequestSerializer, request)
        found = correction_of(tournament, correction)
        begin_write(request)
        committed = commit.undo_correction(
            tournament, found, **content, by=account, dry_run=is_dry_run(request)
        )
        return _committed_response(request, tournament, committed)
