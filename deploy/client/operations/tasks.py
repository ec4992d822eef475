"""Requests below `/tasks`. Written by `make schema`; do not edit."""

from __future__ import annotations

from .. import types
from ..operation import Operation, path_of


def task(task_id: str, *, if_none_match: str | None = None) -> Operation[types.AnyTask]:
    """Return the state of a task, computed from the data: `waiting`, `done` or `failed`."""
    return Operation(
        "GET",
        path_of("/tasks/{task_id}", task_id=task_id),
        headers={"If-None-Match": if_none_match},
    )
