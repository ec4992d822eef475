"""The index of the API, and the tasks of all apps."""

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
from games.http.request import can_see_drafts, current_account, viewer, visible_games
from games.models import Upload
from games.queries import report_progress, upload_progress
from games.serializers.games import TaskSerializer
from games.serializers.uploads import ImportTaskSerializer
from ratings.queries.pools import batch_progress
from tournament.models import Explanation
from tournament.queries import explanation_progress, visible_tournaments
from tournament.views.rounds import UNPUBLISHED

PROGRESS: dict[str, Callable[[int], dict[str, Any] | None]] = {
    "report": report_progress,
    "batch": batch_progress,
    "explanation": explanation_progress,
    "import": upload_progress,
}
FIELDS = ("id", "state", "progress", "result", "problem")


def can_see_report(request: Request, number: int, stream: str) -> bool:
    """Return True if the caller may read the reports of the game."""
    game = visible_games(request).filter(reports=number).select_related("first", "second").first()
    if game is None:
        return False
    user, token = current_account(request)
    return may(user, token, "game.reports", stream=stream, seats=game.seats_of(user))


def can_see_batch(request: Request, _number: int, stream: str) -> bool:
    """Return True if the caller may see the event of the batch."""
    kind, _, slug = stream.partition("/")
    visible = visible_tournaments(*viewer(request, "tournament.see"))
    return kind != "tournament" or visible.filter(slug=slug).exists()


def can_see_explanation(request: Request, number: int, stream: str) -> bool:
    """Return True if the caller may see the explained pairings."""
    if not can_see_batch(request, number, stream):
        return False
    drafted = Explanation.objects.filter(pk=number, certificate__round__state__in=UNPUBLISHED)
    return can_see_drafts(request, stream) or not drafted.exists()


def can_see_import(request: Request, number: int, stream: str) -> bool:
    """Return True if the caller sent the file, and the token has a scope for such imports."""
    user, token = current_account(request)
    upload = Upload.objects.filter(pk=number, by=user.pk).values("action").first()
    if upload is None:
        return False
    is_valid_here = token is None or token.stream in ("", stream)
    scopes = MATRIX[upload["action"]].scopes
    return is_valid_here and (token is None or bool(set(scopes) & set(token.scopes)))


CAN_SEE = {
    "report": can_see_report,
    "batch": can_see_batch,
    "explanation": can_see_explanation,
    "import": can_see_import,
}
PATHS = (
    "me", "tokens", "players", "games", "tournaments", "pools", "rules/games", "rules/referee",
    "schema", "docs",
)  # fmt: skip


class ApiIndex(APIView):
    @extend_schema(operation_id="index", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """List the addresses of the API."""
        root = f"{settings.PUBLIC_URL}/api/v1/"
        return Response(
            {
                "name": "Perihelion",
                "version": settings.VERSION,
                **{path.replace("/", "_"): root + path for path in PATHS},
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
        """Return the state of a task, computed from the data: `waiting`, `done` or `failed`.

        An import can also be `running` or `refused`. Its progress names the current step. Only the
        account that sent the file can see it, until a day after its end.
        """
        kind, _, number = task_id.partition("-")
        is_known = kind in PROGRESS and number.isascii() and number.isdigit() and len(number) < 19
        progress = PROGRESS[kind](int(number)) if is_known else None
        if progress is None or not CAN_SEE[kind](request, int(number), progress["stream"]):
            raise NotFound("not_found", f"there is no task {task_id[:40]!r}")
        if problem := progress.get("problem"):
            progress["problem"] = problem_body(**problem)
        return Response({name: progress[name] for name in FIELDS if name in progress})
