"""The head and foot that every sheet has: its title, the source of the data, and the paper."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language, gettext

from games.core.tables.text import clean_text
from games.core.tables.typesetting import SOURCE

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
            "words": sheet_words(),
        }


def sheet_words() -> dict[str, str]:
    """Return the words of the templates in the language of the reader."""
    return {
        "language": (get_language() or "en").partition("-")[0],
        "page": gettext("page"),
        "of": gettext("of"),
        "first": gettext("first"),
        "second": gettext("second"),
        "player": gettext("player"),
        "result": gettext("result"),
        "signature": gettext("signature"),
        "first_signature": gettext("signature, first seat"),
        "second_signature": gettext("signature, second seat"),
        "handicap": gettext("handicap"),
        "board": gettext("The board"),
        "lines": gettext("Numbered lines for the turns"),
    }
