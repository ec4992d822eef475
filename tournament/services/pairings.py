"""Who meets whom in a round: by the event's system, by hand, or taken back.

Each pairing is a version: pairing again, or unpairing, leaves the older lines as they were.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.errors import Conflict, Unprocessable
from games.journal import write_line
from games.models import Account
from games.queries import plain
from tournament import queries
from tournament.models import Bye, Entry, Pairing, Round, Tournament
from tournament.pairing import (
    PAIRING_SYSTEMS,
    NoLegalPairing,
    Note,
    NoteCode,
    PairingRequest,
    PairingRequestError,
    Violation,
    ViolationCode,
    check_by_hand,
)
from tournament.services.locking import begin_round
from tournament.services.systems import kept_apart
from tournament.standings.crosstable import Seat

BY_HAND = "by-hand"
TOLD = frozenset(
    {
        NoteCode.DECIDED,
        NoteCode.FORFEIT,
        NoteCode.HANDICAP,
        NoteCode.LEVEL_TIE,
        NoteCode.QUALIFIED,
        NoteCode.WISH_GIVEN_UP,
    }
)
"""The notes that players need; the others tell why a board is as it is."""


@dataclass(frozen=True, slots=True)
class Board:
    """One line of a pairing set by hand: two entries, or one and its bye."""

    first: int
    second: int | None = None
    bye: Pairing.Kind = Pairing.Kind.PAIRING_BYE


def pairing_request(tournament: Tournament, number: int) -> PairingRequest:
    """All that a pairing system needs to know to pair a round."""
    crosstable = queries.load_crosstable(tournament, through=number - 1)
    forbidden, wishes = kept_apart(tournament, crosstable, number)
    return PairingRequest(
        crosstable=crosstable,
        round=number,
        forbidden=forbidden,
        wishes=wishes,
        options=tournament.system_options,
        balance_seats=tournament.balance_seats,
        absent=frozenset(queries.absent_numbers(tournament, number)),
        initial_seat=Seat(tournament.top_seed_seat),
        codes=tuple(tournament.tiebreaks),
        seed=int(tournament.lots, 16) + number,
    )


def _save_version(
    tournament: Tournament,
    this_round: Round,
    lines: Sequence[Pairing],
    system: str,
    *,
    reason: str = "",
    notes: Sequence[dict[str, Any]] = (),
) -> None:
    this_round.version += 1
    this_round.state = Round.State.DRAFTED
    this_round.system, this_round.reason, this_round.notes = system, reason, list(notes)
    this_round.save(update_fields=["version", "state", "system", "reason", "notes"])
    for line in lines:
        line.tournament, line.round, line.version = tournament, this_round, this_round.version
    Pairing.objects.bulk_create(lines, batch_size=500)


def _told(this_round: Round, lines: Sequence[Pairing]) -> dict[str, Any]:
    return {
        "round": this_round.number,
        "version": this_round.version,
        "system": this_round.system,
        "reason": this_round.reason,
        "boards": [[line.board_number, line.first_id, line.second_id, line.kind] for line in lines],
    }


def _told_note(note: Note, entries: Mapping[int | None, int]) -> dict[str, Any]:
    """A note by entries, whose pairing numbers may change."""
    told: dict[str, Any] = {"code": note.code, "entries": [entries[one] for one in note.players]}
    return told if note.value is None else told | {"value": note.value}


def _asked_byes(tournament: Tournament, number: int) -> list[Pairing]:
    """A line for each bye that was asked for by somebody who is in the event."""
    asked = Bye.objects.filter(
        tournament=tournament,
        round=number,
        entry__state=Entry.State.ACCEPTED,
        entry__pairing_number__isnull=False,
        entry__first_round__lte=number,
    ).order_by("entry__pairing_number")
    return [Pairing(kind=bye.kind, first_id=bye.entry_id) for bye in asked]


def pair_round(tournament: Tournament, number: int, *, by: Account) -> Round:
    """Pair a round by the event's system; a draft is paired anew.

    Raises Conflict while an earlier round is open, once this one is published, and, naming who
    blocks, when the system has no legal pairing.
    """
    with transaction.atomic():
        tournament, this_round = begin_round(
            tournament, number, Round.State.PLANNED, Round.State.DRAFTED
        )
        try:
            request = pairing_request(tournament, number)
            pairings = PAIRING_SYSTEMS[tournament.system](request)
        except NoLegalPairing as error:
            blockers = [{"code": "blocks", "pairing_number": player} for player in error.players]
            raise Conflict("no_legal_pairing", str(error), blockers) from error
        except PairingRequestError as error:
            raise Conflict("cannot_pair", str(error)) from error
        entries = dict(queries.numbered_entries(tournament).values_list("pairing_number", "pk"))
        lines = [
            Pairing(board_number=board, first_id=entries[first], second_id=entries[second])
            for board, (first, second) in enumerate(pairings.pairs, start=1)
        ]
        if pairings.bye is not None:
            kind = Pairing.Kind.PAIRING_BYE
            lines.append(Pairing(kind=kind, first_id=entries[pairings.bye]))
        lines += [
            Pairing(kind=Pairing.Kind(kind), first_id=entries[player])
            for player, kind in pairings.byes
        ]
        lines += _asked_byes(tournament, number)
        notes = [_told_note(note, entries) for note in pairings.notes if note.code in TOLD]
        _save_version(tournament, this_round, lines, tournament.system, notes=notes)
        told = _told(this_round, lines) | ({"notes": notes} if notes else {})
        write_line(tournament.stream, "round.paired", told, by=by)
    return this_round


def _impossible(violations: Sequence[Violation]) -> Unprocessable:
    return Unprocessable(
        "impossible_pairings",
        f"pairing numbers: {violations[0].sentence}",
        [{"code": one.code, "detail": one.sentence} for one in violations],
    )


def set_pairings(
    tournament: Tournament, number: int, boards: Sequence[Board], *, reason: str, by: Account
) -> tuple[Round, tuple[Violation, ...]]:
    """Take a round's pairings from the organiser's hand; what they break is returned.

    Everybody present needs a line, a game or a bye, in the order of the boards. What cannot be
    (somebody twice, a stranger) is refused; what breaks a rule (a rematch, a second bye) stands
    on the organiser's word, and the journal tells it together with the reason.
    """
    with transaction.atomic():
        tournament, this_round = begin_round(
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
        lines, board_number = [], 0
        for board in boards:
            if board.second is None:
                lines.append(Pairing(kind=board.bye, first_id=board.first))
            else:
                board_number += 1
                lines.append(
                    Pairing(board_number=board_number, first_id=board.first, second_id=board.second)
                )
        named = {entry for board in boards for entry in (board.first, board.second)}
        asked = _asked_byes(tournament, number)
        lines += [line for line in asked if line.first_id not in named]
        _save_version(tournament, this_round, lines, BY_HAND, reason=reason)
        broken = [{"code": one.code, "players": list(one.players)} for one in violations]
        told = _told(this_round, lines) | {"violations": broken}
        write_line(tournament.stream, "round.set_by_hand", told, by=by)
    return this_round, violations


def unpair_round(tournament: Tournament, number: int, *, reason: str, by: Account) -> Round:
    """Set a drafted round back to planned; its lines stay as an older version."""
    with transaction.atomic():
        tournament, this_round = begin_round(tournament, number, Round.State.DRAFTED)
        this_round.version += 1
        this_round.state = Round.State.PLANNED
        this_round.system, this_round.reason, this_round.notes = "", "", []
        this_round.save(update_fields=["version", "state", "system", "reason", "notes"])
        told = {"round": number, "version": this_round.version, "reason": reason}
        write_line(tournament.stream, "round.unpaired", told, by=by)
    return this_round
