"""The runs of a pool: the changes that one computed."""

from typing import Any

from rest_framework.request import Request

from games.http.request import visible_games
from games.pages.views import PageView
from ratings.queries import changes, pools
from ratings.views.lookup import NewestFirst


class RunPage(PageView):
    template = "ratings/run.html"

    def context(
        self, request: Request, code: str = "", number: str = "0", **address: Any
    ) -> dict[str, Any]:
        """Return a page of the changes by the games that the reader may see."""
        pool = pools.find_pool(code)
        run = pools.find_run(pool, int(number))
        pages = NewestFirst()
        queryset = changes.run_changes(run, visible_games(request)).order_by("-id")
        rows = pages.paginate_queryset(
            queryset.values(*changes.CHANGE_FIELDS, "player__name"), request
        )
        return {
            "pool": pool,
            "run": run,
            "changes": [
                {"name": row["player__name"], **changes.player_change_as_json(row)} for row in rows
            ],
            **pages.neighbours,
        }
