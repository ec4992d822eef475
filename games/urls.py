"""The addresses of this app: those of the API, below /api/v1/, and those of its pages."""

from allauth.account import views as allauth
from allauth.account.decorators import reauthentication_required
from allauth.usersessions.views import list_usersessions
from django.urls import include, path, re_path

from games.core.accounts.guesses import one_at_a_time
from games.core.accounts.pages import (
    AccountNamePage,
    CloseOwnAccount,
    LinkIdentity,
    Logout,
    PasswordChanged,
)
from games.core.accounts.sign_up import in_even_time
from games.core.accounts.single_sign_on import SignUp, begin_login, end_login
from games.core.accounts.views import Me, RevokeToken
from games.core.formats import with_suffixes
from games.core.oauth.pages import AppPage, AppsPage, StaffAppsPage
from games.core.pages import choose_language
from games.core.roles.pages import InvitationPage, MailPage, RefusalPage
from games.core.roles.views import AcceptInvitation, DeclineInvitation, DropRole, OwnInvitationList
from games.core.views import delete_view, post_view
from games.play.diagrams import BoardDiagram, EmptyBoardDiagram, EmptyBoardPicture, GameDiagram
from games.play.live_pages import LivePage
from games.play.live_views import (
    AcceptOffer,
    AppendTurns,
    ClaimTime,
    DeclineOffer,
    LiveRecordView,
    OfferResult,
    TakeBackTurn,
    WithdrawOffer,
)
from games.play.pages import GameAbout, GameEmbed, GameTextPage
from games.play.record_entry import RecordCheck
from games.play.referee import RECORD_PARSERS, JudgeRecords, RefereePage, RulesList
from games.play.sheets import RecordSheetFile
from games.play.views import (
    AcceptProposal,
    AdjournGame,
    AnnulGame,
    CancelProposal,
    ConfirmGame,
    DeclineProposal,
    DisputeGame,
    GameRecord,
    GameView,
    ReportList,
    ResumeGame,
    RuleGame,
)
from games.players.views import IMPORT_PARSERS, ImportPlayers, PlayerList
from games.study.analysis import AnalysisAbout, AnalysisDiagram, AnalysisPage, AnalysisText
from games.study.lessons import LearnPage, LessonAbout, LessonPage
from games.study.pages import ExplorerPage, PatternPage
from games.study.rules import RuleAbout, RulePage, RulesPage
from games.study.views import NextMoves

urlpatterns = [
    path("me", Me.as_view()),
    path("me/invitations", OwnInvitationList.as_view()),
    path("me/invitations/<number:invitation_id>/accept", post_view(AcceptInvitation)),
    path("me/invitations/<number:invitation_id>/decline", post_view(DeclineInvitation)),
    path("me/roles/<number:role_id>", delete_view(DropRole)),
    re_path(r"^tokens/(?P<token_id>[0-9A-Za-z_]{1,40})$", delete_view(RevokeToken)),
    *with_suffixes(path("players", PlayerList.as_view())),
    path("players/import", post_view(ImportPlayers, parser_classes=IMPORT_PARSERS)),
    path("games/next-moves", NextMoves.as_view()),
    path("games/<number:game_id>", GameView.as_view()),
    *with_suffixes(path("games/<number:game_id>/record", GameRecord.as_view())),
    path("games/<number:game_id>/reports", ReportList.as_view()),
    path("games/<number:game_id>/live", LiveRecordView.as_view()),
    path("games/<number:game_id>/live/turns", post_view(AppendTurns)),
    path("games/<number:game_id>/live/turns/<number:number>", delete_view(TakeBackTurn)),
    path("games/<number:game_id>/live/offer", post_view(OfferResult)),
    path("games/<number:game_id>/live/accept", post_view(AcceptOffer)),
    path("games/<number:game_id>/live/decline", post_view(DeclineOffer)),
    path("games/<number:game_id>/live/withdraw", post_view(WithdrawOffer)),
    path("games/<number:game_id>/live/claim-time", post_view(ClaimTime)),
    path("games/<number:game_id>/confirm", post_view(ConfirmGame)),
    path("games/<number:game_id>/dispute", post_view(DisputeGame)),
    path("games/<number:game_id>/rule", post_view(RuleGame)),
    path("games/<number:game_id>/annul", post_view(AnnulGame)),
    path("games/<number:game_id>/adjourn", post_view(AdjournGame)),
    path("games/<number:game_id>/resume", post_view(ResumeGame)),
    path("games/<number:game_id>/accept", post_view(AcceptProposal)),
    path("games/<number:game_id>/decline", post_view(DeclineProposal)),
    path("games/<number:game_id>/cancel", post_view(CancelProposal)),
    path("rulesets", RulesList.as_view()),
    *with_suffixes(
        path("rulesets/<str:code>/board", BoardDiagram.as_view()),
        path("rulesets/<str:code>/sheet", RecordSheetFile.as_view()),
    ),
    path("rules/referee", post_view(JudgeRecords, parser_classes=RECORD_PARSERS)),
]


