"""Issue and revoke tokens: an account's own, and personal ones for players without a login."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.accounts.permissions import SCOPES
from games.http.errors import Conflict, Forbidden, Unprocessable
from games.journal import append_line
from games.models import Account, Player, Token

MAX_TOKENS = 50
PERSONAL_SCOPES = ("tournament:read", "result:write", "record:write")


def issue_token(
    account: Account,
    scopes: Sequence[str],
    *,
    name: str = "",
    stream: str = "",
    expires_at: datetime | None = None,
    within: Token | None = None,
    by: Account | None = None,
) -> tuple[Token, str]:
    """Create a token and return it with its secret, of which only the hash is stored.

    `within` is the token of the request; the new one cannot have more rights. A token that someone
    else (`by`) issues to the account does not count towards its limit, since the account could not
    revoke it.
    """
    _check_scopes(scopes)
    if within is not None:
        expires_at = _limit(account, scopes, stream, expires_at, within)
    if expires_at is not None and expires_at <= timezone.now():
        raise Unprocessable("expired", "expires_at is in the past")
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        own = account.auth_token_set.filter(issued_by=account)
        if by in (None, account) and own.count() >= MAX_TOKENS:
            raise Conflict(
                "too_many_tokens", f"an account has at most {MAX_TOKENS} tokens; delete some first"
            )
        token, secret = Token.objects.create(
            account, scopes=sorted(set(scopes)), name=name, stream=stream, issued_by=by or account
        )
        if expires_at is not None:  # knox would count it from a later moment
            token.expiry = expires_at
            token.save(update_fields=["expiry"])
    return token, secret


def _check_scopes(scopes: Sequence[str]) -> None:
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown:
        raise Unprocessable(
            "unknown_scope",
            f"{', '.join(unknown)}: valid scopes are {', '.join(SCOPES)}",
            valid=list(SCOPES),
        )


def _limit(
    account: Account,
    scopes: Sequence[str],
    stream: str,
    expires_at: datetime | None,
    within: Token,
) -> datetime | None:
    """Return the expiry of a token that another one requests; raises Forbidden for more rights."""
    if not set(scopes) <= set(within.scopes):
        raise Forbidden("scope_missing", "a token cannot grant a scope that it lacks")
    if within.issued_by_id != account.pk:
        raise Forbidden(
            "token_given_out",
            "someone else issued this token to you and can revoke it; it cannot create others",
        )
    if within.stream and within.stream != stream:
        raise Forbidden("token_elsewhere", f"this token can only create tokens for {within.stream}")
    if within.expiry is None:
        return expires_at
    return min(expires_at or within.expiry, within.expiry)


def issue_personal_token(player: Player, stream: str, *, by: Account) -> tuple[Token, str]:
    """Create a token with which a player reports games of one event; a director issues it.

    A player without an account gets one that only such tokens can log in to, until the player
    claims it. An earlier personal token of the player for the event is revoked.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update().get(pk=player.pk)
        if player.account is None:
            player.account = Account.objects.create_user(name=player.name)
            player.save(update_fields=["account"])
        account = player.account
        account.auth_token_set.filter(stream=stream, name="personal").delete()
        token, secret = issue_token(account, PERSONAL_SCOPES, name="personal", stream=stream, by=by)
        append_line(stream, "token.issued", {"player": player.pk, "scopes": token.scopes}, by=by)
    return token, secret


def revoke_token(account: Account, token_key: str) -> bool:
    """Delete one of the account's tokens; return False if it has no such token."""
    deleted, _ = account.auth_token_set.filter(token_key=token_key).delete()
    return deleted > 0
