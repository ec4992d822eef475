"""Import a TRF16 or TRF26 file as a new tournament, all or nothing.

The results are rulings: no record proves them. The engine pairs every round again and ranks the
players again, and the answer lists the differences; since other programs and arbiters decide
differently, they reject nothing. `left_out` names what the file contains and the service cannot
store. A preview computes the crosstable that would be stored, without a row.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from games.core.dates import possible_dates
from games.core.errors import Unprocessable
from games.core.journal.lines import append_line
from games.core.limits import check_quota
from games.core.references import absolute_url, player_reference
from games.core.requests import validated_query
from games.core.uploads.encodings import decode_text
from games.core.uploads.progress import Progress, no_progress
from games.core.uploads.services import Importer, ImportResult, SentFile
from games.models import Account
from games.names import listed_fide_id
from games.players.matching import MatchedPlayer, register_new_players
from games.rules.ratings import HIGHEST_RATING, LOWEST_RATING
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.core.crosstable import (
    is_round_robin,
    load_crosstable,
    point_system,
    standings_digest,
    with_starting_points,
)
from tournament.core.crosstable_results import GAME_COLUMNS, PAIRING_COLUMNS, read_results
from tournament.core.engine import pairing_codes
from tournament.core.handicaps import seats_follow_handicaps
from tournament.core.queries import last_complete_round
from tournament.core.rankings import with_progress
from tournament.core.references import tournament_reference
from tournament.entries.services import entry_payload
from tournament.events.services import build_tournament, create_tournament
from tournament.events.verification import imported_rows
from tournament.exchange.serializers import TrfSettingsSerializer
from tournament.exchange.trf_own import (
    decided_ties_as_json,
    own_settings,
    readable_handicaps,
    without_refused,
)
from tournament.exchange.trf_rounds import (
    ChosenPlayers,
    Entries,
    Values,
    boards_and_byes,
    build_boards,
    build_byes,
    build_entries,
    build_ruling,
    create_rounds,
    follows_from_entry,
    match_trf_players,
)
from tournament.exchange.trf_settings import (
    TrfSystem,
    find_system,
    has_virtual_points,
    printable,
    separations_as_json,
    tournament_settings,
    unsupported_content,
)
from tournament.models import Bye, Entry, Round, Tournament
from tournament.models.settings import GAME_SETTINGS, MOST_TOURNAMENT_ROUNDS
from tournament.pairing.differences import PairedNumbers
from tournament.pairing.errors import PairingError
from tournament.pairing.request import Pair, PairingRequest
from tournament.pairing.separations import By, Separation
from tournament.pairing.systems import EDITION as PAIRING_EDITION
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.round_robin import ABSENCE, leave_out
from tournament.pairing.trf_rounds import recorded_pairings, request_round
from tournament.players.agreements import set_agreements
from tournament.standings.crosstable import ABSENT, Crosstable, Kind
from tournament.standings.table import rank
from tournament.standings.tiebreaks import EDITION as TIEBREAK_EDITION
from tournament.standings.tiebreaks import parse_codes
from tournament.trf import TrfFile, read_trf
from tournament.trf.errors import TrfError, raise_first


def compare_rounds(
    document: TrfFile, tournament: Tournament, table: Crosstable, progress: Progress
) -> list[dict[str, Any]]:
    """Pair each round again and return the differences as JSON, one object per round.

    `table` is the stored crosstable; the database is not used.
    `due` contains the boards, as pairing numbers, that only the system pairs, `held` those that
    only the file contains; where handicaps decide the seats, these are not compared. `why` is the
    error if the system cannot pair the round. A pairing-allocated bye is a board with one player;
    systems with a schedule have none.
    """
    system = PAIRING_SYSTEMS[tournament.system]
    document = replace(document, crosstable=_crosstable(document, tournament, table))
    by_handicap = seats_follow_handicaps(tournament)
    compared = []
    last = document.crosstable.completed + bool(document.open_pairings)
    for number in range(1, last + 1):
        progress(Text("pairing rounds again"), number - 1, last)
        from_file = recorded_pairings(document, number)
        body: dict[str, Any] = {"round": number, "boards": len(from_file.pairs)}
        try:
            from_system = system.pair(_request(document, tournament, number))
        except PairingError as error:
            compared.append(body | {"agrees": False, "due": [], "held": [], "why": str(error)})
            continue
        due, held = set(from_system.pairs), set(from_file.pairs)
        if by_handicap:
            due, held = ({(min(pair), max(pair)) for pair in pairs} for pairs in (due, held))
        if not system.has_schedule:
            due.add((from_system.bye or 0, 0))
            held.add((from_file.bye or 0, 0))
        compared.append(
            body
            | {
                "agrees": due == held,
                "due": [_board(pair) for pair in sorted(due - held)],
                "held": [_board(pair) for pair in sorted(held - due)],
                "why": None,
            }
        )
    return compared


def _board(pair: Pair) -> PairedNumbers:
    """Return a board by the pairing numbers of its players; 0 is none."""
    return {"numbers": [number for number in pair if number]}


def compare_ranks(
    document: TrfFile, tournament: Tournament, table: Crosstable
) -> list[dict[str, Any]]:
    """Return the players whose rank in the file differs from the computed one, as JSON.

    Tie-breaks that need the records of the games have no values: the file contains no records.
    """
    if not document.ranks:
        return []
    codes = parse_codes(tournament.tiebreaks, round_robin=table.round_robin)
    table = leave_out(table, frozenset(document.struck), {ABSENCE.name: "bye"})
    progress = with_progress(tournament, table, table)
    rows = rank(progress, codes)
    return [
        {"number": row.number, "trf": document.ranks[row.number], "here": row.rank}
        for row in rows
        if document.ranks.get(row.number, row.rank) != row.rank
    ]


def _crosstable(document: TrfFile, tournament: Tournament, table: Crosstable) -> Crosstable:
    """Return the stored crosstable, with the file's virtual points if the system sets none."""
    if PAIRING_SYSTEMS[tournament.system].is_accelerated or not has_virtual_points(
        document.crosstable
    ):
        return table
    virtual = {player.number: player.virtual for player in document.crosstable.players}
    players = (replace(player, virtual=virtual[player.number]) for player in table.players)
    return replace(table, players=tuple(players))


