"""The versions of the table of handicaps, and the values of one of them."""

from collections import defaultdict
from typing import Any

from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.pages import PageView
from games.rules.registry import GAMES
from games.rules.text import Text
from ratings.handicaps.views import VersionPages
from ratings.models import Pool, TableVersion
from ratings.queries.tables import load_table, load_versions
from ratings.systems.handicap import COVERED_BOARDS, FIRST_VERSION, PRIORS


class HandicapTablesPage(PageView):
    template = "ratings/handicap_tables.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return a page of the versions, newest first, each with the pools that use it."""
        pages = VersionPages()
        pages.ordering = ("-id",)
        versions = pages.paginate_queryset(TableVersion.objects.all(), request)
        users = defaultdict(list)
        for pool in Pool.objects.order_by("name", "code"):
            users[pool.handicap_table].append(pool)
        return {
            "versions": [(found, users[found.version]) for found in versions],
            "first_version": FIRST_VERSION,
            **pages.neighbours,
        }


class HandicapTablePage(PageView):
    template = "ratings/handicap_table.html"

    def context(self, request: Request, version: str = "", **address: Any) -> dict[str, Any]:
        """Return the values of a version, and which of them are the project's priors."""
        found = next((row for row in load_versions() if row.version == version), None)
        if found is None:
            raise NotFound(
                "not_found", Text("there is no table of handicaps %(name)s", name=version[:12])
            )
        values = load_table(found.version)
        return {
            "table": found,
            "has_priors_only": found.version == FIRST_VERSION,
            "pools": Pool.objects.filter(handicap_table=found.version).order_by("name", "code"),
            "rows": [
                (GAMES[place[0]].name, place[1], values[place], values[place] == PRIORS[place])
                for place in COVERED_BOARDS
            ],
        }
