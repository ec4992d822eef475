"""An event, or all events of a player, as iCalendar (RFC 5545).

Days are whole days where the event is: from its first to its last, and each round that has a day
of its own. The same data gives the same bytes, so a subscriber sees no change where there is none;
what the journal tells of the days is counted as `SEQUENCE`, and its last is `LAST-MODIFIED`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Count, F, Max, Q

from games.models import JournalLine, Player
from tournament.documents.renderers.pdf.letters import cleaned
from tournament.models import Pairing, Round, Tournament

FOLD = 75
"""The octets of a line, its end not counted (3.1)."""
MOST_EVENTS = 200
RESCHEDULING = (
    "tournament.edited", "tournament.cancelled", "round.scheduled", "round.published",
    "round.unpaired",
)  # fmt: skip
"""The kinds of the journal after which a calendar reads otherwise."""
PUBLISHED = (Round.State.PUBLISHED, Round.State.COMPLETE, Round.State.LOCKED)


@dataclass(frozen=True, slots=True)
class Revision:
    """How often an event's days were changed, and when last."""

    number: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One entry of a calendar: the days from `first` to `last`."""

    uid: str
    first: date
    last: date
    summary: str
    revision: Revision
    place: str = ""
    told: str = ""
    is_cancelled: bool = False
    address: str = ""


def calendar(name: str, days: Iterable[Day], *, time_zone: str = "") -> str:
    """The calendar of that name; CRLF line ends, long lines folded between letters."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Perihelion//{settings.VERSION}//EN",
        f"NAME:{_text(name)}",
        f"X-WR-CALNAME:{_text(name)}",
        *([f"X-WR-TIMEZONE:{time_zone}"] if time_zone else []),
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        *(line for day in days for line in _lines(day)),
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _lines(day: Day) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{day.uid}@{urlsplit(settings.PUBLIC_URL).hostname or 'localhost'}"
    at = f"{day.revision.at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    yield f"DTSTAMP:{at}"
    yield f"LAST-MODIFIED:{at}"
    yield f"SEQUENCE:{day.revision.number}"
    yield f"DTSTART;VALUE=DATE:{day.first:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{day.last + timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{_text(day.summary)}"
    if day.place:
        yield f"LOCATION:{_text(day.place)}"
    if day.told:
        yield f"DESCRIPTION:{_text(day.told)}"
    if day.address:
        yield f"URL:{day.address}"
    yield f"STATUS:{'CANCELLED' if day.is_cancelled else 'CONFIRMED'}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _text(text: str) -> str:
    """Text as a value: what would end it or part it is escaped (3.3.11)."""
    plain = cleaned(text)
    for letter in "\\;,":
        plain = plain.replace(letter, f"\\{letter}")
    return plain


def _folded(line: str) -> str:
    parts, part = [], b""
    for letter in line:
        written = letter.encode()
        if len(part) + len(written) > FOLD:
            parts.append(part)
            part = b" "
        part += written
    return b"\r\n".join([*parts, part]).decode()


def revisions(tournaments: Iterable[Tournament]) -> dict[int, Revision]:
    """The revision of each event's days by the event's key, in one query."""
    listed = {tournament.stream: tournament for tournament in tournaments}
    rows = (
        JournalLine.objects.filter(stream__in=listed, kind__in=RESCHEDULING)
        .values("stream")
        .annotate(number=Count("pk"), last=Max("at"))
    )
    found = {row["stream"]: Revision(row["number"], row["last"]) for row in rows}
    return {
        event.pk: found.get(stream, Revision(0, event.created_at))
        for stream, event in listed.items()
    }


def event_days(tournament: Tournament) -> Iterator[Day]:
    """The event and its rounds."""
    revision = revisions([tournament])[tournament.pk]
    yield _whole(tournament, revision)
    for this_round in tournament.round_set.filter(starts_on__isnull=False).order_by("number"):
        day = this_round.starts_on or tournament.starts_on
        yield _round(tournament, this_round.number, day, revision)


def _whole(tournament: Tournament, revision: Revision) -> Day:
    place = ", ".join(word for word in (tournament.place, tournament.country) if word)
    return Day(
        uid=f"tournament-{tournament.slug}",
        first=tournament.starts_on,
        last=tournament.ends_on,
        summary=tournament.name,
        revision=revision,
        place=place,
        told=f"{tournament.rounds} rounds, {tournament.system}",
        is_cancelled=tournament.state == Tournament.State.CANCELLED,
        address=f"{settings.PUBLIC_URL}/api/v1/tournaments/{tournament.slug}",
    )


def _round(
    tournament: Tournament, number: int, day: date, revision: Revision, told: str = ""
) -> Day:
    return Day(
        uid=f"tournament-{tournament.slug}-round-{number}",
        first=day,
        last=day,
        summary=f"{tournament.name}: round {number}",
        revision=revision,
        place=tournament.place,
        told=told,
        is_cancelled=tournament.state == Tournament.State.CANCELLED,
        address=f"{settings.PUBLIC_URL}/api/v1/tournaments/{tournament.slug}/rounds/{number}",
    )


def player_days(player: Player, tournaments: Iterable[Tournament]) -> Iterator[Day]:
    """The player's events, latest first, and the days on which the player sits at a board."""
    boards: dict[int, list[Pairing]] = {}
    listed = list(tournaments)
    lines = (
        Pairing.objects.filter(
            Q(first__player=player) | Q(second__player=player),
            tournament__in=listed,
            version=F("round__version"),
            round__state__in=PUBLISHED,
            round__starts_on__isnull=False,
        )
        .select_related("round", "first__player", "second__player")
        .order_by("round__number")
    )
    for line in lines:
        boards.setdefault(line.tournament_id, []).append(line)
    revised = revisions(listed)
    for tournament in listed:
        revision = revised[tournament.pk]
        yield _whole(tournament, revision)
        for line in boards.get(tournament.pk, ()):
            day = line.round.starts_on or tournament.starts_on
            yield _round(tournament, line.round.number, day, revision, _seat(line, player))


def _seat(line: Pairing, player: Player) -> str:
    if line.second is None:
        return line.get_kind_display()
    is_first = line.first.player_id == player.pk
    seat, other = ("first", line.second) if is_first else ("second", line.first)
    return f"board {line.board_number}, {seat} seat, against {other.player.name}"
