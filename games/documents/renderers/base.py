"""What the renderers of documents share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from rest_framework.renderers import BaseRenderer
else:
    # Commands on files render documents without the settings and the start-up time of DRF.
    BaseRenderer = object

Context = Mapping[str, Any] | None
"""What a view passes: `byte_order_mark` for CSV, `frame` for PDF."""


class DocumentRenderer(BaseRenderer):
    """Render a document in one format.

    A browser saves the file (`attachment`), displays it (`inline`), or gets no file name ("").
    Corrections are worth computing for a renderer that `shows_notes`.
    """

    media_type: str
    format: str
    charset: str | None = "utf-8"
    render_style = "text"
    extension: ClassVar[str] = ""
    """The extension of the file name, if it is not the format."""

    disposition: ClassVar[str] = "attachment"
    shows_notes: ClassVar[bool] = False
    follows_language: ClassVar[bool] = False
    """Whether the texts are in the language of the reader, as those of pages; else in English."""

    security_policy: ClassVar[str] = ""
    """The Content-Security-Policy, if it is not that of the site."""