GAME_PAGE = r"^games/(?P<game_id>[1-9][0-9]{0,17})"
SIGNED = r"(?P<token>[0-9A-Za-z:_-]{1,300})"
"""The token in a link of a message."""
PLY = r"(?:/(?P<ply>[0-9]{1,6}))"

pages = [
    path("language/<slug:language>", choose_language),
    path("login", allauth.login, name="account_login"),
    path("logout", Logout.as_view(), name="account_logout"),
    path("sign-up", in_even_time(allauth.signup), name="account_signup"),
    path("sign-up/sent", allauth.email_verification_sent, name="account_email_verification_sent"),
    path("sign-up/confirm/<str:key>", allauth.confirm_email, name="account_confirm_email"),
    path("password", in_even_time(allauth.password_reset), name="account_reset_password"),
    path("password/sent", allauth.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/(?P<uidb36>[0-9A-Za-z]{1,13})-(?P<key>[^/]{1,200})$",
        one_at_a_time(allauth.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path(
        "password/changed",
        PasswordChanged.as_view(),
        name="account_reset_password_from_key_done",
    ),
    path("account/password", allauth.password_change, name="account_change_password"),
    path("account/password/set", allauth.password_set, name="account_set_password"),
    path("account/email", allauth.email, name="account_email"),
    path("account/confirm", allauth.reauthenticate, name="account_reauthenticate"),
    path("account/closed", allauth.account_inactive, name="account_inactive"),
    path("account/sessions", list_usersessions, name="usersessions_list"),
    path("account/second-factor/", include("allauth.mfa.urls")),
    path("account/logins/signup/", SignUp.as_view(), name="socialaccount_signup"),
    path("account/logins/", include("allauth.socialaccount.urls")),
    path("account/logins/link", reauthentication_required(LinkIdentity.as_view())),
    path("account/oidc/<str:provider_id>/login/", begin_login, name="openid_connect_login"),
    path(
        "account/oidc/<str:provider_id>/login/callback/",
        end_login,
        name="openid_connect_callback",
    ),
    path("account/name", AccountNamePage.as_view()),
    path("account/apps", AppsPage.as_view()),
    path("account/apps/<number:app_id>", AppPage.as_view()),
    path("staff/apps", reauthentication_required(StaffAppsPage.as_view())),
    path("account/close", reauthentication_required(CloseOwnAccount.as_view())),
    re_path(rf"^invitations/{SIGNED}$", InvitationPage.as_view()),
    path("my/mail", MailPage.as_view()),
    re_path(rf"^mail/{SIGNED}$", RefusalPage.as_view()),
    re_path(rf"{GAME_PAGE}{PLY}?\.svg$", GameDiagram.as_view()),
    re_path(rf"{GAME_PAGE}{PLY}?\.(?P<form>txt|json|sgf)$", GameTextPage.as_view()),
    re_path(rf"{GAME_PAGE}(?:/embed)?{PLY}/about$", GameAbout.as_view()),
    re_path(rf"{GAME_PAGE}/embed{PLY}?$", GameEmbed.as_view()),
    path("games/<number:game_id>/live", LivePage.as_view()),
    path("explorer", ExplorerPage.as_view()),
    path("explorer/pattern", PatternPage.as_view()),
    path("rules/check", RecordCheck.as_view()),
    path("rules", RulesPage.as_view()),
    path("rules/referee", RefereePage.as_view()),
    path("rules/<str:code>/board.svg", EmptyBoardDiagram.as_view()),
    path("rules/<str:code>/board.png", EmptyBoardPicture.as_view()),
    re_path(rf"^rules/(?P<code>[a-z-]{{1,32}}){PLY}?$", RulePage.as_view()),
    re_path(rf"^rules/(?P<code>[a-z-]{{1,32}}){PLY}/about$", RuleAbout.as_view()),
    re_path(r"^analysis/(?P<code>[a-z-]{1,32})$", AnalysisPage.as_view()),
    re_path(r"^analysis/(?P<code>[a-z-]{1,32})/about$", AnalysisAbout.as_view()),
    re_path(r"^analysis/(?P<code>[a-z-]{1,32})/position\.svg$", AnalysisDiagram.as_view()),
    re_path(r"^analysis/(?P<code>[a-z-]{1,32})/position\.txt$", AnalysisText.as_view()),
    path("learn", LearnPage.as_view()),
    re_path(r"^learn/(?P<code>[a-z-]{1,32})$", LessonPage.as_view()),
    re_path(r"^learn/(?P<code>[a-z-]{1,32})/(?P<step>[0-9]{1,3})/about$", LessonAbout.as_view()),
]
