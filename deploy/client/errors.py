"""The errors of the client: one family, whose base class is `ClientError`."""

from collections.abc import Mapping
from typing import Any


class ClientError(Exception):
    """What the client raises."""


class Unreachable(ClientError):
    """There is no response: no connection, a broken one, or none in time."""


class InvalidSignature(ClientError):
    """A webhook was not signed with this secret, or is too old."""


class Problem(ClientError):
    """The service rejected a request (RFC 9457).

    `code` is stable and tells the reason; `errors` names the wrong values by JSON pointers; `body`
    has all members, such as `allowed_actions` of a conflict.
    """

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        self.status = status
        self.body = dict(body)
        self.code = str(body.get("code", ""))
        self.detail = str(body.get("detail", ""))
        self.errors: list[dict[str, Any]] = list(body.get("errors", ()))
        self.request_id = str(body.get("request_id", ""))
        super().__init__(f"{status} {self.code}: {self.detail}")
