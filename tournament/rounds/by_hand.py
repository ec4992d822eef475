"""Set the pairings of a round by hand, or change single boards of a draft or a published round.

They are checked against the rules and compared with the engine's; boards that differ are marked
publicly. Each is a new version of the round. It shares the games of the boards that a change leaves
as they are; the games of the changed boards become void, with all their reports.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable, check_all
from games.core.journal.lines import append_line
from games.core.journal.rows import Rows, changed_rows, combined
from games.models import Account, Game, Report
from games.rules.conditions import Conditions
from games.rules.records.handicaps import canonical_handicap, exchange_seats, is_bound_to_seat
from games.rules.text import Text
from tournament.core.engine import TieUndecided, load_request
from tournament.core.handicaps import Handicaps
from tournament.core.queries import event_conditions
from tournament.core.systems import system_of
from tournament.core.violations import (
    BY_HAND,
    HandPairing,
    check_boards,
    impossible_pairings,
    made_by_hand,
    numbers_of_entries,
    pairs_and_byes,
)
from tournament.entries.numbering import store_printed_numbers
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.differences import Difference, find_differences
from tournament.pairing.errors import NoLegalPairing, PairingRequestError, UndecidedTies
from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import PairingRequest, Pairings
from tournament.rounds.acceptance import codes_of, require_acceptance
from tournament.rounds.forfeits import rule_forfeits
from tournament.rounds.games import create_games, games_of, update_void_games
from tournament.rounds.handicaps import GivenHandicap, check_applied, give_handicaps
from tournament.rounds.pairing import Draft, copy_certificate, requested_byes, save_version
from tournament.rounds.queries import RoundPairings, draft_as_json
from tournament.rounds.states import find_round_conflicts, require_round_allows
from tournament.rounds.targets import lock_current_round

Seats = tuple[int, int | None]
"""The entries of a pairing, the first seat first."""
Place = tuple[int | None, int, int | None, str, str]
"""The board number, the entries by seat, the kind and the handicap of a pairing."""
SHARED = (
    "game_id", "return_game_id", "counted", "awarded_for", "awarded_first", "awarded_second",
    "without_seat", "recommended", "handicap_reason",
)  # fmt: skip
"""What an unchanged board has in both versions."""


@dataclass(frozen=True, slots=True)
class HandDraft:
    """A draft set by hand, the rules it breaks and its differences from the engine's pairings.

    `numbers` are the pairing numbers by entry.
    """

    draft: Draft
    numbers: Mapping[int, int]
    violations: tuple[Finding, ...]
    differences: tuple[Difference, ...]

    def add_to(self, body: RoundPairings) -> RoundPairings:
        """Return a round for the API with the violations, if any, and the differences."""
        found: RoundPairings = {
            **body,
            "differences": [difference.as_json() for difference in self.differences],
        }
        if self.violations:
            found["violations"] = [finding.as_json() for finding in self.violations]
        return found

    def payload(self) -> dict[str, Any]:
        """Return the violations and the differences for the journal."""
        entries = {number: entry for entry, number in self.numbers.items()}
        return {
            "violations": [finding.for_entries(entries) for finding in self.violations],
            "differences": [difference.as_json() for difference in self.differences],
        }


@dataclass(frozen=True, slots=True)
class EnginePairings:
    """What the pairing system gives for a request: None if there is no legal pairing."""

    request: PairingRequest
    pairings: Pairings | None


def ask_engine(this_round: Round, action: str) -> EnginePairings | None:
    """Pair a round without a lock, to compare; None if the round does not allow the action.

    A large round takes seconds, and nobody else could write to SQLite in that time.
    """
    tournament = this_round.tournament
    if next(find_round_conflicts(this_round, action), None):
        return None
    return pair_to_compare(tournament, load_request(tournament, this_round.number))


def set_pairings(
    tournament: Tournament,
    number: int,
    pairings: Sequence[HandPairing],
    *,
    reason: str,
    by: Account,
    engine: EnginePairings | None = None,
) -> tuple[Round, HandDraft]:
    """Set a round's pairings, in the order of the boards.

    Each present player needs a game or a bye. Impossible pairings (a player twice or missing, an
    unknown player) are rejected. A draft may break a rule (a rematch, a second bye): the round and
    the journal record the rules with the reason, and `publish_round` requires their acceptance.
    `engine` is used if nothing that it depends on has changed since. Raises Unprocessable and
    Conflict.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "set_pairings")
        by_hand = _draft_pairings(this_round, pairings, reason, engine)
        payload = save_version(this_round, by_hand.draft) | by_hand.payload()
        rows = changed_rows(this_round, *by_hand.draft.pairings)
        append_line(tournament.stream, "round.set_by_hand", payload, by=by, rows=rows)
    return this_round, by_hand


