"""Who meets whom in a round: by the event's system, or taken back.

Each pairing is a version: pairing again, or unpairing, leaves the older lines as they were.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from games.http.errors import Unprocessable
from games.journal.lines import append_line
from games.models import Account
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.relaxations import Relaxation
from tournament.pairing.request import Note, NoteCode
from tournament.services.certificates import certify_round
from tournament.services.engine import ask_engine, pairing_request, told_breach
from tournament.services.locking import lock_current_round
from tournament.services.versions import asked_byes, save_version, told_version

TOLD = frozenset(
    {
        NoteCode.DECIDED,
        NoteCode.FORFEIT,
        NoteCode.HANDICAP,
        NoteCode.LEVEL_TIE,
        NoteCode.QUALIFIED,
        NoteCode.PREFERENCE_GIVEN_UP,
    }
)
"""The notes that players need; the others tell why a board is as it is."""


def told_note(note: Note, entries: Mapping[int, int]) -> dict[str, Any]:
    """A note by entries, whose pairing numbers may change."""
    told: dict[str, Any] = {"code": note.code, "entries": [entries[one] for one in note.players]}
    return told if note.value is None else told | {"value": note.value}


def pair_round(
    tournament: Tournament,
    number: int,
    *,
    by: Account,
    relax: Collection[Relaxation] = (),
    reason: str = "",
) -> Round:
    """Pair a round by the event's system and certify it; a draft is paired anew.

    The rules in `relax` may give way where there is no legal pairing, and only as far as they
    must; the round, the journal and the certificate tell it. Raises Conflict while an earlier
    round is open, once this one is published, and, naming who blocks, when the system has no
    legal pairing; Unprocessable for a rule to relax without a reason.
    """
    if relax and not reason:
        detail = "say why rules may give way"
        error = {"pointer": "/reason", "code": "reason_needed", "detail": detail}
        raise Unprocessable("reason_needed", detail, [error])
    with transaction.atomic():
        tournament, this_round = lock_current_round(
            tournament, number, Round.State.PLANNED, Round.State.DRAFTED
        )
        request = pairing_request(tournament, number)
        paired = ask_engine(tournament.system, request, relax=relax)
        pairings = paired.pairings
        entries = queries.entries_by_number(tournament)
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
        lines += asked_byes(tournament, number)
        notes = [told_note(note, entries) for note in pairings.notes if note.code in TOLD]
        save_version(
            tournament,
            this_round,
            lines,
            tournament.system,
            reason=reason if paired.breaches else "",
            notes=notes,
            relaxed=paired.relaxed,
        )
        certificate = certify_round(tournament, this_round, paired, entries)
        told = told_version(this_round, lines) | ({"notes": notes} if notes else {})
        if paired.breaches:
            told |= {"relaxed": [told_breach(breach) for breach in paired.breaches]}
        if certificate:
            told |= {"input": certificate.input_digest, "output": certificate.output_digest}
        append_line(tournament.stream, "round.paired", told, by=by)
    return this_round


def unpair_round(tournament: Tournament, number: int, *, reason: str, by: Account) -> Round:
    """Set a drafted round back to planned; its lines stay as an older version."""
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, Round.State.DRAFTED)
        this_round.version += 1
        this_round.state = Round.State.PLANNED
        this_round.system, this_round.reason = "", ""
        this_round.notes, this_round.relaxed = [], []
        this_round.save(update_fields=["version", "state", "system", "reason", "notes", "relaxed"])
        told = {"round": number, "version": this_round.version, "reason": reason}
        append_line(tournament.stream, "round.unpaired", told, by=by)
    return this_round
