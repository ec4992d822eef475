"""The calendars (RFC 5545) to subscribe to: of an event, and of all events of a player.

Entries are whole days at the place of the event: one from its first to its last day, and one for
each round with a date. A round with a time has an entry at that time. The same data gives the same
bytes, so a subscriber sees no false change: `SEQUENCE` counts the journal lines that changed the
days, and `LAST-MODIFIED` is the last of them. The texts are in the active language.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count, F, Max, Q
from django.http import HttpResponse
from django.utils.translation import gettext, ngettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from icalendar import Calendar, Event, vDuration, vText
from rest_framework.request import Request

from games.core.formats import FileFormat
from games.core.permissions import viewer
from games.core.tables.text import clean_text
from games.core.tables.views import file_response
from games.core.text import labelled, language_of_sheet, vary_by_language
from games.core.views import ApiView
from games.models import JournalLine, Player
from games.play.boards import handicap_in_words
from tournament.core.lookup import tournament_seen_by
from tournament.core.queries import visible_tournaments
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.players.agreements import hidden_streams, without_streams
from tournament.players.queries import player_seen

MOST_EVENTS = 200
RESCHEDULING = (
    "tournament.edited", "tournament.cancelled", "tournament.resumed", "round.scheduled",
    "round.published", "round.unpaired", "round.restored", "round.changed",
)  # fmt: skip
"""The kinds of journal lines that change a calendar."""
PUBLISHED_STATES = (Round.State.PUBLISHED, Round.State.COMPLETE, Round.State.LOCKED)


@dataclass(frozen=True, slots=True)
class Revision:
    """The number of changes of an event's days, and the time of the last."""

    number: int
    time: datetime


def event_calendar(tournament: Tournament) -> str:
    """Return the calendar of an event and its rounds."""
    revision = _revisions([tournament])[tournament.pk]
    dated = tournament.round_set.filter(starts_on__isnull=False).order_by("number")
    rounds = (_round_event(tournament, this_round, revision) for this_round in dated)
    events = [_whole_event(tournament, revision), *rounds]
    return _calendar_text(tournament.name, events, time_zone=tournament.time_zone)


def player_calendar(player: Player, tournaments: Iterable[Tournament]) -> str:
    """Return the calendar of these events of a player, with their pairings on the days."""
    return _calendar_text(player.name, _player_events(player, list(tournaments)))


def _player_events(player: Player, tournaments: list[Tournament]) -> Iterator[Event]:
    pairings: dict[int, list[Pairing]] = {}
    rows = (
        Pairing.objects.filter(
            Q(first__player=player) | Q(second__player=player),
            tournament__in=tournaments,
            version=F("round__version"),
            round__state__in=PUBLISHED_STATES,
            round__starts_on__isnull=False,
        )
        .select_related("round__tournament", "first__player", "second__player")
        .order_by("round__number")
    )
    for pairing in rows:
        pairings.setdefault(pairing.tournament_id, []).append(pairing)
    revisions = _revisions(tournaments)
    for tournament in tournaments:
        revision = revisions[tournament.pk]
        yield _whole_event(tournament, revision)
        for pairing in pairings.get(tournament.pk, ()):
            description = _seat_text(pairing, player)
            yield _round_event(tournament, pairing.round, revision, description)


def _revisions(tournaments: Iterable[Tournament]) -> dict[int, Revision]:
    """Return the revisions by tournament id, in one query."""
    by_stream = {tournament.stream: tournament for tournament in tournaments}
    rows = (
        JournalLine.objects.filter(stream__in=by_stream, kind__in=RESCHEDULING)
        .values("stream")
        .annotate(number=Count("pk"), last=Max("at"))
    )
    revisions = {row["stream"]: Revision(row["number"], row["last"]) for row in rows}
    return {
        tournament.pk: revisions.get(stream, Revision(0, tournament.created_at))
        for stream, tournament in by_stream.items()
    }


def _seat_text(pairing: Pairing, player: Player) -> str:
    if pairing.second is None:
        return pairing.get_kind_display()
    is_first = pairing.first.player_id == player.pk
    opponent = pairing.second if is_first else pairing.first
    text = (
        gettext("board %(board)s, first seat, against %(opponent)s")
        if is_first
        else gettext("board %(board)s, second seat, against %(opponent)s")
    )
    text %= {"board": pairing.board_number, "opponent": opponent.player.name}
    handicap = gettext("handicap: %(handicap)s") % {"handicap": handicap_in_words(pairing.handicap)}
    return f"{text}, {handicap}" if pairing.handicap else text


def _whole_event(tournament: Tournament, revision: Revision) -> Event:
    return _event(
        tournament,
        revision,
        path=tournament.slug,
        start=tournament.starts_on,
        last_day=tournament.ends_on,
        summary=tournament.name,
        location=tournament.venue
        or ", ".join(part for part in (tournament.place, tournament.country) if part),
        description=" · ".join(_facts(tournament)),
    )


