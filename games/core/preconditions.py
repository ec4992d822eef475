"""`If-Match`: a director's write fails if the object has changed since the director read it.

The tag of an object that directors write to has three parts: the last line of its journal when it
was read, the version of the object, and a digest of the content, as in `"57.8a0f.c41d"`. A write
compares only the version, while the row of the object is locked, so writes to other objects do not
disturb it. The number of the line tells what has changed since. Others get no version, because it
would tell them of changes that are not published.

`ETag` and `If-None-Match`: a caller who has the current representation gets 304 without a body.

The tag of a response is a digest of its content. A view whose content is expensive sets `ETag` from
the state that the content depends on, and calls `require_change` before it computes the content.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import ApiError, BadRequest
from games.core.journal.chain import canonical_json, format_time
from games.core.journal.lines import append_line, find_head
from games.models import Account, JournalLine, Token
from games.rules.text import Text

ETAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e]*)"')
TYPES_WITHOUT_ETAG: Final = ("application/pdf", "application/zip", "text/event-stream")
"""Content that contains the time at which it was made, or that has no end."""

MOST_JOURNAL_CHANGES = 20
"""Journal lines that the error of a stale write lists."""


class NotModified(Exception):
    """The caller has the current representation (304)."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.response = Response(status=304, headers={"ETag": tag})


def tag_of(*state: Any) -> str:
    """Return a strong tag of a state, which consists of JSON values, dates and times."""
    return quote_digest(canonical_json([str(value) for value in state]).encode())


def quote_digest(content: bytes) -> str:
    """Return a strong tag of the content."""
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


def content_tag(content: Any) -> str:
    """Return the tag of a read that responds with this content as JSON, and has no version."""
    return quote_digest(JSONRenderer().render(content))


def has_current_tag(request: Request | HttpRequest, tag: str) -> bool:
    """Return True if `If-None-Match` has the tag, weak or strong, or is `*`."""
    header = request.headers.get("If-None-Match", "")
    return header.strip() == "*" or (bool(header) and ETAG.findall(tag)[0] in ETAG.findall(header))


def require_change(request: Request, tag: str) -> None:
    """Set the tag of the response; raises NotModified if the caller has it."""
    request.parser_context["view"].headers["ETag"] = tag
    if has_current_tag(request, tag):
        raise NotModified(tag)


def tag_response(
    request: Request, response: HttpResponseBase, version_tag: str = ""
) -> HttpResponseBase:
    """Return the response to a read with the tag of its content, or 304 if the caller has it.

    The number of a journal line in front of the version may differ in the tag that the caller has.
    """
    is_content = response.status_code == 200 and isinstance(response, HttpResponse)
    if "ETag" in response.headers or not is_content:
        return response
    assert isinstance(response, HttpResponse)
    if response.headers.get("Content-Type", "").startswith(TYPES_WITHOUT_ETAG):
        return response
    if isinstance(response, Response):
        response.render()
    digest = quote_digest(response.content).strip('"')
    tag = f'"{version_tag}.{digest}"' if version_tag else f'"{digest}"'
    for known in ETAG.findall(request.headers.get("If-None-Match", "")):
        if version_tag and known.partition(".")[2] == tag.strip('"').partition(".")[2]:
            tag = f'"{known}"'
    response.headers["ETag"] = tag
    if not has_current_tag(request, tag):
        return response
    headers = {name: response.headers[name] for name in response.headers if name != "Content-Type"}
    return HttpResponse(status=304, headers=headers)


class PreconditionRequired(ApiError):
    """A write has no `If-Match` (428); `wanted` is the address of the object whose tag it needs."""

    status = 428

    def __init__(self, wanted: str) -> None:
        super().__init__(
            "precondition_required",
            "send the ETag of the object that you have read as If-Match, or `If-Match: *` to"
            " overwrite any change; a token with `preconditions: optional` needs neither",
            wanted=wanted,
        )


class Stale(ApiError):
    """The object has changed since it was read (412); `changed` lists the journal lines.

    `wanted` is the address of the object: the tag may have been that of another one.
    """

    status = 412

    def __init__(
        self,
        tag: str,
        changed: list[dict[str, Any]],
        detail: str = Text("the object has changed since you read it; read it again"),
        **extra: Any,
    ) -> None:
        super().__init__("stale", detail, current=tag, changed=changed, **extra)


@dataclass(frozen=True, slots=True)
class Target:
    """What a write changes: its journal, and its version, with the row locked if requested.

    `is_about` decides whether a kind of line and its payload concern the object.
    """

    stream: str
    read_version: Callable[[bool], str]
    is_about: Callable[[str, dict[str, Any]], bool]

    def current_tag(self, *, locked: bool) -> str:
        """Return the tag, without the digest of a content."""
        if locked:
            version, line = self.read_version(True), last_line(self.stream)
        else:  # a change in between is later than the line, so it is listed as one
            line, version = last_line(self.stream), self.read_version(False)
        return f"{line}.{version}"


