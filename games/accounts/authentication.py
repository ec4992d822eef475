"""How a request says who asks: `Authorization: Bearer peri_...`; `Token` is accepted too."""

from datetime import timedelta

from django.utils import timezone
from knox.auth import TokenAuthentication
from rest_framework.authentication import BasicAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from games.models import Account, Token

WORDS = (b"bearer", b"token")


class BearerAuthentication(TokenAuthentication):
    """Finds the token by its hash; notes its last use, to the minute."""

    def authenticate(self, request: Request) -> tuple[Account, Token] | None:
        """The account and the token, None when the header speaks of something else.

        Raises AuthenticationFailed (401) for a token that is malformed, unknown or expired.
        """
        words = get_authorization_header(request).split()
        if not words or words[0].lower() not in WORDS:
            return None
        if len(words) != 2 or not words[1].isascii() or len(words[1]) > 200 or b"\0" in words[1]:
            raise AuthenticationFailed("the token is one word: `Authorization: Bearer peri_...`")
        account, token = self.authenticate_credentials(words[1])
        now = timezone.now()
        if token.last_used_at is None or now - token.last_used_at > timedelta(minutes=1):
            Token.objects.filter(pk=token.pk).update(last_used_at=now)
        return account, token


class PasswordAuthentication(BasicAuthentication):
    """E-mail and password by HTTP Basic; only the making of tokens asks for it."""

    www_authenticate_realm = "Perihelion"
