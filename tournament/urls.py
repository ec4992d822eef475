"""The addresses of this app: those of the API, below /api/v1/, and those of its pages."""

from allauth.account.decorators import reauthentication_required
from django.urls import URLPattern, URLResolver, include, path, re_path

from games.core.formats import TEXT_PARSERS, with_suffixes
from games.core.views import delete_view, post_view, put_view
from games.players.views import ENTRY_PARSERS
from games.urls import GAME_PAGE, PLY
from tournament.corrections.pages import CorrectionPage, CorrectionsPage, PublicCorrectionsPage
from tournament.corrections.views import CorrectionList, CorrectionView, UndoCorrection
from tournament.entries.applications import ApplicationLink, Apply, ApplyPage, RefuseApplications
from tournament.entries.confirmations import ApplicationPage
from tournament.entries.links import LinkCards, LinkList, LinksPage, OpenSession, RevokeLink
from tournament.entries.pages import AnswerPage, CheckInPage
from tournament.entries.tokens import (
    EventTokenList,
    IssuePersonalToken,
    RevokeEventToken,
    Tokens,
    TokensOfAccount,
    TokensPage,
)
from tournament.entries.views import (
    AcceptEntry,
    ApproveEntry,
    ByeList,
    CancelBye,
    CheckIn,
    CheckOut,
    ConsentToRating,
    DeclineEntry,
    EntryList,
    ImportEntries,
    PutOnWaitingList,
    RefuseEntry,
    ReturnEntry,
    SetAvailability,
    WithdrawEntry,
)
from tournament.events.announcements import AnnouncementList, AnnouncementView
from tournament.events.entries import EditedEntryPage, EditedEntryView, PaidEntriesPage
from tournament.events.home import EventsPage, GameListPage, GamesPage, HomePage, SearchPage
from tournament.events.me import MyEventPage
from tournament.events.officers import (
    OFFICER_LISTS,
    ApproveEvent,
    OfficerListPage,
    OfficersPage,
    PoolTournamentList,
    RefuseEvent,
)
from tournament.events.overview import OverviewPage, RunOverviewPage
from tournament.events.own import NextSteps, OwnEntries, OwnGames
from tournament.events.pages import NewEventPage, PointsPage, SetupPage
from tournament.events.prizes import PrizeGroupsPage
from tournament.events.roles import (
    InvitationList,
    RemoveRole,
    RequireSecondFactor,
    ResendInvitation,
    RevokeInvitation,
    RoleList,
    RolesPage,
)
from tournament.events.separations import SeparationsPage
from tournament.events.systems import SystemsList, SystemsPage
from tournament.events.ties import TiesPage, TiesView
from tournament.events.views import (
    TRANSITION_ACTIONS,
    CopyTournament,
    TournamentList,
    TournamentView,
)
from tournament.exchange.game_files import EventGames, PlayerGames, PoolGames
from tournament.exchange.journal import Heads, Journal, JournalPage
from tournament.exchange.pages import CalendarPage, ExportsPage, ImportPage
from tournament.exchange.views import (
    BundleFile,
    BundleFileParser,
    ImportBundle,
    ImportTrf,
    ZipParser,
)
from tournament.forecasts.pages import ForecastPage
from tournament.forecasts.views import ForecastView
from tournament.players.my import MyPage, ProposePage
from tournament.players.pages import (
    AccountPageOfStaff,
    ClaimPage,
    MergesPage,
    NewPlayerPage,
    OpponentsPage,
    PlayerDetailsPage,
    PlayerGamesPage,
    PlayerImportPage,
    PlayerListPage,
    PlayerPage,
    VersusPage,
)
from tournament.players.views import (
    ApproveClaim,
    ClaimList,
    ErasePlayer,
    MergeList,
    PlayerView,
    RefuseClaim,
    ShownGameList,
    ShownGameSearch,
    ShownHeadToHead,
    UndoMerge,
    WithdrawClaim,
)
from tournament.results.pages import (
    ArbiterPage,
    DisputesPage,
    RecordsPage,
    RepeatedRecordsPage,
    ResultsPage,
)
from tournament.results.views import ImportRecords, RevokeResults, RoundResultsView
from tournament.rounds.live_boards import LiveBoardPage
from tournament.rounds.pages import (
    BoardPage,
    EventGamePage,
    EventReportsPage,
    RoundBoardPage,
    RoundPage,
    SchedulePage,
)
from tournament.rounds.paper import Cards, PapersPage, RecordSheets, Slips
from tournament.rounds.views import (
    CertificateView,
    CheckRound,
    CompleteRound,
    ExplainTwo,
    PairRound,
    PublishRound,
    ReopenRound,
    RestoreVersion,
    RoundList,
    RoundPairingsView,
    RoundView,
    UnpairRound,
    VersionList,
    VersionView,
)
from tournament.smears.pages import ReportNamePage, StaffNamesPage
from tournament.smears.views import HideEvent, HideName, NameReportList, RefuseReport, ShowEvent
from tournament.subscriptions.pages import MessagesPage, SubscriptionPage, service_worker
from tournament.tables.bracket import BracketPage, BracketSheet
from tournament.tables.calendar import EventCalendar, PlayerCalendar
from tournament.tables.pages import (
    ClubsPage,
    CrosstablePage,
    GroupsPage,
    PrizesPage,
    StandingsPage,
    WallPage,
    WallState,
)
from tournament.tables.players import CardPage, PlayersPage, StartList
from tournament.tables.ratings import EventRatingsPage, PerformancesView
from tournament.tables.views import ClubsView, CrosstableView, GroupsView, PrizesView, StandingsView
from tournament.webhooks.pages import WebhookPage, WebhooksPage
from tournament.webhooks.stream import AccountStream, GameStream, PoolStream, SiteStream, Stream
from tournament.webhooks.views import (
    DeliveryList,
    PingWebhook,
    ReplayDelivery,
    RotateSecret,
    WebhookList,
    WebhookView,
)

