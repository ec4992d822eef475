"""Which format a response has, and what a body may be.

A suffix selects a format, `Accept` is a preference, and the rest is JSON. An `Accept` that no
format satisfies gets the first one, because a 406 would help no client (RFC 9110, 12.5.1).

The parsers are strict, so that nothing reaches a view that a database could not store. A body has
at most one MiB. JSON must be UTF-8 without NUL characters, lone surrogates, NaN and infinite
numbers, without excessive nesting, and without a member that occurs twice in one object: programs
do not agree about which one counts (RFC 8259, 4).
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games.core.text import translated
from games.rules.text import Text

MAX_BODY_SIZE = 1024 * 1024


class LenientNegotiation(DefaultContentNegotiation):
    """Select the renderer of the suffix, else the one that `Accept` prefers, else the first."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return a renderer and its media type; never raise NotAcceptable."""
        offered = list(renderers)
        if format_suffix:
            renderer = self.filter_renderers(offered, format_suffix)[0]
        else:
            renderer = _preferred_renderer(request, offered)
        return renderer, renderer.media_type or ""


def _preferred_renderer(request: Request, renderers: list[BaseRenderer]) -> BaseRenderer:
    for accepted in request.accepted_types:
        for renderer in renderers:
            if renderer.media_type != "text/plain" and accepted.match(renderer.media_type):
                return renderer
    return renderers[0]


class BodyTooLarge(APIException):
    """The body is larger than the limit (413)."""

    status_code = 413
    default_code = "body_too_large"

    def __init__(self, detail: str = "") -> None:
        text = detail or Text("a body has at most %(most)s bytes", most=MAX_BODY_SIZE)
        super().__init__(translated(text))


def _reject_constant(name: str) -> Any:
    raise ParseError(f"{name} is not a JSON number")


def _object_of(members: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raises ParseError for a member that occurs twice."""
    found = dict(members)
    if len(found) < len(members):
        counts = Counter(name for name, _ in members)
        ((repeated, _),) = counts.most_common(1)
        raise ParseError(f"the JSON has the member {repeated[:40]!r} twice in one object")
    return found


class BytesParser(BaseParser):
    """Parse `text/csv` as bytes, because the encoding is detected later."""

    media_type = "text/csv"

    def parse(self, stream: IO[bytes], *args: Any, **kwargs: Any) -> Any:
        """Return the body; raises BodyTooLarge, and ParseError for a NUL byte."""
        body = stream.read(MAX_BODY_SIZE + 1)
        if len(body) > MAX_BODY_SIZE:
            raise BodyTooLarge
        if b"\0" in body:
            raise ParseError("the body contains a NUL byte")
        return body


class TextBytesParser(BytesParser):
    """Parse `text/plain` as bytes; an import detects the encoding."""

    media_type = "text/plain"


class FileParser(BytesParser):
    """Parse `application/octet-stream`, a file whose format its address tells, as bytes."""

    media_type = "application/octet-stream"


class TextParser(BytesParser):
    """Parse `text/plain`, a record as in a file."""

    media_type = "text/plain"

    def parse(self, stream: IO[bytes], *args: Any, **kwargs: Any) -> Any:
        """Return the text of the body; raises ParseError if it is not UTF-8."""
        body = super().parse(stream)
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ParseError(f"the body is not UTF-8 at byte {error.start}") from error


class TextFileParser(TextParser):
    """Parse `application/octet-stream`, a record as in a file."""

    media_type = "application/octet-stream"


class StrictJSONParser(TextParser):
    """Parse `application/json`; reject broken JSON with 400."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], *args: Any, **kwargs: Any) -> Any:
        """Return the value of the body; an empty body is an empty object."""
        text = super().parse(stream)
        if not text.strip():
            return {}
        try:
            value = json.loads(text, parse_constant=_reject_constant, object_pairs_hook=_object_of)
            written = json.dumps(value, ensure_ascii=False, allow_nan=False)
            written.encode("utf-8")
        except json.JSONDecodeError as error:
            raise ParseError(
                f"the JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}"
            ) from error
        except UnicodeEncodeError as error:
            raise ParseError("the JSON contains half of a surrogate pair") from error
        except (RecursionError, ValueError) as error:
            raise ParseError(
                "the JSON contains too large a number or too deep a nesting"
            ) from error
        if "\\u0000" in written.replace("\\\\", ""):
            raise ParseError("the JSON contains a NUL character")
        return value
