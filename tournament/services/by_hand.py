"""Set a round's pairings by hand: check them against the rules and compare them with the engine.

Boards that differ from those of the pairing system are marked publicly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.http.errors import Conflict, Unprocessable
from games.journal import append_line
from games.models import Account
from games.queries import rows_as_dicts
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.by_hand import IMPOSSIBLE, check_by_hand
from tournament.pairing.differences import Difference, find_differences
from tournament.pairing.findings import Finding
from tournament.pairing.request import PairingRequest
from tournament.pairing.sentences import Sentence
from tournament.queries.pairings import draft_as_json
from tournament.services.actions import require_round_action
from tournament.services.engine import load_request, pair_request
from tournament.services.locking import lock_current_round
from tournament.services.versions import Draft, requested_byes, save_version

BY_HAND = "by-hand"


@dataclass(frozen=True, slots=True)
class HandPairing:
    """A pairing set by hand: two entries, or an entry and the kind of its bye."""

    first: int
    second: int | None = None
    bye: Pairing.Kind = Pairing.Kind.PAIRING_BYE


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


def set_pairings(
    tournament: Tournament,
    number: int,
    boards: Sequence[HandPairing],
    *,
    reason: str,
    by: Account,
) -> tuple[Round, HandDraft]:
    """Set a round's pairings, in the order of the boards.

    Each present player needs a game or a bye. Impossible pairings (a player twice, an unknown
    player) are rejected. Pairings that break a rule (a rematch, a second bye) are accepted; the
    journal records the rules with the reason. Raises Unprocessable and Conflict.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "set_pairings")
        by_hand = _draft(tournament, number, boards, reason)
        payload = save_version(tournament, this_round, by_hand.draft)
        entries = {number: entry for entry, number in by_hand.numbers.items()}
        payload |= {
            "violations": [finding.for_entries(entries) for finding in by_hand.violations],
            "differences": [difference.as_json() for difference in by_hand.differences],
        }
        append_line(tournament.stream, "round.set_by_hand", payload, by=by)
    return this_round, by_hand


def preview_pairings(
    tournament: Tournament, number: int, boards: Sequence[HandPairing], *, reason: str
) -> dict[str, Any]:
    """Return the JSON of the round that `set_pairings` would set; nothing is written."""
    this_round = tournament.round_set.get(number=number)
    require_round_action(tournament, this_round, "set_pairings")
    by_hand = _draft(tournament, number, boards, reason)
    by_hand.draft.apply_to(this_round)
    body = draft_as_json(tournament, this_round, by_hand.draft.pairings)
    return body | by_hand.as_json()


def _draft(
    tournament: Tournament, number: int, boards: Sequence[HandPairing], reason: str
) -> HandDraft:
    """Check the boards, compare them with the engine's, and add the requested byes."""
    numbers = _numbers_of(tournament, boards)
    request = load_request(tournament, number)
    violations = _check(request, boards, numbers)
    differences = _compare(tournament.system, request, boards, numbers)
    pairings = _as_rows(boards, numbers, differences)
    paired = {entry for board in boards for entry in (board.first, board.second)}
    byes = requested_byes(tournament, number)
    pairings += [bye for bye in byes if bye.first_id not in paired]
    draft = Draft(pairings=pairings, system=BY_HAND, reason=reason)
    return HandDraft(draft, numbers, violations, differences)


def _numbers_of(tournament: Tournament, boards: Sequence[HandPairing]) -> dict[int, int]:
    """Return the pairing numbers by entry; raises Unprocessable for unknown entries."""
    rows = rows_as_dicts(queries.numbered_entries(tournament), "pk", "pairing_number")
    numbers = {row["pk"]: row["pairing_number"] for row in rows}
    named = {entry for board in boards for entry in (board.first, board.second) if entry}
    unknown = sorted(named - numbers.keys())
    if unknown:
        listed = ", ".join(map(str, unknown[:20]))
        raise Unprocessable("unknown_entry", f"entries {listed} are not in the tournament")
    return numbers


def _check(
    request: PairingRequest, boards: Sequence[HandPairing], numbers: Mapping[int, int]
) -> tuple[Finding, ...]:
    """Return the rules that the boards break; raises Unprocessable for impossible boards."""
    byes = {numbers[b.first]: queries.BYES[b.bye] for b in boards if b.second is None}
    with_bye = [numbers[b.first] for b in boards if b.second is None]
    if len(byes) < len(with_bye):
        raise _impossible([Sentence.PLAYER_TWICE.about(max(with_bye, key=with_bye.count))])
    violations = check_by_hand(
        request.crosstable,
        request.round,
        [(numbers[b.first], numbers[b.second]) for b in boards if b.second is not None],
        byes,
        absent=request.absent,
        forbidden=request.forbidden,
    )
    impossible = [finding for finding in violations if finding.code in IMPOSSIBLE]
    if impossible:
        raise _impossible(impossible)
    return violations


def _impossible(findings: Sequence[Finding]) -> Unprocessable:
    return Unprocessable(
        "impossible_pairings",
        f"pairing numbers: {findings[0].sentence}",
        [{"code": finding.code, "detail": finding.sentence} for finding in findings],
    )


def _compare(
    system: str,
    request: PairingRequest,
    boards: Sequence[HandPairing],
    numbers: Mapping[int, int],
) -> tuple[Difference, ...]:
    """Return the differences from the engine's pairings; all boards, if it has none."""
    try:
        engine = pair_request(system, request).pairings
    except Conflict:
        engine = None
    pairs = tuple((numbers[b.first], numbers[b.second]) for b in boards if b.second is not None)
    byes = tuple(
        numbers[b.first] for b in boards if b.second is None and b.bye == Pairing.Kind.PAIRING_BYE
    )
    return find_differences(pairs, byes, engine)


def _as_rows(
    boards: Sequence[HandPairing], numbers: Mapping[int, int], differences: Sequence[Difference]
) -> list[Pairing]:
    """Return the rows of the boards; those that differ from the engine's are marked."""
    marked = {number for one in differences if one.is_by_hand for number in one.place}
    rows = []
    board_number = 0
    for board in boards:
        row = Pairing(first_id=board.first, second_id=board.second, kind=board.bye)
        if board.second is not None:
            board_number += 1
            row.kind, row.board_number = Pairing.Kind.GAME, board_number
        is_compared = row.kind in (Pairing.Kind.GAME, Pairing.Kind.PAIRING_BYE)
        row.by_hand = is_compared and numbers[board.first] in marked
        rows.append(row)
    return rows
