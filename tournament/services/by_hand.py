"""A round's pairings from the organiser's hand: what they break, and what they change.

Boards that the engine would pair otherwise are marked, for everyone to see.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.http.errors import Conflict, Unprocessable
from games.journal.lines import append_line
from games.models import Account
from games.queries import plain
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.by_hand import Violation, ViolationCode, check_by_hand
from tournament.pairing.differences import Difference, differences
from tournament.pairing.request import PairingRequest
from tournament.services.engine import ask_engine, pairing_request
from tournament.services.locking import lock_current_round
from tournament.services.versions import asked_byes, save_version, told_version

BY_HAND = "by-hand"


@dataclass(frozen=True, slots=True)
class Board:
    """One line of a pairing set by hand: two entries, or one and its bye."""

    first: int
    second: int | None = None
    bye: Pairing.Kind = Pairing.Kind.PAIRING_BYE


@dataclass(frozen=True, slots=True)
class ByHand:
    """A round set by hand: what it breaks of the rules, and what it changes of the engine's."""

    round: Round
    violations: tuple[Violation, ...]
    differences: tuple[Difference, ...]


def _impossible(violations: Sequence[Violation]) -> Unprocessable:
    return Unprocessable(
        "impossible_pairings",
        f"pairing numbers: {violations[0].sentence}",
        [{"code": one.code, "detail": one.sentence} for one in violations],
    )


def set_pairings(
    tournament: Tournament, number: int, boards: Sequence[Board], *, reason: str, by: Account
) -> ByHand:
    """Take a round's pairings from the organiser's hand; what they break and change is returned.

    Everybody present needs a line, a game or a bye, in the order of the boards. What cannot be
    (somebody twice, a stranger) is refused; what breaks a rule (a rematch, a second bye) stands
    on the organiser's word, and the journal tells it together with the reason.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(
            tournament, number, Round.State.PLANNED, Round.State.DRAFTED
        )
        rows = plain(queries.numbered_entries(tournament), "pk", "pairing_number")
        numbers = {row["pk"]: row["pairing_number"] for row in rows}
        strangers = sorted(
            {e for b in boards for e in (b.first, b.second) if e is not None} - set(numbers)
        )
        if strangers:
            raise Unprocessable(
                "unknown_entry",
                f"entries {', '.join(map(str, strangers[:20]))} are not of this event",
            )
        byes = [numbers[board.first] for board in boards if board.second is None]
        if len(set(byes)) < len(byes):
            twice = max(byes, key=byes.count)
            sentence = f"{twice} stands in the round twice"
            raise _impossible([Violation(ViolationCode.PLAYER_TWICE, (twice,), sentence)])
        request = pairing_request(tournament, number)
        violations = check_by_hand(
            request.crosstable,
            number,
            [(numbers[b.first], numbers[b.second]) for b in boards if b.second is not None],
            {numbers[b.first]: queries.BYES[b.bye] for b in boards if b.second is None},
            absent=request.absent,
            forbidden=request.forbidden,
        )
        blocking = [one for one in violations if not one.can_be_overridden]
        if blocking:
            raise _impossible(blocking)
        changed = _changed(tournament.system, request, boards, numbers)
        marked = {entry for one in changed if one.is_by_hand for entry in one.place}
        lines, board_number = [], 0
        for board in boards:
            line = Pairing(first_id=board.first, second_id=board.second, kind=board.bye)
            if board.second is not None:
                board_number += 1
                line.kind, line.board_number = Pairing.Kind.GAME, board_number
            is_due = line.kind in (Pairing.Kind.GAME, Pairing.Kind.PAIRING_BYE)
            line.by_hand = is_due and numbers[board.first] in marked
            lines.append(line)
        named = {entry for board in boards for entry in (board.first, board.second)}
        asked = asked_byes(tournament, number)
        lines += [line for line in asked if line.first_id not in named]
        save_version(tournament, this_round, lines, BY_HAND, reason=reason)
        broken = [{"code": one.code, "players": list(one.players)} for one in violations]
        told = told_version(this_round, lines) | {
            "violations": broken,
            "differences": [told_difference(one) for one in changed],
        }
        append_line(tournament.stream, "round.set_by_hand", told, by=by)
    return ByHand(this_round, violations, changed)


def _changed(
    system: str, request: PairingRequest, boards: Sequence[Board], numbers: Mapping[int, int]
) -> tuple[Difference, ...]:
    """In what boards set by hand are not the engine's; all of them, when it has no pairing."""
    try:
        engine = ask_engine(system, request).pairings
    except Conflict:
        engine = None
    pairs = tuple((numbers[b.first], numbers[b.second]) for b in boards if b.second is not None)
    free = tuple(
        numbers[b.first] for b in boards if b.second is None and b.bye == Pairing.Kind.PAIRING_BYE
    )
    return differences(pairs, free, engine)


def told_difference(one: Difference) -> dict[str, Any]:
    """A difference as the API and the journal tell it, by pairing numbers."""
    return {
        "code": one.code.value,
        "board": one.board,
        "players": list(one.place),
        "engine": [list(place) for place in one.engine],
    }
