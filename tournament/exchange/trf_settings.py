"""Tournament settings from a TRF file: dates, points, system, tie-breaks, separations.

Each function adds to `left_out` what the file contains and the service cannot store, by name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from games.core.dates import clear_dates
from games.models.time_controls import SenselessTime, TimeControl
from games.names import COUNTRY_CODE, clean_name, is_hidden
from games.players.imports import birth_year_column, sex_column
from games.rules.text import Text
from tournament.pairing.separations import MOST_PAIRS, By
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.baku import late_entries
from tournament.pairing.systems.dutch.field import deduce_initial_seat
from tournament.pairing.systems.round_robin import ABSENCE
from tournament.pairing.trf_types import read_trf_type
from tournament.pairing.usual_tiebreaks import usual_tiebreaks
from tournament.standings.crosstable import Competitor, Crosstable, Kind, PlayerId
from tournament.standings.errors import TiebreakError
from tournament.standings.points import PointSystem
from tournament.standings.tiebreaks import TIEBREAKS, parse_codes
from tournament.trf import TrfFile, TrfHeader
from tournament.trf.time_controls import read_encoded_time, read_written_time

RESULT_NAMES = tuple(kind.name.lower() for kind in Kind)
MOST_LISTED_LINES = 50


@dataclass(frozen=True, slots=True)
class TrfSystem:
    """The pairing system of a TRF file, and the late entries that its acceleration implies."""

    code: str
    late_entries: frozenset[PlayerId] = frozenset()


def find_system(document: TrfFile, requested: str, left_out: list[str]) -> TrfSystem:
    """Return the requested system; without a request, the one that the file names."""
    table = document.crosstable
    code = requested
    if not requested:
        found = read_trf_type(document.system, document.header.kind)
        code = found.system
        if found.remark:
            left_out.append(found.remark)
    if not has_virtual_points(table):
        return TrfSystem(code)
    late = late_entries(table)
    if late is not None and code == "dutch" and not requested:
        return TrfSystem("dutch-baku", late)
    if late is not None and code in PAIRING_SYSTEMS and PAIRING_SYSTEMS[code].is_accelerated:
        return TrfSystem(code, late)
    left_out.append(
        Text("the virtual points of accelerated rounds, which are not those of Baku acceleration")
        if late is None
        else Text(
            "the virtual points of accelerated rounds, which %(system)s does not use", system=code
        )
    )
    return TrfSystem("dutch" if code == "dutch-baku" and not requested else code)


def tournament_settings(document: TrfFile, system: str, left_out: list[str]) -> dict[str, Any]:
    """Return the settings that the file contains; without dates if it has none."""
    header, table = document.header, document.crosstable
    rounds = filter(None, (round_date(header, number) for number in range(1, table.rounds + 1)))
    starts_on, ends_on = clear_dates([header.start, header.end], between=[*rounds])
    if not re.search("[1-9]", header.end):
        ends_on = starts_on
    left_out += [
        Text("the day of round %(round)s: %(text)s", round=number, text=printable(text)[:8])
        for number, text in enumerate(header.round_dates[: table.rounds], start=1)
        if re.search("[1-9]", text) and round_date(header, number) is None
    ]
    left_out += [
        Text("the deputy arbiter %(name)s", name=printable(deputy)[:80])
        for deputy in header.deputies[:9]
        if printable(deputy)
    ]
    settings: dict[str, Any] = {
        "name": printable(header.name)[:120] or "Imported event",
        "place": printable(header.city)[:120],
        "country": parse_country(header.federation),
        "arbiter": printable(header.chief_arbiter)[:120],
        "time_control": printable(header.time_control)[:120],
        "rounds": table.rounds,
        "games_per_pairing": table.games_per_pairing,
        "points": _points_as_json(table.points),
        "system": system,
        "tiebreaks": _tiebreaks(document, system, left_out) or list(usual_tiebreaks(system)),
        "initial_seat": str(table.initial_seat or deduce_initial_seat(table)),
    }
    if document.struck and _has_half_byes(table):
        settings["system_options"] = {ABSENCE.name: "bye"}
    settings |= _time_control(header, left_out)
    if starts_on and ends_on:
        settings |= {"starts_on": starts_on, "ends_on": ends_on}
    return settings


def _has_half_byes(table: Crosstable) -> bool:
    """Return True if there are half-point byes: in a round robin, games were cancelled."""
    return any(r.kind is Kind.HALF_BYE for player in table.players for r in player.results)


def separations_as_json(
    document: TrfFile,
    system: str,
    players: Mapping[PlayerId, int],
    shared: Mapping[By, Sequence[list[int]]],
    left_out: list[str],
) -> list[dict[str, Any]]:
    """Return the forbidden pairs as separations; `players` maps pairing numbers to player ids.

    A file has them as players. Where these are all the clubs or countries with several players,
    `shared`, they are one separation again, and a preference has one level again.
    """
    rounds = document.crosstable.rounds
    wanted = [
        *((False, group.players, group.first, group.last) for group in document.forbidden),
        *(
            (True, group.players, group.first_round, group.last_round)
            for group in document.own.preferences
        ),
    ]
    groups = [dict.fromkeys(group) for _, group, _, _ in wanted]
    page = PAIRING_SYSTEMS.get(system)
    if page is None or not groups:
        return []
    if sum(len(group) * (len(group) - 1) // 2 for group in groups) > MOST_PAIRS:
        left_out.append(Text("the forbidden pairs: there are more than %(most)s", most=MOST_PAIRS))
        return []
    if not page.can_separate:
        left_out.append(
            Text("the forbidden pairs: %(system)s does not support them", system=Text(page.name))
        )
        return []
    separations = {}
    for (is_preference, _, first, last), group in zip(wanted, groups, strict=True):
        if first > rounds and not is_preference:
            left_out.append(
                Text(
                    "the pairs forbidden from round %(first)s on: there are %(rounds)s rounds",
                    first=first,
                    rounds=rounds,
                )
            )
        elif len(group) > 1:
            until = 0 if last >= rounds and not is_preference else last
            ids = [players[number] for number in group]
            separations[is_preference, tuple(ids), first, until] = {
                "by": By.PLAYERS.value,
                "preference": is_preference,
                "players": ids,
                "first_round": first,
                "last_round": until,
            }
    return _joined(list(separations.values()), shared)


def _joined(
    separations: list[dict[str, Any]], shared: Mapping[By, Sequence[list[int]]]
) -> list[dict[str, Any]]:
    """Return separations with one by club or country for those of each of several groups."""
    for by, groups in shared.items():
        count = len(groups)
        starts = [
            place
            for place, item in enumerate(separations)
            if count > 1 and item["players"] == groups[0]
        ]
        for start in starts:
            found = separations[start : start + count]
            kinds = {
                (item["preference"], item["first_round"], item["last_round"]) for item in found
            }
            if len(kinds) == 1 and [item["players"] for item in found] == groups:
                joined = found[0] | {"by": by.value, "players": []}
                separations = [*separations[:start], joined, *separations[start + count :]]
                break
    return separations


def unsupported_content(document: TrfFile) -> Iterator[str]:
    """Name the content that no table stores and no standing needs."""
    lines = document.unknown_lines
    yield from (
        Text("line %(line)s: %(detail)s", line=line.line, detail=printable(line.text)[:80])
        for line in lines[:MOST_LISTED_LINES]
    )
    if len(lines) > MOST_LISTED_LINES:
        yield Text("%(count)s more lines", count=len(lines) - MOST_LISTED_LINES)
    players = document.crosstable.players
    if any(re.search("[1-9]", player.birth[4:]) for player in players):
        yield Text("the day and month of birth; only the year is stored")
    for player in players:
        yield from personal_details(player)[1]
    boards = {(document.crosstable.completed + 1) if document.open_pairings else 0}
    for bye in document.byes:
        if bye.kind is Kind.PAIRING_BYE and bye.round not in boards:
            yield (
                Text(
                    "the pairing-allocated bye of player %(player)s in round %(round)s, "
                    "which is not paired",
                    player=bye.player,
                    round=bye.round,
                )
            )


def personal_details(player: Competitor) -> tuple[dict[str, Any], list[str]]:
    """Return the year of birth and the sex, written as in lists, and what is wrong with them."""
    values: dict[str, Any] = {"birth_year": None, "sex": ""}
    columns = {"birth_year": (birth_year_column, player.birth), "sex": (sex_column, player.sex)}
    wrong: list[str] = []
    for name, (column, text) in columns.items():
        try:
            values[name] = column(text)
        except ValueError as error:
            detail = error.args[0]
            wrong.append(Text("number %(number)s: %(detail)s", number=player.number, detail=detail))
    return values, wrong


def _time_control(header: TrfHeader, left_out: list[str]) -> dict[str, int]:
    """Return the main time and the increment, from record 222 or else from 122; empty if unclear.

    The words of record 122 are stored in any case.
    """
    encoded = header.encoded_time
    found = read_encoded_time(encoded) if encoded else read_written_time(header.time_control)
    with suppress(SenselessTime):
        if found is not None:
            return asdict(TimeControl(*found))
    if encoded:
        left_out.append(Text("the time control %(text)s", text=printable(encoded)[:80]))
    return {}


def _tiebreaks(document: TrfFile, system: str, left_out: list[str]) -> list[str]:
    page = PAIRING_SYSTEMS.get(system)
    is_round_robin = page is not None and (page.is_round_robin or page.rank_groups is not None)
    has_bracket = page is not None and page.find_progress is not None
    codes = []
    for text in document.tiebreaks:
        try:
            (code,) = parse_codes([text], round_robin=is_round_robin)
        except TiebreakError as error:
            left_out.append(_tiebreak_left_out(text[:40], error.detail))
            continue
        if TIEBREAKS[code.name].needs_records:
            left_out.append(_tiebreak_left_out(code, Text("it needs the records of the games")))
        elif TIEBREAKS[code.name].needs_bracket and not has_bracket:
            left_out.append(_tiebreak_left_out(code, Text("it needs the bracket of a knockout")))
        else:
            codes.append(str(code))
    return codes if any(code != "PTS" for code in codes) or len(document.tiebreaks) == 1 else []


def _tiebreak_left_out(code: object, detail: str) -> Text:
    return Text("the tie-break %(code)s: %(detail)s", code=code, detail=detail)


def _points_as_json(points: PointSystem) -> dict[str, str]:
    """Return the points by result; empty for 1, ½, 0."""
    if points == PointSystem.from_points():
        return {}
    return {name: points.format_units(getattr(points, name)) for name in RESULT_NAMES}


def round_date(header: TrfHeader, number: int) -> date | None:
    """Return the date of a round, written as `26/05/15`, or None."""
    dates = header.round_dates
    parts = dates[number - 1].split("/") if number <= len(dates) else []
    try:
        year, month, day = map(int, parts)
        return date(2000 + year, month, day)
    except ValueError:
        return None


def parse_country(text: str) -> str:
    """Return a three-letter code in capitals, or an empty string."""
    country = text.strip().upper()
    return country if COUNTRY_CODE.fullmatch(country) else ""


def printable(text: str) -> str:
    """Return a name as it is stored, without what is hidden; empty if nothing is left."""
    try:
        return clean_name("".join(" " if is_hidden(letter) else letter for letter in text))
    except ValueError:
        return ""


def has_virtual_points(table: Crosstable) -> bool:
    """Return True if any player has virtual points."""
    return any(player.virtual for player in table.players)
