"""The head and the foot of an event's printed sheets."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.requests import requested_choice
from games.core.tables.pdf import PAPER_SIZES, SheetFrame
from tournament.models import Tournament


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
        source=address,
        printed=gettext("printed %(time)s") % {"time": f"{date_format(time)}, {time:%H:%M}"},
        paper=paper,
    )


def requested_frame(request: Request, tournament: Tournament) -> SheetFrame:
    """Return the frame of a sheet, on `?paper=` or A4; raise Unprocessable for another size."""
    size = requested_choice(request, "paper", PAPER_SIZES)
    return sheet_frame(tournament, size, now())
