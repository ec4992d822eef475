"""The API's index, and the tasks of all apps under one address."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from deploy.api import problem_body
from games.accounts.permissions import MATRIX, may
from games.http.errors import NotFound
from games.http.request import can_see_drafts, current_account, games_seen_by, reader
from games.models import Upload
from games.queries import report_progress, upload_progress
from games.serializers.games import TaskSerializer
from games.serializers.uploads import ImportTaskSerializer
from ratings.queries import batch_progress
from tournament.models import Explanation
from tournament.queries import explanation_progress, visible_tournaments
from tournament.views.rounds import UNPUBLISHED

PROGRESS: dict[str, Callable[[int], dict[str, Any] | None]] = {
    "report": report_progress,
    "batch": batch_progress,
    "explanation": explanation_progress,
    "import": upload_progress,
}
SHOWN = ("id", "state", "progress", "result", "problem")


def sees_report(request: Request, number: int, stream: str) -> bool:
    """Whether the caller may read what was reported of the game in that report."""
    game = games_seen_by(request).filter(reports=number).select_related("first", "second").first()
    if game is None:
        return False
    user, token = current_account(request)
    return may(user, token, "game.reports", stream=stream, seats=game.seats_of(user))


def sees_batch(request: Request, _number: int, stream: str) -> bool:
    """Whether the caller may see the event that the batch came from."""
    kind, _, slug = stream.partition("/")
    seen = visible_tournaments(*reader(request, "tournament.see"))
    return kind != "tournament" or seen.filter(slug=slug).exists()


def sees_explanation(request: Request, number: int, stream: str) -> bool:
    """Whether the caller may see the pairings that are explained."""
    if not sees_batch(request, number, stream):
        return False
    drafted = Explanation.objects.filter(pk=number, certificate__round__state__in=UNPUBLISHED)
    return can_see_drafts(request, stream) or not drafted.exists()


def sees_import(request: Request, number: int, stream: str) -> bool:
    """Whether the caller sent that file, and has a token for such things."""
    user, token = current_account(request)
    upload = Upload.objects.filter(pk=number, by=user.pk).values("action").first()
    if upload is None:
        return False
    is_meant = token is None or token.stream in ("", stream)
    scopes = MATRIX[upload["action"]].scopes
    return is_meant and (token is None or bool(set(scopes) & set(token.scopes)))


SEEN = {
    "report": sees_report,
    "batch": sees_batch,
    "explanation": sees_explanation,
    "import": sees_import,
}
PLACES = (
    "me", "tokens", "players", "games", "tournaments", "pools", "rules/games", "rules/referee",
    "schema", "docs",
)  # fmt: skip


class ApiIndex(APIView):
    @extend_schema(operation_id="index", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Where everything is."""
        root = f"{settings.PUBLIC_URL}/api/v1/"
        return Response(
            {
                "name": "Perihelion",
                "version": settings.VERSION,
                **{place.replace("/", "_"): root + place for place in PLACES},
            }
        )


class TaskView(APIView):
    @extend_schema(
        operation_id="task",
        responses=PolymorphicProxySerializer(
            "AnyTask", [TaskSerializer, ImportTaskSerializer], None
        ),
    )
    def get(self, request: Request, task_id: str) -> Response:
        """How far a task has come, computed from the data: `waiting`, `done` or `failed`.

        An import may be `running` or `refused` too. Its progress names the step; it is for whoever
        sent the file alone, and kept for a day after its end.
        """
        kind, _, number = task_id.partition("-")
        known = kind in PROGRESS and number.isascii() and number.isdigit() and len(number) < 19
        progress = PROGRESS[kind](int(number)) if known else None
        if progress is None or not SEEN[kind](request, int(number), progress["stream"]):
            raise NotFound("not_found", f"there is no task {task_id[:40]!r}")
        if problem := progress.get("problem"):
            progress["problem"] = problem_body(**problem)
        return Response({name: progress[name] for name in SHOWN if name in progress})
