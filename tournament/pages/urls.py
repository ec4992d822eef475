"""The addresses of this app's pages."""

from django.urls import path

from tournament.pages.home import HomePage
from tournament.pages.overview import OverviewPage

EVENT = "e/<slug:slug>"

urlpatterns = [
    path("", HomePage.as_view(), name="home"),
    path(EVENT, OverviewPage.as_view()),
]