def preview_pairings(
    this_round: Round,
    engine: EnginePairings | None,
    *,
    pairings: Sequence[HandPairing],
    reason: str,
) -> RoundPairings:
    """Return the JSON of the round that `set_pairings` would set; nothing is written."""
    require_round_allows(this_round, "set_pairings")
    by_hand = _draft_pairings(this_round, pairings, reason, engine)
    by_hand.draft.apply_to(this_round)
    return by_hand.add_to(draft_as_json(this_round, by_hand.draft.pairings))


def change_boards(
    tournament: Tournament,
    number: int,
    boards: Sequence[HandPairing],
    *,
    reason: str,
    accept: Collection[str] = (),
    by: Account,
    engine: EnginePairings | None = None,
) -> tuple[Round, HandDraft]:
    """Set the `boards`, which may be byes; a bye of a player who gets a board ends.

    Every present player must still have a game or a bye. In a published round, `accept` must name
    the rules that the round breaks then, and `game_reported` if games with reports become void.
    The handicap of two players is fixed once their game has a report; if nothing but handicaps
    changes, the round keeps its system and its certificate. `engine` is used if nothing that it
    depends on has changed since. Raises Unprocessable and Conflict.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "change_boards")
        before = {
            _place(row): row
            for row in Pairing.objects.filter(round=this_round, version=this_round.version)
        }
        (boards, numbers), _ = check_all(
            partial(read_boards, tournament, boards, at="/boards"),
            partial(_require_board_numbers, [*before.values()], boards),
        )
        all_boards = _changed_boards(list(before.values()), boards)
        by_hand = _draft_by_hand(this_round, all_boards, numbers, reason, engine)
        _share_games(before, by_hand.draft.pairings)
        if _has_same_boards(before.values(), by_hand.draft.pairings):
            by_hand = replace(by_hand, draft=_with_former_origin(by_hand.draft, this_round))
        was_published, previous = this_round.state == Round.State.PUBLISHED, this_round.version
        if was_published:
            reported = _reported_boards(before, by_hand.draft.pairings)
            _require_free_handicaps(before.values(), by_hand.draft.pairings, reported)
            require_acceptance(tournament, by_hand.violations, accept, reported)
        payload = save_version(this_round, by_hand.draft) | by_hand.payload()
        certificates = []
        if this_round.system != BY_HAND:
            certificates = copy_certificate(this_round, previous)
        payload |= {"previous": previous, "state": this_round.state}
        rows = changed_rows(*by_hand.draft.pairings, *certificates)
        new: list[Pairing] = []
        if was_published:
            new, published, games = _publish(tournament, this_round)
            payload |= published
            rows = combined(rows, games)
        rows = combined(rows, changed_rows(this_round))
        append_line(tournament.stream, "round.changed", payload, by=by, rows=rows)
        if system_of(tournament).has_schedule:
            rule_forfeits(tournament, number, new, by=by)
    return this_round, by_hand


def _draft_pairings(
    this_round: Round, pairings: Sequence[HandPairing], reason: str, engine: EnginePairings | None
) -> HandDraft:
    pairings, numbers = read_boards(this_round.tournament, pairings, at="/pairings")
    return _draft_by_hand(this_round, pairings, numbers, reason, engine)


def _draft_by_hand(
    this_round: Round,
    boards: Sequence[HandPairing],
    numbers: Mapping[int, int],
    reason: str,
    asked: EnginePairings | None,
) -> HandDraft:
    """Check the boards, compare them with the engine's, and add the requested byes.

    Boards without a handicap get the recommended one.
    """
    tournament, number = this_round.tournament, this_round.number
    request = load_request(tournament, number)
    entries = {number: entry for entry, number in numbers.items()}
    boards, recommended = _with_handicaps(tournament, request, boards, numbers)
    findings = check_boards(tournament, request, boards, numbers)
    if asked is None or asked.request != request:
        asked = pair_to_compare(tournament, request)
    if engine := asked.pairings:
        given = give_handicaps(tournament, request, engine.pairs, entries)
        engine = replace(engine, pairs=tuple(board.pair for board in given))
    _require_all_players(tournament, findings, engine)
    differences = find_differences(*pairs_and_byes(boards, numbers), engine)
    marked: set[int | None] = {
        player for one in differences if one.is_by_hand for player in one.place
    }
    violations = made_by_hand(findings, marked)
    pairings = _as_rows(boards, numbers, marked)
    _set_handicaps(tournament, pairings, recommended, reason)
    paired = {entry for board in boards for entry in (board.first, board.second)}
    byes = requested_byes(this_round)
    pairings += [bye for bye in byes if bye.first_id not in paired]
    relaxed = codes_of(violations)
    draft = Draft(pairings=pairings, system=BY_HAND, reason=reason, relaxed=relaxed)
    return HandDraft(draft, numbers, violations, differences)


def pair_to_compare(tournament: Tournament, request: PairingRequest) -> EnginePairings:
    """Pair a request by the system, so that pairings by hand can be compared.

    Raises Conflict before a tie that decides who plays in a bracket is decided.
    """
    try:
        return EnginePairings(request, system_of(tournament).pair(request))
    except UndecidedTies as error:
        raise TieUndecided(tournament, request, error) from error
    except (PairingRequestError, NoLegalPairing):
        return EnginePairings(request, None)


def _require_all_players(
    tournament: Tournament, findings: Sequence[Finding], engine: Pairings | None
) -> None:
    """Raise Unprocessable for missing players; a system may leave some out, as knockouts do."""
    missing = [finding for finding in findings if finding.code is FindingCode.PLAYER_MISSING]
    if engine is not None:
        seated = {player for pair in engine.pairs for player in pair}
        seated |= {player for player, _ in engine.byes}
        seated |= {engine.bye} if engine.bye is not None else set()
        missing = [finding for finding in missing if not seated.isdisjoint(finding.players)]
    if missing:
        raise impossible_pairings(tournament, missing)


def _as_rows(
    boards: Sequence[HandPairing], numbers: Mapping[int, int], marked: Collection[int | None]
) -> list[Pairing]:
    """Return the rows of the boards; those that differ from the engine's are marked."""
    rows = []
    board_number = 0
    for board in boards:
        row = Pairing(first_id=board.first, second_id=board.second, kind=board.bye)
        row.handicap = board.handicap or ""
        if board.second is not None:
            board_number = board.board or board_number + 1
            row.kind, row.board_number = Pairing.Kind.GAME, board_number
        is_compared = row.kind in (Pairing.Kind.GAME, Pairing.Kind.PAIRING_BYE)
        row.by_hand = is_compared and numbers[board.first] in marked
        rows.append(row)
    return rows


