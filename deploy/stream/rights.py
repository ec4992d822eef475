"""Check again whether listeners may see their event, with the credentials of their requests."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http.response import HttpResponseBase

from deploy.stream.channel import Listener
from tournament.views.events import SUBSCRIBE, Events

REFUSED_STATUSES: Final = (401, 403, 404)
CREDENTIALS: Final = ("HTTP_AUTHORIZATION", "HTTP_COOKIE")

_view = Events.as_view(throttle_classes=[])


def find_refused(stream: str, listeners: Iterable[Listener]) -> list[Listener]:
    """Return the listeners who may not see the event.

    If strangers may see it, everybody may. Otherwise listeners are checked one by one, those with
    the same credentials once.
    """
    by_credentials: dict[tuple[str, str], list[Listener]] = {}
    for listener in listeners:
        by_credentials.setdefault(listener.credentials, []).append(listener)
    if not by_credentials or may_listen(stream, _without_credentials(by_credentials)):
        return []
    refused = [same for same in by_credentials.values() if not may_listen(stream, same[0].environ)]
    return [listener for same in refused for listener in same]


def _without_credentials(by_credentials: Mapping[Any, list[Listener]]) -> dict[str, Any]:
    """Return the request that a stranger would send, from that of any listener."""
    environ = next(iter(by_credentials.values()))[0].environ
    return {name: value for name, value in environ.items() if name not in CREDENTIALS}


def may_listen(stream: str, environ: dict[str, Any]) -> bool:
    """Return False if the request would be refused now; it costs the caller no units."""
    slug = stream.removeprefix("tournament/")

    def respond(request: Any) -> HttpResponseBase:
        return _view(request, slug=slug)

    request = WSGIRequest({**environ, SUBSCRIBE: lambda _: None})
    response = SessionMiddleware(AuthenticationMiddleware(respond))(request)
    assert isinstance(response, HttpResponseBase)  # and nothing to await
    return response.status_code not in REFUSED_STATUSES  # not if the database is busy
