"""The actions of a page: a form names one, which is carried out as a request of the API would be.

A form and a request so have the same permissions, validation, preconditions, dry run and refusals,
and cannot differ. The form's fields are the members of the body; `action` names the action,
`if_match` is the tag of what the page has shown (games/core/preconditions.py). The button of a
preview has `formaction="?dry_run=1"`.

A page names actions by `Form`. Writes that are not declared as an action yet
(games/core/actions.py) are named by `PageAction`, with the view of the API.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

from django.http import QueryDict
from django.http.request import HttpHeaders
from django.http.response import HttpResponseBase
from django.utils.datastructures import MultiValueDict
from rest_framework.request import Request
from rest_framework.serializers import BaseSerializer

from games.core.actions import Action, Call, carry_out
from games.core.errors import BadRequest, Unprocessable
from games.core.forms import form_body
from games.core.requests import begin_write
from games.core.views import ApiView
from games.rules.text import Text


class PageRequest(Request):
    """A request of a page; `content` and `query` are what a request of the API would send.

    `text` replaces the text of the form that is a whole body.
    """

    content: Any = None
    query: QueryDict | None = None
    text: bytes | None = None

    @property
    def data(self) -> Any:
        """Return the body."""
        return self.content

    @property
    def headers(self) -> HttpHeaders:
        """Return the headers, with the `If-Match` of the form; Django's are those that came."""
        return HttpHeaders(self.META)

    @property
    def query_params(self) -> Any:
        """Return the query of the address, unless the page has set another one."""
        return self.GET if self.query is None else self.query


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a page that carries out an action.

    `parameters` are fields of the form that are part of the address, as whole numbers, `words`
    those that are words. `text` is a field, or a file, that is the whole content as bytes. `link`
    is a field with a secret, or with the whole address in which it follows the `#`. `body` makes
    the content of the fields of a form whose names are not those of the serializer, given the
    address of the page; it may raise Unprocessable. It takes texts, or with `is_typed` the values
    that the serializer decides. `sentence` replaces that of the action.
    """

    action: type[Action]
    parameters: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    text: str = ""
    link: str = ""
    body: Callable[[dict[str, Any], Mapping[str, Any]], Any] | None = None
    is_typed: bool = False
    sentence: str = ""

    @property
    def serializer(self) -> Callable[[], BaseSerializer] | None:
        """Return what decides the types of the fields; None if they are texts."""
        return self.action.body if self.is_typed or not self.body else None

    @property
    def done(self) -> str:
        """Return the sentence that the page shows after success."""
        return self.sentence or self.action.done

    @property
    def is_shown(self) -> bool:
        """Return True if the page shows the response."""
        return self.action.is_shown

    @property
    def is_read_only(self) -> bool:
        """Return True if nothing is written."""
        return self.action.is_read_only


@dataclass(frozen=True, slots=True)
class PageAction:
    """An action that a form of a page can name.

    `view` is the API's view, `options` those of its `as_view`; `parameters` are fields of the form
    that are part of the API's address, as whole numbers, `left_out` the parts of the page's address
    that the API's does not have. `text` is a field, or a file, that is the whole body as bytes; its
    other fields are then parameters of the query, if the view has them. `link` is a field with a
    secret, or with the whole address in which it follows the `#`. `body` makes the body of the
    fields of a form whose names are not those of the body, given the address of the page; it may
    raise Unprocessable. `serializer` is that of the body, whose types the fields of the form get.
    `words` are parameters of the address that are words. `done` is shown after
    success; if `is_shown`, the response itself (`preview` in the template), because it has a secret
    that no later page can show.
    """

    view: type[ApiView]
    done: str
    method: str = "post"
    options: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    is_shown: bool = False
    left_out: tuple[str, ...] = ()
    text: str = ""
    link: str = ""
    body: Callable[[dict[str, Any], Mapping[str, Any]], Any] | None = None
    serializer: Callable[[], BaseSerializer] | None = None

    @property
    def is_read_only(self) -> bool:
        """Return True if nothing is written."""
        return bool(getattr(self.view, "is_read_only", False))


def perform(page: ApiView, request: PageRequest, form: Form | PageAction, **address: Any) -> Any:
    """Carry out the action of a form, and return the content of its response.

    Raises the errors of the action, and BadRequest for a form without a field of the address.
    """
    fields = request.POST
    address |= {name: _number(fields, name) for name in form.parameters}
    address |= {name: _word(fields, name) for name in form.words}
    if isinstance(form, PageAction):
        return _perform_by_view(page, request, form, address)
    action = form.action()
    call = Call.of(request, address, if_match=fields.get("if_match", ""))
    if action.cost:  # the page itself has cost one unit
        page.throttle_scope = action.cost
        page.check_throttles(request)

    def read_content() -> Any:
        return request.text or _body_of(form, fields, request.FILES, address)

    return carry_out(action, call, read_content, lambda: begin_write(request)).content


def _perform_by_view(
    page: ApiView, request: PageRequest, action: PageAction, address: dict[str, Any]
) -> Any:
    form, files = request.POST, request.FILES
    view = action.view(**action.options)
    page.write_parameters = view.write_parameters
    request.content = request.text or _body_of(action, form, files, address)
    if tag := form.get("if_match", ""):
        request.META["HTTP_IF_MATCH"] = tag
    address = {name: value for name, value in address.items() if name not in action.left_out}
    # The view of the page stands for the API's view wherever a service asks for it.
    view.setup(request, **address)
    view.headers, view.request = page.headers, request
    if hasattr(view, "throttle_scope"):  # the page itself has cost one unit
        view.check_throttles(request)
    method = getattr(view, action.method)
    names = signature(method).parameters
    named = {name: value for name, value in address.items() if name in names}
    response: HttpResponseBase = method(request, **named)
    return getattr(response, "data", None)


def secret_of(link: str) -> str:
    """Return what follows the `#` of an address, or a secret that was pasted without one."""
    return link.rpartition("#")[2].strip()


def _number(form: QueryDict, name: str) -> int:
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 18):
        raise BadRequest(
            "unreadable", Text("the form lacks %(name)s; load the page again", name=name)
        )
    return int(text)


def _word(form: QueryDict, name: str) -> str:
    text = form.get(name, "")
    if not re.fullmatch(r"[0-9A-Za-z_-]{1,40}", text):
        raise BadRequest(
            "unreadable", Text("the form lacks %(name)s; load the page again", name=name)
        )
    return text


def _body_of(
    action: Form | PageAction,
    form: QueryDict,
    files: MultiValueDict[str, Any],
    address: Mapping[str, Any],
) -> Any:
    """Return the body of the API's request; raises Unprocessable for a text that is missing."""
    if not action.text:
        content = form_body(form, action.serializer() if action.serializer else None)
        if action.link in content:
            content[action.link] = secret_of(str(content[action.link]))
        parameters = {*action.parameters, *action.words}
        body = {name: value for name, value in content.items() if name not in parameters}
        return action.body(body, address) if action.body else body
    sent = files.get(action.text)
    text = sent.read() if sent else form.get(action.text, "").encode()
    if not text.strip():
        raise Unprocessable(
            "missing", Text("paste the text, or select a file"), at=f"/{action.text}"
        )
    if b"\0" in text:
        raise Unprocessable(
            "unreadable", Text("the text contains a NUL byte"), at=f"/{action.text}"
        )
    return text