def read_boards(
    tournament: Tournament, boards: Sequence[HandPairing], *, at: str
) -> tuple[list[HandPairing], dict[int, int]]:
    """Return boards with their handicaps as records state them, and the numbers of all entries.

    Raises Unprocessable for handicaps that the event's games cannot have, and for unknown entries.
    `at` is the pointer of the boards.
    """
    even = event_conditions(tournament)
    numbers, *read = check_all(
        partial(numbers_of_entries, tournament, boards, at=at),
        *(
            partial(_read_handicap, tournament, even, board, at=f"{at}/{index}/handicap")
            for index, board in enumerate(boards)
        ),
    )
    return read, numbers


def _read_handicap(
    tournament: Tournament, even: Conditions, board: HandPairing, *, at: str
) -> HandPairing:
    check_applied(tournament, board.handicap or "", at=at)
    return replace(board, handicap=board.handicap and canonical_handicap(even, board.handicap))


def _with_handicaps(
    tournament: Tournament,
    request: PairingRequest,
    boards: Sequence[HandPairing],
    numbers: Mapping[int, int],
) -> tuple[list[HandPairing], dict[Seats, GivenHandicap]]:
    """Return the boards with their handicaps and seats, and what is recommended, by seats.

    A board for which no handicap is named gets the recommended one. `numbers` are the pairing
    numbers by entry.
    """
    entries = {number: entry for entry, number in numbers.items()}
    pairs = [
        (numbers[board.first], numbers[board.second])
        for board in boards
        if board.second is not None
    ]
    given = iter(give_handicaps(tournament, request, pairs, entries))
    with_handicaps, recommended = [], {}
    for board in boards:
        if board.second is not None:
            found = next(given)
            if board.handicap is None:
                first, second = (entries[number] for number in found.pair)
                board = replace(board, first=first, second=second, handicap=found.handicap)
            recommended[board.first, board.second] = found
        with_handicaps.append(board)
    return with_handicaps, recommended


