"""Who is not paired in a round: requested byes, and entries that cannot play in it."""

from django.db.models import Q

from tournament.core.queries import numbered_entries
from tournament.models import Entry, Tournament

CheckIn = Tournament.CheckIn


def absent_numbers(tournament: Tournament, round_number: int) -> dict[int, str]:
    """Return the players who are not paired in a round with their kind of bye, by pairing number.

    The kind is empty for a player who has withdrawn, enters later or has not checked in: such a
    player gets no pairing, which counts as a zero-point bye. Two queries.
    """
    of_round = tournament.byes.filter(round=round_number)
    kinds = of_round.values_list("entry__pairing_number", "kind")
    byes = {number: kind for number, kind in kinds if number}
    inactive = numbered_entries(tournament).filter(
        ~Q(state=Entry.State.ACCEPTED)
        | Q(first_round__gt=round_number)
        | Q(last_round__lt=round_number)
        | _not_checked_in(CheckIn(tournament.check_in), round_number)
    )
    return byes | dict.fromkeys(inactive.values_list("pairing_number", flat=True), "")


def _not_checked_in(check_in: CheckIn, round_number: int) -> Q:
    """Return the condition that an entry lacks the check-in that the event requires."""
    if check_in == CheckIn.NONE:
        return Q(pk__in=[])
    absent = Q(checked_in_round=None)
    if check_in == CheckIn.ROUND:
        absent |= ~Q(checked_in_round=round_number)
    return absent
