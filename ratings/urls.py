"""The addresses of this app under /api/v1/."""

from django.urls import path, re_path

from ratings import views

PLAYER = r"^players/(?P<player_id>[0-9]{1,18})"

urlpatterns = [
    path("pools", views.PoolList.as_view()),
    path("pools/<slug:code>", views.PoolView.as_view()),
    path("pools/<slug:code>/ratings", views.RatingList.as_view()),
    path("pools/<slug:code>/ratings.csv", views.RatingListFile.as_view()),
    path("pools/<slug:code>/runs", views.RunList.as_view()),
    re_path(rf"{PLAYER}/ratings$", views.PlayerHistory.as_view()),
    re_path(rf"{PLAYER}/standings$", views.PlayerRatings.as_view()),
    re_path(r"^games/(?P<game_id>[0-9]{1,18})/ratings$", views.GameRatings.as_view()),
]
