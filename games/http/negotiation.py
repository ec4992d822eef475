"""Which form an answer takes: `Accept` is a wish, and what cannot be had is answered as JSON.

A record as text or a table as CSV is written by its view, past DRF's renderers, and a refusal is
always problem+json; to refuse a wish for these (406) would help nobody (RFC 9110, 12.5.1).
"""

from collections.abc import Iterable

from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class JSONAtLeast(DefaultContentNegotiation):
    """The renderer that was wished for, or else the first."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """A renderer and its media type; never refuses an Accept header."""
        try:
            return super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            first = next(iter(renderers))
            return first, first.media_type or ""
