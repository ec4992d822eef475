"""The head and foot that every sheet has: its title, the source of the data, and the paper."""

from dataclasses import dataclass
from typing import Any

from games.documents.renderers.pdf.typesetting import SOURCE
from games.documents.text import clean_text

PAPER_SIZES = ("a4", "letter")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFrame:
    """The head and foot of a sheet."""

    title: str
    place: str
    source: str
    printed: str
    paper: str

    def as_json(self, subtitle: str, remark: str = "") -> dict[str, Any]:
        """Return the data of the template `frame.typ`; the remark goes below the title."""
        return {
            "title": clean_text(self.title),
            "subtitle": clean_text(subtitle),
            "place": clean_text(self.place),
            "remark": clean_text(remark),
            SOURCE: self.source,
            "printed": self.printed,
            "paper": self.paper,
        }
