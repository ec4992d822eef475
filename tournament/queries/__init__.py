"""Load rows as values, each function in a fixed number of queries."""

from tournament.core.crosstable import (
    ROUND_ROBINS,
    is_round_robin,
    load_crosstable,
    pairing_codes,
    point_system,
)
from tournament.core.queries import (
    FINISHED_ROUND_STATES,
    LISTED_STATES,
    current_pairings,
    entries_by_number,
    find_tournament,
    find_visible_tournament,
    is_league,
    is_own,
    last_complete_round,
    listed_entries,
    load_separations,
    missed_rounds,
    numbered_entries,
    rounds_of,
    streams_directed_by,
    visible_tournaments,
)
from tournament.events.rating import (
    RATING_STATES,
    rating_as_json,
    rating_request,
    requesting_tournaments,
    requests_as_json,
)
from tournament.queries.absences import absent_numbers
from tournament.queries.explanations import (
    MOST_ATTEMPTS,
    explanation_progress,
    explanation_with_names,
)
from tournament.queries.open_boards import adjourned_boards, unsettled_boards
from tournament.queries.results import BYE_RESULT_KINDS

__all__ = [
    "BYE_RESULT_KINDS",
    "FINISHED_ROUND_STATES",
    "LISTED_STATES",
    "MOST_ATTEMPTS",
    "RATING_STATES",
    "ROUND_ROBINS",
    "absent_numbers",
    "adjourned_boards",
    "current_pairings",
    "entries_by_number",
    "explanation_progress",
    "explanation_with_names",
    "find_tournament",
    "find_visible_tournament",
    "is_league",
    "is_own",
    "is_round_robin",
    "last_complete_round",
    "listed_entries",
    "load_crosstable",
    "load_separations",
    "missed_rounds",
    "numbered_entries",
    "pairing_codes",
    "point_system",
    "rating_as_json",
    "rating_request",
    "requesting_tournaments",
    "requests_as_json",
    "rounds_of",
    "streams_directed_by",
    "unsettled_boards",
    "visible_tournaments",
]
