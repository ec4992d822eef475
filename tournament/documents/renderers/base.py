"""What the renderers of documents share."""

from typing import TYPE_CHECKING, ClassVar

from django.utils.http import content_disposition_header

if TYPE_CHECKING:
    from rest_framework.renderers import BaseRenderer
else:
    # Commands on files render documents without the settings and the start-up time of DRF.
    BaseRenderer = object


class DocumentRenderer(BaseRenderer):
    """Render a document as a file.

    A browser saves the file, or displays it if `is_inline`. Corrections are worth computing for a
    renderer that `shows_notes`.
    """

    media_type: str
    format: str
    charset: str | None = "utf-8"
    render_style = "text"
    extension: ClassVar[str] = ""
    is_inline: ClassVar[bool] = False
    shows_notes: ClassVar[bool] = False

    def headers(self, file_stem: str) -> dict[str, str]:
        """Return the headers of a response, besides its content type."""
        file_name = f"{file_stem}.{self.extension or self.format}"
        disposition = content_disposition_header(not self.is_inline, file_name) or ""
        return {"Content-Disposition": disposition}
