"""The addresses of this app's pages."""

from django.urls import path, re_path

from games.core.accounts.pages import (
    AccountNamePage,
    AccountPage,
    ConfirmSignUpPage,
    InvitationPage,
    LoginPage,
    Logout,
    PasswordPage,
    SetPasswordPage,
    SignUpPage,
)
from games.core.pages import choose_language
from games.play.diagrams import EmptyBoardDiagram, GameDiagram
from games.play.pages import GameAbout, GameEmbed, GamePage, GameTextPage, ReportsPage
from games.play.record_entry import RecordCheck
from games.play.referee import RefereePage
from games.study.pages import ExplorerPage, PatternPage
from games.study.rules import RuleAbout, RulePage, RulesPage

GAME_PAGE = r"^games/(?P<game_id>[0-9]{1,18})"
PLY = r"(?:/(?P<ply>[0-9]{1,6}))"

urlpatterns = [
    path("language/<slug:language>", choose_language),
    path("login", LoginPage.as_view()),
    path("logout", Logout.as_view()),
    path("account", AccountPage.as_view()),
    path("account/name", AccountNamePage.as_view()),
    path("games/<int:game_id>/reports", ReportsPage.as_view()),
    path("sign-up", SignUpPage.as_view()),
    path("sign-up/confirm", ConfirmSignUpPage.as_view()),
    path("password", PasswordPage.as_view()),
    path("password/confirm", SetPasswordPage.as_view()),
    path("invitations/accept", InvitationPage.as_view()),
    re_path(rf"{GAME_PAGE}{PLY}?$", GamePage.as_view()),
    re_path(rf"{GAME_PAGE}{PLY}?\.svg$", GameDiagram.as_view()),
    re_path(rf"{GAME_PAGE}{PLY}?\.(?P<form>txt|json)$", GameTextPage.as_view()),
    re_path(rf"{GAME_PAGE}(?:/embed)?{PLY}/about$", GameAbout.as_view()),
    re_path(rf"{GAME_PAGE}/embed{PLY}?$", GameEmbed.as_view()),
    path("explorer", ExplorerPage.as_view()),
    path("explorer/pattern", PatternPage.as_view()),
    path("rules/check", RecordCheck.as_view()),
    path("rules", RulesPage.as_view()),
    path("rules/referee", RefereePage.as_view()),
    path("rules/<str:code>/board.svg", EmptyBoardDiagram.as_view()),
    re_path(rf"^rules/(?P<code>[a-z-]{{1,32}}){PLY}?$", RulePage.as_view()),
    re_path(rf"^rules/(?P<code>[a-z-]{{1,32}}){PLY}/about$", RuleAbout.as_view()),
]
