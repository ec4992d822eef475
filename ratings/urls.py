"""Addresses under /api/v1/ that this app answers."""

from django.urls import path, re_path

from ratings.views import (
    GameRatings,
    PlayerHistory,
    PlayerStandings,
    PoolList,
    PoolView,
    RatingList,
    RatingListFile,
    RunList,
)

PLAYER = r"^players/(?P<player_id>[0-9]{1,18})"

urlpatterns = [
    path("pools", PoolList.as_view()),
    path("pools/<slug:code>", PoolView.as_view()),
    path("pools/<slug:code>/ratings", RatingList.as_view()),
    path("pools/<slug:code>/ratings.csv", RatingListFile.as_view()),
    path("pools/<slug:code>/runs", RunList.as_view()),
    re_path(rf"{PLAYER}/ratings$", PlayerHistory.as_view()),
    re_path(rf"{PLAYER}/standings$", PlayerStandings.as_view()),
    re_path(r"^games/(?P<game_id>[0-9]{1,18})/ratings$", GameRatings.as_view()),
]
