"""Render a template and let go of its data."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.context import make_context
from django.template.loader import get_template


def render_template(name: str, data: Mapping[str, Any], request: HttpRequest | None = None) -> str:
    """Return the text of a template; its context is empty afterwards.

    Django's context is part of a cycle: a large table in it would stay in memory until the garbage
    collector finds it, and that delays one of the next requests.
    """
    template: Any = get_template(name)
    context = make_context(dict(data), request)
    try:
        return str(template.template.render(context))
    finally:
        context.dicts.clear()