def _facts(tournament: Tournament) -> Iterator[str]:
    """Yield what a player wants to know beside the days: the system, the fee, the contact."""
    yield _format_text(tournament)
    for label, value in (
        (gettext("Entry fee"), tournament.fee_text),
        (gettext("Contact"), tournament.contact),
        (gettext("Map"), tournament.map_url),
    ):
        if value:
            yield labelled(label, value)


def _format_text(tournament: Tournament) -> str:
    system = gettext(PAIRING_SYSTEMS[tournament.system].name)
    words = ngettext(
        "%(system)s, %(rounds)d round", "%(system)s, %(rounds)d rounds", tournament.rounds
    )
    return words % {"system": system, "rounds": tournament.rounds}


def _round_event(
    tournament: Tournament, this_round: Round, revision: Revision, description: str = ""
) -> Event:
    day = this_round.starts_on or tournament.starts_on
    # A round with a time has no end: nobody knows when the last game is over.
    return _event(
        tournament,
        revision,
        path=f"{tournament.slug}/rounds/{this_round.number}",
        start=this_round.starts_at or day,
        last_day=None if this_round.starts_at else day,
        summary=gettext("%(event)s: round %(number)s")
        % {"event": tournament.name, "number": this_round.number},
        location=tournament.venue or tournament.place,
        description=description,
    )


def _event(
    tournament: Tournament,
    revision: Revision,
    *,
    path: str,
    start: date | datetime,
    last_day: date | None,
    summary: str,
    location: str,
    description: str,
) -> Event:
    """Return an entry of whole days, or at a time; its path is that of its page."""
    event = Event()
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    identifier = path.replace("/rounds/", "-round-")
    event.add("uid", f"tournament-{identifier}@{host}")
    event.add("dtstamp", revision.time.astimezone(UTC))
    event.add("last-modified", revision.time.astimezone(UTC))
    event.add("sequence", revision.number)
    event.add("dtstart", start.astimezone(UTC) if isinstance(start, datetime) else start)
    if last_day is not None:
        event.add("dtend", last_day + timedelta(days=1))
    event.add("summary", clean_text(summary))
    if location:
        event.add("location", clean_text(location))
    if description:
        event.add("description", clean_text(description))
    event.add("url", f"{settings.PUBLIC_URL}/e/{path}")
    is_cancelled = tournament.state == Tournament.State.CANCELLED
    event.add("status", "CANCELLED" if is_cancelled else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    return event


def _calendar_text(name: str, events: Iterable[Event], *, time_zone: str = "") -> str:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", f"-//Perihelion//{settings.VERSION}//EN")
    calendar.add("name", vText(clean_text(name)))
    calendar.add("x-wr-calname", vText(clean_text(name)))
    if time_zone:
        calendar.add("x-wr-timezone", time_zone)
    hourly = vDuration(timedelta(hours=1))
    calendar.add("refresh-interval", hourly, parameters={"VALUE": "DURATION"})
    for event in events:
        calendar.add_component(event)
    return calendar.to_ical(sorted=False).decode()


MEDIA_TYPE = "text/calendar"


class CalendarFile(FileFormat):
    media_type = MEDIA_TYPE
    format = "ics"


class EventCalendar(ApiView):
    renderer_classes = [CalendarFile]

    @extend_schema(operation_id="get_tournament_calendar", responses=OpenApiTypes.STR)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return the tournament, and its rounds that have a date, as a calendar.

        It is a calendar (RFC 5545) to subscribe to. The same data gives the same bytes, and
        `SEQUENCE` counts the changes of the days.
        """
        tournament = tournament_seen_by(request, slug)
        with language_of_sheet(request):
            text = event_calendar(tournament)
        return vary_by_language(file_response(text, MEDIA_TYPE, f"{slug}.ics"))


class PlayerCalendar(ApiView):
    renderer_classes = [CalendarFile]

    @extend_schema(operation_id="get_player_calendar", responses=OpenApiTypes.STR)
    def get(self, request: Request, player_id: int) -> HttpResponse:
        """Return the tournaments of a player, and the boards of published rounds, as a calendar.

        It is a calendar (RFC 5545) to subscribe to: the same data gives the same bytes, so that a
        subscriber sees no false change. Only tournaments that the caller may see are in it.
        """
        player = player_seen(player_id)
        visible = visible_tournaments(*viewer(request, "tournament.see"))
        entries = player.entries.filter(state=Entry.State.ACCEPTED)
        tournaments = without_streams(
            visible.filter(pk__in=entries.values("tournament")), hidden_streams(player)
        )
        latest = tournaments.order_by("-starts_on", "-pk")[:MOST_EVENTS]
        with language_of_sheet(request):
            text = player_calendar(player, latest)
        return vary_by_language(file_response(text, MEDIA_TYPE, f"player-{player.pk}.ics"))
