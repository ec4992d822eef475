"""The set-up of an event as its report tells it: dates, points, system, tie-breaks, who is apart.

What a report says and no row can hold is added to `left_out`, by name.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from games.validators import COUNTRY_CODE
from tournament import queries
from tournament.pairing.separations import MOST_PAIRS, By
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.baku import latecomers
from tournament.pairing.systems.dutch.field import first_seat_drawn
from tournament.pairing.trf_system_names import read_type
from tournament.services.setup import default_tiebreaks
from tournament.standings.crosstable import Crosstable, Kind, PlayerId
from tournament.standings.errors import TiebreakError
from tournament.standings.points import PointSystem
from tournament.standings.tiebreaks import parse_codes
from tournament.trf import TrfFile

DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})", re.ASCII)
KINDS_OF_POINTS = tuple(kind.name.lower() for kind in Kind)
MOST_TOLD = 50


@dataclass(frozen=True, slots=True)
class MeantSystem:
    """The pairing system of a report, and who came late where its acceleration tells it."""

    code: str
    late: frozenset[PlayerId] = frozenset()


def meant_system(document: TrfFile, wanted: str, left_out: list[str]) -> MeantSystem:
    """The system that was asked for, else the one that the report tells."""
    table = document.crosstable
    code = wanted
    if not wanted:
        found = read_type(document.system, document.header.kind)
        code = found.system
        if found.remark:
            left_out.append(found.remark)
    if not is_accelerated(table):
        return MeantSystem(code)
    late = latecomers(table)
    if late is not None and code == "dutch" and not wanted:
        return MeantSystem("dutch-baku", late)
    if late is not None and code in PAIRING_SYSTEMS and PAIRING_SYSTEMS[code].is_accelerated:
        return MeantSystem(code, late)
    left_out.append(
        "the virtual points of accelerated rounds, which are not Baku's"
        if late is None
        else f"the virtual points of accelerated rounds, which {code} does not give"
    )
    return MeantSystem("dutch" if code == "dutch-baku" and not wanted else code)


def set_up_of(document: TrfFile, system: str, left_out: list[str]) -> dict[str, Any]:
    """What the report says of the event, as a set-up; without dates where it tells none."""
    header, table = document.header, document.crosstable
    starts_on = read_day(header.start)
    ends_on = read_day(header.end) or starts_on
    left_out += [f"the deputy arbiter {one_line(deputy)[:80]}" for deputy in header.deputies[:9]]
    wanted: dict[str, Any] = {
        "name": one_line(header.name)[:120] or "Imported event",
        "place": one_line(header.city)[:120],
        "country": read_country(header.federation),
        "arbiter": one_line(header.chief_arbiter)[:120],
        "time_control": one_line(header.time_control)[:120],
        "rounds": table.rounds,
        "points": _points(table.points),
        "system": system,
        "tiebreaks": _tiebreaks(document, system, left_out) or default_tiebreaks(system),
        "initial_seat": str(table.initial_seat or first_seat_drawn(table)),
    }
    if starts_on and ends_on:
        wanted |= {"starts_on": starts_on, "ends_on": max(starts_on, ends_on)}
    return wanted


def separations_of(
    document: TrfFile, system: str, players: Mapping[PlayerId, int], left_out: list[str]
) -> list[dict[str, Any]]:
    """The forbidden pairs as the event's separations; `players` are the ids by pairing number."""
    rounds = document.crosstable.rounds
    groups = [dict.fromkeys(group.players) for group in document.forbidden]
    page = PAIRING_SYSTEMS.get(system)
    if page is None or not groups:
        return []
    if sum(len(group) * (len(group) - 1) // 2 for group in groups) > MOST_PAIRS:
        left_out.append(f"who is kept apart: more than {MOST_PAIRS} pairs")
        return []
    if not page.can_separate:
        left_out.append(f"who is kept apart: {page.name} can keep nobody apart")
        return []
    lines = {}
    for told, group in zip(document.forbidden, groups, strict=True):
        if told.first > rounds:
            left_out.append(f"who is kept apart from round {told.first} on: there are {rounds}")
        elif len(group) > 1:
            last = 0 if told.last >= rounds else told.last
            ids = [players[number] for number in group]
            lines[tuple(ids), told.first, last] = {
                "by": By.PLAYERS.value,
                "players": ids,
                "first_round": told.first,
                "last_round": last,
            }
    return list(lines.values())


def untold(document: TrfFile) -> Iterator[str]:
    """What a report tells that no row holds and no standing needs."""
    kept = document.unknown_lines
    yield from (f"line {one.line}: {one_line(one.text)[:80]}" for one in kept[:MOST_TOLD])
    if len(kept) > MOST_TOLD:
        yield f"{len(kept) - MOST_TOLD} lines more"
    players = document.crosstable.players
    if any(re.search("[1-9]", player.birth[4:]) for player in players):
        yield "days of birth; the year is kept"
    boards = {(document.crosstable.completed + 1) if document.open_pairings else 0}
    for bye in document.byes:
        if bye.kind is Kind.PAIRING_BYE and bye.round not in boards:
            yield f"a pairing-allocated bye of player {bye.player} in round {bye.round}, unpaired"


def _tiebreaks(document: TrfFile, system: str, left_out: list[str]) -> list[str]:
    is_robin = system in PAIRING_SYSTEMS and PAIRING_SYSTEMS[system].is_round_robin
    kept = []
    for text in document.tiebreaks:
        try:
            (code,) = parse_codes([text], round_robin=is_robin)
        except TiebreakError as error:
            left_out.append(f"the tie-break {text[:40]}: {error.detail}")
            continue
        if code.name in queries.PROVEN:
            left_out.append(f"the tie-break {code}: it is counted on the records of the games")
        else:
            kept.append(str(code))
    return kept if any(code != "PTS" for code in kept) or len(document.tiebreaks) == 1 else []


def _points(points: PointSystem) -> dict[str, str]:
    """The point system as a set-up writes it, empty for the classic one."""
    if points == PointSystem.from_points():
        return {}
    return {name: points.format_units(getattr(points, name)) for name in KINDS_OF_POINTS}


def read_day(text: str) -> date | None:
    """A day as headers write it; None for none."""
    found = DAY.match(text)
    try:
        day = date(*map(int, found.groups())) if found else None
    except ValueError:
        return None
    return day if day and 1900 <= day.year <= 2199 else None


def read_country(text: str) -> str:
    """Three capital letters, or nothing."""
    country = text.strip().upper()
    return country if COUNTRY_CODE.fullmatch(country) else ""


def one_line(text: str) -> str:
    """Text without control characters."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def is_accelerated(table: Crosstable) -> bool:
    """Whether somebody has virtual points."""
    return any(player.virtual for player in table.players)
