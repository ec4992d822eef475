"""The JSON of a pool."""

from typing import Any

from django.conf import settings

from ratings.core.conditions import rated_casual_games
from ratings.models import Pool
from ratings.runs.queries import run_as_json


def pool_as_json(pool: Pool) -> dict[str, Any]:
    """Return the JSON of a pool."""
    run = pool.current_run
    return {
        "code": pool.code,
        "name": pool.name,
        "preset": pool.preset,
        "parameters": pool.parameters,
        "handicap_table": pool.handicap_table,
        "casual_rulesets": rated_casual_games(pool),
        "policy": pool.policy,
        "rated_rulesets": pool.rated_games,
        "time_classes": pool.time_classes,
        "least_expected": pool.least_expected,
        "grace_days": settings.RATING_GRACE_DAYS,
        "casual_games_per_day": settings.CASUAL_GAMES_PER_DAY,
        "casual_games_per_month": settings.CASUAL_GAMES_PER_MONTH,
        "run": None if run is None else run_as_json(vars(run)),
    }
