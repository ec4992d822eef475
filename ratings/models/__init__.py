"""Pools of ratings, the batches filed with them, and the changes that runs computed.

Ratings are computed from the ordered batches of a pool, so only the inputs (`BatchGame` and
`Opening`) are a source of truth; runs, changes and ratings can be recomputed from them at any
time. Whether a batch is due follows from its row: `games_digest` differs from
`rated_games_digest`.

| rows | which of them are current |
|---|---|
| changes | those whose run is that of their batch |
| ratings of runs | of each player the last |
| ratings | all: the state after the current run |
| published lists | all: no run changes them |

Unique keys and indexes start with the pool, or the list, so that the rows of one are stored close
together; those of changes with the run. No key contains `effective_at`, because corrections change
it. Ratings, K and handicap parts are in milli (thousandths of a point), scores and expected scores
in millionths.
"""

from ratings.models.analyses import Analysis
from ratings.models.batches import DUE, IN_ORDER, Batch, BatchGame, Opening
from ratings.models.lists import ListedRating, PublishedList
from ratings.models.pools import Decision, Pool
from ratings.models.runs import IN_CURRENT_RUN, RATED_ORDER, Change, Rating, Run, RunRating
from ratings.models.tables import TableRow, TableVersion

__all__ = [
    "DUE",
    "IN_CURRENT_RUN",
    "IN_ORDER",
    "RATED_ORDER",
    "Analysis",
    "Batch",
    "BatchGame",
    "Change",
    "Decision",
    "ListedRating",
    "Opening",
    "Pool",
    "PublishedList",
    "Rating",
    "Run",
    "RunRating",
    "TableRow",
    "TableVersion",
]
