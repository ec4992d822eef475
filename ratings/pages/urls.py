"""The addresses of this app's pages."""

from django.urls import path, re_path

from ratings.pages.pools import PoolPage, PoolsPage
from ratings.pages.published_lists import PublishedListPage
from ratings.pages.runs import RunPage

POOL = r"^pools/(?P<code>[-a-zA-Z0-9_]+)"

urlpatterns = [
    path("pools", PoolsPage.as_view()),
    path("pools/<slug:code>", PoolPage.as_view()),
    re_path(
        rf"{POOL}/lists/(?P<published_on>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})$",
        PublishedListPage.as_view(),
    ),
    re_path(rf"{POOL}/runs/(?P<number>[0-9]{{1,9}})$", RunPage.as_view()),
]
