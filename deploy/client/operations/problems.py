"""Requests below `/problems`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Operation, path_of


def problems(*, if_none_match: str | None = None) -> Operation[types.ProblemTypes]:
    """Return every code of a problem, with its cause and its remedy."""
    return Operation(
        "GET",
        "/problems",
        headers={"If-None-Match": if_none_match},
    )


def problems_csv(*, if_none_match: str | None = None) -> Operation[str]:
    """Return every code of a problem, with its cause and its remedy."""
    return Operation(
        "GET",
        "/problems.csv",
        headers={"If-None-Match": if_none_match},
    )


def problems_html(*, if_none_match: str | None = None) -> Operation[str]:
    """Return every code of a problem, with its cause and its remedy."""
    return Operation(
        "GET",
        "/problems.html",
        headers={"If-None-Match": if_none_match},
    )


def problems_json(*, if_none_match: str | None = None) -> Operation[types.ProblemTypes]:
    """Return every code of a problem, with its cause and its remedy."""
    return Operation(
        "GET",
        "/problems.json",
        headers={"If-None-Match": if_none_match},
    )


def problem(code: str, *, if_none_match: str | None = None) -> Operation[types.ProblemType]:
    """Return the cause and the remedy of a code; `type` of a problem is this address."""
    return Operation(
        "GET",
        path_of("/problems/{code}", code=code),
        headers={"If-None-Match": if_none_match},
    )


def problem_csv(code: str, *, if_none_match: str | None = None) -> Operation[str]:
    """Return the cause and the remedy of a code; `type` of a problem is this address."""
    return Operation(
        "GET",
        path_of("/problems/{code}.csv", code=code),
        headers={"If-None-Match": if_none_match},
    )


def problem_html(code: str, *, if_none_match: str | None = None) -> Operation[str]:
    """Return the cause and the remedy of a code; `type` of a problem is this address."""
    return Operation(
        "GET",
        path_of("/problems/{code}.html", code=code),
        headers={"If-None-Match": if_none_match},
    )


def problem_json(code: str, *, if_none_match: str | None = None) -> Operation[types.ProblemType]:
    """Return the cause and the remedy of a code; `type` of a problem is this address."""
    return Operation(
        "GET",
        path_of("/problems/{code}.json", code=code),
        headers={"If-None-Match": if_none_match},
    )
