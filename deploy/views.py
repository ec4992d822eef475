"""What the service itself shows: the index of the API, its description, tasks, and errors.

The handlers of errors outside the views respond with a problem, in a browser with a page; the page
of the site's staff has the health of the service, what waits, and the versions.
"""

import json
import platform
import re
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from difflib import SequenceMatcher
from functools import cache, partial
from hashlib import sha256
from typing import Annotated, Any

import celery
import django
from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import connection
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.templatetags.static import static
from django.urls import resolve
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext_lazy, override
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.schemas.generators import EndpointEnumerator

from deploy.health import health_parts
from games.core.accounts.administration import KINDS as ACCOUNT_KINDS
from games.core.accounts.administration import require_staff
from games.core.errors import NotFound, check_all, is_database_busy
from games.core.journal.lines import SITE
from games.core.pages import PageView, frame_of, unknown_page
from games.core.pagination import CursorPages
from games.core.problems import (
    DATABASE_BUSY,
    RETRY_SECONDS,
    UNEXPECTED,
    problem_body,
    problem_response,
)
from games.core.references import absolute_url
from games.core.requests import parameter_checks, wait_seconds
from games.core.text import language_of, render_template, translated
from games.core.types import described, typed_dict
from games.core.uploads.tasks import Task, due_uploads
from games.core.views import ApiView
from games.core.waits import (
    PREFER,
    UNFINISHED,
    place_to_wait,
    retry_headers,
    shown_task,
    wait_while,
)
from games.models import Account, EmailLink, Game, JournalLine, Message, Report, Token
from games.play.queries import given_up_games
from games.play.task_kinds import GAMES_TASK_KINDS
from games.rules.text import Text
from ratings.analyses.queries import unfinished_analyses
from ratings.models import Pool
from tournament.core.texts import KIND_TEXTS
from tournament.models import NameReport
from tournament.task_kinds import TOURNAMENT_TASK_KINDS

TASK_KINDS = GAMES_TASK_KINDS | TOURNAMENT_TASK_KINDS
PATHS = (
    "me", "me/invitations", "me/entries", "me/games", "me/next", "tokens", "webhooks", "stream",
    "players", "claims", "merges", "name-reports", "games", "tournaments", "pools",
    "handicap-tables", "rulesets", "rules/systems", "rules/referee", "heads", "problems",
    "schema", "docs",
)  # fmt: skip


def member_of(path: str) -> str:
    """Return the member of the index that names an address."""
    return re.sub(r"[/-]", "_", path)


INDEX: Any = {
    "name": str,
    "version": Annotated[str, "of the service"],
    **dict.fromkeys(map(member_of, PATHS), Annotated[str, {"format": "uri"}]),
}


class ApiIndex(ApiView):
    @extend_schema(operation_id="get_index", responses=described(typed_dict("Index", INDEX)))
    def get(self, request: Request) -> Response:
        """List the addresses of the API: its collections, and what is not one.

        Anyone may read it. An address that needs a token is listed, too; `schema` is this
        description.
        """
        return Response(
            {
                "name": "Perihelion",
                "version": settings.VERSION,
                **{member_of(path): absolute_url(path) for path in PATHS},
            }
        )


class TaskView(ApiView):
    parameters = (PREFER,)
    is_public = False

    @extend_schema(responses=described(Task))
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


LONGEST_ADDRESS = 200
"""Characters of an address that is compared with others."""
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


@cache
def api_addresses() -> dict[str, list[str]]:
    """Return the suffixes of each address of the API, whose parts are in braces."""
    return {
        path: [f".{each.format}" for each in view.cls.renderer_classes if each.format]
        for path, _, view in EndpointEnumerator().get_api_endpoints()
        if "format" not in path
    }


