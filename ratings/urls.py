"""The addresses of this app under /api/v1/."""

from django.urls import path, re_path

from games.documents.renderers.base import DocumentRenderer
from games.documents.renderers.csv import CsvRenderer
from games.documents.renderers.html import HtmlRenderer
from games.documents.renderers.ndjson import NdjsonRenderer
from games.documents.renderers.pdf.table import PdfRenderer
from ratings.views.analyses import AnalysisFile, AnalysisList, AnalysisView
from ratings.views.batches import ACTIONS, BatchActionView, BatchDateView, BatchList
from ratings.views.casual_games import CasualGameList, ImportGames
from ratings.views.comparisons import HeadToHead, SecondOpinions, WhatIf
from ratings.views.handicaps import NewTable, RecommendedHandicap, TableList
from ratings.views.history import GameRatings, PlayerChart, PlayerHistory, PlayerHistoryFile
from ratings.views.lists import ListedPlayer, PlayerRatings, RatingList, RatingListFile
from ratings.views.officers import (
    DECISIONS,
    OfficerList,
    OfficerView,
    OrganiserActionView,
    OrganiserList,
)
from ratings.views.pools import PoolList, PoolView
from ratings.views.published_lists import (
    PublishedListFile,
    PublishedLists,
    PublishedListView,
    PublishedPlayer,
    PublishedRatings,
)
from ratings.views.runs import RunChanges, RunDifferences, RunDifferencesFile, RunList, RunView

POOL = "pools/<slug:code>"
POOL_PATTERN = r"^pools/(?P<code>[-a-zA-Z0-9_]+)"
ACCOUNT = "(?P<account_id>[0-9]{1,18})"
ANALYSIS = rf"{POOL_PATTERN}/analyses/(?P<analysis_id>[0-9]{{1,18}})"
BATCH = rf"{POOL_PATTERN}/batches/(?P<batch_id>[0-9]{{1,18}})"
PUBLISHED = rf"{POOL_PATTERN}/lists/(?P<published_on>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})"
RUN = rf"{POOL_PATTERN}/runs/(?P<number>[0-9]{{1,9}})"
DIFFERENCES = rf"{RUN}/differences/(?P<earlier>[0-9]{{1,9}})"
PLAYER = r"^players/(?P<player_id>[0-9]{1,18})"
DIFFERENCE_FILES: list[type[DocumentRenderer]] = [CsvRenderer, NdjsonRenderer]
HISTORY_FILES: list[type[DocumentRenderer]] = [*DIFFERENCE_FILES, HtmlRenderer]
LIST_FILES: list[type[DocumentRenderer]] = [*HISTORY_FILES, PdfRenderer]

urlpatterns = [
    path("games", CasualGameList.as_view(), name="games"),
    path("games/import", ImportGames.as_view()),
    path("handicap", RecommendedHandicap.as_view()),
    path("handicap-tables", TableList.as_view()),
    path("pools", PoolList.as_view()),
    path(POOL, PoolView.as_view()),
    path(f"{POOL}/ratings", RatingList.as_view()),
    *(
        path(f"{POOL}/ratings.{file.format}", RatingListFile.as_view(renderer_classes=[file]))
        for file in LIST_FILES
    ),
    path(f"{POOL}/analyses", AnalysisList.as_view()),
    re_path(rf"{ANALYSIS}$", AnalysisView.as_view()),
    *(
        re_path(rf"{ANALYSIS}\.{form}$", AnalysisFile.as_view(form=form))
        for form in ("csv", "html", "svg")
    ),
    path(f"{POOL}/handicap-tables", NewTable.as_view()),
    re_path(rf"{POOL_PATTERN}/ratings/(?P<player_id>[0-9]{{1,18}})$", ListedPlayer.as_view()),
    path(f"{POOL}/lists", PublishedLists.as_view()),
    re_path(rf"{PUBLISHED}$", PublishedListView.as_view()),
    re_path(rf"{PUBLISHED}/ratings$", PublishedRatings.as_view()),
    re_path(rf"{PUBLISHED}/ratings/(?P<player_id>[0-9]{{1,18}})$", PublishedPlayer.as_view()),
    *(
        re_path(
            rf"{PUBLISHED}/ratings\.{file.format}$",
            PublishedListFile.as_view(renderer_classes=[file]),
        )
        for file in LIST_FILES
    ),
    path(f"{POOL}/runs", RunList.as_view()),
    re_path(rf"{RUN}$", RunView.as_view()),
    re_path(rf"{RUN}/changes$", RunChanges.as_view()),
    re_path(rf"{DIFFERENCES}$", RunDifferences.as_view()),
    *(
        re_path(
            rf"{DIFFERENCES}\.{file.format}$",
            RunDifferencesFile.as_view(renderer_classes=[file]),
        )
        for file in DIFFERENCE_FILES
    ),
    path(f"{POOL}/officers", OfficerList.as_view()),
    re_path(f"{POOL_PATTERN}/officers/{ACCOUNT}$", OfficerView.as_view()),
    path(f"{POOL}/organisers", OrganiserList.as_view()),
    *(
        re_path(
            f"{POOL_PATTERN}/organisers/{ACCOUNT}/{action}$",
            OrganiserActionView.as_view(action_name=action),
        )
        for action in DECISIONS
    ),
    path(f"{POOL}/batches", BatchList.as_view()),
    re_path(f"{BATCH}/backdate$", BatchDateView.as_view()),
    *(
        re_path(f"{BATCH}/{action}$", BatchActionView.as_view(action_name=action))
        for action in ACTIONS
    ),
    re_path(rf"{PLAYER}/ratings$", PlayerHistory.as_view()),
    *(
        re_path(
            rf"{PLAYER}/ratings\.{file.format}$",
            PlayerHistoryFile.as_view(renderer_classes=[file]),
        )
        for file in HISTORY_FILES
    ),
    re_path(rf"{PLAYER}/ratings\.svg$", PlayerChart.as_view()),
    re_path(rf"{PLAYER}/head-to-head/(?P<opponent_id>[0-9]{{1,18}})$", HeadToHead.as_view()),
    re_path(rf"{PLAYER}/second-opinion$", SecondOpinions.as_view()),
    re_path(rf"{PLAYER}/what-if$", WhatIf.as_view()),
    re_path(rf"{PLAYER}/standings$", PlayerRatings.as_view()),
    re_path(r"^games/(?P<game_id>[0-9]{1,18})/ratings$", GameRatings.as_view()),
]
