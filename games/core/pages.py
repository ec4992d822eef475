"""The base class of the pages: HTML from a template, with the session's account.

A page reads by the queries and documents that the API uses, and changes something by an action
(games/core/forms.py). A POST that succeeds is answered with a redirect to a page that states what
was done; one that is rejected shows the page again with what was typed and why.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from rest_framework import exceptions
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import carry_out
from games.core.authentication import PageAuthentication
from games.core.errors import ApiError, BadRequest, Forbidden, NotFound
from games.core.forms import Form, FormState, Undo, listed_errors, rejected_form, typed_values
from games.core.idempotency import AlreadyDone, KeyedWrite
from games.core.limits import DearThrottle
from games.core.permissions import LoginNeeded, SecondFactorNeeded, current_account
from games.core.preconditions import NotModified
from games.core.requests import is_flag_set
from games.core.text import language_of, render_template, translated, translated_problems
from games.core.views import ApiView, call_of
from games.models import Account, Token
from games.rules.text import Text

YEAR_SECONDS: Final = 365 * 24 * 3600
DONE: Final = "done"
"""The parameter and the cookie with the name of the action that was carried out."""
DONE_SECONDS: Final = 600
KEPT_FORM: Final = "kept_form"
"""The member of a session with a form that was sent without a login: its page, and its values."""
LONGEST_KEPT: Final = 100_000
KEPT_SECONDS: Final = 3600


class PageRenderer(BaseRenderer):
    """Render the template that a response names, with the data of the response as context."""

    media_type = "text/html"
    format = "html"

    def render(self, data: Any, media_type: Any = None, context: Any = None) -> str:
        """Return the page; a response without data has no content."""
        if data is None:
            return ""
        return render_template(context["response"].template_name, data, context["request"])


class PageView(ApiView):
    """A page; a subclass defines `template` and `context`, and `actions` if it has forms.

    `query_names` are the parameters that it reads; where it is a `public_read`, it gets no others.
    `form` is the state of the form that the request sent. A page may set `sent`, the content of
    the action in place of a field of the form, and `query`, its parameters in place of the page's.
    """

    schema = None
    authentication_classes = [PageAuthentication]
    parser_classes = [FormParser, MultiPartParser]
    renderer_classes = [PageRenderer]
    template = ""
    query_names: tuple[str, ...] = ()
    actions: Mapping[str, Form] = {}
    form = FormState()
    sent: bytes | None = None
    query: Mapping[str, str] | None = None

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, whose forms need the CSRF token, and whose pages are compressed."""
        view = super().as_view(**initkwargs)
        view.csrf_exempt = False
        return gzip_page(view)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and count the request; a form that was sent before gets its response.

        A form that was sent without a login is shown again after it, with what was typed.
        """
        super().initial(request, *args, **kwargs)
        if request.method == "GET" and self.actions and isinstance(request.user, Account):
            self.form = _form_before_login(request) or self.form
        if request.method == "POST":
            account = request.user if isinstance(request.user, Account) else None
            self.keyed_write = KeyedWrite.of_form(request, account)
            if self.keyed_write is not None:
                self.keyed_write.require_new()

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Respond in the language of the reader."""
        language = language_of(request)
        with translation.override(language):
            response = super().dispatch(request, *args, **kwargs)
            if isinstance(response, Response):
                response.render()
        response.headers["Content-Language"] = language
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Ignore `Accept`, since a page is HTML."""
        return PageRenderer(), PageRenderer.media_type

    def checks_of_query(self, request: Request) -> list[Callable[[], object]]:
        """Return no checks: a page takes the parameters that it knows."""
        return []

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        return {}

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        return self.page(self.context(request, **address))

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out the action of a form, and redirect; or show the page again with the reason."""
        if not self.actions:
            raise exceptions.MethodNotAllowed("POST")
        name = request.POST.get("action", "")
        form = self.actions.get(name)
        if form is None:
            raise BadRequest(
                "unknown_action", Text("the form names no action; load the page again")
            )
        try:
            content = self.perform(request, form, address, dry_run=is_flag_set(request, "dry_run"))
        except ApiError as error:
            if isinstance(error, LoginNeeded | NotFound):
                raise
            self.form = rejected_form(request, name, error)
            return self.page(self.context(request, **address), status=error.status)
        action = form.action
        if is_flag_set(request, "dry_run") or action.is_shown or action.is_read_only:
            self.form = FormState(name, typed_values(request))
            return self.page(self.context(request, **address) | {"preview": content})
        return redirect_done(self.next_address(request, name, content, **address))

    def perform(
        self, request: Request, form: Form, address: Mapping[str, Any], *, dry_run: bool
    ) -> Any:
        """Carry out the action of a form, and return the content of its response.

        Raises the errors of the action, and BadRequest for a form without a part of the address.
        """
        action, fields = form.action(), request.POST
        address = {**address, **form.address_of(fields)}
        call = call_of(request, address, if_match=fields.get("if_match", ""))
        call = replace(
            call, dry_run=dry_run, query=call.query if self.query is None else self.query
        )
        if action.cost:  # the page itself was counted
            self.throttle_scope = action.cost
            DearThrottle().allow_request(request, self)
        return carry_out(
            action, call, lambda: self.sent or form.content_of(request, address), self.keyed_write
        ).content

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the page after an action: this page, with what was done."""
        return f"{quote(request.path)}?{urlencode({'done': name})}"

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page of a context."""
        done = self.actions.get(just_done(self.request))
        sentence = (
            (done.sentence or done.action.done) if done and self.request.method == "GET" else ""
        )
        frame = {"form": self.form, "done": sentence and gettext(sentence), "undo": None}
        content = self.frame() | frame | dict(context)
        if sentence:
            content["undo"] = self.undo(self.request.query_params["done"], content)
        content["listed_errors"] = listed_errors(content["form"], context)
        return Response(content, status=status, template_name=self.template)

    def undo(self, name: str, context: Mapping[str, Any]) -> Undo | None:
        """Return how an action that was carried out is taken back, if the page can do that."""
        return None

    def frame(self) -> dict[str, Any]:
        """Return what the template of every page needs (templates/base.html)."""
        return frame_of(*current_account(self.request)) | {"journal_kinds": {}}

    def handle_exception(self, exc: Exception) -> Response:
        """Return a page that says what is wrong; a stranger is sent to the login."""
        if isinstance(exc, LoginNeeded) and self.request.method == "GET":
            query = urlencode({"next": self.request.get_full_path()})
            return redirect(f"/login?{query}")
        if isinstance(exc, SecondFactorNeeded) and self.request.method == "GET":
            return redirect(reverse("mfa_index"))
        response = super().handle_exception(exc)
        if isinstance(exc, AlreadyDone | NotModified):
            return remember_done(response)
        is_login_needed = isinstance(exc, LoginNeeded)
        is_kept = isinstance(exc, LoginNeeded | NotFound) and keep_form(self.request, self.actions)
        problem = {
            **response.data,
            "detail": gettext("Log in first.")
            if is_login_needed
            else translated(response.data["detail"]),
            "errors": translated_problems(response.data.get("errors", ())),
        }
        response.data = self.frame() | {"problem": problem, "is_kept": is_kept}
        response.template_name, response.content_type = "games/core/error.html", None
        self.request.accepted_renderer = PageRenderer()
        self.request.accepted_media_type = PageRenderer.media_type
        return response