def similar_addresses(path: str, least: float) -> dict[str, list[str]]:
    """Return the address nearest to a path, with its suffixes, if each word is as similar as this.

    An id or a slug is no word of the address, and says nothing of what was meant.
    """
    steps = path.split("/")
    found: dict[str, list[str]] = {}
    for address, suffixes in api_addresses().items():
        parts = address.split("/")
        if len(parts) != len(steps):
            continue
        pairs = [*zip(parts, steps, strict=True)]
        words = (pair for pair in pairs if not pair[0].startswith("{"))
        ratio = min(SequenceMatcher(None, *pair).ratio() for pair in words)
        if ratio >= least:
            least = ratio
            named = (step if part.startswith("{") else part for part, step in pairs)
            found = {"/".join(named): suffixes}
    return found


def beginning_of(path: str) -> str:
    """Return the longest beginning of a path that is an address, that of the index at least."""
    beginning, _, _ = path.rpartition(".") if "." in path else path.rpartition("/")
    while beginning.startswith("/api/v1/"):
        if resolve(beginning).func is not unknown_address:
            return beginning
        beginning, _, _ = beginning.rpartition("/")
    return "/api/v1"


@csrf_exempt
def unknown_address(request: HttpRequest, *_: Any) -> HttpResponse:
    """Respond to an address that the API does not have, also where Django explains it (`DEBUG`)."""
    detail = Text("this address does not exist")
    if not request.path.startswith("/api/") or len(request.path) > LONGEST_ADDRESS:
        return problem_response(404, "not_found", detail)
    base, suffix = request.path.rpartition(".")[::2]
    for suffixes in similar_addresses(base, 1.0).values():
        if f".{suffix}" in suffixes:  # this address takes the type from `Accept` alone
            break
        names = ", ".join(suffixes)
        detail = Text("%(name)s is no format here; there are: %(names)s", name=suffix, names=names)
        return problem_response(404, "not_found", detail, valid=suffixes)
    if request.path.endswith("/"):
        detail = Text("an address has no slash at its end")
    similar = {*similar_addresses(request.path.rstrip("/"), 0.75)} - {request.path}
    nearest = next(iter(similar), "") or beginning_of(request.path)
    detail = Text("%(detail)s; did you mean %(name)s?", detail=detail, name=nearest)
    return problem_response(404, "not_found", detail, nearest=nearest)


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
    if status in (429, 503):
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
    """The OpenAPI description, which takes long to compute: a process writes it once."""

    renderer_classes = [CompactJson, CompactOpenApi]

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Return the description."""
        check_all(*parameter_checks(request, (), ()))
        content = describe()
        response = HttpResponse(content, request.accepted_media_type)
        response.headers["Content-Disposition"] = 'inline; filename="Perihelion.json"'
        response.headers["ETag"] = tag = f'"{sha256(content).hexdigest()[:32]}"'
        return get_conditional_response(request, etag=tag, response=response)


@cache
def describe() -> bytes:
    """Return the description as a file in English."""
    generator: Any = Schema.generator_class()
    with override(None):
        return CompactJson().render(generator.get_schema(public=True))


class Docs(PageView):
    """The documentation of the API, which Swagger UI makes of the schema in the browser."""

    template = "deploy/api_docs.html"

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, which has no form: another method is a problem."""
        view = require_safe(super().as_view(**initkwargs))
        view.csrf_exempt = True
        return view

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Select HTML if the client accepts it: the address is one of the API."""
        return ApiView.perform_content_negotiation(self, request, force)

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return the checks that there is no parameter."""
        return ApiView.checks_of_query(self, request)

    def handle_exception(self, exc: Exception) -> Response:
        """Return a problem, as the API does."""
        return ApiView.handle_exception(self, exc)


EXPIRY = timedelta(days=30)
"""How long who reads the contact may rely on it."""


