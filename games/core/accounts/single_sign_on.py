"""The login at a provider of OpenID Connect, whatever the provider answers.

allauth expects the answers to have the members and types of the standard, and raises what it raises
where they do not. Here they are read first, and nothing but what is used is stored.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, Final

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.views import (
    OAuth2CallbackView,
    OAuth2LoginView,
    OAuth2View,
)
from allauth.socialaccount.providers.openid_connect.provider import (
    OpenIDConnectProvider,
    OpenIDConnectProviderAccount,
)
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.socialaccount.views import SignupView
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from requests import RequestException

from games.core.accounts.queries import name_of
from games.models.addresses import same_address
from games.names import MAX_NAME_LENGTH, clean_name

USED: Final = ("issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint")
"""The members of a provider's configuration without which there is no login."""
LONGEST_SUBJECT: Final = SocialAccount._meta.get_field("uid").max_length or 0


class ProviderClient(OpenIDConnectOAuth2Adapter):
    """What asks the provider; an answer that is not of the standard is a ProviderException."""

    @property
    def openid_config(self) -> Any:
        """Return the configuration of the provider."""
        with odd_answers_refused():
            config = super().openid_config
            if not all(isinstance(config[name], str) for name in USED):
                raise TypeError(f"one of {', '.join(USED)} is no text")
        return config

    def get_client(self, request: HttpRequest, app: SocialApp) -> Any:
        """Return what asks for the token, as the provider wants to be asked."""
        with odd_answers_refused():
            return super().get_client(request, app)

    def get_access_token_data(self, *args: Any, **options: Any) -> dict[str, str]:
        """Return the access token, and the id token if there is one; nothing else is used."""
        with odd_answers_refused():
            answer = super().get_access_token_data(*args, **options)
            names = [name for name in ("access_token", "id_token") if name in answer]
            tokens = {name: answer[name] for name in names}
            if not all(text.isascii() and text.isprintable() for text in tokens.values()):
                raise ValueError("a token has characters that no token has")
            return tokens

    def complete_login(self, *args: Any, **options: Any) -> Any:
        """Return the login of the person whom the userinfo and the id token name."""
        with odd_answers_refused():
            return super().complete_login(*args, **options)


@contextmanager
def odd_answers_refused() -> Iterator[None]:
    """Raise ProviderException for what allauth raises at an answer that is not of the standard."""
    try:
        yield
    except (
        *(ArithmeticError, AttributeError, ImproperlyConfigured, LookupError, RecursionError),
        *(TypeError, ValueError),
    ) as error:
        raise ProviderException(f"an answer of the provider is odd: {error!r}") from error


class Person(OpenIDConnectProviderAccount):
    def to_str(self) -> str:
        """Return what the provider says of a person, and not how their account here is called."""
        return name_of(self.account)


class Provider(OpenIDConnectProvider):
    oauth2_adapter_class = ProviderClient
    account_class = Person

    def sociallogin_from_response(self, request: HttpRequest, response: Any) -> Any:
        """Return the login of the person whom the answers of the provider name."""
        person = {"userinfo": person_of(response)}
        return super().sociallogin_from_response(request, person)


def person_of(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is used of the userinfo and the id token (OpenID Connect Core 1.0, 5.1, 5.3.2).

    An address that cannot be used, and a name that is none, are empty. Raises ProviderException if
    it is not certain who the person is.
    """
    subjects = [answer["sub"] for answer in answers.values()]
    subject, person = subjects[0], answers["userinfo"]
    if not (isinstance(subject, str) and subject.isprintable() and subject.strip()):
        raise ProviderException("the provider does not say who the person is (sub)")
    if len(subject) > LONGEST_SUBJECT:
        raise ProviderException(f"sub has more than {LONGEST_SUBJECT} characters")
    if any(other != subject for other in subjects):
        raise ProviderException("the id token names somebody else than the userinfo (sub)")
    name, email, is_verified = map(person.get, ("name", "email", "email_verified"))
    return {
        "sub": subject,
        "name": usable_name(name) if isinstance(name, str) else "",
        "email": same_address(email) if isinstance(email, str) else "",
        "email_verified": is_verified is True or is_verified == "true",
    }


def usable_name(text: str) -> str:
    """Return a name as it is stored, empty for what is none."""
    with suppress(ValueError):
        return clean_name(text.strip()[:MAX_NAME_LENGTH])
    return ""


def page_of(view: type[OAuth2View]) -> Callable[..., HttpResponse]:
    """Return a view of allauth that shows allauth's page of errors for all that may go wrong."""

    def respond(request: HttpRequest, provider_id: str) -> HttpResponse:
        client = ProviderClient(request, provider_id)
        try:
            response: HttpResponse = view.adapter_view(client)(request)
        except SocialApp.DoesNotExist as error:
            raise Http404 from error
        except (IntegrityError, ProviderException, RequestException) as error:
            # Two logins at once have linked one identity, or the provider does not respond.
            provider = get_adapter().get_provider(request, provider_id)
            response = render_authentication_error(request, provider, exception=error)
        return response

    return respond


class SignUp(SignupView):
    """The form for whom the provider has named no address that can be used."""

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Return what the page shows; its `account` is that of a reader, and nobody has one yet."""
        return {**super().get_context_data(**context), "account": None}


begin_login = page_of(OAuth2LoginView)
end_login = page_of(OAuth2CallbackView)
