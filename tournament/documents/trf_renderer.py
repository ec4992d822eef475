"""A TRF file of an event (documents/trf.py), in one of its editions."""

from typing import ClassVar

from games.documents.renderers.base import Context, DocumentRenderer
from tournament.trf import TrfEdition, TrfFile, write_trf


class TrfRenderer(DocumentRenderer):
    """Render a TRF16 file."""

    media_type = "text/plain"
    format = "trf"
    extension = "trf"
    edition: ClassVar[TrfEdition] = TrfEdition.TRF16

    def render(self, data: TrfFile, media_type: str | None = None, context: Context = None) -> str:
        """Return the file; raise StandingsError for values that its columns cannot hold."""
        return write_trf(data, edition=self.edition)


class Trf16Renderer(TrfRenderer):
    """Render a TRF16 file at the suffix that names the edition."""

    format = "trf16"


class Trf26Renderer(TrfRenderer):
    """Render a TRF26 file."""

    format = "trf26"
    edition = TrfEdition.TRF26
