"""A tournament report (TRF16 or TRF26) as a new tournament, all or nothing.

Its results stand as rulings by import: nobody here saw them, and no record proves them. Every
round is paired again by the event's system, and what differs is shown, since other programs and
arbiters decide otherwise; the differences refuse nothing. What a report can hold and the service
cannot is named under `left_out`.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.http.errors import BadRequest, Unprocessable
from games.imports.progress import Progress, no_progress
from games.journal.lines import append_line
from games.models import Account
from tournament.imports.bulk import insert
from tournament.imports.differences import check_rounds, other_ranks
from tournament.imports.player_matching import Met, Person, meet
from tournament.imports.rounds import make_rounds
from tournament.imports.set_up import (
    MeantSystem,
    meant_system,
    one_line,
    read_country,
    separations_of,
    set_up_of,
    untold,
)
from tournament.models import Bye, Entry, Tournament
from tournament.services.entries import FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR
from tournament.services.setup import MOST_ROUNDS, create_tournament
from tournament.snapshots.creation import take_snapshots
from tournament.standings.crosstable import ABSENT, Competitor, Kind
from tournament.trf import TrfFile, read_trf
from tournament.trf.errors import TrfError

State = Tournament.State
BYES = {Kind.HALF_BYE: Bye.Kind.HALF, Kind.ZERO_BYE: Bye.Kind.ZERO, Kind.FULL_BYE: Bye.Kind.FULL}
REPORT_RULING = "imported from a tournament report"


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A report, what is set up by it, and what of it the service has no place for."""

    document: TrfFile
    system: MeantSystem
    wanted: dict[str, Any]
    left_out: list[str]
    digest: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A tournament made from a report, and what there is to be said of it."""

    tournament: Tournament
    players: list[dict[str, Any]]
    rounds: list[dict[str, Any]]
    ranks: list[dict[str, Any]]
    left_out: list[str]


def import_report(content: bytes, *, by: Account, **set_up: Any) -> Imported:
    """Make a tournament of a report and compare it, all or nothing; raises as its parts do."""
    read = read_report(content, set_up)
    with transaction.atomic():
        tournament, players, left_out = save_report(read, by=by)
        rounds, ranks = compare_report(read, tournament)
    return Imported(tournament, players, rounds, ranks, left_out)


def read_report(
    content: bytes, set_up: Mapping[str, Any], progress: Progress = no_progress
) -> ReadReport:
    """Read a report; `set_up` says what none can: game, board, system, ...

    What it names goes before what the report says. Raises Unprocessable with line and column for
    what is no report or contradicts itself, naming player and round for what cannot be held.
    """
    progress("reading the report", 0, 1)
    document = _read(content)
    left_out = list(untold(document))
    system = meant_system(document, set_up.get("system", ""), left_out)
    wanted = {**set_up_of(document, system.code, left_out), **set_up}
    if not {"starts_on", "ends_on"} <= wanted.keys():
        raise Unprocessable(
            "dates_needed", "the report tells no dates (records 042, 052); send starts_on, ends_on"
        )
    return ReadReport(document, system, wanted, left_out, hashlib.sha256(content).hexdigest())


def save_report(
    read: ReadReport, *, by: Account, progress: Progress = no_progress
) -> tuple[Tournament, list[dict[str, Any]], list[str]]:
    """Make the tournament of a report; its players as they were met, and what was left out.

    Raises Unprocessable for a set-up that cannot be, Conflict where its name is taken.
    """
    document, system, left_out = read.document, read.system, list(read.left_out)
    table = document.crosstable
    with transaction.atomic():
        met = meet([_person(player) for player in table.players], by=by, progress=progress)
        ids = {p.number: one.player.pk for p, one in zip(table.players, met, strict=True)}
        apart = separations_of(document, system.code, ids, left_out)
        tournament = create_tournament(by=by, **({"separations": apart} | read.wanted))
        entries = _enter(tournament, document, met, system, progress)
        games = make_rounds(
            tournament, document, entries, by=by, reason=REPORT_RULING, progress=progress
        )
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
            "file": f"sha256:{read.digest}",
            "entries": len(entries),
            "rounds": table.completed,
            "games": games,
            "state": tournament.state,
            "standings": [kept.digest for kept in take_snapshots(tournament, progress)],
        }
        append_line(tournament.stream, "tournament.imported", told, by=by)
    players = [
        {
            "number": player.number,
            "name": player.name,
            "action": one.action,
            "player": one.player.pk,
        }
        for player, one in zip(table.players, met, strict=True)
    ]
    return tournament, players, left_out


def compare_report(
    read: ReadReport, tournament: Tournament, progress: Progress = no_progress
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Each round paired again, and the places, where the report has them otherwise; reads only."""
    rounds = check_rounds(read.document, tournament, progress)
    progress("comparing places", 0, 1)
    return rounds, other_ranks(read.document, tournament)


def _read(content: bytes) -> TrfFile:
    if b"\0" in content:
        raise BadRequest("nul_byte", "a NUL byte stands in the file; this is no report")
    try:
        document = read_trf(content)
        if not 1 <= document.crosstable.rounds <= MOST_ROUNDS:
            told = f"an event of {document.crosstable.rounds} rounds"
            raise TrfError(told, 1, 1, f"1 to {MOST_ROUNDS}; record XXR or 142 tells them")
        return document
    except TrfError as error:
        fault = {
            "code": "invalid_report",
            "line": error.line,
            "column": error.column,
            "detail": str(error),
        }
        raise Unprocessable("invalid_report", f"{error}; nothing was imported", [fault]) from error


def _person(player: Competitor) -> Person:
    return Person(
        name=one_line(player.name) or f"Player {player.number}",
        country=read_country(player.federation),
        fide=one_line(player.fide_id),
        seed_rating=player.rating or None,
    )


def _enter(
    tournament: Tournament,
    document: TrfFile,
    met: list[Met],
    system: MeantSystem,
    progress: Progress,
) -> dict[int, Entry]:
    """An entry a player, with the number that the report gives."""
    players = document.crosstable.players
    entries = [
        Entry(
            tournament=tournament,
            player=one.player,
            seed_rating=player.rating,
            pairing_number=player.number,
            first_round=_first_round(player) if player.number in system.late else 1,
            sex=one_line(player.sex)[:1],
            title=one_line(player.title)[:3],
            birth_year=_born(player.birth),
        )
        for player, one in zip(players, met, strict=True)
    ]
    insert(entries, step="entering players", progress=progress)
    return {entry.pairing_number: entry for entry in entries if entry.pairing_number}


def _first_round(player: Competitor) -> int:
    """The first round in which somebody who came late was there."""
    there = (index for index, one in enumerate(player.results, start=1) if one != ABSENT)
    return next(there, len(player.results) + 1)


def _born(birth: str) -> int | None:
    """The year of a birth date as 1990/01/31, 1990/00/00 or 1990."""
    year = birth[:4]
    is_year = year.isascii() and year.isdigit() and FIRST_BIRTH_YEAR <= int(year) <= LAST_BIRTH_YEAR
    return int(year) if is_year else None