def keep_form(request: Request, actions: Mapping[str, Form]) -> bool:
    """Keep what a stranger sent to this page until they have logged in; return False if not kept.

    Passwords, files and what is too long are not kept.
    """
    is_form = request.method == "POST" and request.POST.get("action") in actions
    if not is_form or isinstance(request.user, Account):
        return False
    typed = {name: value for name, value in typed_values(request).items() if "password" not in name}
    if request.FILES or len(str(typed)) > LONGEST_KEPT:
        return False
    request.session[KEPT_FORM] = {"path": request.path, "typed": typed}
    request.session.set_expiry(KEPT_SECONDS)  # a login sets its own
    return True


def _form_before_login(request: Request) -> FormState | None:
    """Return what was sent to this page before the login, once; None for another page."""
    kept = request.session.get(KEPT_FORM)
    if kept is None or kept["path"] != request.path:
        return None
    del request.session[KEPT_FORM]
    typed = kept["typed"]
    detail = gettext("You have logged in now. What you typed is in the form; send it again.")
    return FormState(typed["action"], typed, detail)


def frame_of(user: Any, token: Token | None) -> dict[str, Any]:
    """Return what templates/base.html shows around every page."""
    return {
        "account": user if isinstance(user, Account) else None,
        "is_link_session": token is not None,
        "language": translation.get_language(),
        "languages": settings.LANGUAGES,
        "docs_url": settings.DOCS_URL,
        "legal_pages": settings.LEGAL_PAGES,
        "version": settings.VERSION,
    }


def account_frame(request: HttpRequest | Request) -> dict[str, Any]:
    """Return the frame of allauth's pages, as a context processor; the other pages have theirs."""
    if isinstance(request, Request):
        return {}
    return frame_of(get_user(request), None)


def redirect(address: str) -> Response:
    """Return a redirect to a page of this site, which is then requested by GET."""
    return Response(status=303, headers={"Location": iri_to_uri(address)})


def redirect_done(address: str) -> Response:
    """Return a redirect to a page that says what was done (`?done=`), to this browser only."""
    return remember_done(redirect(address))


def remember_done(response: Response) -> Response:
    """Return a redirect with a cookie of what it says was done, for reloads within some minutes."""
    for name in parse_qs(urlsplit(response.headers.get("Location", "")).query).get(DONE, ()):
        response.set_cookie(
            DONE,
            name,
            max_age=DONE_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def just_done(request: Request) -> str:
    """Return the name of the action in the address, if it was this browser that carried it out.

    Who opens the address of somebody else reads no sentence of success.
    """
    name = request.query_params.get(DONE, "")
    return name if name == request.COOKIES.get(DONE) else ""


class RejectedPage(PageView):
    error: ApiError = NotFound("not_found", Text("this address does not exist"))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise the error, whatever the method."""
        super().initial(request, *args, **kwargs)
        raise self.error


def unknown_page(request: HttpRequest) -> HttpResponseBase:
    """Respond to an address that does not exist."""
    view = RejectedPage.as_view()
    return view(request)


def old_form(request: HttpRequest, **_: object) -> HttpResponseBase:
    """Respond to a form whose CSRF token is missing or not that of the session."""
    detail = Text(
        "the form is too old, or was not sent by a page of this site; load the page again"
    )
    view = RejectedPage.as_view(error=Forbidden("old_form", detail))
    return view(request)


@require_safe
def choose_language(request: HttpRequest, language: str) -> HttpResponseRedirect:
    """Store the language in a cookie, and return to the page `next` of this site."""
    following = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(following, allowed_hosts=None):
        following = "/"
    response = HttpResponseRedirect(following)
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=YEAR_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response
