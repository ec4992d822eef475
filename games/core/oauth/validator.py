"""What the authorization server accepts, where it is stricter than django-oauth-toolkit."""

import hashlib
from typing import Any
from uuid import UUID

from django.db import transaction
from oauth2_provider.models import AccessToken, Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2.rfc6749 import errors

from games.core.journal.lines import SITE, append_line, lock_head
from games.core.permissions import SCOPES, event_scopes, stream_of


class Validator(OAuth2Validator):
    """Codes are used once, scopes may name an event, and a closed account has no app."""

    def validate_scopes(
        self,
        client_id: str,
        scopes: list[str],
        client: Any,
        request: Any,
        *args: Any,
        **kwargs: Any,
    ) -> bool:
        """Return True for scopes of tokens, at least one, and at most one event beside them."""
        events = event_scopes(scopes)
        names = set(scopes) - set(events)
        is_event_valid = len(events) <= 1 and stream_of(scopes) is not None
        return bool(names) and names <= set(SCOPES) and is_event_valid

    def validate_code(
        self, client_id: str, code: str, client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        """Return True for a code of this app; one that was used before revokes its tokens."""
        if super().validate_code(client_id, code, client, request, *args, **kwargs):
            return bool(request.user.is_active)
        self._revoke_family(family_of(code), client)
        return False

    def save_bearer_token(self, token: Any, request: Any, *args: Any, **kwargs: Any) -> None:
        """Store new tokens for a code or a refresh token, which is used up by the first request.

        The toolkit would answer the slower of two renewals with what is stored of the tokens.
        """
        is_code = request.grant_type == "authorization_code"
        family = family_of(request.code) if is_code else request.refresh_token_instance.token_family
        try:
            with transaction.atomic():
                if not is_code:
                    # Of two renewals with one token, the second waits here and finds it revoked.
                    own = RefreshToken.objects.select_for_update().filter(revoked=None)
                    _require(own.filter(pk=request.refresh_token_instance.pk).first(), request)
                super().save_bearer_token(token, request, *args, **kwargs)
                if is_code:
                    new = RefreshToken.objects.filter(
                        token_checksum=checksum(token["refresh_token"])
                    )
                    new.update(token_family=family)
                    _require(Grant.objects.filter(code=request.code).delete()[0], request)
        except errors.InvalidGrantError:
            self._revoke_family(family, request.client)
            raise

    def invalidate_authorization_code(
        self, client_id: str, code: str, request: Any, *args: Any, **kwargs: Any
    ) -> None:
        """Leave the code, which `save_bearer_token` has deleted."""

    def validate_refresh_token(
        self, refresh_token: str, client: Any, request: Any, *args: Any, **kwargs: Any
    ) -> bool:
        """Return True for a refresh token of this app that was not used before.

        Another app learns nothing about it and revokes nothing.
        """
        known = RefreshToken.objects.filter(token_checksum=checksum(refresh_token))
        if not known.filter(application=client).exists():
            return False
        is_valid = super().validate_refresh_token(refresh_token, client, request, *args, **kwargs)
        return is_valid and request.user.is_active

    def get_original_scopes(
        self, refresh_token: str, request: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Return the scopes of the token; a request for fewer ones keeps its limit to an event."""
        original = super().get_original_scopes(refresh_token, request, *args, **kwargs)
        kept = event_scopes(original.split() if isinstance(original, str) else original)
        if request.scope and not set(kept) <= set(request.scope.split()):
            raise errors.InvalidScopeError(request=request)
        return original

    def revoke_token(
        self, token: str, token_type_hint: str, request: Any, *args: Any, **kwargs: Any
    ) -> None:
        """Revoke what an app gives back, and say so in the journal."""
        digest = {"token_checksum": checksum(token), "application": request.client}
        with transaction.atomic():
            lock_head(SITE)
            found = (
                AccessToken.objects.filter(**digest).first()
                or RefreshToken.objects.filter(**digest, revoked=None).first()
            )
            super().revoke_token(token, token_type_hint, request, *args, **kwargs)
            if found is not None:
                payload = {"account": found.user_id, "app": request.client.pk, "by_app": True}
                append_line(SITE, "app.revoked", payload, by=None)

    def _revoke_family(self, family: UUID, client: Any) -> None:
        """Revoke the tokens of a code, if they are this app's."""
        own = RefreshToken.objects.filter(token_family=family, application=client)
        if own.filter(revoked=None).exists():
            RefreshToken.revoke_family(family)


def _require(found: Any, request: Any) -> None:
    """Raise InvalidGrantError if another request has used it up."""
    if not found:
        raise errors.InvalidGrantError(request=request)


def checksum(secret: str) -> str:
    """Return the digest under which a token is stored."""
    return hashlib.sha256(secret.encode()).hexdigest()


def family_of(code: str) -> UUID:
    """Return what the tokens of a code have in common, so that a used code still names them."""
    return UUID(bytes=hashlib.sha256(code.encode()).digest()[:16])
