"""Which format a response has, and what a body may be.

The formats of a read are the renderers of its view, the first of them for a client that accepts
any. A suffix of the address selects one, whatever `Accept` says; without a suffix, `Accept` chooses
by its qualities (RFC 9110, 12.5.1), and 406 lists the media types if it accepts none.

The parsers are strict, so that nothing reaches a view that a database could not store. A body has
at most one MiB. JSON must be UTF-8 without NUL characters, lone surrogates, NaN and infinite
numbers, without excessive nesting, and without a member that occurs twice in one object: programs
do not agree about which one counts (RFC 8259, 4).
"""

import json
from collections import Counter
from collections.abc import Iterable
from typing import IO, Any

from django.http.request import MediaType
from django.urls import URLPattern, URLResolver, register_converter
from django.urls.converters import IntConverter, StringConverter
from django.utils.http import parse_header_parameters
from rest_framework.exceptions import APIException, NotAcceptable, ParseError, UnsupportedMediaType
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.urlpatterns import format_suffix_patterns

from games.core.text import translated
from games.rules.text import Text

MAX_BODY_SIZE = 1024 * 1024


class ByQuality(DefaultContentNegotiation):
    """Select the renderer of the suffix, else the one that `Accept` prefers.

    DRF's own class does not read the qualities.
    """

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return a renderer and its media type; raises NotAcceptable, Http404 for a suffix."""
        offered = list(renderers)
        if format_suffix:
            renderer = self.filter_renderers(offered, format_suffix)[0]
            return renderer, renderer.media_type or ""
        ranges = request.headers.get("Accept", "*/*").split(",")
        accepted = [MediaType(text) for text in ranges if text.strip()] or [MediaType("*/*")]
        found = max(offered, key=lambda each: _preference(each, accepted))
        if not _preference(found, accepted)[0]:
            raise NotAcceptable(available_renderers=offered)
        return found, found.media_type or ""


def _preference(renderer: BaseRenderer, accepted: list[MediaType]) -> tuple[float, int, int]:
    """Return the quality of the most specific range that includes a format, 0 without one.

    Of two formats in one range, the one that has its parameters is preferred.
    """
    offered = MediaType(renderer.media_type)
    including = [
        each
        for each in accepted
        if each.main_type in ("*", offered.main_type)
        and each.sub_type in ("*", offered.sub_type)
        and offered.params.items() <= each.params.items()
    ]
    found = max(including, key=lambda each: each.specificity, default=None)
    return (found.quality, found.specificity, len(offered.params)) if found else (0.0, 0, 0)


class NumberConverter(IntConverter):
    """A number as it is written: each object has one address, which `rounds/01` is not."""

    regex = "0|[1-9][0-9]{0,17}"


class DayConverter(StringConverter):
    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"


register_converter(NumberConverter, "number")
register_converter(DayConverter, "day")


def with_suffixes(*patterns: URLPattern) -> list[URLPattern | URLResolver]:
    """Return each address, and the same with the suffix of any format of its view."""
    found: list[URLPattern | URLResolver] = []
    for pattern in patterns:
        view: Any = pattern.callback
        formats = [renderer.format for renderer in view.cls.renderer_classes]
        found += format_suffix_patterns([pattern], allowed=formats)
    return found


class FileFormat(BaseRenderer):
    """A format whose file the view returns itself; a subclass names it."""

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """Return nothing: a view returns its file, and a problem is JSON."""
        return b""


class PdfFile(FileFormat):
    media_type = "application/pdf"
    format = "pdf"
    render_style = "binary"


class SvgFile(FileFormat):
    media_type = "image/svg+xml"
    format = "svg"


class TextFile(FileFormat):
    media_type = "text/plain"
    format = "txt"


class SgfFile(FileFormat):
    media_type = "application/x-go-sgf"
    format = "sgf"


class NdjsonFile(FileFormat):
    media_type = "application/x-ndjson"
    format = "ndjson"


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


def _broken(error: json.JSONDecodeError) -> str:
    """Return what is wrong where the JSON is broken; the words of the parser are its own."""
    rest = error.doc[error.pos :]
    if not rest.strip():
        return "it ends too early"
    if rest.startswith('"') and '"' not in rest[1:]:
        return "the text that begins here has no end"
    return f"{rest[:12]!r} cannot stand here"


class BytesParser(BaseParser):
    """Parse a file as bytes: what reads it finds its encoding, and refuses NUL bytes of a text."""

    def parse(self, stream: IO[bytes], *args: Any, **kwargs: Any) -> Any:
        body = stream.read(MAX_BODY_SIZE + 1)
        if len(body) > MAX_BODY_SIZE:
            raise BodyTooLarge
        return body


class TextBytesParser(BytesParser):
    media_type = "text/plain"


class FileParser(BytesParser):
    """Parse `application/octet-stream`, a file whose format its address or its content tells."""

    media_type = "application/octet-stream"


class CsvParser(BytesParser):
    media_type = "text/csv"


class XlsxParser(BytesParser):
    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class XlsParser(BytesParser):
    """Parse a workbook of Excel before 2007; on Windows, browsers call CSV so too."""

    media_type = "application/vnd.ms-excel"


class OdsParser(BytesParser):
    media_type = "application/vnd.oasis.opendocument.spreadsheet"


TEXT_PARSERS = (TextBytesParser, FileParser)
"""The parsers of a text, such as a TRF file."""
LIST_PARSERS = (CsvParser, XlsxParser, OdsParser, XlsParser, FileParser)
"""The parsers of a list, which `games.core.uploads.csv` reads by its content, not by its type."""


class RecordParser(BytesParser):
    """Parse `text/plain`, a record as in a file; raises UnsupportedMediaType for a charset."""

    media_type = "text/plain"
    charsets: tuple[str, ...] = ("utf-8", "utf8", "us-ascii", "utf-16")

    def parse(self, stream: IO[bytes], media_type: str | None = None, *args: Any) -> Any:
        charset = parse_header_parameters(media_type or "")[1].get("charset", "utf-8")
        if charset.lower() not in self.charsets:
            raise UnsupportedMediaType(charset)
        return super().parse(stream)


class RecordFileParser(RecordParser):
    """Parse `application/octet-stream`, a record as in a file."""

    media_type = "application/octet-stream"


class StrictJSONParser(RecordParser):
    """Parse `application/json`; reject broken JSON with 400."""

    media_type = "application/json"
    charsets = ("utf-8", "utf8", "us-ascii")

    def parse(self, stream: IO[bytes], media_type: str | None = None, *args: Any) -> Any:
        """Return the value of the body; an empty body is an empty object."""
        body = super().parse(stream, media_type)
        if b"\0" in body:
            raise ParseError("the body contains a NUL byte")
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ParseError(f"the body is not UTF-8 at byte {error.start}") from error
        if not text.strip():
            return {}
        try:
            value = json.loads(text, parse_constant=_reject_constant, object_pairs_hook=_object_of)
            written = json.dumps(value, ensure_ascii=False, allow_nan=False)
            written.encode("utf-8")
        except json.JSONDecodeError as error:
            place = f"line {error.lineno}, column {error.colno}"
            raise ParseError(f"the JSON is broken at {place}: {_broken(error)}") from error
        except UnicodeEncodeError as error:
            raise ParseError("the JSON contains half of a surrogate pair") from error
        except (RecursionError, ValueError) as error:
            raise ParseError(
                "the JSON contains too large a number or too deep a nesting"
            ) from error
        if "\\u0000" in written.replace("\\\\", ""):
            raise ParseError("the JSON contains a NUL character")
        return value
