"""The addresses of this app under /api/v1/."""

from django.urls import path, re_path

from games.core.accounts.views import (
    AcceptInvitation,
    ConfirmSignUp,
    Me,
    RequestPassword,
    ResetPassword,
    SignUp,
    TokenList,
    TokenView,
)
from games.core.views import post_view
from games.play.diagrams import BoardDiagram, RecordDiagram
from games.play.proposals import ANSWERS, AnswerProposal
from games.play.referee import Referee, RulesList
from games.play.sheets import RecordSheetFile
from games.play.views import (
    Adjournment,
    Annulment,
    Confirmation,
    Dispute,
    GameRecord,
    GameView,
    ReportList,
    Ruling,
)
from games.players.views import PlayerImport, PlayerList
from games.study.views import GameSearch, NextMoves

urlpatterns = [
    path("me", Me.as_view()),
    path("accounts", post_view(SignUp)),
    path("accounts/confirm", post_view(ConfirmSignUp)),
    path("accounts/password", post_view(RequestPassword)),
    path("accounts/password/confirm", post_view(ResetPassword)),
    path("invitations/accept", post_view(AcceptInvitation)),
    path("tokens", TokenList.as_view()),
    re_path(r"^tokens/(?P<token_id>[0-9A-Za-z_]{1,40})$", TokenView.as_view()),
    path("players", PlayerList.as_view()),
    path("players/import", PlayerImport.as_view()),
    path("games/search", GameSearch.as_view()),
    path("games/next-moves", NextMoves.as_view()),
    path("games/<int:game_id>", GameView.as_view()),
    re_path(
        r"^games/(?P<game_id>[0-9]{1,18})/record(?:\.(?P<form>txt|json))?$", GameRecord.as_view()
    ),
    re_path(r"^games/(?P<game_id>[0-9]{1,18})/record\.svg$", RecordDiagram.as_view()),
    path("games/<int:game_id>/reports", ReportList.as_view()),
    path("games/<int:game_id>/confirm", Confirmation.as_view()),
    path("games/<int:game_id>/dispute", Dispute.as_view()),
    path("games/<int:game_id>/rule", Ruling.as_view()),
    path("games/<int:game_id>/annul", Annulment.as_view()),
    path("games/<int:game_id>/adjourn", Adjournment.as_view()),
    *(
        path(f"games/<int:game_id>/{action}", AnswerProposal.as_view(action_name=action))
        for action in ANSWERS
    ),
    path("rules/games", RulesList.as_view()),
    path("rules/games/<str:code>/board.svg", BoardDiagram.as_view()),
    path("rules/games/<str:code>/sheet.pdf", RecordSheetFile.as_view()),
    path("rules/referee", Referee.as_view()),
]
