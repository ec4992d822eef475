"""The addresses of this app's pages."""

from django.urls import path

from tournament.pages.home import HomePage
from tournament.pages.overview import OverviewPage
from tournament.pages.run.overview import RunOverviewPage

EVENT = "e/<slug:slug>"
RUN = f"{EVENT}/run"

urlpatterns = [
    path("", HomePage.as_view(), name="home"),
    path(EVENT, OverviewPage.as_view()),
    path(RUN, RunOverviewPage.as_view()),
]
