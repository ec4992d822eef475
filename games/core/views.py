"""The base class of the API's views, the endpoints of actions, and a list view.

The list view is for the lists that are requested most.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import getdoc
from typing import Annotated, Any, TypedDict, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.functional import classproperty
from django_filters import BaseCSVFilter
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.core.actions import ACCEPTED, Action, Actions, Answer, Call, carry_out, listed_actions
from games.core.errors import ApiError, BadRequest, check_all, invalid_parameter, unknown_value
from games.core.filters import WholeNumberField
from games.core.idempotency import REPLAYED, AlreadyDone, KeyedWrite
from games.core.pagination import PAGING, CursorPages
from games.core.preconditions import NotModified, tag_response
from games.core.requests import (
    Declared,
    client_address,
    is_flag_set,
    parameter_checks,
    query_names,
    read_number,
    require_format,
    wait_seconds,
)
from games.core.serializers import NoBody
from games.core.types import TRIED, described, returned_type, written
from games.core.waits import ASK_AGAIN
from games.models import Account, Token
from games.rules.text import Text

KEPT_HEADERS = ("Location", "ETag")
"""The headers of a stored response that one after a further wait has too."""

PUBLIC_READ = "perihelion.public_read"
"""The member of `request.META` that a view sets if its response may be stored."""

DRY_RUN = OpenApiParameter(
    "dry_run", bool, description="`1` shows the effect and changes nothing (see the introduction)"
)
"""The parameter of every operation that writes."""


ACTIONS = OpenApiParameter(
    "actions", bool, description="`1` adds `allowed_actions`: what the caller can do now"
)


def with_actions(
    request: Request, body: Mapping[str, Any], find: Callable[[], Actions]
) -> Response:
    """Return the response to a read of an object, with its allowed actions if they are wanted."""
    wanted = {"allowed_actions": listed_actions(find())} if is_flag_set(request, "actions") else {}
    return Response({**body, **wanted})


class ApiView(APIView):
    """A view that checks the parameters of a request, tags its reads, and repeats no POST.

    `permission` is that of its read, a key of the matrix of permissions; it is empty if anyone may
    read, or if `is_public` is false and any token will do.

    `version_tag` has the first parts of the tag of an object for a caller who may write to it
    (games/core/preconditions.py). `problems` are the statuses of the problems of its read that the
    description of the API cannot derive (games/core/openapi/schema.py), as those of an action.
    `parameters` are those of its read; other names and wrong values are refused.

    `repeatable` are the parameters of the address that may be given more than once
    (deploy/middleware.py).

    `public_read` is the part of the address that names the only event which the response depends
    on: `slug` of the path, or the parameter `tournament_slug`; it is `site` for a list of the whole
    site, and `game_id` for a game, while its record is being kept. The response to a stranger may
    then be stored (deploy/public_reads.py), unless the request sets `is_final` to False because the
    response is going to change without a line in a journal. One that `shows_live_boards` is made
    again from time to time while games of the event are followed. A response that `is_streamed` has
    no tag.

    `wait` returns the response after the wait for a task that a repeatable write has sent, now or
    when the request came first.
    """

    keyed_write: KeyedWrite | None = None
    wait: Callable[[], Response] | None = None
    parameters: Sequence[Declared] = ()
    version_tag = ""
    problems: tuple[int, ...] = ()
    permission = ""
    is_public = True
    public_read = ""
    shows_live_boards = False
    format_suffix: str | None = None
    is_final = True
    is_streamed = False
    throttle_scope: str

    @classproperty
    def repeatable(cls) -> frozenset[str]:  # noqa: N805
        """Return the parameters that are lists."""
        declared = [each for each in cls.parameters if isinstance(each, OpenApiParameter)]
        return frozenset(each.name for each in declared if each.explode is False)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and count the request; check the parameters and the key of a write."""
        action = action_of(self, request.method)
        if action is None:
            super().initial(request, *args, **kwargs)
            if request.method in ("GET", "HEAD"):
                check_all(*self.checks_of_query(request))
            return
        self.throttle_scope = action.cost
        super().initial(request, *args, **kwargs)
        is_compared = request.headers.get("If-Match", "*").strip() != "*"
        if is_compared and not action.has_precondition:
            detail = Text("this operation compares no tag; send it without If-Match")
            raise BadRequest("wrong_precondition", detail)
        declared = [DRY_RUN, *action.parameters]
        check_all(*parameter_checks(request, query_names(declared), declared))
        key = request.headers.get("Idempotency-Key")
        if key is not None and request.method == "POST" and not action.is_read_only:
            account = request.user if isinstance(request.user, Account) else None
            self.keyed_write = KeyedWrite.of_request(request, account, key)
            self.keyed_write.require_new()

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return the checks of the parameters of a read."""
        names = query_names(self.parameters)
        return parameter_checks(request, names, self.parameters)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Respond; the response to a write with a key is stored in the write's transaction."""
        self.format_suffix = kwargs.pop("format", None)
        return self._respond(request, *args, **kwargs)

    def get_format_suffix(self, **kwargs: Any) -> str | None:
        """Return the suffix of the address, which no handler takes as an argument."""
        return self.format_suffix

    def get_renderers(self) -> list[Any]:
        """Return the formats of a read; the response to a write is JSON."""
        method = self.request.method
        is_write = method in ("POST", "PUT", "PATCH", "DELETE") and method in self.allowed_methods
        return [JSONRenderer()] if is_write else super().get_renderers()

    def _respond(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            response = super().dispatch(request, *args, **kwargs)
            if request.method in ("GET", "HEAD"):
                self._allow_storing(response)
                return tag_response(self.request, response, self.version_tag)
            if self.keyed_write is not None:
                return self._finish_keyed_write(self.keyed_write, response)
        except BaseException as error:  # also an interrupt: the key must not stay taken
            if self.keyed_write is not None:
                self.keyed_write.abandon(error)
            raise
        return response

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Return the methods of the address in `Allow`."""
        allowed = HttpResponse(headers={"Allow": ", ".join(self.allowed_methods)})
        return cast("Response", allowed)  # any HttpResponse is right here

    def _allow_storing(self, response: HttpResponseBase) -> None:
        if not (self.public_read and self.is_final and response.status_code == 200):
            return
        if not isinstance(self.request.user, Account):
            self.request.META[PUBLIC_READ] = True

    def _finish_keyed_write(
        self, keyed_write: KeyedWrite, response: HttpResponseBase
    ) -> HttpResponseBase:
        is_new = isinstance(response, Response)  # a stored one is no response of the framework
        try:
            if isinstance(response, Response):
                keyed_write.finish(response)
        except Exception as error:  # the response was made outside of the handling of errors
            keyed_write.abandon(error)
            return self._finalized(self.handle_exception(error))
        if self.wait is None:
            return response
        try:
            waited = self._finalized(self.wait())
        except Exception as error:
            waited = self._finalized(self.handle_exception(error))
        keyed_write.replace(waited)
        if not is_new:
            waited.headers[REPLAYED] = "true"
        return waited

    def _wait_again(self, stored: HttpResponse) -> Callable[[], Response] | None:
        """Return the wait of a repetition that prefers one, if the task was not done before.

        Who may not do this any more gets what was stored, and nothing that came later.
        """
        call, action = call_of(self.request, self.kwargs), action_of(self, self.request.method)
        if action is None or stored.status_code != ACCEPTED or not call.wait:
            return None
        try:
            action.check(call, action.find(call))
        except ApiError:
            return None
        answer = action.resume(call, json.loads(stored.content))
        if answer.wait is None:
            return None
        headers = {name: stored.headers[name] for name in KEPT_HEADERS if name in stored.headers}
        if "respond-async" in stored.headers.get("Preference-Applied", ""):
            headers["Preference-Applied"] = "respond-async"
        answer = replace(answer, headers=headers)
        return lambda: response_of(action, answer.waited(call.wait))

    def _finalized(self, response: Response) -> Response:
        return self.finalize_response(self.request, response, *self.args, **self.kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        """Return the response to an exception; a stored one, or 304, is not a problem."""
        if isinstance(exc, AlreadyDone):
            self.wait = self._wait_again(exc.response)
            return cast("Response", exc.response)  # any HttpResponse is right here
        if isinstance(exc, NotModified):
            self.request.accepted_renderer = JSONRenderer()
            self.request.accepted_media_type = JSONRenderer.media_type
            return exc.response
        return super().handle_exception(exc)


def call_of(request: Request, address: Mapping[str, Any], *, if_match: str = "") -> Call:
    """Return the call of a request without its content; a form has its own `if_match`."""
    return Call(
        user=request.user,
        auth=request.auth if isinstance(request.auth, Token) else None,
        address=address,
        query=request.query_params,
        dry_run=is_flag_set(request, "dry_run"),
        if_match=if_match or request.headers.get("If-Match", "").strip(),
        prefer=request.headers.get("Prefer", ""),
        wait=wait_seconds(request),
        client=client_address(request),
        source=f"{request.method} {request.path}",
        headers=request.parser_context["view"].headers,
    )


def endpoint(declared: type[Action]) -> Any:
    """Return the method of an API view that carries out an action, as `post` of a view."""
    action = declared()

    def respond(view: ApiView, request: Request, **address: Any) -> Response:
        call = call_of(request, address)

        def content() -> Any:
            is_empty = request.META.get("CONTENT_LENGTH") in (None, "", "0")
            return NoBody() if request.method == "DELETE" or is_empty else request.data

        answer = carry_out(action, call, content, view.keyed_write)
        if (wait := answer.wait) is not None:
            view.wait = lambda: response_of(action, wait(call.wait))
        return response_of(action, answer)

    respond.__doc__ = getdoc(declared)
    method: Any = extend_schema(
        operation_id=action.name or None,
        request=action.request or action.body,
        responses=answers_of(action),
        parameters=[*action.parameters],
        examples=[*action.examples],
    )(respond)
    method.action = action
    return method


class EmptyDryRun(TypedDict):
    """The dry run of a write that answers without a body."""

    dry_run: Annotated[bool, "true"]


def answers_of(action: Action) -> dict[int, Any]:
    """Return what an action answers, by status; a write answers a dry run with 200."""
    answers = action.responses or {action.status: action.response}
    if action.is_read_only:
        return {status: described(each) for status, each in answers.items()}
    same = answers[min(answers)]
    tried = written(same, action.made) if same else described(EmptyDryRun)
    found = {
        status: tried if each and each is same else described(each)
        for status, each in answers.items()
    }
    return {200: OpenApiResponse(tried, TRIED)} | found


def response_of(action: Action, answer: Answer) -> Response:
    """Return the response with an answer; 202 says when to ask again."""
    status, headers = answer.status or action.status, {**answer.headers}
    if status == ACCEPTED:
        task = answer.content.get("task") or {}
        headers.setdefault("Retry-After", str(task.get("retry_after") or ASK_AGAIN))
    return Response(answer.content, status=status, headers=headers)


def action_of(view: Any, method: str | None) -> Action | None:
    """Return the action of a view's method, None if it reads or is not declared as an action."""
    return getattr(getattr(view, (method or "").lower(), None), "action", None)


def write_view(method: str, declared: type[Action], **attributes: Any) -> Any:
    """Return the view of an address that has one method only, which carries out an action."""
    names = {method: endpoint(declared), "__module__": declared.__module__, **attributes}
    view: Any = type(f"{declared.__name__}View", (ApiView,), names)
    return view.as_view()


post_view = partial(write_view, "post")
put_view = partial(write_view, "put")
delete_view = partial(write_view, "delete")


class ListView(ApiView, ListAPIView):
    """A list in pages, as DRF makes it; other parameters and wrong values are refused."""

    # That of a list which finds its rows itself: drf-spectacular wants one.
    queryset: Any = Account.objects.none()

    @classproperty
    def repeatable(cls) -> frozenset[str]:  # noqa: N805
        """Return the filters that take several values."""
        filters = getattr(getattr(cls, "filterset_class", None), "base_filters", {})
        lists = {name for name, one in filters.items() if isinstance(one, BaseCSVFilter)}
        return super().repeatable | lists

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return the checks of the parameters, those of its pages and its filters included."""
        declared = query_names(self.parameters)
        pages = cast("CursorPages", self.paginator)
        paging = PAGING if pages.orders else ("limit", "cursor")
        filters = DjangoFilterBackend().get_filterset_class(self, self.queryset)
        names = (*declared, *(filters.base_filters if filters else ()), *paging)
        checks = parameter_checks(request, names, self.parameters)
        checks += pages.checks(request)
        checks += [partial(require_format, request, name, ["json"]) for name in paging]
        if filters and not filters.base_filters.keys().isdisjoint(request.query_params):
            form = filters(request.query_params, self.queryset, request=request).form
            checks += [partial(refuse_value, form, name) for name in form.errors]
        return checks


class ValuesListView(ListView):
    """A list whose rows `row_as_json` converts: rows of values, if the class names their `fields`.

    No serializer converts them field by field: this would take most of the time of a page. The type
    that it returns describes them, unless `serializer_class` does.
    """

    fields: tuple[str, ...] = ()

    @classproperty
    def serializer_class(cls) -> Any:  # noqa: N805
        return described(returned_type(cls.row_as_json))

    def row_as_json(self, row: Any, /) -> Any:
        return row

    def rows_as_json(self, rows: Sequence[Any]) -> Sequence[Any]:
        """Return the rows of a page, which one query can complete."""
        return [self.row_as_json(row) for row in rows]

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        rows = self.filter_queryset(self.get_queryset())
        page = self.paginate_queryset(rows.values(*self.fields) if self.fields else rows) or []
        return self.get_paginated_response(self.rows_as_json(page))


def refuse_value(form: Any, name: str) -> None:
    """Raise the error of a value that the form of a filter has found to be wrong."""
    field = form.fields[name]
    if valid := [str(value) for value, _ in getattr(field, "choices", ()) if value]:
        raise unknown_value(name, form.data[name], valid)
    if isinstance(field, WholeNumberField):
        limits: Any = field.min_value or 0, field.max_value
        for number in form.data[name].split(","):
            read_number(name, number, *limits)
    detail = Text(
        "%(field)s is %(value)s: %(detail)s",
        field=name,
        value=f"{form.data[name][:40]!r}",
        detail=" ".join(form.errors[name]),
    )
    raise invalid_parameter(name, detail)
