"""The errors that the API reports, one class per status.

All three apps raise them; `games.core.problems` renders them as problems (RFC 9457).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Self

from games.rules.text import Text


class ApiError(Exception):
    """A request that is understood and rejected; nothing is changed.

    `code` is stable; `detail` says what is wrong and what would be right. `at` is the JSON pointer
    (RFC 6901) of the wrong value. Where several values are wrong, `errors` lists them instead, as
    dicts with `code`, `detail` and, where known, `pointer`, `ply`, `move`, `cell`, `line`,
    `column`. `extra` members are added to the problem.
    """

    status = 422

    def __init__(
        self,
        code: str,
        detail: str,
        errors: Sequence[Mapping[str, Any]] = (),
        *,
        at: str = "",
        **extra: Any,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        if at:
            errors = [{"pointer": at, "code": code, "detail": detail}]
        self.errors = [dict(error) for error in errors]
        self.extra = extra

    def as_json(self) -> dict[str, Any]:
        """Return the error as JSON; `from_json` is the inverse."""
        problem = {"status": self.status, "code": self.code, "detail": self.detail}
        return {**problem, "errors": self.errors, **self.extra}

    @classmethod
    def from_json(cls, problem: Mapping[str, Any]) -> Self:
        """Return the error that was stored as JSON."""
        error = cls(**{name: value for name, value in problem.items() if name != "status"})
        error.status = problem["status"]
        return error


class Unprocessable(ApiError):
    """The content breaks a rule (422)."""


class Conflict(ApiError):
    """The content is valid, but the current state does not allow it (409)."""

    status = 409


class Forbidden(ApiError):
    """The account may not do this (403)."""

    status = 403


class NotFound(ApiError):
    """The object does not exist, or the account may not see it (404)."""

    status = 404


class BadRequest(ApiError):
    """The content cannot be read at all (400)."""

    status = 400


def unknown_key(field: str, value: object, valid: Sequence[str], *, at: str = "") -> Unprocessable:
    """Return the error of a key that is not in its dict; it lists the valid keys.

    `at` is the pointer to it, if it is not that of the field.
    """
    detail = Text(
        "%(field)s is %(value)s; valid are: %(names)s",
        field=field,
        value=f"{str(value)[:60]!r}",
        names=", ".join(valid),
    )
    return Unprocessable(f"unknown_{field}", detail, at=at or f"/{field}", valid=list(valid))


def check_all(*checks: Callable[[], object]) -> None:
    """Run checks that do not depend on each other; raises the errors of all that fail, at once."""
    raised: list[Unprocessable] = []
    for check in checks:
        try:
            check()
        except Unprocessable as error:
            raised.append(error)
    if not raised:
        return
    first = raised[0]
    if len(raised) > 1:
        first.errors = [
            named
            for error in raised
            for named in error.errors or [{"code": error.code, "detail": error.detail}]
        ]
    raise first


def flatten_messages(detail: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """Yield a serializer's nested messages as a flat list with JSON pointers (RFC 6901)."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            step = "" if name == "non_field_errors" else f"/{name}"
            yield from flatten_messages(inner, pointer + step)
    elif isinstance(detail, list) and any(isinstance(item, dict) for item in detail):
        for index, inner in enumerate(detail):
            yield from flatten_messages(inner, f"{pointer}/{index}")
    elif isinstance(detail, list):
        for inner in detail:
            yield from flatten_messages(inner, pointer)
    else:
        code = getattr(detail, "code", "invalid")
        yield {"pointer": pointer, "code": str(code), "detail": str(detail)}
