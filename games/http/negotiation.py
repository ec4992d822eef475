"""Content negotiation: `Accept` is a preference, and an unknown media type gets the first format.

Views write a record as text or a table as CSV themselves, and errors are always problem+json, so a
406 would help no client (RFC 9110, 12.5.1).
"""

from collections.abc import Iterable

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class LenientNegotiation(DefaultContentNegotiation):
    """Select the preferred renderer, or else the first."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return a renderer and its media type; never raise NotAcceptable."""
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            first = next(iter(renderers))
            return first, first.media_type or ""
