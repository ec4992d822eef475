"""The page on which a person allows an app to act for their account (RFC 6749, 4.1; RFC 7636).

It remembers nothing: an app that asks again is shown again. What the app has asked for is read from
the address, also when the form is sent, so that the form has nothing to be changed.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.db import transaction
from django.http.response import HttpResponseBase
from oauth2_provider.exceptions import FatalClientError, OAuthToolkitError
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views.mixins import OAuthLibMixin
from oauthlib.oauth2.rfc6749 import errors
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import BadRequest
from games.core.oauth.pages import person_of
from games.core.oauth.queries import scope_texts
from games.core.oauth.services import allow_app
from games.core.pages import PageView, redirect
from games.core.permissions import SecondFactorNeeded, stream_of
from games.models import Account, App
from games.models.streams import tournament_of
from games.rules.text import Text
from tournament.core.queries import find_visible_tournament
from tournament.models import Tournament

CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""The digest of a code verifier by S256 (RFC 7636, 4.2)."""
LONGEST: Final = {"nonce": 255}
"""Characters of parameters that are stored; of the others, 2000."""
FAULTS: Final = {
    errors.InvalidClientIdError: Text(
        "no app is registered with this client id, or it is disabled"
    ),
    errors.MissingClientIdError: Text("the app has not said who it is"),
    errors.MismatchingRedirectURIError: Text(
        "the app wants to send you to an address that it has not registered"
    ),
}
"""Why a person is not sent back to the app."""


class AuthorizePage(OAuthLibMixin, PageView):
    """Name the app and what it asks for; send the person back with a code, or with a refusal."""

    template = "deploy/authorize.html"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page, also for an app that asks for what cannot be allowed."""
        try:
            account, credentials, tournament = self._read(request)
        except OAuthToolkitError as error:
            return self._send_back(error)
        app, scopes = credentials["request"].client, credentials["request"].scopes
        response = self.page(
            {
                "app": app,
                "person": account,
                "texts": scope_texts(scopes),
                "tournament": tournament,
                "back": _host_of(credentials["redirect_uri"]),
            }
        )
        response.headers["Content-Security-Policy"] = _policy_to(credentials["redirect_uri"])
        return response

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Send the person back to the app with a code, or with what was refused."""
        is_allowed = request.POST.get("answer") == "allow"
        try:
            account, credentials, _ = self._read(request)
            scopes = credentials["request"].scopes
            if self.keyed_write is not None:
                self.keyed_write.begin()
            with transaction.atomic():
                if is_allowed:
                    allow_app(credentials["request"].client, scopes, by=account)
                uri, *_ = self.create_authorization_response(
                    request, " ".join(scopes), credentials, is_allowed
                )
        except OAuthToolkitError as error:
            return self._send_back(error)
        return redirect(uri)

    def _read(self, request: Request) -> tuple[Account, dict[str, Any], Tournament | None]:
        """Return who is asked, what the app asks for, and the event to which it is limited.

        Raises OAuthToolkitError for the app, and LoginNeeded, SecondFactorNeeded or BadRequest.
        """
        _check_lengths(request.query_params)
        scopes, credentials = self.validate_authorization_request(request)
        asked = credentials["request"]
        if asked.code_challenge_method != "S256" or not CHALLENGE.fullmatch(asked.code_challenge):
            description = "send a code_challenge with code_challenge_method=S256"
            raise _refusal(errors.InvalidRequestError, asked, description)
        account = person_of(request)
        if account.is_staff and not account.has_second_factor:
            raise SecondFactorNeeded  # the app would act as staff as soon as there is one
        slug = tournament_of(stream_of(scopes) or "")
        tournament = find_visible_tournament(slug, account) if slug else None
        if slug and tournament is None:
            # Only the person reads this: the app would learn whether they see a private event.
            detail = Text("the app asks for an event that does not exist, or that you may not see")
            raise BadRequest("wrong_app_request", detail)
        return account, credentials, tournament

    def _send_back(self, error: OAuthToolkitError) -> Response:
        """Return a page with the way back to the app; raises BadRequest if it is not known.

        Only a person who has refused goes there at once: anybody can register an app, and would
        send others anywhere by a link to this site (RFC 9700, 4.11.2).
        """
        cause = error.oauthlib_error
        if isinstance(error, FatalClientError) or not cause.redirect_uri:
            detail = FAULTS.get(type(cause), Text("the address that the app has sent is not right"))
            raise BadRequest("wrong_app_request", detail)
        issuer = oauth2_settings.oauth2_authorization_server_issuer(self.request)
        address = _with_parameters(cause.redirect_uri, [*cause.twotuples, ("iss", issuer)])
        if isinstance(cause, errors.AccessDeniedError):
            return redirect(address)
        self.template = "deploy/wrong_app_request.html"
        app = App.objects.select_related("user").get(client_id=cause.client_id)
        words = f"{cause.error} {cause.description}"
        context = {"app": app, "words": words, "address": address, "back": _host_of(address)}
        return self.page(context, status=400)


def _refusal(kind: type[errors.OAuth2Error], asked: Any, description: str) -> OAuthToolkitError:
    """Return an error that the app gets."""
    return OAuthToolkitError(error=kind(description=description, request=asked))


def _check_lengths(query: Mapping[str, str]) -> None:
    """Raise BadRequest for parameters that nothing could be done with."""
    for name, value in query.items():
        if "\0" in name + value or len(value) > LONGEST.get(name, 2000):
            detail = Text("%(name)s is too long or contains a NUL", name=f"{name[:40]!r}")
            raise BadRequest("wrong_app_request", detail)


def _with_parameters(uri: str, parameters: Iterable[tuple[str, str]]) -> str:
    """Return an address with these parameters beside its own."""
    parts = urlsplit(uri)
    own = parse_qsl(parts.query, keep_blank_values=True)
    return parts._replace(query=urlencode([*own, *parameters])).geturl()


def _host_of(uri: str) -> str:
    """Return the host of an address of the web, empty for an installed app."""
    parts = urlsplit(uri)
    return parts.netloc if parts.scheme in ("https", "http") else ""


def _policy_to(uri: str) -> str:
    """Return the policy of contents that lets the form lead to the app."""
    parts = urlsplit(uri)
    is_named = parts.scheme in ("https", "http") and not parts.netloc.startswith("[")
    target = f"{parts.scheme}://{parts.netloc}" if is_named else f"{parts.scheme}:"
    policy: str = settings.CONTENT_SECURITY_POLICY
    return policy.replace("form-action 'self'", f"form-action 'self' {target}")
