"""The addresses of the pages that run an event, below /e/SLUG/run."""

from django.urls import path

from tournament.corrections.pages import CorrectionPage, CorrectionsPage
from tournament.entries.links import LinksPage
from tournament.entries.pages import CheckInPage, EntriesPage, EntryPage
from tournament.entries.tokens import TokensPage
from tournament.events.overview import RunOverviewPage
from tournament.events.pages import PointsPage, RolesPage, SetupPage
from tournament.events.prizes import PrizeGroupsPage
from tournament.events.separations import SeparationsPage
from tournament.results.pages import (
    ArbiterPage,
    DisputesPage,
    RecordsPage,
    RepeatedRecordsPage,
    ResultsPage,
)
from tournament.rounds.pages import RoundBoardPage
from tournament.rounds.paper import PapersPage

RUN_ROUND_PAGE = "/rounds/<int:number>"

urlpatterns = [
    path("", RunOverviewPage.as_view()),
    path("/corrections", CorrectionsPage.as_view()),
    path("/corrections/<int:correction>", CorrectionPage.as_view()),
    path("/disputes", DisputesPage.as_view()),
    path("/games/<int:game_id>", ArbiterPage.as_view()),
    path("/setup", SetupPage.as_view()),
    path("/points", PointsPage.as_view()),
    path("/separations", SeparationsPage.as_view()),
    path("/entries", EntriesPage.as_view()),
    path("/entries/<int:entry_id>", EntryPage.as_view()),
    path("/check-in", CheckInPage.as_view()),
    path("/records", RecordsPage.as_view()),
    path("/records/repeated", RepeatedRecordsPage.as_view()),
    path("/roles", RolesPage.as_view()),
    path("/tokens", TokensPage.as_view()),
    path("/links", LinksPage.as_view()),
    path("/print", PapersPage.as_view()),
    path("/prizes", PrizeGroupsPage.as_view()),
    path(RUN_ROUND_PAGE, RoundBoardPage.as_view()),
    path(f"{RUN_ROUND_PAGE}/results", ResultsPage.as_view()),
]