TOURNAMENT = "tournaments/<slug:slug>"
ENTRY_PATH = "entries/<number:entry_id>"
ROUND_PATH = "rounds/<number:number>"
WEBHOOK = "webhooks/<number:webhook_id>"

of_entry = [
    path("token", post_view(IssuePersonalToken)),
    path("consent", post_view(ConsentToRating)),
    path("accept", post_view(AcceptEntry)),
    path("decline", post_view(DeclineEntry)),
    path("approve", post_view(ApproveEntry)),
    path("refuse", post_view(RefuseEntry)),
    path("wait", post_view(PutOnWaitingList)),
    path("return", post_view(ReturnEntry)),
    path("withdraw", post_view(WithdrawEntry)),
    path("check-in", post_view(CheckIn)),
    path("check-out", post_view(CheckOut)),
    path("availability", put_view(SetAvailability)),
]
of_round = [
    path("complete", post_view(CompleteRound)),
    path("publish", post_view(PublishRound)),
    path("reopen", post_view(ReopenRound)),
    path("unpair", post_view(UnpairRound)),
    path("versions", VersionList.as_view()),
    path("versions/<number:version>", VersionView.as_view()),
    path("restore", post_view(RestoreVersion)),
    path("results/revoke", post_view(RevokeResults)),
    path("check", post_view(CheckRound)),
    path("pair", post_view(PairRound)),
    path("explain", post_view(ExplainTwo)),
    path("certificate", CertificateView.as_view()),
    *with_suffixes(
        path("pairings", RoundPairingsView.as_view()),
        path("results", RoundResultsView.as_view()),
        path("slips", Slips.as_view()),
        path("sheets", RecordSheets.as_view()),
    ),
]
of_event: list[URLPattern | URLResolver] = [
    *with_suffixes(
        path("standings", StandingsView.as_view()),
        path("groups", GroupsView.as_view()),
        path("crosstable", CrosstableView.as_view()),
        path("clubs", ClubsView.as_view()),
        path("forecast", ForecastView.as_view()),
        path("prizes", PrizesView.as_view()),
        path("performances", PerformancesView.as_view()),
        path("journal", Journal.as_view()),
        path("bundle", BundleFile.as_view()),
        path("calendar", EventCalendar.as_view()),
        path("games", EventGames.as_view()),
        path("cards", Cards.as_view()),
        path("start-list", StartList.as_view()),
        path("entries", EntryList.as_view()),
        path("links", LinkList.as_view()),
        path("links/cards", LinkCards.as_view()),
    ),
    *(path(name, post_view(declared)) for name, declared in TRANSITION_ACTIONS.items()),
    path("corrections", CorrectionList.as_view()),
    path("corrections/<number:correction>", CorrectionView.as_view()),
    path("corrections/<number:correction>/undo", post_view(UndoCorrection)),
    path("records/import", post_view(ImportRecords, parser_classes=TEXT_PARSERS)),
    path("entries/import", post_view(ImportEntries, parser_classes=ENTRY_PARSERS)),
    path("copy", post_view(CopyTournament)),
    path("entries/apply", post_view(Apply)),
    path("entries/refuse-applications", post_view(RefuseApplications)),
    path("links/session", post_view(OpenSession)),
    path("links/<number:entry_id>", delete_view(RevokeLink)),
    path("application-link", ApplicationLink.as_view()),
    path(ENTRY_PATH, EditedEntryView.as_view()),
    path(f"{ENTRY_PATH}/", include(of_entry)),
    path("ties", TiesView.as_view()),
    path("announcements", AnnouncementList.as_view()),
    path("announcements/<number:number>", AnnouncementView.as_view()),
    path("byes", ByeList.as_view()),
    path("byes/<number:bye_id>", delete_view(CancelBye)),
    path("rounds", RoundList.as_view()),
    path(ROUND_PATH, RoundView.as_view()),
    path(f"{ROUND_PATH}/", include(of_round)),
    path("roles", RoleList.as_view()),
    path("roles/<number:role_id>", delete_view(RemoveRole)),
    path("second-factor", put_view(RequireSecondFactor)),
    path("invitations", InvitationList.as_view()),
    path("invitations/<number:invitation_id>", delete_view(RevokeInvitation)),
    path("invitations/<number:invitation_id>/resend", post_view(ResendInvitation)),
    path("tokens", EventTokenList.as_view()),
    path("tokens/<slug:token_id>", delete_view(RevokeEventToken)),
    path("stream", Stream.as_view()),
]

