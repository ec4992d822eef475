"""Content negotiation: a suffix selects a format, `Accept` is a preference, and the rest is JSON.

An `Accept` that no format satisfies gets the first format, because a 406 would help no client
(RFC 9110, 12.5.1). Plain text is selected by its suffix only, because most clients accept it.
"""

from collections.abc import Iterable

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class LenientNegotiation(DefaultContentNegotiation):
    """Select the renderer of the suffix, else the one that `Accept` prefers, else the first."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return a renderer and its media type; never raise NotAcceptable."""
        offered = list(renderers)
        if format_suffix:
            renderer = self.filter_renderers(offered, format_suffix)[0]
        else:
            renderer = _preferred_renderer(request, offered)
        return renderer, renderer.media_type or ""


def _preferred_renderer(request: Request, renderers: list[BaseRenderer]) -> BaseRenderer:
    for accepted in request.accepted_types:
        for renderer in renderers:
            if renderer.media_type != "text/plain" and accepted.match(renderer.media_type):
                return renderer
    return renderers[0]
