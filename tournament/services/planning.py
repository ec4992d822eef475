"""The rounds of an event: as many as its settings say."""

from tournament.models import Round, Tournament


def remove_surplus_rounds(tournament: Tournament) -> None:
    """Delete the rounds after the last one, which were only scheduled."""
    tournament.round_set.filter(number__gt=tournament.rounds).delete()


def plan_rounds(tournament: Tournament) -> None:
    """Create the rounds that are missing; those with a date exist already."""
    existing = set(tournament.round_set.values_list("number", flat=True))
    missing = [number for number in range(1, tournament.rounds + 1) if number not in existing]
    Round.objects.bulk_create(Round(tournament=tournament, number=number) for number in missing)
