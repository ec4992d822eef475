"""Making and revoking tokens: an account's own, and personal ones for players without a login."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from games.accounts.permissions import SCOPES
from games.http.errors import Conflict, Forbidden, Unprocessable
from games.journal.lines import append_line
from games.models import Account, Player, Token

MOST_TOKENS = 50
PERSONAL_SCOPES = ("tournament:read", "result:write", "record:write")


def check_scopes(scopes: Sequence[str], within: Token | None) -> list[str]:
    """The scopes, sorted; raises for unknown ones and for more than the asking token has."""
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown:
        raise Unprocessable(
            "unknown_scope",
            f"{', '.join(unknown)}: valid scopes are {', '.join(SCOPES)}",
            valid=list(SCOPES),
        )
    if within is not None and not set(scopes) <= set(within.scopes):
        raise Forbidden("scope_missing", "a token can give another one no scope it lacks itself")
    return sorted(set(scopes))


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
    """A new token of the account and its secret, which is shown this once and kept only hashed.

    `within` is the token that asks for it, which can give away no more than it has. What others
    (`by`) give the account counts towards no limit: nobody could make room for it.
    """
    granted = check_scopes(scopes, within)
    if within is not None and within.issued_by_id != account.pk:
        raise Forbidden(
            "token_given_out",
            "this token was given to you by somebody else, who can revoke it; it makes no others",
        )
    if within is not None and within.stream and within.stream != stream:
        raise Forbidden("token_elsewhere", f"this token can only give tokens for {within.stream}")
    if expires_at is not None and expires_at <= timezone.now():
        raise Unprocessable("expired", "expires_at lies in the past")
    if within is not None and within.expiry is not None:
        expires_at = min(expires_at or within.expiry, within.expiry)
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        own = account.auth_token_set.filter(issued_by=account)
        if by in (None, account) and own.count() >= MOST_TOKENS:
            raise Conflict(
                "too_many_tokens", f"an account has at most {MOST_TOKENS} tokens; delete some first"
            )
        token, secret = Token.objects.create(
            account, scopes=granted, name=name, stream=stream, issued_by=by or account
        )
        if expires_at is not None:  # knox would count it from a moment later than ours
            token.expiry = expires_at
            token.save(update_fields=["expiry"])
    return token, secret


def issue_personal_token(player: Player, stream: str, *, by: Account) -> tuple[Token, str]:
    """A token with which a player reports games of one event, given out by its director.

    A player without an account gets a personal one, which nothing but such tokens can open until
    the player claims it. An earlier personal token of the same player and event is revoked.
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
    """Revoke one of the account's tokens by its id; whether there was one."""
    deleted, _ = account.auth_token_set.filter(token_key=token_key).delete()
    return deleted > 0
