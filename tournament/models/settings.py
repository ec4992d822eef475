"""What an organiser sets about an event."""

from games.models.columns import columns_of
from tournament.models import Tournament

SETTINGS = tuple(
    name
    for name in columns_of(Tournament).journalled
    if name
    not in (
        "slug",
        "state",
        "draw_seed",
        "created_by",
        "created_at",
        "finalised_at",
        "decided_ties",
    )
)
"""The columns that an organiser sets."""


MOST_TOURNAMENT_ROUNDS = 99
