"""All URLs of the service.

Django tries them in this order, so what gets most requests is first.
"""

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView
from oauth2_provider.views import OAuthServerMetadataView

from deploy import health
from deploy.authorize import AuthorizePage
from deploy.documentation import documentation
from deploy.held import HeldForStaff, HeldPage
from deploy.legal import LegalPage
from deploy.metrics import metrics
from deploy.views import (
    ApiIndex,
    Docs,
    Schema,
    StaffJournalPage,
    StaffPage,
    TaskView,
    manifest,
    security_txt,
    unknown_address,
)
from games import urls as games_urls
from games.core.formats import with_suffixes
from games.core.oauth.views import RevocationEndpoint, TokenEndpoint
from games.core.problems import ProblemList, ProblemView
from ratings import urls as ratings_urls
from tournament import urls as tournament_urls

api: list[URLPattern | URLResolver] = [
    path("", ApiIndex.as_view(schema=None)),
    path("tasks/<str:task_id>", TaskView.as_view()),
    *with_suffixes(
        path("problems", ProblemList.as_view()),
        path("problems/<slug:code>", ProblemView.as_view()),
    ),
    path("schema", Schema.as_view(), name="schema"),
    path("", include("tournament.urls")),
    path("", include("games.urls")),
    path("", include("ratings.urls")),
]

oauth = [  # the names are those by which django-oauth-toolkit finds them for its metadata
    path("oauth/authorize", AuthorizePage.as_view(), name="authorize"),
    path("oauth/token", TokenEndpoint.as_view(), name="token"),
    path("oauth/revoke", RevocationEndpoint.as_view(), name="revoke-token"),
    path(
        ".well-known/oauth-authorization-server",
        OAuthServerMetadataView.as_view(),
        name="oauth-server-metadata",
    ),
]

held_for_staff = reauthentication_required(HeldForStaff.as_view())

to_index = RedirectView.as_view(url=f"{settings.PUBLIC_URL}/api/v1")

urlpatterns = [
    re_path(r"^api/?$", csrf_exempt(require_safe(to_index))),
    path("api/v1/docs", Docs.as_view()),
    path("api/v1", ApiIndex.as_view()),
    path("api/v1/", include(api)),
    re_path(r"^api/", unknown_address),
    path("", include((oauth, "oauth2_provider"))),
    path("docs/", documentation),
    path("docs/<path:path>", documentation),
    path("staff", StaffPage.as_view()),
    path("staff/journal", StaffJournalPage.as_view()),
    path("terms", LegalPage.as_view(name="terms")),
    path("privacy", LegalPage.as_view(name="privacy")),
    path("account/export.json", reauthentication_required(HeldPage.as_view())),
    path("staff/accounts/<number:account_id>/export.json", held_for_staff),
    path("players/<number:player_id>/export.json", held_for_staff),
    path(".well-known/security.txt", security_txt),
    path("manifest.webmanifest", manifest),
    path("health/live", health.live),
    path("health/ready", health.ready),
    path("health/metrics", metrics),
    path("", include(games_urls.pages)),
    path("", include(ratings_urls.pages)),
    path("", include(tournament_urls.pages)),
]

handler400 = "deploy.views.bad_request"
handler404 = "deploy.views.not_found"
handler500 = "deploy.views.internal_error"
