"""The JSON of a pool."""

from typing import Annotated, TypedDict

from django.conf import settings

from games.core.references import absolute_url, page_url
from games.models.time_controls import TimeClass
from ratings.core.conditions import rated_casual_games
from ratings.models import Pool
from ratings.runs.queries import RatingRun, run_as_json

CASUAL_RULESETS = "the codes of the rules whose casual games are rated"

RATED_GAMES = (
    'the sizes of boards that are rated, by ruleset: `{"hex": ["11"]}`; without sizes all of the'
    " ruleset; at least one, but some pools of 0.2.0 name none and rate every game. It applies to"
    " games that are filed later"
)

TIME_CLASSES = (
    "the time classes of the games that are rated, others have the code `wrong_time_class`; empty:"
    " every game, also without a stated time. It applies to games that are filed later"
)


class RatingPool(TypedDict):
    """A pool of ratings, what it rates, and its current run."""

    code: str
    url: str
    page_url: str
    name: str
    preset: str
    parameters: dict[str, int]
    handicap_table: Annotated[str, "version of the values of handicaps"]
    casual_rulesets: Annotated[list[str], CASUAL_RULESETS]
    policy: Pool.Policy
    rated_rulesets: Annotated[dict[str, list[str]], RATED_GAMES]
    time_classes: Annotated[list[TimeClass], TIME_CLASSES]
    least_expected: Annotated[int, "in percent; a game with less is not rated"]
    grace_days: Annotated[
        int, "a tournament takes effect at its end, but at most so many days before its creation"
    ]
    casual_games_per_day: Annotated[int, "of the same two players, that are rated on a day (UTC)"]
    casual_games_per_month: Annotated[int, "the same in a month, in a pool that is not open"]
    run: RatingRun | None


def pool_as_json(pool: Pool) -> RatingPool:
    """Return the JSON of a pool."""
    run = pool.current_run
    return {
        "code": pool.code,
        "url": absolute_url(f"pools/{pool.code}"),
        "page_url": page_url(f"pools/{pool.code}"),
        "name": pool.name,
        "preset": pool.preset,
        "parameters": pool.parameters,
        "handicap_table": pool.handicap_table,
        "casual_rulesets": rated_casual_games(pool),
        "policy": Pool.Policy(pool.policy),
        "rated_rulesets": pool.rated_games,
        "time_classes": pool.time_classes,
        "least_expected": pool.least_expected,
        "grace_days": settings.RATING_GRACE_DAYS,
        "casual_games_per_day": settings.CASUAL_GAMES_PER_DAY,
        "casual_games_per_month": settings.CASUAL_GAMES_PER_MONTH,
        "run": None if run is None else run_as_json(pool.code, vars(run)),
    }
