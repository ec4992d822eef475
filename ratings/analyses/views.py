"""The analyses of a pool: the calibration of handicaps, and improbable results; for officers."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Answer, Call
from games.core.errors import Conflict
from games.core.pagination import NewestFirst
from games.core.tables.csv import CsvRenderer
from games.core.tables.json import NdjsonRenderer
from games.core.tables.views import BOM_PARAMETER, NegotiatedView
from games.core.tables.xlsx import XlsxRenderer
from games.core.types import described
from games.core.views import ValuesListView, endpoint
from games.core.waits import wait_while
from games.rules.text import Text
from ratings.analyses.queries import (
    UNFINISHED_STATES,
    AnalysisSummary,
    PoolAnalysis,
    analysis_as_json,
    find_analysis,
    pool_analyses,
    summary_as_json,
)
from ratings.analyses.serializers import NewAnalysisSerializer
from ratings.analyses.services import request_analysis
from ratings.analyses.tables import report_document
from ratings.core.pools import ActionInPool, find_pool, require_pool
from ratings.models import Pool


class RequestAnalysis(ActionInPool):
    """Request an analysis of the rated games of a pool; for its officers.

    A task computes it; the response is 202, or 200 if it is finished within the wait. It
    changes nothing: a person who accepts estimated values adds them as a table
    (`handicap-tables`) and activates it, and a finding proves nothing.
    """

    name = "request_analysis"
    body = NewAnalysisSerializer
    example = {"kind": "calibration"}
    responses = {200: PoolAnalysis, 202: PoolAnalysis}
    made = ("id", "url", "page_url")
    location = "pools/{code}/analyses/{id}"
    done = gettext_noop("The analysis is requested.")

    def perform(self, call: Call, prepared: Pool) -> Answer:
        parameters = {**call.body}
        kind = parameters.pop("kind")
        analysis = request_analysis(prepared, kind, parameters, by=call.account)
        accepted = analysis_as_json(prepared, analysis)
        return Answer(accepted, wait=partial(_computed, prepared, accepted))

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        return Answer(wait=partial(_computed, find_pool(call.address["code"]), accepted))


def _computed(pool: Pool, accepted: Mapping[str, Any], seconds: float) -> Answer:
    """Return an analysis after the wait for its task."""

    def load(number: int) -> dict[str, Any]:
        return {**analysis_as_json(pool, find_analysis(pool, number))}

    found = wait_while(load, accepted["id"], UNFINISHED_STATES, seconds) or accepted
    return Answer(found, status=202 if found["state"] in UNFINISHED_STATES else 200)


class AnalysisList(ValuesListView):
    """List the analyses of a pool, newest first, without their findings; for its officers.

    `pools/{code}/analyses/{analysis_id}` has the progress and the findings of one.
    """

    permission = "pool.edit"
    serializer_class = described(AnalysisSummary)
    pagination_class = NewestFirst

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        pool, _ = require_pool(request, kwargs["code"])
        queryset = self.filter_queryset(pool_analyses(pool).defer("result"))
        page = self.paginate_queryset(queryset) or []
        return self.get_paginated_response([summary_as_json(pool, row) for row in page])

    post = endpoint(RequestAnalysis)


class AnalysisView(NegotiatedView):
    permission = "pool.edit"
    renderer_classes = [JSONRenderer, CsvRenderer, XlsxRenderer, NdjsonRenderer]
    parameters = (BOM_PARAMETER,)

    @extend_schema(operation_id="get_analysis", responses=described(PoolAnalysis))
    def get(self, request: Request, code: str, analysis_id: int) -> HttpResponseBase:
        """Return an analysis with its progress and, at the end, its findings; for officers.

        CSV, XLSX and NDJSON are the table of the findings (409 `no_result` before the end).
        `fair_play` has a row for each game of each finding.
        """
        pool, _ = require_pool(request, code)
        analysis = find_analysis(pool, analysis_id)
        if isinstance(request.accepted_renderer, JSONRenderer):
            return Response(analysis_as_json(pool, analysis))
        if analysis.result is None:
            detail = Text("analysis %(number)s has no result; see its `state`", number=analysis.pk)
            raise Conflict("no_result", detail)
        return self.render_table(report_document(pool, analysis))