urlpatterns = [
    path("tournaments", TournamentList.as_view(), name="tournaments"),
    path("tournaments/import", post_view(ImportTrf, parser_classes=TEXT_PARSERS)),
    path(
        "tournaments/import/bundle",
        post_view(ImportBundle, parser_classes=[ZipParser, BundleFileParser]),
    ),
    path(TOURNAMENT, TournamentView.as_view()),
    path(f"{TOURNAMENT}/", include(of_event)),
    path("rules/systems", SystemsList.as_view()),
    *with_suffixes(
        path("heads", Heads.as_view()),
        path("players/<number:player_id>/calendar", PlayerCalendar.as_view()),
        path("players/<number:player_id>/games", PlayerGames.as_view()),
        path("pools/<slug:code>/games", PoolGames.as_view()),
    ),
    path("claims", ClaimList.as_view()),
    path("claims/<number:claim_id>/approve", post_view(ApproveClaim)),
    path("claims/<number:claim_id>/refuse", post_view(RefuseClaim)),
    path("claims/<number:claim_id>/withdraw", post_view(WithdrawClaim)),
    path("name-reports", NameReportList.as_view()),
    path("name-reports/<number:report_id>/refuse", post_view(RefuseReport)),
    path("players/<number:player_id>/hide-name", post_view(HideName)),
    path(f"{TOURNAMENT}/hide", post_view(HideEvent)),
    path(f"{TOURNAMENT}/show", post_view(ShowEvent)),
    path("merges", MergeList.as_view()),
    path("merges/<number:merge_id>/undo", post_view(UndoMerge)),
    path("stream", SiteStream.as_view()),
    path("me/stream", AccountStream.as_view()),
    path("me/games", OwnGames.as_view()),
    path("me/entries", OwnEntries.as_view()),
    path("me/next", NextSteps.as_view()),
    path("pools/<slug:code>/stream", PoolStream.as_view()),
    path("games/<number:game_id>/stream", GameStream.as_view()),
    path("webhooks", WebhookList.as_view()),
    path(WEBHOOK, WebhookView.as_view()),
    path(f"{WEBHOOK}/deliveries", DeliveryList.as_view()),
    path(
        f"{WEBHOOK}/deliveries/<number:delivery_id>/replay",
        post_view(ReplayDelivery),
    ),
    path(f"{WEBHOOK}/ping", post_view(PingWebhook)),
    path(f"{WEBHOOK}/rotate-secret", post_view(RotateSecret)),
    path("tokens", Tokens.as_view()),
    path("games", ShownGameList.as_view(), name="games"),
    path("games/search", ShownGameSearch.as_view()),
    path("players/<number:player_id>", PlayerView.as_view()),
    path("players/<number:player_id>/erase", post_view(ErasePlayer)),
    path(
        "players/<number:player_id>/head-to-head/<number:opponent_id>",
        ShownHeadToHead.as_view(),
    ),
    path("pools/<slug:code>/tournaments", PoolTournamentList.as_view()),
    path("pools/<slug:code>/tournaments/<slug:slug>/approve", post_view(ApproveEvent)),
    path("pools/<slug:code>/tournaments/<slug:slug>/refuse", post_view(RefuseEvent)),
]