def _request(document: TrfFile, tournament: Tournament, number: int) -> PairingRequest:
    """Return the request to pair a round again; a schedule also pairs absent players.

    But not if it cancels their games: these are not in the file.
    """
    system = PAIRING_SYSTEMS[tournament.system]
    has_cancelled = ABSENCE in system.options and ABSENCE.read(tournament.system_options) == "bye"
    request = request_round(document, number)
    return replace(
        request,
        absent=frozenset() if system.has_schedule and not has_cancelled else request.absent,
        forbidden=request.forbidden if system.can_separate else frozenset(),
        preferences=request.preferences if system.can_separate else (),
        balance_seats=request.balance_seats and tournament.balance_seats,
        codes=pairing_codes(tournament),
        options=tournament.system_options,
    )


def preview_crosstable(
    tournament: Tournament, document: TrfFile, entries: Entries, *, by: Account
) -> Crosstable:
    """Return the crosstable of a tournament that is not saved.

    The rows of its boards are built as the import builds them, and their results are read as from
    the tables. The entries get their pairing numbers as keys.
    """
    for number, entry in entries.items():
        entry.pk = number
    last, points = document.crosstable.completed, point_system(tournament)
    results = read_results(
        _result_rows(tournament, document, entries, by),
        tournament,
        last,
        points,
        {number: number for number in entries},
    )
    players = (
        replace(player, results=tuple(results.get(player.number, [ABSENT] * last)), virtual=())
        for player in document.crosstable.players
    )
    crosstable = replace(
        document.crosstable,
        players=tuple(players),
        points=points,
        round_robin=is_round_robin(tournament),
        initial_seat=Seat(tournament.initial_seat),
        unrated=tournament.unrated_rating or 0,
        held=0,
    ).held_until(last)
    first_numbers = [number for number, entry in entries.items() if entry.first_round == 1]
    return with_starting_points(tournament, crosstable, first_numbers)


