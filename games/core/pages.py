"""The base class of the pages: HTML from a template, with the session's account.

A page reads by the queries and documents that the API uses, and changes something by an action
(games/core/page_actions.py). A POST that succeeds is answered with a redirect to a page that states
what was done; one that is rejected shows the page again with what was typed and why.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import ApiError, BadRequest, NotFound
from games.core.forms import FormState, listed_errors, rejected_form, typed_values
from games.core.idempotency import AlreadyDone, KeyedWrite
from games.core.page_actions import Form, PageAction, PageRequest, perform
from games.core.permissions import LoginNeeded
from games.core.requests import current_account, is_dry_run
from games.core.text import translated, translated_problems
from games.core.views import ApiView
from games.http.etags import NotModified
from games.http.languages import language_of
from games.models import Account
from games.pages.renderer import PageRenderer
from games.pages.session import PageAuthentication
from games.rules.text import Text


class PageView(ApiView):
    """A page; a subclass defines `template` and `context`, and `actions` if it has forms.

    `form` is the state of the form that the request sent.
    """

    schema = None
    authentication_classes = [PageAuthentication]
    renderer_classes = [PageRenderer]
    template = ""
    actions: Mapping[str, Form | PageAction] = {}
    form = FormState()

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, whose forms need the CSRF token, and whose pages are compressed."""
        view = super().as_view(**initkwargs)
        view.csrf_exempt = False
        return gzip_page(view)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Return the request, whose data is what an action of a form needs."""
        authenticators = self.get_authenticators()
        context = self.get_parser_context(request)
        return PageRequest(request, authenticators=authenticators, parser_context=context)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and count the request; parameters of other pages are ignored."""
        self.write_parameters = tuple(request.query_params)
        super().initial(request, *args, **kwargs)
        if request.method == "POST" and isinstance(request.user, Account):
            self.keyed_write = self.keyed_write or KeyedWrite.of_form(request, request.user)
            if self.keyed_write is not None:
                self.keyed_write.require_new()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Respond in the language of the reader."""
        language = language_of(request)
        with translation.override(language):
            response = super().dispatch(request, *args, **kwargs)
            if isinstance(response, Response):
                response.render()
                forget_data(response)
        response.headers["Content-Language"] = language
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Ignore `Accept`, since a page is HTML."""
        return PageRenderer(), PageRenderer.media_type

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the context of the template."""
        return {}

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page."""
        return self.page(self.context(request, **address))

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out the action of a form, and redirect; or show the page again with the reason."""
        if not self.actions:
            raise exceptions.MethodNotAllowed("POST")
        name = request._request.POST.get("action", "")
        action = self.actions.get(name)
        if action is None:
            raise BadRequest(
                "unknown_action", Text("the form names no action; load the page again")
            )
        assert isinstance(request, PageRequest)
        try:
            content = perform(self, request, action, **address)
        except (ApiError, exceptions.ValidationError) as error:
            if isinstance(error, LoginNeeded | NotFound):
                raise
            self.form = rejected_form(request._request, name, error)
            status = error.status if isinstance(error, ApiError) else 422
            return self.page(self.context(request, **address), status=status)
        if is_dry_run(request) or action.is_shown or action.is_read_only:
            self.form = FormState(name, typed_values(request._request))
            page = self.page(self.context(request, **address) | {"preview": content})
            if action.is_shown:
                page.headers["Cache-Control"] = "no-store"  # it contains a secret
            return page
        return redirect(self.next_address(request, name, content, **address))

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the page after an action: this page, with what was done."""
        return f"{quote(request.path)}?{urlencode({'done': name})}"

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page of a context."""
        done = self.actions.get(self.request.query_params.get("done", ""))
        is_done = done is not None and self.request.method == "GET"
        frame = {"form": self.form, "done": gettext(done.done) if done and is_done else ""}
        content = self.frame() | frame | dict(context)
        content["listed_errors"] = listed_errors(content["form"], context)
        return Response(content, status=status, template_name=self.template)

    def frame(self) -> dict[str, Any]:
        """Return what the template of every page needs (templates/base.html)."""
        user, token = current_account(self.request)
        return {
            "account": user if isinstance(user, Account) else None,
            "is_link_session": token is not None,
            "language": translation.get_language(),
            "languages": settings.LANGUAGES,
            "docs_url": settings.DOCS_URL,
            "version": settings.VERSION,
            "journal_kinds": {},
        }

    def handle_exception(self, exc: Exception) -> Response:
        """Return a page that says what is wrong; a stranger is sent to the login."""
        if isinstance(exc, LoginNeeded) and self.request.method == "GET":
            query = urlencode({"next": self.request.get_full_path()})
            return redirect(f"/login?{query}")
        response = super().handle_exception(exc)
        if isinstance(exc, AlreadyDone | NotModified):
            return response
        is_login_needed = isinstance(exc, LoginNeeded)
        problem = {
            **response.data,
            "detail": gettext("Log in first.")
            if is_login_needed
            else translated(response.data["detail"]),
            "errors": translated_problems(response.data.get("errors", ())),
        }
        response.data = self.frame() | {"problem": problem}
        response.template_name, response.content_type = "games/error.html", None
        self.request.accepted_renderer = PageRenderer()
        self.request.accepted_media_type = PageRenderer.media_type
        return response


def forget_data(response: Response) -> None:
    """Drop the data of a rendered response, which is part of a cycle with the request and the view.

    A large table would otherwise stay in memory until the garbage collector finds it, and delay
    one of the next requests.
    """
    response.data = None


def redirect(address: str) -> Response:
    """Return a redirect to a page of this site, which is then requested by GET."""
    return Response(status=303, headers={"Location": address})
