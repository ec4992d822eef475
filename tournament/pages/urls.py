"""The addresses of this app's pages."""

from django.urls import path

from tournament.pages.home import HomePage

urlpatterns = [
    path("", HomePage.as_view(), name="home"),
]
