"""The addresses of this app's pages."""

from django.urls import path

from games.pages.languages import choose_language
from games.pages.login import LoginPage, Logout

urlpatterns = [
    path("language/<slug:language>", choose_language),
    path("login", LoginPage.as_view()),
    path("logout", Logout.as_view()),
]
