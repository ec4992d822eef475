"""The index of the API, and the tasks of all apps."""

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import NotFound
from games.core.problems import problem_body
from games.core.uploads.tasks import ImportTaskSerializer, TaskSerializer
from games.core.views import ApiView
from games.play.task_kinds import GAMES_TASK_KINDS
from games.rules.text import Text
from tournament.task_kinds import TOURNAMENT_TASK_KINDS

TASK_KINDS = GAMES_TASK_KINDS | TOURNAMENT_TASK_KINDS
TASK_FIELDS = ("id", "state", "progress", "result", "problem")
PATHS = (
    "me", "tokens", "players", "games", "tournaments", "pools", "rules/games", "rules/referee",
    "problems", "schema", "docs",
)  # fmt: skip


class ApiIndex(ApiView):
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


class TaskView(ApiView):
    is_public = False

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
        is_known = kind in TASK_KINDS and number.isascii() and number.isdigit() and len(number) < 19
        task = TASK_KINDS[kind].load(int(number)) if is_known else None
        if task is None or not TASK_KINDS[kind].can_see(request, int(number), task["stream"]):
            raise NotFound("not_found", Text("there is no task %(name)s", name=f"{task_id[:40]!r}"))
        if problem := task.get("problem"):
            task["problem"] = problem_body(**problem)
        return Response({name: task[name] for name in TASK_FIELDS if name in task})
