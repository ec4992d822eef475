"""One request to the API, as a value: what to send, and the type of the response's body."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar
from urllib.parse import parse_qsl, quote, urlsplit

T = TypeVar("T")
Row = TypeVar("Row")
Value = str | int | float | bool | None


@dataclass(frozen=True)
class Operation(Generic[T]):
    """A request whose response has a body of type `T`.

    `path` is relative to `/api/v1`. `body` is JSON, or text or bytes with a `content_type`.
    `takes_key` is true for a write that an `Idempotency-Key` makes repeatable.
    """

    method: str
    path: str
    query: Mapping[str, Value] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    body: Any = None
    content_type: str = ""
    takes_key: bool = False

    def with_headers(self, **headers: str) -> Self:
        """Return the same request with further headers, as `prefer="wait=10"`."""
        added = {name.replace("_", "-").title(): value for name, value in headers.items()}
        return replace(self, headers={**self.headers, **added})


@dataclass(frozen=True)
class Listing(Operation[T], Generic[T, Row]):
    """A request for a page of a list with rows of type `Row`."""

    def at(self, address: str) -> Self:
        """Return the request for the page at the address that another page names."""
        return replace(self, query=dict(parse_qsl(urlsplit(address).query)))


@dataclass(frozen=True)
class Response(Generic[T]):
    """A response that is a success, or 304 without a body."""

    status: int
    body: T
    headers: Mapping[str, str]

    @property
    def etag(self) -> str:
        """Return the tag to send as `if_match` with a write, or as `if_none_match` with a read."""
        return self.headers.get("etag", "")

    @property
    def location(self) -> str:
        """Return the address of what was created, or of the task."""
        return self.headers.get("location", "")


def path_of(template: str, **values: object) -> str:
    """Return a path with the values of its parameters."""
    return template.format_map({name: quote(str(value), safe="") for name, value in values.items()})
