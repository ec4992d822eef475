"""Issue and revoke tokens: an account's own, and personal ones for players without a login.

A token grants no more than it may do itself: it creates none with more scopes, for other events or
with a later expiry, and revokes none with more scopes.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from oauth2_provider.models import AccessToken, Grant, RefreshToken

from games.core.errors import Conflict, Forbidden, Unprocessable, check_all
from games.core.journal.lines import append_line
from games.core.limits import check_quota, lock_account
from games.core.permissions import EVENT_SCOPE, SCOPES, stream_of
from games.models import Account, App, Player, Token
from games.models.streams import tournament_of
from games.rules.text import Text

PERSONAL, SESSION = "personal", "session"
"""The names of the tokens that a director issues, and of those that a personal link opens."""
MOST_SESSIONS = 10
"""Sessions of a player in an event at once; with another one, the oldest ends."""
PERSONAL_SCOPES = ("tournament:read", "entry:write", "result:write", "record:write")


def issue_token(
    account: Account,
    scopes: Sequence[str],
    *,
    name: str = "",
    stream: str = "",
    expires_at: datetime | None = None,
    within: Token | None = None,
    by: Account | None = None,
    preconditions: str = Token.Preconditions.REQUIRED,
) -> tuple[Token, str]:
    """Create a token and return it with its secret, of which only the hash is stored.

    It expires after the setting TOKEN_LIFETIME unless `expires_at` is set. `within` is the token of
    the request; the new one cannot have more rights. A token that someone else (`by`) issues to the
    account does not count towards its limit, since the account could not revoke it.
    """
    expires_at = check_token({"scopes": scopes, "expires_at": expires_at}, within=within)
    if within is not None:
        if by in (None, account):
            _require_no_app(within)
        _check_rights(scopes, stream, within)
    with transaction.atomic():
        lock_account(account)
        if by in (None, account):
            _make_room(account)
        token, secret = Token.objects.create(
            account,
            scopes=sorted(set(scopes)),
            name=name,
            stream=stream,
            issued_by=by or account,
            preconditions=preconditions,
        )
        token.expiry = expires_at  # knox would count it from a later moment
        token.save(update_fields=["expiry"])
    return token, secret


def check_token(members: Mapping[str, Any], *, within: Token | None) -> datetime:
    """Return when a token expires; raises Unprocessable for unknown scopes and a wrong time."""
    _, expires_at = check_all(
        partial(_check_scopes, members.get("scopes", ())),
        partial(_expiry, members.get("expires_at"), within),
    )
    found: datetime = expires_at
    return found


def _check_scopes(scopes: Sequence[str]) -> None:
    unknown = sorted(set(scopes) - set(SCOPES))
    if unknown:
        raise Unprocessable(
            "unknown_scope",
            Text(
                "%(names)s: valid scopes are %(scopes)s",
                names=", ".join(unknown),
                scopes=", ".join(SCOPES),
            ),
            at="/scopes",
            valid=list(SCOPES),
        )


def _check_rights(scopes: Sequence[str], stream: str, within: Token) -> None:
    """Raise Forbidden for more rights than the token of the request has."""
    _require_scopes(scopes, within)
    if within.stream and within.stream != stream:
        raise Forbidden(
            "token_elsewhere",
            Text(
                "this token can only create tokens for the tournament %(slug)s",
                slug=tournament_of(within.stream),
            ),
        )


def _require_no_app(within: Token) -> None:
    """Raise Forbidden for an app: what it creates would outlive the consent of its person."""
    if within.app is not None:
        detail = Text("an app cannot create or revoke tokens; do this on the page of the account")
        raise Forbidden("token_of_app", detail)


def _require_scopes(scopes: Sequence[str], within: Token) -> None:
    lacking = sorted(set(scopes) - set(within.scopes))
    if lacking:
        raise Forbidden(
            "scope_missing",
            Text(
                "this token lacks the scope %(scope)s; it cannot create or revoke a "
                "token that has it",
                scope=", ".join(lacking),
            ),
        )


def _expiry(expires_at: datetime | None, within: Token | None) -> datetime:
    """Return when a new token expires, not after the token of the request."""
    now = timezone.now()
    if expires_at is None:
        expires_at = now + settings.TOKEN_LIFETIME
    elif expires_at <= now:
        raise Unprocessable("expired", Text("this time is in the past"), at="/expires_at")
    elif expires_at > now + settings.LONGEST_TOKEN_LIFETIME:
        days = settings.LONGEST_TOKEN_LIFETIME.days
        detail = Text("a token is valid for at most %(most)s days", most=days)
        raise Unprocessable("expires_too_late", detail, at="/expires_at")
    return min(expires_at, within.expiry) if within and within.expiry else expires_at


def _make_room(account: Account) -> None:
    """Delete expired tokens if a new one is over the quota; raises QuotaReached without any."""
    own = account.auth_token_set.filter(issued_by=account)
    number = own.count() + 1
    if number > settings.QUOTAS["tokens"]:
        deleted, _ = own.filter(expiry__lte=timezone.now()).delete()
        check_quota("tokens", number - deleted, by=account)


def issue_personal_token(
    player: Player,
    stream: str,
    *,
    by: Account,
    within: Token | None = None,
    lifetime: timedelta | None = None,
) -> tuple[Token, str]:
    """Create a token with which a player reports games of one event; a director issues it.

    A player without an account gets one that only such tokens can log in to, until the player
    claims it. An earlier personal token of the player for the event is revoked. `within` is the
    token of the director's request.

    With a `lifetime` it is a session, which the player opened with the link that `by` issued: it
    revokes no other token, but the oldest of MOST_SESSIONS.
    """
    with transaction.atomic():
        # First the journal, which stays locked: who enters this player into another event has
        # locked that event's journal, and waits for the lock on the player when it commits.
        payload = {"player": player.pk, "scopes": sorted(PERSONAL_SCOPES)}
        append_line(stream, "token.issued", payload, by=None if lifetime else by)
        player = Player.objects.select_for_update(no_key=True).get(pk=player.current.pk)
        if player.account is None:
            player.account = Account.objects.create_user(name=player.name)
            player.save(update_fields=["account"])
        elif not player.account.is_active:
            detail = Text("%(name)s has closed the account: no token works", name=player.name)
            raise Conflict("account_inactive", detail)
        own = player.account.auth_token_set.filter(stream=stream)
        now = timezone.now()
        if lifetime is None:
            name, expires_at = PERSONAL, None
            own.filter(name=name).delete()
        else:
            name, expires_at = SESSION, now + lifetime
            latest = own.filter(name=name, expiry__gt=now).order_by("-created")
            kept = [token.pk for token in latest[: MOST_SESSIONS - 1]]
            own.filter(name=name).exclude(pk__in=kept).delete()
        return issue_token(
            player.account,
            PERSONAL_SCOPES,
            name=name,
            stream=stream,
            by=by,
            within=within,
            expires_at=expires_at,
        )


def end_tokens(account: Account, *, only_own: bool = False) -> None:
    """Delete the tokens of an account, and what apps have: they ask their person again.

    With `only_own`, those that directors have issued to it stay.
    """
    tokens = account.auth_token_set.all()
    (tokens.filter(issued_by=account) if only_own else tokens).delete()
    end_app_tokens(account)


def has_own_tokens(account: Account) -> bool:
    """Return True if the account has created tokens, or has allowed apps to act for it."""
    own = account.auth_token_set.filter(issued_by=account)
    apps = (model.objects.filter(user=account) for model in (Grant, RefreshToken))
    return own.exists() or any(rows.exists() for rows in apps)


def end_app_tokens(account: Account, app: App | None = None) -> bool:
    """Delete codes and tokens of one app or all; return False if there are none."""
    of = {"user": account} if app is None else {"user": account, "application": app}
    with transaction.atomic():
        # A refresh token survives its access token, so it is the first.
        return bool(
            sum(
                model.objects.filter(**of).delete()[0]
                for model in (Grant, RefreshToken, AccessToken)
            )
        )


def end_tokens_of_event(stream: str) -> None:
    """Delete the tokens that are limited to an event, and the codes and tokens of apps."""
    Token.objects.filter(stream=stream).delete()
    end_app_tokens_of_event(stream)


def end_app_tokens_of_event(stream: str) -> None:
    """Delete the codes and tokens of apps that are limited to an event."""
    # A refresh token survives its access token, which has its scopes, so it is the first.
    for model, path in ((Grant, ""), (RefreshToken, "access_token__"), (AccessToken, "")):
        limited = model.objects.filter(**{f"{path}scope__contains": EVENT_SCOPE})
        scopes = limited.values_list("pk", f"{path}scope")
        numbers = [pk for pk, text in scopes if stream_of(text.split()) == stream]
        model.objects.filter(pk__in=numbers).delete()


def revoke_token(account: Account, token_key: str, *, within: Token | None = None) -> bool:
    """Delete one of the account's tokens; return False if it has no such token.

    Raises Forbidden if `within`, the token of the request, lacks one of its scopes.
    """
    if within is not None:
        _require_no_app(within)
    tokens = account.auth_token_set.filter(token_key=token_key)
    for token in tokens:
        if within is not None:
            _require_scopes(token.scopes, within)
    deleted, _ = tokens.delete()
    return deleted > 0


def revoke_event_token(stream: str, token_key: str, *, by: Account) -> bool:
    """Delete a token that is valid for one event only; return False if there is none."""
    with transaction.atomic():
        tokens = Token.objects.filter(stream=stream, token_key=token_key)
        accounts = list(tokens.values_list("user_id", flat=True))
        tokens.delete()
        for account in accounts:
            append_line(stream, "token.revoked", {"account": account, "token": token_key}, by=by)
    return bool(accounts)
