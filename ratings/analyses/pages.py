"""The handicaps of a pool with their calibration, and the analyses of a pool; for its officers.

A calibration changes nothing. An officer adds a version, and makes it active by another form.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.forms import Form
from games.core.pages import PageView
from games.core.requests import is_flag_set
from games.rules.registry import GAMES
from ratings.analyses.queries import (
    analysis_as_json,
    find_analysis,
    points_scale,
    pool_analyses,
    summary_as_json,
)
from ratings.analyses.views import RequestAnalysis
from ratings.core.conditions import TABLE_VALUES, list_versions, load_table
from ratings.core.pools import require_pool
from ratings.handicaps.views import AddTable
from ratings.models import Analysis, Pool
from ratings.pools.views import EditPool, pool_target
from ratings.systems.handicap import CODE_TABLES, COVERED_BOARDS, MODELS, is_prior
from ratings.systems.recommendation import SHOWN_DIFFERENCES, compare_tables

CALIBRATION_LABELS: Final[Mapping[str, str | Promise]] = {
    "slope": _("Slope of the ratings"),
    "first_move": _("First move"),
    "first_stone": _("First stone"),
    "further_stone": _("Each further stone"),
    "point": _("Each point"),
}
"""The names of what a calibration estimates, and of the values of a table."""


def table_body(content: dict[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a new version; the fields `rows.3.point` are those of a list."""
    content["pool"] = address["code"]
    rows = content.get("rows")
    if isinstance(rows, dict):
        keys = sorted(rows, key=lambda key: (not key.isdecimal(), len(key), key))
        content["rows"] = [rows[key] for key in keys]
    return content


def estimate_rows(report: Mapping[str, Any]) -> list[tuple[str | Promise, dict[str, Any]]]:
    """Return the estimates of a calibration with their names, the slope of the ratings first."""
    rows = [{**report["slope"], "table": 1}, *report["values"]]
    return [(CALIBRATION_LABELS.get(row["name"], row["name"]), row) for row in rows]


class CalibrationPage(PageView):
    """`?estimates=1` writes the estimates of the last calibration into the form."""

    template = "ratings/analyses/calibration.html"
    actions = {
        "analyse": Form(RequestAnalysis),
        "add": Form(AddTable, body=table_body, is_typed=True),
        "activate": Form(EditPool, sentence=gettext_noop("The pool uses this table now.")),
    }

    def context(self, request: Request, code: str = "", **address: Any) -> dict[str, Any]:
        """Return the table in force, the last calibration, and the form of a new version."""
        pool, _ = require_pool(request, code)
        analyses = pool_analyses(pool).filter(kind=Analysis.Kind.CALIBRATION).order_by("-id")
        last = analyses.defer("result").first()
        finished = analyses.filter(result__isnull=False).first()
        report = (finished.result or {}) if finished else {}
        estimates = {row["name"]: row["estimate"] for row in report.get("values", ())}
        is_estimated = is_flag_set(request, "estimates")
        return {
            "pool": pool,
            "if_match": f'"{pool_target(pool).current_tag(locked=False)}"',
            "versions": list_versions(),
            "code_versions": list(CODE_TABLES),
            "last": summary_as_json(pool, last) if last else None,
            "problem": last.problem if last else None,
            "finished": finished,
            "report": report,
            "estimated": estimate_rows(report) if report else [],
            "has_estimates": any(value is not None for value in estimates.values()),
            "is_estimated": is_estimated,
            "names": [(name, CALIBRATION_LABELS[name]) for name in TABLE_VALUES],
            "rows": self.rows(pool, estimates if is_estimated else {}),
        }

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page; the preview of a version has the recommendations that it changes."""
        preview = context.get("preview")
        if preview and "rows" in preview:
            table = {
                (row["ruleset"], row["board_size"]): MODELS[preview["model"]](
                    *(row[name] for name in TABLE_VALUES)
                )
                for row in preview["rows"]
            }
            changes = compare_tables(load_table(context["pool"].handicap_table), table)
            found = [(GAMES[row.game].name, row) for row in changes]
            context = {**context, "changes": found, "differences": SHOWN_DIFFERENCES}
        return super().page(context, status=status)

    def rows(self, pool: Pool, estimates: Mapping[str, float | None]) -> list[dict[str, Any]]:
        """Return the rows of the form: what was typed, else the estimates, else the table."""
        typed = self.form.typed if self.form.action == "add" else {}
        known = {name: value for name, value in estimates.items() if value is not None}
        rows = []
        table = load_table(pool.handicap_table)
        for index, place in enumerate(COVERED_BOARDS):
            (game, board), values = place, table[place]
            scales = {"point": points_scale(table, game, board)}
            found = {name: round(value * scales.get(name, 1)) for name, value in known.items()}
            shown = asdict(values) | found
            cells = []
            for name in TABLE_VALUES:
                field = f"rows.{index}.{name}"
                errors = self.form.errors.get(field, ()) if typed else ()
                cells.append(
                    (field, CALIBRATION_LABELS[name], typed.get(field, shown[name]), errors)
                )
            rows.append(
                {
                    "index": index,
                    "ruleset": game,
                    "name": GAMES[game].name,
                    "board_size": board,
                    "cells": cells,
                    "is_prior": is_prior(place, values),
                }
            )
        return rows


class AnalysisPage(PageView):
    template = "ratings/analyses/analysis.html"

    def context(
        self, request: Request, code: str = "", analysis_id: int = 0, **address: Any
    ) -> dict[str, Any]:
        """Return the analysis with the names of the players in its findings."""
        pool, _ = require_pool(request, code)
        found = analysis_as_json(pool, find_analysis(pool, analysis_id))
        report = found["findings"] or {}
        is_calibration = found["kind"] == Analysis.Kind.CALIBRATION
        return {
            "pool": pool,
            "analysis": found,
            "report": report,
            "is_calibration": is_calibration,
            "estimated": estimate_rows(report) if is_calibration and report else [],
            "findings": report.get("rows", ()),
        }
