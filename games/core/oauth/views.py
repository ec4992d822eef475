"""The addresses at which apps get, renew and give back tokens (RFC 6749, 7009)."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.http import HttpRequest, HttpResponse, JsonResponse
from oauth2_provider.views import RevokeTokenView, TokenView

from games.core.limits import DearThrottle, rejected
from games.core.problems import problem_response


class TokenEndpoint(TokenView):
    """Exchange a code or a refresh token for new tokens."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the tokens, or an error of RFC 6749, 5.2."""
        return answered(request, lambda: self.authorization_flow_token_response(request))


class RevocationEndpoint(RevokeTokenView):
    """Revoke a token; its access token or refresh token ends with it."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return an empty response, or an error of RFC 6749, 5.2."""
        respond = super().post
        return answered(request, lambda: respond(request, *args, **kwargs))


def answered(request: HttpRequest, respond: Callable[[], HttpResponse]) -> HttpResponse:
    """Return the response to a request that can be read, and is within the limit of its address.

    It is dear: a secret is compared slowly, so that nobody guesses it.
    """
    throttle = DearThrottle()
    use = throttle.count(throttle.get_ident(request))
    if use.wait:
        refusal = rejected(throttle.scope, use.wait)
        response: HttpResponse = problem_response(429, "throttled", str(refusal.detail))
        response.headers["Retry-After"] = str(use.wait)
    elif reason := find_fault(request):
        response = wrong_request(reason)
    else:
        try:
            try:
                response = respond()
            except ObjectDoesNotExist:  # another request has used the same code or token meanwhile
                response = respond()
        except ValueError:  # from oauthlib and the toolkit, for what they cannot decode
            response = wrong_request("the request cannot be read")
    if response.status_code == 401 and "Authorization" in request.headers:
        # RFC 6749, 5.2: the challenge has the scheme by which the app wanted to authenticate
        response.headers["WWW-Authenticate"] = 'Basic realm="Perihelion"'
    for name, value in use.fields.items():
        response.headers[name] = value
    return response


def find_fault(request: HttpRequest) -> str:
    """Return why a request cannot be read; empty if it can."""
    if request.GET:
        return "send the parameters in the body, not in the address"
    for name, values in request.POST.lists():
        if len(values) > 1:
            return f"{name[:40]!r} is given twice"
        if "\0" in values[0] or len(values[0]) > 4000:
            return f"{name[:40]!r} is too long or contains a NUL"
    return ""


def wrong_request(reason: str) -> JsonResponse:
    """Return the error of a request that cannot be read."""
    return JsonResponse({"error": "invalid_request", "error_description": reason}, status=400)
