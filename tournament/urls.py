"""Addresses under /api/v1/ that this app answers."""

from django.urls import path, re_path

from tournament.documents.renderers.csv import CsvRenderer
from tournament.documents.renderers.ndjson import NdjsonRenderer
from tournament.services.states import TRANSITIONS
from tournament.views.calendar import EventCalendar, PlayerCalendar
from tournament.views.entries import (
    WORDS,
    ByeList,
    ByeView,
    EntryList,
    EntryStep,
    EntryToken,
    EntryView,
)
from tournament.views.imports import Bundle, ImportBundle, ImportEntries, ImportRecords, ImportTrf
from tournament.views.journal import Journal
from tournament.views.negotiation import suffix_pattern
from tournament.views.pairing import CertificateView, CheckRound, ExplainTwo, PairRound
from tournament.views.paper import Cards, PairingsFile, PairingsSheet, Slips
from tournament.views.rounds import RoundList, RoundPairingsView, RoundStep, RoundView
from tournament.views.systems import SystemPage, SystemsList
from tournament.views.tables import ClubsView, CrosstableView, PrizesView, StandingsView
from tournament.views.tournaments import TournamentList, TournamentStep, TournamentView

SLUG = r"^tournaments/(?P<slug>[-a-zA-Z0-9_]{1,80})"
ROUND_WORDS = ("publish", "unpair", "complete")

TABLES = {
    "standings": StandingsView,
    "crosstable": CrosstableView,
    "clubs": ClubsView,
    "prizes": PrizesView,
}

urlpatterns = [
    path("rules/systems", SystemsList.as_view()),
    path("rules/systems/<str:code>", SystemPage.as_view()),
    path("tournaments", TournamentList.as_view(), name="tournaments"),
    path("tournaments/import", ImportTrf.as_view()),
    path("tournaments/import/bundle", ImportBundle.as_view()),
    path("tournaments/<slug:slug>/bundle.zip", Bundle.as_view()),
    path("tournaments/<slug:slug>/calendar.ics", EventCalendar.as_view()),
    path("players/<int:player_id>/calendar.ics", PlayerCalendar.as_view()),
    path("tournaments/<slug:slug>/cards.pdf", Cards.as_view()),
    path("tournaments/<slug:slug>/rounds/<int:number>/pairings.pdf", PairingsSheet.as_view()),
    *(
        path(
            f"tournaments/<slug:slug>/rounds/<int:number>/pairings.{renderer.format}",
            PairingsFile.as_view(renderer_classes=[renderer]),
        )
        for renderer in (CsvRenderer, NdjsonRenderer)
    ),
    path("tournaments/<slug:slug>/rounds/<int:number>/slips.pdf", Slips.as_view()),
    path("tournaments/<slug:slug>/entries/import", ImportEntries.as_view()),
    path("tournaments/<slug:slug>/records/import", ImportRecords.as_view()),
    path("tournaments/<slug:slug>", TournamentView.as_view()),
    *(
        path(f"tournaments/<slug:slug>/{word}", TournamentStep.as_view(word=word))
        for word in TRANSITIONS
    ),
    path("tournaments/<slug:slug>/entries", EntryList.as_view()),
    path("tournaments/<slug:slug>/entries/<int:entry_id>", EntryView.as_view()),
    path("tournaments/<slug:slug>/entries/<int:entry_id>/token", EntryToken.as_view()),
    *(
        path(f"tournaments/<slug:slug>/entries/<int:entry_id>/{word}", EntryStep.as_view(word=word))
        for word in WORDS
    ),
    path("tournaments/<slug:slug>/byes", ByeList.as_view()),
    path("tournaments/<slug:slug>/byes/<int:bye_id>", ByeView.as_view()),
    path("tournaments/<slug:slug>/rounds", RoundList.as_view()),
    path("tournaments/<slug:slug>/rounds/<int:number>", RoundView.as_view()),
    path("tournaments/<slug:slug>/rounds/<int:number>/pairings", RoundPairingsView.as_view()),
    path("tournaments/<slug:slug>/rounds/<int:number>/check", CheckRound.as_view()),
    path("tournaments/<slug:slug>/rounds/<int:number>/pair", PairRound.as_view()),
    path("tournaments/<slug:slug>/rounds/<int:number>/explain", ExplainTwo.as_view()),
    path("tournaments/<slug:slug>/certificates/<int:number>", CertificateView.as_view()),
    *(
        path(f"tournaments/<slug:slug>/rounds/<int:number>/{word}", RoundStep.as_view(word=word))
        for word in ROUND_WORDS
    ),
    *(
        re_path(rf"{SLUG}/{name}{suffix_pattern(view)}", view.as_view())
        for name, view in TABLES.items()
    ),
    re_path(SLUG + r"/journal(?:\.(?P<form>json|ndjson))?$", Journal.as_view()),
]
