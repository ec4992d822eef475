"""The choice of the language of pages, which a cookie keeps."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

YEAR_SECONDS: Final = 365 * 24 * 3600


@require_safe
def choose_language(request: HttpRequest, language: str) -> HttpResponseRedirect:
    """Store the language in a cookie, and return to the page `next` of this site."""
    following = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(following, allowed_hosts=None):
        following = "/"
    response = HttpResponseRedirect(following)
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=YEAR_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response
