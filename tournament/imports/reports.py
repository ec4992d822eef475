"""A tournament report (TRF16 or TRF26) as a new tournament, all or nothing.

Its results stand as rulings by import: nobody here saw them, and no record proves them. Every
round is paired again by the event's system, and what differs is shown, since other programs and
arbiters decide otherwise; the differences refuse nothing. What a report can hold and the service
cannot is refused where it touches the standings, and named under `left_out` where it does not.
"""

import hashlib
import re
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction

from games.errors import Unprocessable, Unreadable
from games.journal import write_line
from games.models import Account
from tournament import queries
from tournament.imports.people import Met, Person, meet
from tournament.imports.rounds import make_rounds
from tournament.models import Bye, Entry, Tournament
from tournament.pairing import SYSTEMS, PairingError
from tournament.pairing.reports import recorded, round_again
from tournament.services.setup import DEFAULT_TIEBREAKS, create_tournament
from tournament.standings.crosstable import Competitor, Kind, units_of
from tournament.standings.errors import TiebreakError, TrfError
from tournament.standings.points import PointSystem
from tournament.standings.table import rank
from tournament.standings.tiebreaks import parse_codes
from tournament.standings.trf import TrfFile, read_trf

State = Tournament.State
DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
BYES = {Kind.HALF_BYE: Bye.Kind.HALF, Kind.ZERO_BYE: Bye.Kind.ZERO, Kind.FULL_BYE: Bye.Kind.FULL}
COUNTRY = re.compile(r"[A-Z]{3}", re.ASCII)
REPORT_RULING = "imported from a tournament report"
KINDS_OF_POINTS = tuple(kind.name.lower() for kind in Kind)
STEP = 500


@dataclass(frozen=True, slots=True)
class Imported:
    """A tournament made from a report, and what there is to be said of it."""

    tournament: Tournament
    players: list[dict[str, Any]]
    rounds: list[dict[str, Any]]
    ranks: list[dict[str, Any]]
    left_out: list[str]


def import_report(content: bytes, *, by: Account, **set_up: Any) -> Imported:
    """Make a tournament of a report; `set_up` says what no report can: game, board, system, ...

    What it names goes before what the report says. Raises Unprocessable with line and column for
    what is no report or contradicts itself, naming player and round for what cannot be held.
    """
    document = _read(content)
    _check_held(document)
    table = document.crosstable
    left_out = _left_out(document)
    wanted = _set_up(document, left_out) | set_up
    if not {"starts_on", "ends_on"} <= wanted.keys():
        raise Unprocessable(
            "dates_needed", "the report tells no dates (records 042, 052); send starts_on, ends_on"
        )
    with transaction.atomic():
        tournament = create_tournament(by=by, **wanted)
        met = meet([_person(player) for player in table.players], by=by)
        entries = _enter(tournament, document, met)
        games = make_rounds(tournament, document, entries, by=by, reason=REPORT_RULING)
        Bye.objects.bulk_create(
            Bye(
                tournament=tournament,
                entry=entries[bye.player],
                round=bye.round,
                kind=BYES[bye.kind],
                reason=REPORT_RULING,
            )
            for bye in document.byes
            if bye.kind in BYES
        )
        done = table.completed == table.rounds and not document.open_pairings
        tournament.state = State.REVIEW if done else State.RUNNING
        tournament.save(update_fields=["state"])
        told = {
            "file": f"sha256:{hashlib.sha256(content).hexdigest()}",
            "entries": len(entries),
            "rounds": table.completed,
            "games": games,
            "state": tournament.state,
        }
        write_line(tournament.stream, "tournament.imported", told, by=by)
        ranks = _other_ranks(document, tournament)
    players = [
        {
            "number": player.number,
            "name": player.name,
            "action": one.action,
            "player": one.player.pk,
        }
        for player, one in zip(table.players, met, strict=True)
    ]
    return Imported(tournament, players, check_rounds(document, tournament.system), ranks, left_out)


def _read(content: bytes) -> TrfFile:
    if b"\0" in content:
        raise Unreadable("nul_byte", "a NUL byte stands in the file; this is no report")
    try:
        return read_trf(content)
    except TrfError as error:
        fault = {
            "code": "invalid_report",
            "line": error.line,
            "column": error.column,
            "detail": str(error),
        }
        raise Unprocessable("invalid_report", f"{error}; nothing was imported", [fault]) from error


def _check_held(document: TrfFile) -> None:
    """Refuse results that the service has no rows for."""
    table = document.crosstable
    errors = []
    for player in table.players:
        for number, result in enumerate(player.results, start=1):
            detail = ""
            worth = units_of(result.kind, table.points)
            if result.awarded not in (None, worth):
                detail = f"{table.points.text(result.awarded or 0)} points awarded by the arbiter"
            elif result.kind is Kind.DRAW and result.opponent is not None:
                other = table.by_number[result.opponent].result(number)
                if other.kind is not Kind.DRAW:
                    detail = f"a draw for one side and a {other.kind} for the other"
            if detail:
                told = f"player {player.number}, round {number}: {detail}"
                errors.append({"code": "cannot_be_held", "detail": told})
    if errors:
        detail = f"{errors[0]['detail']}, which cannot be held here; nothing was imported"
        raise Unprocessable("cannot_be_held", detail, errors[:100])


