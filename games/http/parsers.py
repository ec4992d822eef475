"""Bodies read strictly: nothing reaches a view that a database could not store.

A body has at most one MiB. JSON must be UTF-8 without NUL characters, lone surrogates, NaN or
infinite numbers, and not nested beyond reason.
"""

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

LARGEST_BODY = 1024 * 1024


class BodyTooLarge(APIException):
    """More than a MiB was sent (413)."""

    status_code = 413
    default_code = "body_too_large"
    default_detail = f"a body has at most {LARGEST_BODY} bytes"


def read_bytes(stream: IO[bytes]) -> bytes:
    """The whole body; raises BodyTooLarge beyond a MiB."""
    body = stream.read(LARGEST_BODY + 1)
    if len(body) > LARGEST_BODY:
        raise BodyTooLarge
    return body


def read_body(stream: IO[bytes]) -> bytes:
    """The whole body; raises BodyTooLarge beyond a MiB, ParseError for a NUL byte."""
    body = read_bytes(stream)
    if b"\0" in body:
        raise ParseError("a NUL byte stands in the body")
    return body


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseError(f"the body is not UTF-8 at byte {error.start}") from error


def _no_constant(name: str) -> Any:
    raise ParseError(f"{name} is no JSON number")


class StrictJSONParser(BaseParser):
    """`application/json`, refused with 400 where it is broken."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value that the body holds; an empty body is an empty object."""
        text = _decoded(read_body(stream))
        if not text.strip():
            return {}
        try:
            value = json.loads(text, parse_constant=_no_constant)
            written = json.dumps(value, ensure_ascii=False, allow_nan=False)
            written.encode("utf-8")
        except json.JSONDecodeError as error:
            raise ParseError(
                f"the JSON is broken at line {error.lineno}, column {error.colno}: {error.msg}"
            ) from error
        except UnicodeEncodeError as error:
            raise ParseError("the JSON holds half of a surrogate pair") from error
        except (RecursionError, ValueError) as error:
            raise ParseError("the JSON holds a number or a nesting beyond reason") from error
        if "\\u0000" in written.replace("\\\\", ""):
            raise ParseError("a NUL character stands in the JSON")
        return value


class TextParser(BaseParser):
    """`text/plain`: a record as it stands in a file."""

    media_type = "text/plain"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The text of the body."""
        return _decoded(read_body(stream))


class BytesParser(BaseParser):
    """`text/csv`: the bytes as they came, since their encoding is still to be found out."""

    media_type = "text/csv"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The bytes of the body."""
        return read_body(stream)