def _set_handicaps(
    tournament: Tournament,
    rows: Iterable[Pairing],
    recommended: Mapping[Seats, GivenHandicap],
    reason: str,
) -> None:
    """Set what is recommended for the rows, and the reason for those with another handicap."""
    for row in rows:
        if found := recommended.get((row.first_id, row.second_id)):
            row.recommended = found.recommended
            row.handicap_reason = "" if _is_default(tournament, row) else reason


def _is_default(tournament: Tournament, row: Pairing) -> bool:
    """Return True if the handicap of a row is the one that it has without a director's choice."""
    recommended = row.recommended or {}
    default = recommended.get("handicap") or ""
    if tournament.handicaps == Handicaps.BY_HAND or not default:
        return not row.handicap
    seat, _, _ = default.partition(" ")
    entry = {"first": row.first_id, "second": row.second_id}[seat]
    return row.handicap == default and entry == recommended["entry"]


def _place(row: Pairing) -> Place:
    return row.board_number, row.first_id, row.second_id, row.kind, row.handicap


def _require_board_numbers(rows: Sequence[Pairing], changes: Sequence[HandPairing]) -> None:
    """Raise Unprocessable for a board that is named twice, or that is not the next one."""
    named = [change.board for change in changes if change.board is not None]
    numbers = {row.board_number for row in rows if row.board_number is not None}
    highest = len(numbers | set(named))
    for index, change in enumerate(changes):
        if named.count(change.board or 0) > 1 or (change.board or 0) > max([highest, *numbers]):
            detail = Text(
                "board %(board)s is named twice, or is not the next number", board=change.board
            )
            raise Unprocessable("wrong_board", detail, at=f"/boards/{index}/board")


def _changed_boards(rows: Sequence[Pairing], changes: Sequence[HandPairing]) -> list[HandPairing]:
    """Return all boards by number, then the byes."""
    named = {change.board for change in changes} - {None}
    former = {(row.first_id, row.second_id): row for row in rows}
    changes = [
        _with_former_handicap(change, former, at=f"/boards/{index}/handicap")
        for index, change in enumerate(changes)
    ]
    moved = {entry for change in changes for entry in (change.first, change.second)}
    unchanged = [
        HandPairing(
            row.first_id, row.second_id, Pairing.Kind(row.kind), row.board_number, row.handicap
        )
        for row in rows
        if row.board_number not in named and not {row.first_id, row.second_id} - {None} <= moved
    ]
    boards = [*unchanged, *changes]
    return sorted(boards, key=lambda board: (board.board is None, board.board or 0))


def _with_former_handicap(
    change: HandPairing, rows: Mapping[Seats, Pairing], *, at: str
) -> HandPairing:
    """Return a changed board with the handicap of the two players before, if none is named.

    Points change the seat with their player; raises Unprocessable for other handicaps.
    """
    if change.second is None or change.handicap is not None:
        return change
    if row := rows.get((change.first, change.second)):
        return replace(change, handicap=row.handicap)
    if not (row := rows.get((change.second, change.first))):
        return change
    if is_bound_to_seat(row.handicap):
        detail = Text(
            "%(handicap)s is bound to the seat; name the handicap of the new seats, or none",
            handicap=row.handicap,
        )
        raise Unprocessable("handicap_needed", detail, at=at)
    return replace(change, handicap=exchange_seats(row.handicap))


