"""The addresses of the pages that run an event, below /e/SLUG/run."""

from django.urls import path

from tournament.pages.run.games import ArbiterPage, DisputesPage
from tournament.pages.run.overview import RunOverviewPage
from tournament.pages.run.results import ResultsPage
from tournament.pages.run.rounds import RoundBoardPage

ROUND = "/rounds/<int:number>"

urlpatterns = [
    path("", RunOverviewPage.as_view()),
    path("/disputes", DisputesPage.as_view()),
    path("/games/<int:game_id>", ArbiterPage.as_view()),
    path(ROUND, RoundBoardPage.as_view()),
    path(f"{ROUND}/results", ResultsPage.as_view()),
]
