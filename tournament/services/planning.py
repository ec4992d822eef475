"""The rounds of an event: as many as its settings say."""

from games.core.errors import Conflict
from games.core.journal.rows import Rows, changed_rows, combined, deleted_rows
from games.rules.text import Text
from tournament.core.systems import check_field
from tournament.models import Certificate, Entry, Pairing, Round, Tournament


def remove_surplus_rounds(tournament: Tournament) -> Rows:
    """Delete the rounds after the last one, which were never published, and the byes in them.

    Return the deleted rows.
    """
    rounds = tournament.round_set.filter(number__gt=tournament.rounds)
    byes = tournament.byes.filter(round__gt=tournament.rounds)
    of_rounds = (model.objects.filter(round__in=rounds) for model in (Pairing, Certificate))
    deleted = deleted_rows(*rounds, *byes, *(row for rows in of_rounds for row in rows))
    rounds.delete()
    byes.delete()
    return deleted


def plan_rounds(tournament: Tournament) -> Rows:
    """Create the rounds that are missing, and return them; those with a date exist already."""
    existing = set(tournament.round_set.values_list("number", flat=True))
    missing = [number for number in range(1, tournament.rounds + 1) if number not in existing]
    rounds = [Round(tournament=tournament, number=number) for number in missing]
    Round.objects.bulk_create(rounds)
    return changed_rows(*rounds)


def change_rounds(tournament: Tournament) -> Rows:
    """Add or remove rounds of a running event, whose number of rounds has changed; return them.

    Raises Conflict while a round is drafted, because its pairings may depend on the last round; for
    a round that was ever published; and if the number does not fit the system.
    """
    for drafted in tournament.round_set.filter(state=Round.State.DRAFTED).order_by("number"):
        detail = Text(
            "round %(number)s is drafted; unpair it first, and pair it again", number=drafted.number
        )
        raise Conflict("round_drafted", detail, at="/rounds", round=drafted.number)
    surplus = tournament.round_set.filter(number__gt=tournament.rounds)
    for published in surplus.filter(pairings__game__isnull=False).order_by("number"):
        detail = Text(
            "round %(number)s was published and cannot be removed; annul its games",
            number=published.number,
        )
        raise Conflict("round_published", detail, at="/rounds", round=published.number)
    check_field(tournament, tournament.entries.filter(state=Entry.State.ACCEPTED).count())
    return combined(remove_surplus_rounds(tournament), plan_rounds(tournament))
