"""What the renderers of documents share."""

from typing import ClassVar

from django.utils.http import content_disposition_header
from rest_framework.renderers import BaseRenderer


class DocumentRenderer(BaseRenderer):
    """Render a document as a file.

    A browser saves the file, or displays it if `is_inline`. Corrections are worth computing for a
    renderer that `shows_notes`.
    """

    media_type: str
    format: str
    extension: ClassVar[str] = ""
    is_inline: ClassVar[bool] = False
    shows_notes: ClassVar[bool] = False

    def headers(self, file_stem: str) -> dict[str, str]:
        """Return the headers of a response, besides its content type."""
        file_name = f"{file_stem}.{self.extension or self.format}"
        disposition = content_disposition_header(not self.is_inline, file_name) or ""
        return {"Content-Disposition": disposition}