def line_names(name: str, value: int) -> Callable[[str, dict[str, Any]], bool]:
    """Return whether a line of the journal is about an object that its payload names."""
    return lambda _, payload: payload.get(name) == value


def version_of(row: Model, *names: str) -> str:
    """Return the version of a row, a digest of these columns."""
    values = [str(getattr(row, name)) for name in names]
    return blake2b(canonical_json(values).encode(), digest_size=8).hexdigest()


def last_line(stream: str) -> int:
    """Return the number of the last line of a journal, 0 if it has none."""
    return find_head(stream).sequence


def tag_for_writes(request: Request, target: Target) -> None:
    """Let the tag of the response contain the version of the object, for a caller who may write."""
    request.parser_context["view"].version_tag = target.current_tag(locked=False)


@contextmanager
def if_unchanged(
    target: Target,
    header: str,
    token: Token | None,
    *,
    by: Account,
    source: str,
    wanted: str,
    dry_run: bool,
) -> Iterator[dict[str, str]]:
    """Write if the object has the version of `If-Match`; the headers that it yields get the next.

    Raises PreconditionRequired (428) and Stale (412). `If-Match: *` writes in any case, with a
    journal line of its own that names the source. A dry run locks nothing.
    """
    headers: dict[str, str] = {}
    wanted = f"{settings.PUBLIC_URL}/api/v1/{wanted}"
    if not header and (token is None or token.preconditions == Token.Preconditions.REQUIRED):
        raise PreconditionRequired(wanted)
    if dry_run:
        if header:
            _require_current(header, target, target.current_tag(locked=False), wanted)
        yield headers
        return
    with transaction.atomic():
        if header:
            _require_current(header, target, target.current_tag(locked=True), wanted)
        if header == "*":
            append_line(target.stream, "write.forced", {"address": source}, by=by)
        yield headers
        headers["ETag"] = f'"{target.current_tag(locked=False)}"'


OTHER_TAG: Final = Text(
    "the tag is that of another object, or of somebody who may not change this one; read this one"
    " again"
)


def _require_current(header: str, target: Target, tag: str, wanted: str) -> None:
    """Raise Stale unless the header is `*` or has the version of the tag."""
    if header == "*":
        return
    tags = [text.split(".") for text in ETAG.findall(header)]
    if not tags:
        detail = 'If-Match is the ETag of the object in quotes, such as "57.8a0f.c41d", or *'
        raise BadRequest("wrong_precondition", detail)
    _, version = tag.split(".")
    if any(parts[1:2] == [version] for parts in tags):
        return
    numbers = [int(parts[0]) for parts in tags if parts[0].isdecimal() and len(parts[0]) < 18]
    changed = _lines_since(target, max(numbers)) if numbers else []
    if not changed:
        raise Stale(f'"{tag}"', changed, OTHER_TAG, wanted=wanted)
    raise Stale(f'"{tag}"', changed, wanted=wanted)


def require_same_effect(stream: str, sent: str, current: str) -> None:
    """Raise Stale unless two digests of an effect, such as `57.8a0f`, are equal.

    The number of the journal line in front tells what has changed since; it may differ.
    """
    if sent.partition(".")[2] != current.partition(".")[2]:
        detail = Text("the effect has changed since the preview; preview it again")
        raise stale_effect(stream, sent, detail, current)


def stale_effect(stream: str, sent: str, detail: str, current: str = "") -> Stale:
    """Return the refusal of an effect that is not that of the preview; it lists what changed."""
    number = sent.partition(".")[0]
    sequence = int(number) if number.isdecimal() and len(number) < 18 else 0
    target = Target(stream, lambda _: current, lambda _kind, _payload: True)
    return Stale(current, _lines_since(target, sequence), detail)


def _lines_since(target: Target, sequence: int) -> list[dict[str, Any]]:
    """Return the last journal lines about the object after a line, the oldest first."""
    rows = JournalLine.objects.filter(stream=target.stream, sequence__gt=sequence)
    lines = rows.order_by("-sequence").select_related("payload")[: MOST_JOURNAL_CHANGES * 5]
    found = [line for line in lines if target.is_about(line.kind, _payload_of(line))][
        :MOST_JOURNAL_CHANGES
    ]
    numbers = {line.actor.removeprefix("account/") for line in found}
    accounts = Account.objects.in_bulk([int(number) for number in numbers if number.isdigit()])
    names = {f"account/{number}": account.name for number, account in accounts.items()}
    return [
        {
            "sequence": line.sequence,
            "kind": line.kind,
            "actor": line.actor,
            "name": names.get(line.actor) or None,
            "at": format_time(line.at),
        }
        for line in reversed(found)
    ]


def _payload_of(line: JournalLine) -> dict[str, Any]:
    payload = getattr(line, "payload", None)
    return payload.body if payload else {}
