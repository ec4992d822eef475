"""The addresses of this app: those of the API, below /api/v1/, and those of its pages."""

from django.urls import path

from games.core.formats import TEXT_PARSERS, with_suffixes
from games.core.views import delete_view, post_view
from ratings.analyses.pages import AnalysisPage, CalibrationPage
from ratings.analyses.views import AnalysisList, AnalysisView
from ratings.batches.pages import BatchesPage
from ratings.batches.views import BackdateBatch, BatchList, CancelBatch, UndoBatch
from ratings.casual.pages import GameImportPage
from ratings.casual.views import ImportGames
from ratings.comparisons.pages import WhatIfPage
from ratings.comparisons.views import SupposeResults
from ratings.handicaps.pages import HandicapPage, HandicapTablePage, HandicapTablesPage
from ratings.handicaps.views import RecommendHandicap, TableList
from ratings.lists.pages import PoolPage, PoolsPage, PublishedListPage, PublishedListsPage
from ratings.lists.views import (
    ListedPlayer,
    PlayerRatings,
    PublishedLists,
    PublishedListView,
    PublishedPlayer,
    PublishedRatings,
    RatingList,
)
from ratings.pools.pages import NewPoolPage
from ratings.pools.views import (
    ApproveOrganiser,
    OfficerList,
    OrganiserList,
    PoolExport,
    PoolList,
    PoolView,
    RecomputeProgram,
    RefuseOrganiser,
    RemoveOfficer,
)
from ratings.runs.pages import GameRatingsPage, PlayerChartPage, RatingRunPage, RunsPage
from ratings.runs.views import GameRatings, RatingHistory, RunChanges, RunList, RunView

POOL_PATH = "pools/<slug:code>"
ACCOUNT = "<number:account_id>"
ANALYSIS = f"{POOL_PATH}/analyses/<number:analysis_id>"
BATCH_PATH = f"{POOL_PATH}/batches/<number:batch_id>"
PUBLISHED_LIST_PATH = f"{POOL_PATH}/lists/<day:published_on>"
RUN_PATH = f"{POOL_PATH}/runs/<number:number>"
PLAYER_PATH = "players/<number:player_id>"

urlpatterns = [
    path("games/import", post_view(ImportGames, parser_classes=TEXT_PARSERS)),
    path("handicap", RecommendHandicap.as_view()),
    path("handicap-tables", TableList.as_view()),
    path("pools", PoolList.as_view()),
    path(POOL_PATH, PoolView.as_view()),
    *with_suffixes(path(f"{POOL_PATH}/export", PoolExport.as_view())),
    *with_suffixes(path(f"{POOL_PATH}/ratings", RatingList.as_view())),
    path(f"{POOL_PATH}/analyses", AnalysisList.as_view()),
    *with_suffixes(path(ANALYSIS, AnalysisView.as_view())),
    path(f"{POOL_PATH}/ratings/<number:player_id>", ListedPlayer.as_view()),
    path(f"{POOL_PATH}/lists", PublishedLists.as_view()),
    path(PUBLISHED_LIST_PATH, PublishedListView.as_view()),
    *with_suffixes(path(f"{PUBLISHED_LIST_PATH}/ratings", PublishedRatings.as_view())),
    path(f"{PUBLISHED_LIST_PATH}/ratings/<number:player_id>", PublishedPlayer.as_view()),
    path(f"{POOL_PATH}/runs", RunList.as_view()),
    path(RUN_PATH, RunView.as_view()),
    path(f"{RUN_PATH}/changes", RunChanges.as_view()),
    path(f"{POOL_PATH}/officers", OfficerList.as_view()),
    path(f"{POOL_PATH}/officers/{ACCOUNT}", delete_view(RemoveOfficer)),
    path(f"{POOL_PATH}/organisers", OrganiserList.as_view()),
    path(f"{POOL_PATH}/organisers/{ACCOUNT}/approve", post_view(ApproveOrganiser)),
    path(f"{POOL_PATH}/organisers/{ACCOUNT}/refuse", post_view(RefuseOrganiser)),
    path(f"{POOL_PATH}/batches", BatchList.as_view()),
    path(f"{BATCH_PATH}/backdate", post_view(BackdateBatch)),
    path(f"{BATCH_PATH}/cancel", post_view(CancelBatch)),
    path(f"{BATCH_PATH}/undo", post_view(UndoBatch)),
    *with_suffixes(path("recompute_pool", RecomputeProgram.as_view())),
    *with_suffixes(path(f"{PLAYER_PATH}/rating-history", RatingHistory.as_view())),
    path(f"{PLAYER_PATH}/what-if", post_view(SupposeResults)),
    path(f"{PLAYER_PATH}/ratings", PlayerRatings.as_view()),
    path("games/<number:game_id>/rating-changes", GameRatings.as_view()),
]

pages = [
    path("handicap", HandicapPage.as_view()),
    path("handicap-tables", HandicapTablesPage.as_view()),
    path("handicap-tables/<slug:version>", HandicapTablePage.as_view()),
    path("officers/new-pool", NewPoolPage.as_view()),
    path("officers/pools/<slug:code>/analyses/<number:analysis_id>", AnalysisPage.as_view()),
    path("officers/pools/<slug:code>/batches", BatchesPage.as_view()),
    path("officers/pools/<slug:code>/handicaps", CalibrationPage.as_view()),
    path("games/import", GameImportPage.as_view()),
    path("games/<number:game_id>/ratings", GameRatingsPage.as_view()),
    path("pools", PoolsPage.as_view()),
    path("pools/<slug:code>", PoolPage.as_view()),
    path(PUBLISHED_LIST_PATH, PublishedListPage.as_view()),
    path("pools/<slug:code>/lists", PublishedListsPage.as_view()),
    path("pools/<slug:code>/runs", RunsPage.as_view()),
    path(RUN_PATH, RatingRunPage.as_view()),
    path("players/<number:player_id>/ratings.svg", PlayerChartPage.as_view()),
    path("players/<number:player_id>/what-if", WhatIfPage.as_view()),
]