EVENT_PAGE = "e/<slug:slug>"
ROUND_PAGE = f"{EVENT_PAGE}/rounds/<number:number>"
RUN_ROUND_PAGE = "/rounds/<number:number>"

run_pages = [
    path("", RunOverviewPage.as_view()),
    path("/corrections", CorrectionsPage.as_view()),
    path("/corrections/<number:correction>", CorrectionPage.as_view()),
    path("/disputes", DisputesPage.as_view()),
    path("/games/<number:game_id>", ArbiterPage.as_view()),
    path("/setup", SetupPage.as_view()),
    path("/points", PointsPage.as_view()),
    path("/ties", TiesPage.as_view()),
    path("/separations", SeparationsPage.as_view()),
    path("/entries", PaidEntriesPage.as_view()),
    path("/entries/<number:entry_id>", EditedEntryPage.as_view()),
    path("/check-in", CheckInPage.as_view()),
    path("/records", RecordsPage.as_view()),
    path("/records/repeated", RepeatedRecordsPage.as_view()),
    path("/roles", RolesPage.as_view()),
    path("/tokens", TokensPage.as_view()),
    path("/links", LinksPage.as_view()),
    path("/print", PapersPage.as_view()),
    path("/prizes", PrizeGroupsPage.as_view()),
    path("/schedule", SchedulePage.as_view()),
    path(RUN_ROUND_PAGE, RoundBoardPage.as_view()),
    path(f"{RUN_ROUND_PAGE}/results", ResultsPage.as_view()),
]


