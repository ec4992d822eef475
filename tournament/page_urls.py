"""The addresses of this app's pages."""

from django.urls import include, path

from tournament.entries.applications import ApplyPage
from tournament.events.home import EventsPage, GameListPage, GamesPage, HomePage, SearchPage
from tournament.events.me import MyEventPage
from tournament.events.officers import OFFICER_LISTS, OfficerListPage, OfficersPage
from tournament.events.overview import OverviewPage
from tournament.events.pages import NewEventPage
from tournament.events.systems import SystemsPage
from tournament.exchange.journal import JournalPage
from tournament.exchange.pages import CalendarPage, ExportsPage, ImportPage
from tournament.forecasts.pages import ForecastPage, ForecastPlotPage
from tournament.plans.pages import NewPlanPage, PlanChartPage, PlanPage
from tournament.players.my import MyPage, ProposePage
from tournament.players.pages import (
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
from tournament.rounds.pages import BoardPage, RoundPage
from tournament.tables.pages import (
    ClubsPage,
    CrosstablePage,
    PrizesPage,
    StandingsPage,
    WallPage,
    WallState,
)
from tournament.tables.players import CardPage, PlayersPage
from tournament.tables.ratings import EventRatingsPage
from tournament.webhooks.pages import WebhookPage, WebhooksPage

EVENT_PAGE = "e/<slug:slug>"
ROUND_PAGE = f"{EVENT_PAGE}/rounds/<int:number>"

urlpatterns = [
    path("", HomePage.as_view(), name="home"),
    path("events", EventsPage.as_view()),
    path("search", SearchPage.as_view()),
    path("officers/pools/<slug:code>", OfficersPage.as_view()),
    *(
        path(f"officers/pools/<slug:code>/{kind}", OfficerListPage.as_view(), {"kind": kind})
        for kind in OFFICER_LISTS
    ),
    path("my", MyPage.as_view()),
    path("my/propose", ProposePage.as_view()),
    path("account/webhooks", WebhooksPage.as_view()),
    path("account/webhooks/<int:webhook_id>", WebhookPage.as_view()),
    path("players", PlayerListPage.as_view()),
    path("players/import", PlayerImportPage.as_view()),
    path("players/new", NewPlayerPage.as_view()),
    path("players/<int:player_id>", PlayerPage.as_view()),
    path("players/<int:player_id>/edit", PlayerDetailsPage.as_view()),
    path("players/<int:player_id>/games", PlayerGamesPage.as_view()),
    path("players/<int:player_id>/claim", ClaimPage.as_view()),
    path("players/<int:player_id>/versus", OpponentsPage.as_view()),
    path("players/<int:player_id>/versus/<int:opponent_id>", VersusPage.as_view()),
    path("plan", NewPlanPage.as_view()),
    path("plan/<int:plan_id>", PlanPage.as_view()),
    path("plan/<int:plan_id>/chart.svg", PlanChartPage.as_view()),
    path("games", GameListPage.as_view()),
    path("systems", SystemsPage.as_view()),
    path("new", NewEventPage.as_view()),
    path("import", ImportPage.as_view()),
    path("staff/merges", MergesPage.as_view()),
    path(EVENT_PAGE, OverviewPage.as_view()),
    path(f"{EVENT_PAGE}/calendar", CalendarPage.as_view()),
    path(f"{EVENT_PAGE}/clubs", ClubsPage.as_view()),
    path(f"{EVENT_PAGE}/crosstable", CrosstablePage.as_view()),
    path(f"{EVENT_PAGE}/exports", ExportsPage.as_view()),
    path(f"{EVENT_PAGE}/forecast", ForecastPage.as_view()),
    path(f"{EVENT_PAGE}/forecast/plot.svg", ForecastPlotPage.as_view()),
    path(f"{EVENT_PAGE}/games", GamesPage.as_view()),
    path(f"{EVENT_PAGE}/journal", JournalPage.as_view()),
    path(f"{EVENT_PAGE}/apply", ApplyPage.as_view()),
    path(f"{EVENT_PAGE}/me", MyEventPage.as_view()),
    path(f"{EVENT_PAGE}/players", PlayersPage.as_view()),
    path(f"{EVENT_PAGE}/players/<int:number>", CardPage.as_view()),
    path(f"{EVENT_PAGE}/prizes", PrizesPage.as_view()),
    path(f"{EVENT_PAGE}/ratings", EventRatingsPage.as_view()),
    path(f"{EVENT_PAGE}/standings", StandingsPage.as_view()),
    path(f"{EVENT_PAGE}/wall", WallPage.as_view()),
    path(f"{EVENT_PAGE}/wall/state", WallState.as_view()),
    path(ROUND_PAGE, RoundPage.as_view()),
    path(f"{ROUND_PAGE}/boards/<int:board>", BoardPage.as_view()),
    path(f"{ROUND_PAGE}/byes/<int:player>", BoardPage.as_view()),
    path(f"{EVENT_PAGE}/run", include("tournament.run_urls")),
]