def _left_out(document: TrfFile) -> list[str]:
    """What a report tells that no row holds and no standing needs."""
    told = [f"line {kept.line}: {kept.text[:80]}" for kept in document.kept[:50]]
    if any(player.virtual for player in document.crosstable.players):
        told.append("points of accelerated rounds")
    if document.forbidden:
        told.append("players who are kept apart")
    return told


def _set_up(document: TrfFile, left_out: list[str]) -> dict[str, Any]:
    """What the report says of the event, as a set-up."""
    header, table = document.header, document.crosstable
    starts_on = _day(header.start)
    ends_on = _day(header.end) or starts_on
    country = header.federation.upper()
    wanted: dict[str, Any] = {
        "name": _line(header.name)[:120] or "Imported event",
        "place": _line(header.city)[:120],
        "country": country if COUNTRY.fullmatch(country) else "",
        "arbiter": _line(header.chief_arbiter)[:120],
        "time_control": _line(header.time_control)[:120],
        "rounds": table.rounds,
        "points": _points(table.points),
        "system": "round-robin" if table.round_robin and "round-robin" in SYSTEMS else "dutch",
        "tiebreaks": DEFAULT_TIEBREAKS,
    }
    if table.round_robin:
        wanted["tiebreaks"] = ["PTS", "DE", "SB"]
    if table.initial_seat is not None:
        wanted["top_seed_seat"] = str(table.initial_seat)
    if document.tiebreaks:
        try:
            codes = parse_codes(document.tiebreaks, round_robin=table.round_robin)
            wanted["tiebreaks"] = [str(code) for code in codes]
        except TiebreakError as error:
            left_out.append(f"the list of tie-breaks: {error.detail}")
    if starts_on and ends_on:
        wanted |= {"starts_on": starts_on, "ends_on": max(starts_on, ends_on)}
    return wanted


def _points(points: PointSystem) -> dict[str, str]:
    """The point system as a set-up writes it, empty for the classic one."""
    if points == PointSystem.of_points():
        return {}
    return {name: points.text(getattr(points, name)) for name in KINDS_OF_POINTS}


def _day(text: str) -> date | None:
    found = DAY.match(text)
    try:
        day = date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
    return day if day and 1900 <= day.year <= 2199 else None


def _line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def _person(player: Competitor) -> Person:
    country = player.federation.upper()
    return Person(
        name=_line(player.name) or f"Player {player.number}",
        country=country if COUNTRY.fullmatch(country) else "",
        fide=_line(player.fide_id),
        seed_rating=player.rating or None,
    )


def _enter(tournament: Tournament, document: TrfFile, met: list[Met]) -> dict[int, Entry]:
    """An entry a player, with the number that the report gives."""
    players = document.crosstable.players
    entries = Entry.objects.bulk_create(
        [
            Entry(
                tournament=tournament,
                player=one.player,
                seed_rating=player.rating,
                pairing_number=player.number,
                sex=player.sex[:1],
                born=int(player.birth[:4]) if player.birth[:4].isdecimal() else None,
            )
            for player, one in zip(players, met, strict=True)
        ],
        batch_size=STEP,
    )
    return {entry.pairing_number: entry for entry in entries if entry.pairing_number}


def check_rounds(document: TrfFile, system: str) -> list[dict[str, Any]]:
    """Each round paired again from those before it, and where the report differs.

    `due` are boards, by pairing numbers, that the system makes and the report does not hold, and
    `held` the other way round; `why` tells of a round that could not be paired again.
    """
    table = document.crosstable
    checked = []
    for number in range(1, table.completed + 1 + bool(document.open_pairings)):
        held = recorded(document, number)
        told: dict[str, Any] = {"round": number, "boards": len(held.pairs)}
        try:
            due = SYSTEMS[system].pair(round_again(document, number))
        except PairingError as error:
            checked.append(told | {"agrees": False, "due": [], "held": [], "why": str(error)})
            continue
        one, other = ({*p.pairs, (p.bye or 0, 0)} for p in (due, held))
        checked.append(
            told
            | {
                "agrees": one == other,
                "due": [list(pair) for pair in sorted(one - other)],
                "held": [list(pair) for pair in sorted(other - one)],
                "why": "",
            }
        )
    return checked


def _other_ranks(document: TrfFile, tournament: Tournament) -> list[dict[str, Any]]:
    """Where the places of the report are not those of the event's own tie-breaks here."""
    if not document.ranks:
        return []
    rows = rank(queries.load_crosstable(tournament), tournament.tiebreaks)
    return [
        {"number": row.number, "report": document.ranks[row.number], "here": row.rank}
        for row in rows
        if document.ranks.get(row.number, row.rank) != row.rank
    ]
