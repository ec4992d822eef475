"""Reads: rows to values, in a fixed number of queries each."""

from tournament.queries.crosstable import (
    COUNTED,
    PROVEN,
    ROUND_ROBINS,
    baku_boundary,
    is_round_robin,
    load_crosstable,
    load_field,
    pairing_codes,
    point_system,
    survivors,
)
from tournament.queries.events import (
    DONE,
    UNSETTLED,
    absent_numbers,
    current_pairings,
    entries_by_number,
    find_tournament,
    last_complete_round,
    numbered_entries,
    numbers_of_players,
    unsettled_boards,
    visible_tournaments,
)
from tournament.queries.pairings import (
    MOST_ATTEMPTS,
    explanation_progress,
    pairings_of,
    result_text,
)
from tournament.queries.results import BYES
from tournament.queries.separations import load_separations

__all__ = [
    "BYES",
    "COUNTED",
    "DONE",
    "MOST_ATTEMPTS",
    "PROVEN",
    "ROUND_ROBINS",
    "UNSETTLED",
    "absent_numbers",
    "baku_boundary",
    "current_pairings",
    "entries_by_number",
    "explanation_progress",
    "find_tournament",
    "is_round_robin",
    "last_complete_round",
    "load_crosstable",
    "load_field",
    "load_separations",
    "numbered_entries",
    "numbers_of_players",
    "pairing_codes",
    "pairings_of",
    "point_system",
    "result_text",
    "survivors",
    "unsettled_boards",
    "visible_tournaments",
]
