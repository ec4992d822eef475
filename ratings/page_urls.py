"""The addresses of this app's pages."""

from django.urls import path, re_path

from ratings.analyses.pages import AnalysisPage, CalibrationPage, CalibrationPlotPage
from ratings.batches.pages import BatchesPage
from ratings.casual.pages import GameImportPage
from ratings.comparisons.pages import SecondOpinionPage, WhatIfPage
from ratings.handicaps.pages import HandicapPage, HandicapTablePage, HandicapTablesPage
from ratings.lists.pages import PoolPage, PoolsPage, PublishedListPage, PublishedListsPage
from ratings.pools.pages import NewPoolPage
from ratings.runs.pages import (
    DifferencesPage,
    GameRatingsPage,
    PlayerChartPage,
    RatingRunPage,
    RunsPage,
)

POOL_PAGE = r"^pools/(?P<code>[-a-zA-Z0-9_]+)"
POOL_RUN_PAGE = rf"{POOL_PAGE}/runs/(?P<number>[0-9]{{1,9}})"

urlpatterns = [
    path("handicap", HandicapPage.as_view()),
    path("handicap-tables", HandicapTablesPage.as_view()),
    path("handicap-tables/<slug:version>", HandicapTablePage.as_view()),
    path("officers/new-pool", NewPoolPage.as_view()),
    path("officers/pools/<slug:code>/analyses/<int:analysis_id>", AnalysisPage.as_view()),
    path(
        "officers/pools/<slug:code>/analyses/<int:analysis_id>/plot.svg",
        CalibrationPlotPage.as_view(),
    ),
    path("officers/pools/<slug:code>/batches", BatchesPage.as_view()),
    path("officers/pools/<slug:code>/handicaps", CalibrationPage.as_view()),
    path("games/import", GameImportPage.as_view()),
    path("games/<int:game_id>/ratings", GameRatingsPage.as_view()),
    path("pools", PoolsPage.as_view()),
    path("pools/<slug:code>", PoolPage.as_view()),
    re_path(
        rf"{POOL_PAGE}/lists/(?P<published_on>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})$",
        PublishedListPage.as_view(),
    ),
    path("pools/<slug:code>/lists", PublishedListsPage.as_view()),
    path("pools/<slug:code>/runs", RunsPage.as_view()),
    re_path(rf"{POOL_RUN_PAGE}$", RatingRunPage.as_view()),
    re_path(rf"{POOL_RUN_PAGE}/differences/(?P<earlier>[0-9]{{1,9}})$", DifferencesPage.as_view()),
    path("players/<int:player_id>/ratings.svg", PlayerChartPage.as_view()),
    path("players/<int:player_id>/second-opinion", SecondOpinionPage.as_view()),
    path("players/<int:player_id>/what-if", WhatIfPage.as_view()),
]
