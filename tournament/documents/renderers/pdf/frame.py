"""The head and foot that every sheet has: the event, the source of the data, and the paper."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from tournament.documents.renderers.pdf.typesetting import SOURCE
from tournament.documents.text import clean_text
from tournament.models import Tournament
from tournament.queries.heads import head_note

PAPER_SIZES = ("a4", "letter")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFrame:
    """The head and foot of a sheet of an event."""

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


def sheet_frame(tournament: Tournament, paper: str, printed_at: datetime) -> SheetFrame:
    """Return the frame of an event's sheets; the time is in the event's time zone."""
    time = printed_at.astimezone(ZoneInfo(tournament.time_zone))
    address = f"{settings.PUBLIC_URL}/api/v1/tournaments/{tournament.slug}"
    days = f"{tournament.starts_on} to {tournament.ends_on}"
    return SheetFrame(
        title=tournament.name,
        place=", ".join(part for part in (tournament.place, tournament.country, days) if part),
        source=f"{address} · {head_note(tournament)}",
        printed=f"printed {time:%Y-%m-%d %H:%M} {tournament.time_zone}",
        paper=paper,
    )
