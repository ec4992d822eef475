"""Render a page from its template."""

from typing import Any

from django.template.loader import render_to_string
from rest_framework.renderers import BaseRenderer


class PageRenderer(BaseRenderer):
    """Render the template that a response names, with the data of the response as context."""

    media_type = "text/html"
    format = "html"

    def render(self, data: Any, media_type: Any = None, context: Any = None) -> str:
        """Return the page; a response without data has no content."""
        if data is None:
            return ""
        template = context["response"].template_name
        return render_to_string(template, data, request=context["request"]._request)