def _result_rows(
    tournament: Tournament, document: TrfFile, entries: Entries, by: Account
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of the complete rounds that `read_results` reads."""
    ruling = build_ruling(by, "", timezone.now())
    points = document.crosstable.points
    for number in range(1, document.crosstable.completed + 1):
        this_round = Round(tournament=tournament, number=number)
        boards, byes = boards_and_byes(document, number)
        for board in build_boards(this_round, boards, entries, points, ruling, {}):
            yield _result_row(number, board.pairing, *(rows.game for rows in board.games))
        for bye in build_byes(this_round, byes, entries, points):
            yield _result_row(number, bye)


def _result_row(number: int, pairing: Values, *games: Values) -> tuple[Any, ...]:
    return (
        number,
        *(pairing[name] for name in PAIRING_COLUMNS),
        *(game[name] for game in games for name in GAME_COLUMNS),
    )


BYES = {
    Kind.HALF_BYE: Bye.Kind.HALF,
    Kind.ZERO_BYE: Bye.Kind.ZERO,
    Kind.FULL_BYE: Bye.Kind.FULL,
}
REASON = "imported from a TRF file"
MOST_LEFT_OUT = 200
"""The maximum number of things that the answer names."""


@dataclass(frozen=True, slots=True)
class TrfImport:
    """A parsed file with the settings of its tournament; nothing is saved yet."""

    document: TrfFile
    system: TrfSystem
    settings: Mapping[str, Any]
    left_out: tuple[str, ...]
    digest: str
    chosen_players: ChosenPlayers

    @property
    def state(self) -> Tournament.State:
        """Return the state of the imported tournament."""
        table = self.document.crosstable
        is_adjourned = any(r.adjourned for player in table.players for r in player.results)
        is_open = bool(self.document.open_pairings) or is_adjourned
        is_finished = table.completed == table.rounds and not is_open
        return Tournament.State.REVIEW if is_finished else Tournament.State.RUNNING


def prepare_trf(sent: SentFile, progress: Progress) -> TrfImport:
    """Parse a file; the parameters replace and complete its settings.

    Raises Unprocessable with line and column for a file that is invalid or contradicts itself,
    and for a tournament without dates; what `decode_text` raises.
    """
    progress(Text("reading the file"), 0, 1)
    parameters = validated_query(TrfSettingsSerializer, sent.parameters)
    chosen_players = parameters.pop("players", {})
    content = decode_text(sent.content, sent.parameters.get("encoding", "")).encode()
    document = _parse(content)
    left_out = list(unsupported_content(document))
    system = find_system(document, parameters.get("system", ""), left_out)
    found = tournament_settings(document, system.code, left_out)
    own = own_settings(document.own, system.code, parameters, left_out)
    settings = found | parameters | own
    if options := found.get("system_options", {}) | own.get("system_options", {}):
        settings["system_options"] = options
    if names := own.keys() & {*GAME_SETTINGS}:
        settings = without_refused(settings, names, by=sent.by, left_out=left_out)
    if document.own.ties:
        settings["decided_ties"] = decided_ties_as_json(document, left_out)
    if not {"starts_on", "ends_on"} <= settings.keys():
        raise _dates_needed(content)
    if settings["ends_on"] < settings["starts_on"] and "starts_on" not in parameters:
        raise _dates_needed(content)
    digest = hashlib.sha256(sent.content).hexdigest()
    return TrfImport(document, system, settings, tuple(left_out), digest, chosen_players)


def _dates_needed(content: bytes) -> Unprocessable:
    """Return the error of dates that are missing or unclear, with their lines."""
    lines = [
        (number, line[:3], text)
        for number, line in enumerate(content.splitlines(), start=1)
        if line[:3] in (b"042", b"052") and (text := printable(line[4:].decode())[:40])
    ]
    if not lines:
        detail = Text("the file contains no dates (records 042, 052); send starts_on and ends_on")
        return Unprocessable("dates_needed", detail)
    days = {number: sorted({*possible_dates(text).values()}) for number, _, text in lines}
    starts = [days[number][0] for number, code, _ in lines if code == b"042" and days[number]]
    errors = []
    for number, code, text in lines:
        if not days[number]:
            detail = Text(
                "%(date)s is not a day of the calendar, as 2026-05-29 or 29.05.2026", date=text
            )
        elif len(days[number]) > 1:
            detail = Text("%(date)s can be two days", date=text)
        elif code == b"052" and starts and days[number][0] < starts[0]:
            detail = Text("%(date)s is before the first day, %(first)s", date=text, first=starts[0])
        else:
            continue
        errors.append({"code": "dates_needed", "line": number, "detail": detail})
    detail = Text(
        "the dates of the file are unclear (records 042, 052: %(dates)s); send starts_on and "
        "ends_on",
        dates=[text for _, _, text in lines],
    )
    return Unprocessable("dates_needed", detail, errors)


def _find_wrong_players(content: bytes, document: TrfFile) -> Iterator[TrfError]:
    """Yield an error for each rating that no player has, such as 2 for 1.900, and each wrong id."""

    def has_wrong_rating(rating: int) -> bool:
        return bool(rating) and not LOWEST_RATING <= rating <= HIGHEST_RATING

    wrong = {}
    for player in document.crosstable.players:
        try:
            listed_fide_id(player.fide_id)
        except ValueError as error:
            wrong[player.number] = error.args[0]
        if has_wrong_rating(player.rating):
            wrong.setdefault(player.number, "")
    for line_number, line in enumerate(content.splitlines() if wrong else (), start=1):
        number = line[4:8].strip()
        if not line.startswith(b"001") or not number.isdigit() or int(number) not in wrong:
            continue
        player = document.crosstable.by_number[int(number)]
        if has_wrong_rating(player.rating):
            detail = Text("the rating %(rating)s", rating=player.rating)
            expected = Text(
                "a rating from %(least)s to %(most)s, or 0 for none",
                least=LOWEST_RATING,
                most=HIGHEST_RATING,
            )
            yield TrfError(detail, line_number, 49, expected)
        if detail := wrong[player.number]:
            wrong_id = TrfError(detail, line_number, 58)
            wrong_id.player = player.number
            yield wrong_id


def save_trf(sent: SentFile, trf: TrfImport, progress: Progress) -> ImportResult:
    """Create the tournament; raises Unprocessable for bad settings, Conflict for a taken slug."""
    document, left_out = trf.document, list(trf.left_out)
    table = document.crosstable
    check_quota("entries", len(table.players), by=sent.by)
    matched = match_trf_players(table.players, trf.chosen_players, sent.by, progress)
    stream = build_tournament(by=sent.by, **trf.settings).stream
    register_new_players(matched, by=sent.by, stream=stream, progress=progress)
    ids = {row.number: found.player.pk for row, found in zip(table.players, matched, strict=True)}
    shared = _groups_of_known(table, matched, ids)
    separations = separations_as_json(document, trf.system.code, ids, shared, left_out)
    tournament = create_tournament(by=sent.by, **{"separations": separations, **trf.settings})
    progress(Text("entering players"), 0, len(matched))
    entries = build_entries(tournament, document, matched, trf.system)
    set_agreements(entries.values(), by=sent.by)
    Entry.objects.bulk_create(list(entries.values()))
    handicaps = readable_handicaps(document.own, tournament, left_out)
    rounds = create_rounds(
        tournament,
        document,
        entries,
        by=sent.by,
        reason=REASON,
        handicaps=handicaps,
        progress=progress,
    )
    byes = [
        Bye(
            tournament=tournament,
            entry=entries[bye.player],
            round=bye.round,
            kind=BYES[bye.kind],
            reason=REASON,
        )
        for bye in document.byes
        if bye.kind in BYES and not follows_from_entry(document, bye)
    ]
    Bye.objects.bulk_create(byes)
    tournament.state = trf.state
    tournament.save(update_fields=["state"])
    payload = {
        "file": f"sha256:{trf.digest}",
        "entries": [entry_payload(entry) for entry in entries.values()],
        "byes": [[bye.entry_id, bye.round, bye.kind] for bye in byes],
        "rounds": rounds,
        "reason": REASON,
        "state": tournament.state,
        "standings": [
            standings_digest(tournament, number)
            for number in range(1, last_complete_round(tournament) + 1)
        ],
    }
    rows = imported_rows(tournament)
    append_line(tournament.stream, "tournament.imported", payload, by=sent.by, rows=rows)
    return _result(sent, trf, tournament, matched, left_out)


def _groups_of_known(
    table: Crosstable, matched: Sequence[MatchedPlayer], ids: Mapping[int, int]
) -> dict[By, list[list[int]]]:
    """Return the players of each club and country, by what is known of them here."""
    rows = zip(table.players, (found.player for found in matched), strict=True)
    known = replace(
        table,
        players=tuple(
            replace(row, club=player.club, federation=player.country) for row, player in rows
        ),
    )
    return {
        by: [
            [ids[number] for number in group]
            for group in Separation(by=by).groups(known)
            if len(group) > 1
        ]
        for by in (By.CLUB, By.COUNTRY)
    }


def compare_trf(
    _: SentFile, trf: TrfImport, result: ImportResult, progress: Progress
) -> ImportResult:
    """Add the differing rounds and ranks to the result."""
    tournament = Tournament.objects.get(slug=result.body["tournament"]["slug"])
    table = load_crosstable(tournament, through=trf.document.crosstable.completed)
    return _compare(trf, result, tournament, table, progress)


def preview_trf(sent: SentFile, trf: TrfImport) -> ImportResult:
    """Return what the import would return.

    No row is written: the crosstable is computed from the rows that the import would store.
    """
    document, left_out = trf.document, list(trf.left_out)
    players = document.crosstable.players
    check_quota("entries", len(players), by=sent.by)
    matched = match_trf_players(players, trf.chosen_players, sent.by, no_progress)
    numbers = {player.number: player.number for player in players}  # new players have no ids
    separations_as_json(document, trf.system.code, numbers, {}, left_out)
    tournament = build_tournament(by=sent.by, **trf.settings)
    entries = build_entries(tournament, document, matched, trf.system)
    readable_handicaps(document.own, tournament, left_out)
    table = preview_crosstable(tournament, document, entries, by=sent.by)
    result = _result(sent, trf, tournament, matched, left_out)
    return _compare(trf, result, tournament, table, no_progress)


def _result(
    sent: SentFile,
    trf: TrfImport,
    tournament: Tournament,
    matched: Sequence[MatchedPlayer],
    left_out: Sequence[str],
) -> ImportResult:
    """Return the result without the differences; a player who is not saved has no id."""
    players = [
        {
            "number": player.number,
            "player": {**player_reference(found.player), "name": player.name},
            "action": found.action,
        }
        for player, found in zip(trf.document.crosstable.players, matched, strict=True)
    ]
    listed = list(left_out[:MOST_LEFT_OUT])
    if len(left_out) > MOST_LEFT_OUT:
        listed.append(Text("%(count)s more lines", count=len(left_out) - MOST_LEFT_OUT))
    body = {
        "dry_run": sent.dry_run,
        "tournament": tournament_reference(tournament),
        "state": trf.state,
        "players": players,
        "rounds": [],
        "ranks": [],
        "edition": None,
        "left_out": listed,
    }
    return ImportResult(body, absolute_url(f"tournaments/{tournament.slug}"))


def _compare(
    trf: TrfImport,
    result: ImportResult,
    tournament: Tournament,
    table: Crosstable,
    progress: Progress,
) -> ImportResult:
    """Add the differences of a file from the stored crosstable, without using the database."""
    rounds = compare_rounds(trf.document, tournament, table, progress)
    progress(Text("comparing ranks"), 0, 1)
    ranks = compare_ranks(trf.document, tournament, table)
    compared = {"rounds": rounds, "ranks": ranks, "edition": _edition(tournament, rounds, ranks)}
    return replace(result, body=result.body | compared)


def _edition(
    tournament: Tournament, rounds: Sequence[dict[str, Any]], ranks: Sequence[dict[str, Any]]
) -> Text | None:
    """Say that an older file can differ by the edition of its rules; None if nothing does."""
    by_rules = not PAIRING_SYSTEMS[tournament.system].has_schedule
    differs = {
        Text("C.04 as in force from %(day)s", day=PAIRING_EDITION.isoformat()): by_rules
        and tournament.starts_on < PAIRING_EDITION
        and not all(compared["agrees"] for compared in rounds),
        Text("C.07 as in force from %(day)s", day=TIEBREAK_EDITION.isoformat()): bool(ranks)
        and tournament.starts_on < TIEBREAK_EDITION,
    }
    names = [name for name, is_different in differs.items() if is_different]
    if not names:
        return None
    return Text(
        "the event began before the rules by which its file is compared here (%(rules)s), so what "
        "differs can be right by its own",
        rules=names,
    )


TRF_IMPORTER = Importer(
    task="tournament.tasks.import_trf",
    action="tournament.create",
    read=prepare_trf,
    save=save_trf,
    preview=preview_trf,
    complete=compare_trf,
    max_sync_size=16 * 1024,
)


def _parse(content: bytes) -> TrfFile:
    try:
        document = read_trf(content)
        if not 1 <= document.crosstable.rounds <= MOST_TOURNAMENT_ROUNDS:
            detail = Text("a tournament of %(rounds)s rounds", rounds=document.crosstable.rounds)
            raise TrfError(
                detail,
                1,
                1,
                Text("1 to %(most)s, from record XXR or 142", most=MOST_TOURNAMENT_ROUNDS),
            )
        raise_first([*_find_wrong_players(content, document)])
    except TrfError as error:
        faults = [
            {
                "code": "invalid_trf",
                "line": each.line,
                "column": each.column,
                "detail": each.args[0],
            }
            | ({"pointer": f"/players/{each.player}"} if each.player else {})
            for each in error.errors
        ]
        detail = error.args[0]
        if len(faults) > 1:
            detail = Text("%(detail)s, and %(count)s more", detail=detail, count=len(faults) - 1)
        raise Unprocessable(
            "invalid_trf", Text("%(detail)s; nothing was imported", detail=detail), faults
        ) from error
    return document
