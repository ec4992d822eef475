"""The headings of an event's tables, and the head and foot of its sheets."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext

from games.core.tables.table import Heading
from games.documents.renderers.pdf.frame import SheetFrame
from tournament.core.heads import head_note
from tournament.core.rankings import Table
from tournament.models import Tournament


def heading_of(table: Table, name: str, file_suffix: str = "") -> Heading:
    """Return the heading of a table of an event, as `Spring Open: after round 2 of 5`."""
    event, number = table.tournament, table.through
    is_provisional = table.is_provisional
    values = {"number": number, "rounds": event.rounds}
    stage = gettext("after round %(number)s of %(rounds)s") % values
    if is_provisional and number == event.rounds:
        stage = gettext("results so far")
    title = stage if is_provisional else gettext("final standings")
    stage = stage if is_provisional else pgettext("a table", "final")
    return Heading(
        title=f"{event.name}: {title}",
        subtitle=f"{name}, {stage}",
        file_stem=f"{event.slug}.r{number}{file_suffix}",
        members={
            "tournament": event.slug,
            "round": number,
            "provisional": is_provisional,
            "source": "snapshot" if table.as_of else "current",
            **({"as_of": table.as_of.time} if table.as_of else {}),
        },
    )


def sheet_frame(tournament: Tournament, paper: str, printed_at: datetime) -> SheetFrame:
    """Return the frame of an event's sheets; the time is in the event's time zone."""
    time = printed_at.astimezone(ZoneInfo(tournament.time_zone))
    address = f"{settings.PUBLIC_URL}/e/{tournament.slug}"
    first, last = date_format(tournament.starts_on), date_format(tournament.ends_on)
    days = gettext("%(first)s to %(last)s") % {"first": first, "last": last}
    where_and_when = (tournament.place, tournament.country, days if last != first else first)
    return SheetFrame(
        title=tournament.name,
        place=", ".join(part for part in where_and_when if part),
        source=f"{address} · {head_note(tournament)}",
        printed=gettext("printed %(time)s")
        % {"time": f"{date_format(time)}, {time:%H:%M} {tournament.time_zone}"},
        paper=paper,
    )
