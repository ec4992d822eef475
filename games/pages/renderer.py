"""Render a page from its template."""

from typing import Any

from rest_framework.renderers import BaseRenderer

from games.documents.template import render_template


class PageRenderer(BaseRenderer):
    """Render the template that a response names, with the data of the response as context."""

    media_type = "text/html"
    format = "html"

    def render(self, data: Any, media_type: Any = None, context: Any = None) -> str:
        """Return the page; a response without data has no content."""
        if data is None:
            return ""
        return render_template(context["response"].template_name, data, context["request"]._request)
