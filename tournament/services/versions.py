"""Store a version of a round's pairings."""

from collections.abc import Sequence
from typing import Any

from games.bulk import BATCH_SIZE
from tournament.models import Bye, Entry, Pairing, Round, Tournament


def save_version(
    tournament: Tournament,
    this_round: Round,
    pairings: Sequence[Pairing],
    system: str,
    *,
    reason: str = "",
    notes: Sequence[dict[str, Any]] = (),
    relaxed: Sequence[str] = (),
) -> dict[str, Any]:
    """Make these pairings a new version of the round, drafted; older versions stay.

    Return the journal's payload for the version.
    """
    this_round.version += 1
    this_round.state = Round.State.DRAFTED
    this_round.system, this_round.reason, this_round.notes = system, reason, list(notes)
    this_round.relaxed = list(relaxed)
    this_round.save(update_fields=["version", "state", "system", "reason", "notes", "relaxed"])
    for pairing in pairings:
        pairing.tournament, pairing.round = tournament, this_round
        pairing.version = this_round.version
    Pairing.objects.bulk_create(pairings, batch_size=BATCH_SIZE)
    return {
        "round": this_round.number,
        "version": this_round.version,
        "system": this_round.system,
        "reason": this_round.reason,
        "boards": [[p.board_number, p.first_id, p.second_id, p.kind] for p in pairings],
    }


def requested_byes(tournament: Tournament, number: int) -> list[Pairing]:
    """Return a pairing for each requested bye of an accepted entry."""
    byes = Bye.objects.filter(
        tournament=tournament,
        round=number,
        entry__state=Entry.State.ACCEPTED,
        entry__pairing_number__isnull=False,
        entry__first_round__lte=number,
    ).order_by("entry__pairing_number")
    return [Pairing(kind=bye.kind, first_id=bye.entry_id) for bye in byes]
