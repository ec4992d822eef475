"""Set a round's pairings by hand: check them against the rules and compare them with the engine.

Boards that differ from those of the pairing system are marked publicly.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from games.core.errors import Conflict
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from tournament.core.engine import load_request, pair_request
from tournament.core.handicaps import give_handicaps
from tournament.core.violations import (
    BY_HAND,
    HandPairing,
    check_boards,
    codes_of,
    impossible_pairings,
    made_by_hand,
    numbers_of_entries,
    pairs_and_byes,
)
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.differences import Difference, find_differences
from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import Pairings
from tournament.rounds.queries import draft_as_json
from tournament.services.actions import require_round_action
from tournament.services.hand_handicaps import (
    check_handicaps_by_hand,
    give_handicaps_by_hand,
    set_handicaps,
)
from tournament.services.locking import lock_current_round
from tournament.services.versions import Draft, requested_byes, save_version


@dataclass(frozen=True, slots=True)
class HandDraft:
    """A draft set by hand, the rules it breaks and its differences from the engine's pairings.

    `numbers` are the pairing numbers by entry.
    """

    draft: Draft
    numbers: Mapping[int, int]
    violations: tuple[Finding, ...]
    differences: tuple[Difference, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the violations, if any, and the differences for the API."""
        violations = [finding.as_json() for finding in self.violations]
        return {
            **({"violations": violations} if violations else {}),
            "differences": [difference.as_json() for difference in self.differences],
        }

    def payload(self) -> dict[str, Any]:
        """Return the violations and the differences for the journal."""
        entries = {number: entry for entry, number in self.numbers.items()}
        return {
            "violations": [finding.for_entries(entries) for finding in self.violations],
            "differences": [difference.as_json() for difference in self.differences],
        }


def set_pairings(
    tournament: Tournament,
    number: int,
    boards: Sequence[HandPairing],
    *,
    reason: str,
    by: Account,
) -> tuple[Round, HandDraft]:
    """Set a round's pairings, in the order of the boards.

    Each present player needs a game or a bye. Impossible pairings (a player twice or missing, an
    unknown player) are rejected. A draft may break a rule (a rematch, a second bye): the round and
    the journal record the rules with the reason, and `publish_round` requires their acceptance.
    Raises Unprocessable and Conflict.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "set_pairings")
        check_handicaps_by_hand(tournament, boards, at="/pairings")
        by_hand = draft_by_hand(tournament, number, boards, reason)
        payload = save_version(tournament, this_round, by_hand.draft) | by_hand.payload()
        rows = changed_rows(this_round, *by_hand.draft.pairings)
        append_line(tournament.stream, "round.set_by_hand", payload, by=by, rows=rows)
    return this_round, by_hand


def preview_pairings(
    tournament: Tournament, number: int, boards: Sequence[HandPairing], *, reason: str
) -> dict[str, Any]:
    """Return the JSON of the round that `set_pairings` would set; nothing is written."""
    this_round = tournament.round_set.get(number=number)
    require_round_action(tournament, this_round, "set_pairings")
    check_handicaps_by_hand(tournament, boards, at="/pairings")
    by_hand = draft_by_hand(tournament, number, boards, reason)
    by_hand.draft.apply_to(this_round)
    body = draft_as_json(tournament, this_round, by_hand.draft.pairings)
    return body | by_hand.as_json()


def draft_by_hand(
    tournament: Tournament, number: int, boards: Sequence[HandPairing], reason: str
) -> HandDraft:
    """Check the boards, compare them with the engine's, and add the requested byes.

    Boards without a handicap get the recommended one.
    """
    numbers = numbers_of_entries(tournament, boards)
    request = load_request(tournament, number)
    entries = {number: entry for entry, number in numbers.items()}
    boards, recommended = give_handicaps_by_hand(tournament, request, boards, numbers)
    findings = check_boards(request, boards, numbers)
    try:
        engine = pair_request(tournament.system, request).pairings
        given = give_handicaps(tournament, request, engine.pairs, entries)
        engine = replace(engine, pairs=tuple(board.pair for board in given))
    except Conflict:
        engine = None
    _require_all_players(findings, engine)
    differences = find_differences(*pairs_and_byes(boards, numbers), engine)
    marked: set[int | None] = {
        player for one in differences if one.is_by_hand for player in one.place
    }
    violations = made_by_hand(findings, marked)
    pairings = _as_rows(boards, numbers, marked)
    set_handicaps(tournament, pairings, recommended, reason)
    paired = {entry for board in boards for entry in (board.first, board.second)}
    byes = requested_byes(tournament, number)
    pairings += [bye for bye in byes if bye.first_id not in paired]
    relaxed = codes_of(violations)
    draft = Draft(pairings=pairings, system=BY_HAND, reason=reason, relaxed=relaxed)
    return HandDraft(draft, numbers, violations, differences)


def _require_all_players(findings: Sequence[Finding], engine: Pairings | None) -> None:
    """Raise Unprocessable for missing players; a system may leave some out, as knockouts do."""
    missing = [finding for finding in findings if finding.code is FindingCode.PLAYER_MISSING]
    if engine is not None:
        seated = {player for pair in engine.pairs for player in pair}
        seated |= {player for player, _ in engine.byes}
        seated |= {engine.bye} if engine.bye is not None else set()
        missing = [finding for finding in missing if not seated.isdisjoint(finding.players)]
    if missing:
        raise impossible_pairings(missing)


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
