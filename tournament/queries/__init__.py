"""Load rows as values, each function in a fixed number of queries."""

from tournament.queries.crosstable import (
    NEEDS_RECORDS,
    ROUND_ROBINS,
    is_round_robin,
    load_crosstable,
    pairing_codes,
    point_system,
)
from tournament.queries.events import (
    DONE,
    absent_numbers,
    current_pairings,
    entries_by_number,
    find_tournament,
    is_league,
    is_own,
    last_complete_round,
    load_separations,
    number_column,
    numbered_entries,
    shown_entries,
    streams_directed_by,
    unsettled_boards,
    visible_tournaments,
)
from tournament.queries.explanations import (
    MOST_ATTEMPTS,
    explanation_progress,
    explanation_with_names,
)
from tournament.queries.rating import (
    RATING_STATES,
    rating_as_json,
    rating_request,
    requesting_tournaments,
    requests_as_json,
)
from tournament.queries.results import BYES

__all__ = [
    "BYES",
    "DONE",
    "MOST_ATTEMPTS",
    "NEEDS_RECORDS",
    "RATING_STATES",
    "ROUND_ROBINS",
    "absent_numbers",
    "current_pairings",
    "entries_by_number",
    "explanation_progress",
    "explanation_with_names",
    "find_tournament",
    "is_league",
    "is_own",
    "is_round_robin",
    "last_complete_round",
    "load_crosstable",
    "load_separations",
    "number_column",
    "numbered_entries",
    "pairing_codes",
    "point_system",
    "rating_as_json",
    "rating_request",
    "requesting_tournaments",
    "requests_as_json",
    "shown_entries",
    "streams_directed_by",
    "unsettled_boards",
    "visible_tournaments",
]
