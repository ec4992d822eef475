"""Draft a version of a round's pairings, and store it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Q

from tournament.models import Entry, Pairing, Round, Tournament
from tournament.queries.versions import notes_by_ordinal


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The pairings of a round that are not stored yet, and who or what paired it."""

    pairings: Sequence[Pairing]
    system: str
    reason: str = ""
    notes: Sequence[dict[str, Any]] = ()
    relaxed: Sequence[str] = ()

    def apply_to(self, this_round: Round) -> None:
        """Set the fields of the round, without saving it."""
        this_round.version = next_version(this_round)
        this_round.state = Round.State.DRAFTED
        this_round.system, this_round.reason = self.system, self.reason
        this_round.notes, this_round.relaxed = list(self.notes), list(self.relaxed)


def next_version(this_round: Round) -> int:
    """Return the number of the round's next version; an older one may be current."""
    last = this_round.pairings.aggregate(last=Max("version", default=0))["last"]
    return max(last, this_round.version) + 1


def save_version(tournament: Tournament, this_round: Round, draft: Draft) -> dict[str, Any]:
    """Make a draft the new version of the round; older versions stay.

    Return the journal's payload for the version.
    """
    draft.apply_to(this_round)
    this_round.save(update_fields=["version", "state", "system", "reason", "notes", "relaxed"])
    for pairing in draft.pairings:
        pairing.tournament, pairing.round = tournament, this_round
        pairing.version = this_round.version
    Pairing.objects.bulk_create(draft.pairings)
    return {
        "round": this_round.number,
        "version": this_round.version,
        "system": this_round.system,
        "reason": this_round.reason,
        "notes": notes_by_ordinal(tournament, this_round.notes),
        "relaxations": this_round.relaxed,
        "boards": [[p.board_number, p.first_id, p.second_id, p.kind] for p in draft.pairings],
        "handicaps": [
            [p.first_id, p.handicap, p.handicap_reason, p.recommended]
            for p in draft.pairings
            if p.handicap or p.handicap_reason or p.recommended
        ],
    }


def requested_byes(tournament: Tournament, number: int) -> list[Pairing]:
    """Return a pairing for each requested bye of an accepted entry."""
    byes = (
        tournament.byes.filter(
            Q(entry__last_round=None) | Q(entry__last_round__gte=number),
            round=number,
            entry__state=Entry.State.ACCEPTED,
            entry__pairing_number__isnull=False,
            entry__first_round__lte=number,
        )
        .order_by("entry__pairing_number")
        .values_list("kind", "entry")
    )
    return [Pairing(kind=kind, first_id=entry) for kind, entry in byes]
