"""What the service itself shows: the index of the API, its description, tasks, and errors.

The handlers of errors outside the views respond with a problem, in a browser with a page; the page
of the site's staff has the health of the service, what waits, and the versions.
"""

import json
import platform
import sys
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from hashlib import sha256
from typing import Any

import celery
import django
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import (
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import (
    PolymorphicProxySerializer,
    extend_schema,
    inline_serializer,
)
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import CharField, URLField

from deploy.health import health_parts
from games.core.errors import Forbidden, NotFound, check_all, is_database_busy
from games.core.pages import PageView, frame_of, unknown_page
from games.core.permissions import SITE_STAFF, LoginNeeded, SecondFactorNeeded
from games.core.problems import (
    DATABASE_BUSY,
    RETRY_SECONDS,
    UNEXPECTED,
    problem_body,
    problem_response,
)
from games.core.requests import parameter_checks, wait_seconds
from games.core.text import language_of, render_template, translated
from games.core.uploads.tasks import (
    IMPORT_KINDS,
    ImportTaskSerializer,
    TaskSerializer,
    due_uploads,
)
from games.core.views import ApiView
from games.core.waits import (
    PREFER,
    UNFINISHED,
    place_to_wait,
    retry_headers,
    shown_task,
    wait_while,
)
from games.models import Account, EmailLink, Game, Message, Report, Token
from games.play.queries import given_up_games
from games.play.task_kinds import GAMES_TASK_KINDS
from games.rules.text import Text
from ratings.analyses.queries import unfinished_analyses
from ratings.models import Pool
from tournament.task_kinds import TOURNAMENT_TASK_KINDS

TASK_KINDS = GAMES_TASK_KINDS | TOURNAMENT_TASK_KINDS
PATHS = (
    "me", "tokens", "players", "games", "tournaments", "pools", "rules/games", "rules/referee",
    "problems", "schema", "docs",
)  # fmt: skip


INDEX_MEMBERS: dict[str, Any] = {
    "name": CharField(),
    "version": CharField(help_text="of the service"),
    **{path.replace("/", "_"): URLField() for path in PATHS},
}


class ApiIndex(ApiView):
    @extend_schema(operation_id="index", responses=inline_serializer("Index", INDEX_MEMBERS))
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
    parameters = (PREFER,)
    is_public = False

    @extend_schema(
        operation_id="task",
        responses=PolymorphicProxySerializer(
            "AnyTask",
            {
                kind: ImportTaskSerializer if kind in IMPORT_KINDS else TaskSerializer
                for kind in TASK_KINDS
            },
            "kind",
        ),
    )
    def get(self, request: Request, task_id: str) -> Response:
        """Return the state of a task, computed from the data: `waiting`, `done` or `failed`.

        An import can also be `running` or `refused`. Its progress names the current step. Only the
        account that sent the file can see it, until a day after its end. One that waits says since
        when, why, and when to ask again; `Prefer: wait=10` waits for it.
        """
        kind, _, number = task_id.partition("-")
        is_known = kind in TASK_KINDS and number.isascii() and number.isdigit() and len(number) < 19
        task = TASK_KINDS[kind].load(int(number)) if is_known else None
        if task is None or not TASK_KINDS[kind].can_see(request, int(number), task["stream"]):
            raise NotFound("not_found", Text("there is no task %(name)s", name=f"{task_id[:40]!r}"))
        with place_to_wait(wait_seconds(request), self.headers) as seconds:
            task = wait_while(TASK_KINDS[kind].load, int(number), UNFINISHED, seconds) or task
        if problem := task.get("problem"):
            task["problem"] = problem_body(**problem)
        shown = shown_task(task)
        return Response(shown, headers=retry_headers(shown))


NO_PAGES = ("/api", "/health/", "/static/")
"""Addresses below which nothing is a page."""


def asks_for_page(request: HttpRequest) -> bool:
    """Return True for a browser at the address of a page."""
    accepted = request.headers.get("Accept", "")
    return "text/html" in accepted and not request.path.startswith(NO_PAGES)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Respond to an address that does not exist, in a browser with a page that leads further."""
    if asks_for_page(request):
        return unknown_page(request)
    return unknown_address(request)


@csrf_exempt
def unknown_address(request: HttpRequest, *_: Any) -> HttpResponse:
    """Respond to an address that the API does not have, also where Django explains it (`DEBUG`)."""
    return problem_response(404, "not_found", Text("this address does not exist"))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Respond to a request that Django cannot read."""
    detail = "the request could not be read"
    if isinstance(exception, DisallowedHost):
        host = request.META.get("HTTP_HOST", "")[:100]
        detail = (
            f"this service is not known as {host!r}; its address is {settings.PUBLIC_URL}"
            " (the setting ALLOWED_HOSTS has its other names)"
        )
    return problem_response(400, "unreadable", detail)


def failed_page(request: HttpRequest, status: int, code: str, detail: Text) -> HttpResponse:
    """Return a page that says why there is no other one; it needs no database, and no login."""
    language = language_of(request)
    with override(language):
        problem = problem_body(status, code, translated(detail))
        content = frame_of(None, None) | {"problem": problem}
        # The context processor that reads the session leaves a request of the framework alone.
        page = render_template("games/core/error.html", content, Request(request))
    headers = {"Content-Language": language, "Cache-Control": "no-store"}
    if status == 503:
        headers["Retry-After"] = RETRY_SECONDS
    return HttpResponse(page, status=status, headers=headers)


def internal_error(request: HttpRequest) -> HttpResponse:
    """Respond after an unexpected exception; the log contains the traceback."""
    answer = partial(failed_page, request) if asks_for_page(request) else problem_response
    if is_database_busy(sys.exception()):
        return answer(503, "database_busy", DATABASE_BUSY)
    return answer(500, "internal_error", UNEXPECTED)


class CompactJson(OpenApiJsonRenderer2):
    """JSON without spaces, which is half as large."""

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """Return the description as a file."""
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


class CompactOpenApi(CompactJson):
    """The same under the media type of OpenAPI."""

    media_type = "application/vnd.oai.openapi+json"


class Schema(SpectacularAPIView):
    """The OpenAPI description, which takes long to compute: a process writes it once in each form.

    With parameters (`lang`, `version`) it is computed anew.
    """

    renderer_classes = [CompactJson, CompactOpenApi, OpenApiYamlRenderer, OpenApiYamlRenderer2]
    throttle_scope = "schema"

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return the description."""
        renderer: Any = request.accepted_renderer
        check_all(*parameter_checks(request.query_params, ("lang", "version"), ()))
        if request.GET:
            compute: Any = super().get
            return compute(request, *args, **kwargs)
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        content_type = f"{request.accepted_media_type}{charset}"
        content = describe(renderer.__class__)
        response = HttpResponse(content, content_type)
        response.headers["Content-Disposition"] = f'inline; filename="Perihelion.{renderer.format}"'
        response.headers["ETag"] = tag = f'"{sha256(content).hexdigest()[:32]}"'
        return get_conditional_response(request, etag=tag, response=response)


@cache
def describe(renderer: Any) -> bytes:
    """Return the description as a file in English."""
    generator: Any = Schema.generator_class()
    with override(None):
        content: bytes = renderer().render(generator.get_schema(public=True), renderer_context={})
    return content


class Docs(PageView):
    """The documentation of the API, which Swagger UI makes of the schema in the browser."""

    template = "deploy/api_docs.html"


EXPIRY = timedelta(days=30)
"""How long who reads the contact may rely on it."""


@require_safe
def security_txt(request: HttpRequest) -> HttpResponseBase:
    """Return where weaknesses are reported (RFC 9116); 404 if the setting is not set."""
    if not settings.SECURITY_CONTACT:
        return not_found(request, Http404())
    lines = {
        "Contact": settings.SECURITY_CONTACT,
        "Expires": f"{datetime.now(UTC) + EXPIRY:%Y-%m-%dT00:00:00Z}",
        "Canonical": f"{settings.PUBLIC_URL}/.well-known/security.txt",
    }
    if settings.DOCS_URL:
        lines["Policy"] = f"{settings.DOCS_URL.rstrip('/')}/howto/security.html"
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return HttpResponse(text, "text/plain; charset=utf-8")


MOST_FOUND = 20


class StaffPage(PageView):
    """The state of the service; `?q=` finds accounts by their name or address."""

    template = "deploy/staff.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the parts of the service, the work that waits, and accounts."""
        user = request.user
        if not isinstance(user, Account):
            raise LoginNeeded
        if user.is_staff and not user.acts_as_staff and request.auth is None:
            raise SecondFactorNeeded
        if not user.is_staff or request.auth is not None:
            raise Forbidden(
                "role_missing",
                Text("only for: %(roles)s; you have none of these roles here", roles=SITE_STAFF),
            )
        text = request.query_params.get("q", "").replace("\0", "").strip()
        return {
            "parts": health_parts(),
            "waiting": {
                "reports": Report.objects.filter(settled_at=None).count(),
                "uploads": due_uploads().count(),
                "emails": EmailLink.objects.filter(sent_at=None, revoked_at=None).count()
                + Message.objects.count(),
                "analyses": unfinished_analyses().count(),
            },
            "given_up": given_up_games().order_by("pk")[:MOST_FOUND],
            "totals": {
                "accounts": Account.objects.count(),
                "tokens": Token.objects.count(),
                "games": Game.objects.count(),
            },
            "pools": Pool.objects.order_by("code"),
            "versions": {
                "Perihelion": settings.VERSION,
                "Python": platform.python_version(),
                "Django": django.get_version(),
                "Celery": celery.__version__,
                "database": connection.vendor,
            },
            "query": text,
            "accounts": find_accounts(text),
        }


def find_accounts(text: str) -> list[Account]:
    """Return the accounts whose name or address contains a text; none without a text."""
    if not text:
        return []
    found = Account.objects.filter(name__icontains=text) | Account.objects.filter(
        email__icontains=text
    )
    return list(found.order_by("name", "pk")[:MOST_FOUND])
