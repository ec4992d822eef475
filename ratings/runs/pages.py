"""The runs of a pool, the changes that one computed, and how the ratings after two differ."""

from typing import Any

from rest_framework.request import Request

from games.core.pages import PageView
from games.core.pagination import NewestFirst
from games.play.lookup import visible_games
from ratings.core.pools import find_pool, find_run, finished_runs
from ratings.runs.changes import CHANGE_FIELDS, player_change_as_json, run_changes
from ratings.runs.queries import DIFFERENCE_FIELDS, difference_as_json, rating_differences
from ratings.views.change_pages import NewestRunPages
from ratings.views.runs import ByPlayer

MOST_RUNS = 20
"""Earlier runs that the page of a run offers for a comparison."""


class RunsPage(PageView):
    template = "ratings/runs.html"

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return a page of the runs, newest first."""
        pool = find_pool(code)
        return {"pool": pool, **NewestFirst().context("runs", finished_runs(pool), request)}


class RatingRunPage(PageView):
    template = "ratings/run.html"

    def context(
        self, request: Request, code: str = "", number: str = "0", **address: Any
    ) -> dict[str, Any]:
        """Return a page of the changes by the games that the reader may see."""
        pool = find_pool(code)
        run = find_run(pool, int(number))
        rows = run_changes(run, visible_games(request))
        return {
            "pool": pool,
            "run": run,
            "earlier": list(
                finished_runs(pool)
                .filter(number__lt=run.number)
                .order_by("-number")
                .values_list("number", flat=True)[:MOST_RUNS]
            ),
            **NewestRunPages().context(
                "changes",
                rows.values(*CHANGE_FIELDS, "player__name"),
                request,
                lambda row: {"name": row["player__name"], **player_change_as_json(row)},
            ),
        }


class DifferencesPage(PageView):
    """The players whose rating after a run differs from that after an earlier run, 0 for none."""

    template = "ratings/differences.html"

    def context(
        self,
        request: Request,
        code: str = "",
        number: str = "0",
        earlier: str = "0",
        **address: Any,
    ) -> dict[str, Any]:
        """Return a page of the players, without those of games that the reader may not see."""
        pool = find_pool(code)
        later, start = int(number), int(earlier)
        differing = rating_differences(pool, later, start, visible_games(request))
        rows = differing.values(*DIFFERENCE_FIELDS)
        return {
            "pool": pool,
            "later": later,
            "earlier": start,
            **ByPlayer().context("differences", rows, request, difference_as_json),
        }
