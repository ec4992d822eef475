"""An analysis of a pool, for its officers: a calibration of handicaps, or improbable results."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.pages import PageView
from games.models import Player
from games.rules.text import Text
from ratings.analyses.pages import estimate_rows
from ratings.analyses.queries import analysis_as_json, find_analysis
from ratings.models import Analysis
from ratings.pages.charts import PAGE_LANGUAGE, chart_response
from ratings.systems.research.calibration import report_series
from ratings.systems.research.reliability_plot import draw_reliability
from ratings.views.requested import require_pool


class AnalysisPage(PageView):
    template = "ratings/analysis.html"

    def context(
        self, request: Request, code: str = "", analysis_id: int = 0, **address: Any
    ) -> dict[str, Any]:
        """Return the analysis with the names of the players in its findings."""
        pool, _ = require_pool(request, code)
        found = analysis_as_json(pool, find_analysis(pool, analysis_id))
        report = found["result"] or {}
        is_calibration = found["kind"] == Analysis.Kind.CALIBRATION
        return {
            "pool": pool,
            "analysis": found,
            "report": report,
            "is_calibration": is_calibration,
            "estimated": estimate_rows(report) if is_calibration and report else [],
            "findings": with_names(report.get("findings", ())),
        }


class CalibrationPlotPage(PageView):
    """The reliability plot of a calibration, in the language of the reader."""

    def get(
        self, request: Request, code: str = "", analysis_id: int = 0, **address: Any
    ) -> HttpResponseBase:
        """Return the picture; raises NotFound for an analysis without one."""
        pool, _ = require_pool(request, code)
        report = find_analysis(pool, analysis_id).result or {}
        if "reliability" not in report:
            raise NotFound("not_found", Text("analysis %(number)s has no plot", number=analysis_id))
        names = {
            "table": gettext("table %(version)s") % {"version": report["table"]},
            "estimates": gettext("estimates"),
        }
        groups = report_series(report).values()
        series = {
            names[key]: found for key, found in zip(report["reliability"], groups, strict=True)
        }
        title = f"{pool.name}: {gettext('Calibration of the handicaps')}"
        return chart_response(draw_reliability(title, series, PAGE_LANGUAGE))


def with_names(findings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return findings with their players, and the opponents of their games, as rows."""
    listed = list(findings)
    numbers = {row[name] for row in listed for name in ("player", "opponent") if row[name]}
    numbers |= {game["opponent"] for row in listed for game in row["games"]}
    people = Player.objects.in_bulk(numbers)
    return [
        {
            **row,
            "player": people.get(row["player"]),
            "opponent": people.get(row["opponent"]),
            "games": [{**game, "opponent": people.get(game["opponent"])} for game in row["games"]],
        }
        for row in listed
    ]
