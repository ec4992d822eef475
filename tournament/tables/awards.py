"""The prizes that players win by the prize groups of an event; `standings/prizes` has the rules."""

from tournament.core.rankings import Table
from tournament.standings.prizes import PrizeAward, award_prizes, parse_groups
from tournament.tables.notes import withdrawn_numbers


def load_awards(table: Table) -> tuple[PrizeAward, ...]:
    """Return the awards by the current prize groups of the event; one query if there are any."""
    tournament = table.tournament
    groups = parse_groups(tournament.prizes)
    return award_prizes(
        table.crosstable,
        table.rows,
        groups,
        year=tournament.starts_on.year,
        withdrawn=withdrawn_numbers(table) if groups else (),
    )


def awards_by_entry(table: Table) -> dict[tuple[str, int], tuple[int, int]]:
    """Return the place and the coins of each award by group and entry id."""
    return {
        (award.group, table.entries[award.number]): (award.place, award.coins)
        for award in load_awards(table)
    }