pages = [
    re_path(rf"{GAME_PAGE}{PLY}?$", EventGamePage.as_view()),
    path("games/<number:game_id>/reports", EventReportsPage.as_view()),
    path("", HomePage.as_view(), name="home"),
    path("account", TokensOfAccount.as_view()),
    path("events", EventsPage.as_view()),
    path("search", SearchPage.as_view()),
    path("officers/pools/<slug:code>", OfficersPage.as_view()),
    *(
        path(f"officers/pools/<slug:code>/{kind}", OfficerListPage.as_view(), {"kind": kind})
        for kind in OFFICER_LISTS
    ),
    path(f"{EVENT_PAGE}/entries/<number:entry_id>/answer", AnswerPage.as_view()),
    path("my", MyPage.as_view()),
    path("my/propose", ProposePage.as_view()),
    path("account/webhooks", WebhooksPage.as_view()),
    path("account/webhooks/<number:webhook_id>", WebhookPage.as_view()),
    path("players", PlayerListPage.as_view()),
    path("players/import", PlayerImportPage.as_view()),
    path("players/new", NewPlayerPage.as_view()),
    path("players/<number:player_id>", PlayerPage.as_view()),
    path("players/<number:player_id>/edit", PlayerDetailsPage.as_view()),
    path("players/<number:player_id>/games", PlayerGamesPage.as_view()),
    path("players/<number:player_id>/claim", ClaimPage.as_view()),
    path("players/<number:player_id>/versus", OpponentsPage.as_view()),
    path("players/<number:player_id>/versus/<number:opponent_id>", VersusPage.as_view()),
    path("games", GameListPage.as_view()),
    path("systems", SystemsPage.as_view()),
    path("new", NewEventPage.as_view()),
    path("applications/<str:token>", ApplicationPage.as_view()),
    path("import", ImportPage.as_view()),
    path("messages/<str:token>", SubscriptionPage.as_view()),
    path("worker.js", service_worker),
    path("report-name", ReportNamePage.as_view()),
    path("staff/names", StaffNamesPage.as_view()),
    path("staff/merges", MergesPage.as_view()),
    path(
        "staff/accounts/<number:account_id>",
        reauthentication_required(AccountPageOfStaff.as_view()),
    ),
    path(EVENT_PAGE, OverviewPage.as_view()),
    path(f"{EVENT_PAGE}/bracket", BracketPage.as_view()),
    path(f"{EVENT_PAGE}/bracket.pdf", BracketSheet.as_view()),
    path(f"{EVENT_PAGE}/calendar", CalendarPage.as_view()),
    path(f"{EVENT_PAGE}/clubs", ClubsPage.as_view()),
    path(f"{EVENT_PAGE}/crosstable", CrosstablePage.as_view()),
    path(f"{EVENT_PAGE}/exports", ExportsPage.as_view()),
    path(f"{EVENT_PAGE}/forecast", ForecastPage.as_view()),
    path(f"{EVENT_PAGE}/games", GamesPage.as_view()),
    path(f"{EVENT_PAGE}/groups", GroupsPage.as_view()),
    path(f"{EVENT_PAGE}/corrections", PublicCorrectionsPage.as_view()),
    path(f"{EVENT_PAGE}/journal", JournalPage.as_view()),
    path(f"{EVENT_PAGE}/apply", ApplyPage.as_view()),
    path(f"{EVENT_PAGE}/me", MyEventPage.as_view()),
    path(f"{EVENT_PAGE}/messages", MessagesPage.as_view()),
    path(f"{EVENT_PAGE}/players", PlayersPage.as_view()),
    path(f"{EVENT_PAGE}/players/<number:number>", CardPage.as_view()),
    path(f"{EVENT_PAGE}/prizes", PrizesPage.as_view()),
    path(f"{EVENT_PAGE}/ratings", EventRatingsPage.as_view()),
    path(f"{EVENT_PAGE}/standings", StandingsPage.as_view()),
    path(f"{EVENT_PAGE}/live/<number:game_id>/<number:version>", LiveBoardPage.as_view()),
    path(f"{EVENT_PAGE}/wall", WallPage.as_view()),
    path(f"{EVENT_PAGE}/wall/state", WallState.as_view()),
    path(ROUND_PAGE, RoundPage.as_view()),
    path(f"{ROUND_PAGE}/boards/<number:board>", BoardPage.as_view()),
    path(f"{ROUND_PAGE}/byes/<number:player>", BoardPage.as_view()),
    path(f"{EVENT_PAGE}/run", include(run_pages)),
]
