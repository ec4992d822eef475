"""Who is not paired in a round: requested byes, and entries that cannot play in it."""

from functools import partial
from typing import Any

from django.db.models import Q, QuerySet

from games.compiled_queries import CompiledQuery
from tournament.models import Bye, Entry, Tournament
from tournament.queries.events import numbered_entries

CheckIn = Tournament.CheckIn


def absent_numbers(tournament: Tournament, round_number: int) -> dict[int, str]:
    """Return the players who are not paired in a round with their kind of bye, by pairing number.

    The kind is empty for a player who has withdrawn, enters later or has not checked in: such a
    player gets no pairing, which counts as a zero-point bye. Two queries.
    """
    byes = {number: kind for number, kind in ROUND_BYES.rows(tournament.pk, round_number) if number}
    numbers = INACTIVE_NUMBERS[CheckIn(tournament.check_in)].rows(tournament.pk, round_number)
    return byes | dict.fromkeys(numbers, "")


ROUND_BYES = CompiledQuery(
    lambda tournament, number: Bye.objects.filter(tournament=tournament, round=number).values_list(
        "entry__pairing_number", "kind"
    ),
    int,
    int,
)


def _inactive_numbers(
    check_in: CheckIn, tournament: int, round_number: int
) -> "QuerySet[Any, Any]":
    """Return the pairing numbers of those who cannot play in a round of an event."""
    inactive = numbered_entries(tournament).filter(
        ~Q(state=Entry.State.ACCEPTED)
        | Q(first_round__gt=round_number)
        | Q(last_round__lt=round_number)
        | _not_checked_in(check_in, round_number)
    )
    return inactive.values_list("pairing_number", flat=True)


def _not_checked_in(check_in: CheckIn, round_number: int) -> Q:
    """Return the condition that an entry lacks the check-in that the event requires."""
    if check_in == CheckIn.NONE:
        return Q(pk__in=[])
    absent = Q(checked_in_round=None)
    if check_in == CheckIn.ROUND:
        absent |= ~Q(checked_in_round=round_number)
    return absent


INACTIVE_NUMBERS = {
    check_in: CompiledQuery(partial(_inactive_numbers, check_in), int, int) for check_in in CheckIn
}
"""By the check-in that an event requires."""
