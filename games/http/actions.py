"""Allowed actions: the level of each action of an object, and why the others are refused.

A service refuses an action by the first conflict that it finds, and the list has the same conflict
as its reason, so the two cannot differ.
"""

from collections.abc import Callable
from typing import Any

from rest_framework.request import Request

from games.core.errors import ApiError


def action_as_json(
    name: str, refusal: ApiError | None, *, is_unsafe: bool = False
) -> dict[str, Any]:
    """Return the level of an action, and why it is forbidden if it is."""
    level = "forbidden" if refusal else "unsafe" if is_unsafe else "safe"
    reason = {"code": refusal.code, "reason": refusal.detail} if refusal else {}
    return {"action": name, "level": level, **reason}


def list_actions_in_refusals(request: Request, load: Callable[[], list[dict[str, Any]]]) -> None:
    """Add the allowed actions, as `load` returns them then, to a refusal (403, 409, 412)."""
    request.parser_context["view"].load_actions = load
