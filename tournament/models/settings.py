"""What an organiser sets about an event."""

from django.utils.translation import gettext_lazy as _

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
        "announcements",
        "announced",
    )
)
"""The columns that an organiser sets."""


TIE_BASES = [("play_off", _("by a play-off")), ("lot", _("by lot")), ("seed", _("by the seeds"))]
"""By what a director decides a tie."""

GAME_SETTINGS = (
    "options", "swap", "advice", "handicaps", "handicap_table", "handicap_share", "handicap_cap",
    "handicap_kinds",
)  # fmt: skip
"""Settings that mean something in one game, on one board."""

TRF_SETTINGS = (
    "system_options", "balance_seats", "unrated_rating", "half_byes", "half_byes_until_round",
    "missed_rounds", *GAME_SETTINGS,
)  # fmt: skip
"""What decides pairings, ranks and games, and has no record in a TRF file but our own."""

MOST_TOURNAMENT_ROUNDS = 99
