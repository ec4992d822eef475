"""What a service refuses, and how a refusal is told.

One family for the three apps: each child stands for one kind of answer, `deploy.api` gives it a
status and writes it as problem+json. A refusal carries a stable `code`, a sentence that says what
is wrong and what would be right, and, where several things are wrong, `errors` with a JSON
pointer each.
"""

from collections.abc import Mapping, Sequence
from typing import Any


class ApiError(Exception):
    """A request that was understood and is not done; nothing was changed.

    `code` is stable, `detail` a sentence; `errors` are dicts with `code`, `detail` and, where
    known, `pointer`, `ply`, `move`, `cell`, `line`, `column`.
    """

    status = 422

    def __init__(
        self, code: str, detail: str, errors: Sequence[Mapping[str, Any]] = (), **extra: Any
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.errors = [dict(error) for error in errors]
        self.extra = extra

    def as_dict(self) -> dict[str, Any]:
        """Return the problem as JSON; `error_from_dict` is the inverse."""
        told = {"status": self.status, "code": self.code, "detail": self.detail}
        return {**told, "errors": self.errors, **self.extra}


class Unprocessable(ApiError):
    """The content breaks a rule (422)."""


class Conflict(ApiError):
    """The content is in order, the present state does not allow it (409)."""

    status = 409


class Forbidden(ApiError):
    """The account may not do this (403)."""

    status = 403


class NotFound(ApiError):
    """No such thing, or none that this account may see (404)."""

    status = 404


class BadRequest(ApiError):
    """The content could not be read at all (400)."""

    status = 400


def error_from_dict(
    *, status: int, code: str, detail: str, errors: Sequence[Mapping[str, Any]] = (), **extra: Any
) -> ApiError:
    """A refusal that was kept as a dict."""
    refusal = ApiError(code, detail, errors, **extra)
    refusal.status = status
    return refusal


def unknown_key(field: str, value: object, valid: Sequence[str]) -> Unprocessable:
    """A refusal of a key that is not in its dict: lists the valid ones."""
    detail = f"{field} is {str(value)[:60]!r}; valid are: {', '.join(valid)}"
    return Unprocessable(
        f"unknown_{field}",
        detail,
        [{"pointer": f"/{field}", "code": f"unknown_{field}", "detail": detail}],
        valid=list(valid),
    )
