"""What every sheet shares: the event, the title, and the foot that says where it comes from."""

from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings

from games.models import JournalHead
from tournament.documents.renderers.pdf.letters import cleaned
from tournament.documents.renderers.pdf.printing import SOURCE, Paper
from tournament.models import Round, Tournament


def framed(tournament: Tournament, subtitle: str, paper: Paper) -> dict[str, Any]:
    """The head and foot of a sheet: event, title, journal head, time of print in the event's zone.

    `told` is a line below the title, for what a sheet has to say beside its table.
    """
    head = JournalHead.objects.filter(stream=tournament.stream).first()
    journal = f"journal {head.sequence}: {head.digest[:16]}" if head else "no journal"
    at = paper.at.astimezone(ZoneInfo(tournament.time_zone))
    place = ", ".join(word for word in (tournament.place, tournament.country) if word)
    days = f"{tournament.starts_on} to {tournament.ends_on}"
    return {
        "title": cleaned(tournament.name),
        "subtitle": cleaned(subtitle),
        "place": cleaned(f"{place}, {days}" if place else days),
        "told": "",
        SOURCE: f"{settings.PUBLIC_URL}/api/v1/tournaments/{tournament.slug} · {journal}",
        "printed": f"printed {at:%Y-%m-%d %H:%M} {tournament.time_zone}",
    }


def round_title(tournament: Tournament, this_round: Round) -> str:
    """A round as a title names it, as `round 2 of 5, 03 May 2026`."""
    day = f", {this_round.starts_on:%d %B %Y}" if this_round.starts_on else ""
    is_draft = this_round.state in (Round.State.PLANNED, Round.State.DRAFTED)
    draft = " – a draft, not published" if is_draft else ""
    return f"round {this_round.number} of {tournament.rounds}{day}{draft}"