@require_safe
def manifest(request: HttpRequest) -> HttpResponseBase:
    """Return how the site looks on a home screen, where alone iPhones show what it pushes."""
    icon = {"src": static("deploy/icon.png"), "sizes": "512x512", "type": "image/png"}
    content = {
        "name": "Perihelion",
        "start_url": "/my",
        "display": "standalone",
        "theme_color": "#0f2740",
        "background_color": "#0f2740",
        "icons": [icon],
    }
    return JsonResponse(content, content_type="application/manifest+json")


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
STAFF_KINDS: Mapping[str, Any] = {
    **KIND_TEXTS,
    **{kind: gettext_lazy(text) for kind, text in ACCOUNT_KINDS.items()},
    "player.registered": _("Player registered"),
    "players.imported": _("Players of a list registered"),
    "player.edited": _("Details of a player changed"),
    "player.deleted": _("Registration of a player deleted"),
    "players.deleted": _("Players without an event deleted"),
    "player.merged": _("Two registrations merged"),
    "merge.undone": _("Merge of two registrations undone"),
    "player.erased": _("Personal data of a player erased"),
    "player.exported": _("Data of a player exported"),
    "claim.made": _("Claim to be a player made"),
    "claim.agreed": _("Claim to be a player agreed to"),
    "claim.accepted": _("Claim to be a player accepted"),
    "claim.refused": _("Claim to be a player refused"),
    "claim.withdrawn": _("Claim to be a player withdrawn"),
    "player.hidden": _("Name of a player hidden"),
    "tournament.hidden": _("Event hidden"),
    "tournament.shown": _("Hidden event shown again"),
    "bundle.imported": _("Event imported"),
    "tournament.deleted": _("Event deleted"),
    "pool.created": _("Pool created"),
    "pool.edited": _("Pool changed"),
    "officer.added": _("Rating officer appointed"),
    "officer.removed": _("Rating officer removed"),
    "organiser.approved": _("Organiser approved"),
    "organiser.refused": _("Organiser refused"),
    "event.approved": _("Event approved for rating"),
    "event.refused": _("Event refused for rating"),
    "event.changed": _("Approval of an event that has changed since removed"),
    "batch.backdated": _("Date of a rated event changed"),
    "batch.withdrawn": _("Games taken out of the ratings"),
    "batch.restored": _("Games rated again"),
    "analysis.requested": _("Analysis requested"),
    "table.added": _("Handicap table added"),
    "list.published": _("Rating list published"),
}
"""What the staff's lines say; lines of other kinds are shown under their names."""


class StaffPage(PageView):
    """The state of the service; `?q=` finds accounts by their name or address."""

    template = "deploy/staff.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the parts of the service, the work that waits, and accounts."""
        require_staff(request)
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
            "reported": NameReport.objects.filter(decided_at=None).count(),
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


class NewestLines(CursorPages):
    ordering = ("-id",)


class StaffJournalPage(PageView):
    """What the site's staff has done, from the journals: who, when, what, and to whom."""

    template = "deploy/staff_journal.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return a page of the lines of all who have ever been staff, and of those of accounts."""
        require_staff(request)
        of_site = JournalLine.objects.filter(stream=SITE)
        appointed = of_site.filter(kind="account.staff_appointed").select_related("payload")
        staff = {f"account/{line.payload.body['account']}" for line in appointed}
        lines = JournalLine.objects.filter(
            Q(actor__in=staff) | Q(stream=SITE, kind__startswith="account.")
        )
        pages = NewestLines()
        page = pages.paginate_queryset(lines.select_related("payload"), request)
        accounts = Account.objects.in_bulk(
            {
                number
                for line in page
                for number in (_number(line.actor), _member(line, "account"))
                if number
            }
        )
        return {
            "lines": [
                {
                    "at": line.at,
                    "who": accounts.get(_number(line.actor) or 0),
                    "what": STAFF_KINDS.get(line.kind, line.kind),
                    "is_of_account": line.kind.startswith("account."),
                    "account": accounts.get(_member(line, "account") or 0),
                    "player": _member(line, "player") or _member(line, "keep"),
                    "stream": line.stream,
                    "sequence": line.sequence,
                }
                for line in page
            ],
            **pages.neighbours,
        }


def _number(actor: str) -> int | None:
    """Return the number of the account that has caused a line; None for the service."""
    number = actor.removeprefix("account/")
    return int(number) if number.isdecimal() else None


def _member(line: JournalLine, name: str) -> int | None:
    """Return a number that the payload of a line has under a name."""
    payload = getattr(line, "payload", None)
    number = payload.body.get(name) if payload else None
    return number if isinstance(number, int) else None
