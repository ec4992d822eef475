"""The addresses of this app: those of the API, below /api/v1/, and those of its pages."""

from django.urls import path, re_path

from games.core.formats import with_suffixes
from ratings.analyses.pages import AnalysisPage, CalibrationPage, CalibrationPlotPage
from ratings.analyses.views import AnalysisList, AnalysisView
from ratings.batches.pages import BatchesPage
from ratings.batches.views import (
    BatchDate,
    BatchList,
    BatchRestoration,
    BatchWithdrawal,
    ClosedGroups,
)
from ratings.casual.pages import GameImportPage
from ratings.casual.views import GamesImport
from ratings.comparisons.pages import SecondOpinionPage, WhatIfPage
from ratings.comparisons.views import SecondOpinions, WhatIf
from ratings.handicaps.pages import HandicapPage, HandicapTablePage, HandicapTablesPage
from ratings.handicaps.views import NewTable, RecommendedHandicap, TableList
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
    OfficerList,
    OfficerView,
    OrganiserApproval,
    OrganiserList,
    OrganiserRefusal,
    PoolList,
    PoolView,
)
from ratings.runs.pages import (
    DifferencesPage,
    GameRatingsPage,
    PlayerChartPage,
    RatingRunPage,
    RunsPage,
)
from ratings.runs.views import (
    RatingChanges,
    RatingHistory,
    RunChanges,
    RunDifferences,
    RunList,
    RunView,
)

POOL_PATH = "pools/<slug:code>"
POOL_PATTERN = r"^pools/(?P<code>[-a-zA-Z0-9_]+)"
ACCOUNT = "(?P<account_id>[0-9]{1,18})"
ANALYSIS = rf"{POOL_PATTERN}/analyses/(?P<analysis_id>[0-9]{{1,18}})"
BATCH_PATH = rf"{POOL_PATTERN}/batches/(?P<batch_id>[0-9]{{1,18}})"
PUBLISHED_LIST_PATH = rf"{POOL_PATTERN}/lists/(?P<published_on>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
RUN_PATH = rf"{POOL_PATTERN}/runs/(?P<number>[0-9]{{1,9}})"
DIFFERENCES_PATH = rf"{RUN_PATH}/differences/(?P<earlier>[0-9]{{1,9}})"
PLAYER_PATH = r"^players/(?P<player_id>[0-9]{1,18})"

urlpatterns = [
    path("games/import", GamesImport.as_view()),
    path("handicap", RecommendedHandicap.as_view()),
    path("handicap-tables", TableList.as_view()),
    path("pools", PoolList.as_view()),
    path(POOL_PATH, PoolView.as_view()),
    *with_suffixes(path(f"{POOL_PATH}/ratings", RatingList.as_view())),
    path(f"{POOL_PATH}/analyses", AnalysisList.as_view()),
    *with_suffixes(re_path(rf"{ANALYSIS}$", AnalysisView.as_view())),
    path(f"{POOL_PATH}/handicap-tables", NewTable.as_view()),
    re_path(rf"{POOL_PATTERN}/ratings/(?P<player_id>[0-9]{{1,18}})$", ListedPlayer.as_view()),
    path(f"{POOL_PATH}/lists", PublishedLists.as_view()),
    re_path(rf"{PUBLISHED_LIST_PATH}$", PublishedListView.as_view()),
    *with_suffixes(re_path(rf"{PUBLISHED_LIST_PATH}/ratings$", PublishedRatings.as_view())),
    re_path(
        rf"{PUBLISHED_LIST_PATH}/ratings/(?P<player_id>[0-9]{{1,18}})$", PublishedPlayer.as_view()
    ),
    path(f"{POOL_PATH}/runs", RunList.as_view()),
    re_path(rf"{RUN_PATH}$", RunView.as_view()),
    re_path(rf"{RUN_PATH}/changes$", RunChanges.as_view()),
    *with_suffixes(re_path(rf"{DIFFERENCES_PATH}$", RunDifferences.as_view())),
    path(f"{POOL_PATH}/officers", OfficerList.as_view()),
    re_path(f"{POOL_PATTERN}/officers/{ACCOUNT}$", OfficerView.as_view()),
    path(f"{POOL_PATH}/organisers", OrganiserList.as_view()),
    re_path(f"{POOL_PATTERN}/organisers/{ACCOUNT}/approve$", OrganiserApproval.as_view()),
    re_path(f"{POOL_PATTERN}/organisers/{ACCOUNT}/refuse$", OrganiserRefusal.as_view()),
    path(f"{POOL_PATH}/batches", BatchList.as_view()),
    path(f"{POOL_PATH}/groups", ClosedGroups.as_view()),
    re_path(f"{BATCH_PATH}/backdate$", BatchDate.as_view()),
    re_path(f"{BATCH_PATH}/withdraw$", BatchWithdrawal.as_view()),
    re_path(f"{BATCH_PATH}/restore$", BatchRestoration.as_view()),
    *with_suffixes(re_path(rf"{PLAYER_PATH}/rating-history$", RatingHistory.as_view())),
    re_path(rf"{PLAYER_PATH}/second-opinion$", SecondOpinions.as_view()),
    re_path(rf"{PLAYER_PATH}/what-if$", WhatIf.as_view()),
    re_path(rf"{PLAYER_PATH}/ratings$", PlayerRatings.as_view()),
    re_path(r"^games/(?P<game_id>[0-9]{1,18})/rating-changes$", RatingChanges.as_view()),
]


POOL_PAGE = r"^pools/(?P<code>[-a-zA-Z0-9_]+)"
POOL_RUN_PAGE = rf"{POOL_PAGE}/runs/(?P<number>[0-9]{{1,9}})"

pages = [
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