def _share_games(before: Mapping[Place, Pairing], rows: Sequence[Pairing]) -> None:
    """Give the unchanged boards their games and awarded points, and others what is frozen."""
    former = {(row.first_id, row.second_id): row for row in before.values()}
    for row in rows:
        _copy_recommended(row, former)
        old = before.get(_place(row))
        for name in SHARED if old else ():
            setattr(row, name, getattr(old, name))


def _copy_recommended(row: Pairing, before: Mapping[Seats, Pairing]) -> None:
    """Set what was recommended when the two players were first drafted in this round."""
    old = before.get((row.first_id, row.second_id))
    if old is not None:
        row.recommended = old.recommended
        if row.handicap == old.handicap:
            row.handicap_reason = old.handicap_reason
        return
    old = before.get((row.second_id or 0, row.first_id))
    if old is not None and old.recommended:
        text = old.recommended["handicap"] or ""
        mirrored = text if is_bound_to_seat(text) else exchange_seats(text)
        row.recommended = old.recommended | {"handicap": mirrored or None}


def _has_same_boards(before: Iterable[Pairing], rows: Iterable[Pairing]) -> bool:
    """Return True if nothing but handicaps is different."""
    return {_place(row)[:-1] for row in before} == {_place(row)[:-1] for row in rows}


def _with_former_origin(draft: Draft, this_round: Round) -> Draft:
    """Return a draft that the same system or person paired as the version before."""
    return replace(
        draft,
        system=this_round.system,
        reason=this_round.reason,
        notes=this_round.notes,
        relaxed=this_round.relaxed,
    )


def _reported_boards(before: Mapping[Place, Pairing], rows: Sequence[Pairing]) -> list[int]:
    """Return the changed boards with a game that has reports and is not annulled."""
    unchanged = {_place(row) for row in rows}
    changed = [row for place, row in before.items() if place not in unchanged]
    games = {
        game: row.board_number or 0
        for row in changed
        for game in (row.game_id, row.return_game_id)
        if game is not None
    }
    reports = Report.objects.filter(game__in=games).exclude(game__state=Game.State.ANNULLED)
    return sorted({games[game] for game in reports.values_list("game", flat=True)})


def _require_free_handicaps(
    before: Iterable[Pairing], rows: Sequence[Pairing], reported: Sequence[int]
) -> None:
    """Raise Conflict if the handicap of two players changes though their game has a report."""
    handicaps = {(row.first_id, row.second_id): row.handicap for row in rows}
    for row in before:
        handicap = handicaps.get((row.first_id, row.second_id), row.handicap)
        if row.board_number in reported and handicap != row.handicap:
            detail = Text(
                "the game at board %(board)s has a report; its handicap stays "
                "%(handicap)s unless the game is annulled",
                board=row.board_number,
                handicap=row.handicap or Text("none"),
            )
            raise Conflict("handicap_fixed", detail, board=row.board_number)


def _publish(
    tournament: Tournament, this_round: Round
) -> tuple[list[Pairing], dict[str, Any], Rows]:
    """Create the games of the changed boards; return these, and what the journal has of all."""
    this_round.state = Round.State.PUBLISHED
    this_round.save(update_fields=["state"])
    rows = this_round.pairings.filter(version=this_round.version, kind=Pairing.Kind.GAME)
    pairings = list(rows.order_by("board_number").select_related("first", "second"))
    new = [pairing for pairing in pairings if pairing.game_id is None]
    create_games(tournament, this_round, new, at=timezone.now())
    void = update_void_games(this_round)
    printed = store_printed_numbers(tournament)
    payload = {
        "state": this_round.state,
        "games": [pairing.game_id for pairing in pairings],
        "return_games": [pairing.return_game_id for pairing in pairings],
    }
    return new, payload, combined(void, printed, changed_rows(*new, *games_of(new)))
