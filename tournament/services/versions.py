"""A version of a round's pairing: how it is kept, and how the journal tells of it."""

from collections.abc import Sequence
from typing import Any

from games.bulk import BATCH_SIZE
from tournament.models import Bye, Entry, Pairing, Round, Tournament


def save_version(
    tournament: Tournament,
    this_round: Round,
    lines: Sequence[Pairing],
    system: str,
    *,
    reason: str = "",
    notes: Sequence[dict[str, Any]] = (),
    relaxed: Sequence[str] = (),
) -> None:
    """Make these lines the round's pairing, drafted; the lines of older versions stay."""
    this_round.version += 1
    this_round.state = Round.State.DRAFTED
    this_round.system, this_round.reason, this_round.notes = system, reason, list(notes)
    this_round.relaxed = list(relaxed)
    this_round.save(update_fields=["version", "state", "system", "reason", "notes", "relaxed"])
    for line in lines:
        line.tournament, line.round, line.version = tournament, this_round, this_round.version
    Pairing.objects.bulk_create(lines, batch_size=BATCH_SIZE)


def told_version(this_round: Round, lines: Sequence[Pairing]) -> dict[str, Any]:
    """What the journal tells of a version."""
    return {
        "round": this_round.number,
        "version": this_round.version,
        "system": this_round.system,
        "reason": this_round.reason,
        "boards": [[line.board_number, line.first_id, line.second_id, line.kind] for line in lines],
    }


def asked_byes(tournament: Tournament, number: int) -> list[Pairing]:
    """A line for each bye that was asked for by somebody who is in the event."""
    asked = Bye.objects.filter(
        tournament=tournament,
        round=number,
        entry__state=Entry.State.ACCEPTED,
        entry__pairing_number__isnull=False,
        entry__first_round__lte=number,
    ).order_by("entry__pairing_number")
    return [Pairing(kind=bye.kind, first_id=bye.entry_id) for bye in asked]
