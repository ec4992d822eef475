"""The handicaps of boards that are set or changed by hand."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from games.core.errors import Unprocessable
from games.rules.records.handicaps import exchange_seats, is_bound_to_seat
from games.rules.text import Text
from tournament.core.handicaps import GivenHandicap, Handicaps, check_applied, give_handicaps
from tournament.core.violations import HandPairing
from tournament.models import Pairing, Tournament
from tournament.pairing.request import PairingRequest

Seats = tuple[int, int | None]
"""The entries of a pairing, the first seat first."""


def check_handicaps_by_hand(
    tournament: Tournament, boards: Sequence[HandPairing], *, at: str
) -> None:
    """Raise Unprocessable for a handicap that the event's games cannot have."""
    for index, board in enumerate(boards):
        check_applied(tournament, board.handicap or "", at=f"{at}/{index}/handicap")


def give_handicaps_by_hand(
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


def set_handicaps(
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


def former_handicap(change: HandPairing, rows: Mapping[Seats, Pairing], *, at: str) -> HandPairing:
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


def copy_recommended(row: Pairing, before: Mapping[Seats, Pairing]) -> None:
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
