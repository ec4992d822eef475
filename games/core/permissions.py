"""Permissions: one matrix of actions, with the roles and the token scopes that each needs.

A role belongs to a stream (an event, a pool). Three roles are not stored: `player` has a seat in
the game, `custodian` keeps the registration of a player, `account` is anyone with a login. Site
staff may do everything. A token may do what both its account and its scopes allow, within its
stream if it has one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from django.contrib.auth.models import AnonymousUser

from games.core.errors import ApiError, Forbidden
from games.models import Account, Role, Token
from games.models.streams import TOURNAMENT_STREAM, tournament_of
from games.rules.messages import gettext_noop
from games.rules.text import Text, Word, either

SCOPES: Final = {
    "account:read": gettext_noop("list your tokens, invitations and claims"),
    "account:write": gettext_noop("change your name, answer invitations and claim to be a player"),
    "entry:write": gettext_noop(
        "apply to events for you, agree, decline, withdraw you and say when you can play"
    ),
    "tournament:read": gettext_noop("read what only the people of an event may see"),
    "tournament:write": gettext_noop("create and direct events, register players"),
    "result:write": gettext_noop("report, confirm and dispute results"),
    "record:write": gettext_noop("send records of games"),
    "rating:admin": gettext_noop("administer rating pools"),
    "webhook:write": gettext_noop("administer webhooks"),
}
"""The scopes of tokens, with what each allows; an app asks for them by these names (OAuth 2)."""

EVENT_SCOPE: Final = "tournament:"
"""The beginning of the scope by which an app asks for access to one event: its short name follows.

The token is limited as one with a `stream` is. An event named `read` or `write` has no such scope.
"""
EVENT_SCOPE_PATTERN: Final = f"{EVENT_SCOPE}SLUG"
EVENT_SCOPE_TEXT: Final = "an app: all this only in the event with this short name"
EVENT_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")

OWNER, DIRECTOR, SCORER = Role.Name.OWNER, Role.Name.DIRECTOR, Role.Name.SCORER
DIRECTORS = (OWNER, DIRECTOR)
OFFICIALS = (*DIRECTORS, SCORER)
ARBITERS = (*OFFICIALS, Role.Name.RATING_OFFICER)
SEE_TOURNAMENT = ("tournament:read", "tournament:write")
SEE_GAME = (*SEE_TOURNAMENT, "result:write", "record:write")
SEE_ACCOUNT = ("account:read",)


@dataclass(frozen=True, slots=True)
class ActionRule:
    """The roles that may do an action, and the scopes of which a token needs one.

    With `player_scopes`, these are what the player needs, and `scopes` what the others need. An
    app may not do it without `by_app`, whatever its scopes.
    """

    roles: tuple[str, ...]
    scopes: tuple[str, ...]
    player_scopes: tuple[str, ...] = ()
    by_app: bool = True

    @property
    def all_scopes(self) -> tuple[str, ...]:
        """Return the scopes of which each lets some role do the action."""
        return (*self.scopes, *self.player_scopes)

    def usable_roles(self, token: "Token | None") -> tuple[str, ...]:
        """Return the roles that may do the action with the scopes of a token."""
        if token is None or not self.player_scopes:
            return self.roles
        return tuple(
            role
            for role in self.roles
            if {*token.scopes} & {*(self.player_scopes if role == "player" else self.scopes)}
        )


MATRIX: Final = {
    "tokens.see": ActionRule(("account",), SEE_ACCOUNT),
    "tokens.edit": ActionRule(("account",), ("account:write",), by_app=False),
    "account.edit": ActionRule(("account",), ("account:write",)),
    "roles.see": ActionRule(("account",), SEE_ACCOUNT),
    "roles.answer": ActionRule(("account",), ("account:write",)),
    "tournament.create": ActionRule(("account",), ("tournament:write",)),
    "bundle.import": ActionRule((), ("tournament:write",)),
    "tournament.see": ActionRule((*OFFICIALS, "player"), SEE_TOURNAMENT),
    "drafts.see": ActionRule(OFFICIALS, SEE_TOURNAMENT),
    "tournament.edit": ActionRule(DIRECTORS, ("tournament:write",)),
    "tournament.finish": ActionRule((OWNER,), ("tournament:write",)),
    "tournament.roles": ActionRule((OWNER,), ("tournament:write",)),
    "tournament.links": ActionRule(DIRECTORS, ("tournament:write",)),
    "tournament.tokens": ActionRule((OWNER,), SEE_TOURNAMENT),
    "tournament.revoke": ActionRule((OWNER,), ("tournament:write",)),
    "entries.edit": ActionRule(DIRECTORS, ("tournament:write",)),
    "rounds.edit": ActionRule(DIRECTORS, ("tournament:write",)),
    "corrections.edit": ActionRule(DIRECTORS, ("tournament:write",)),
    "archive.correct": ActionRule((), ("tournament:write",)),
    "rounds.explain": ActionRule((*OFFICIALS, "player"), SEE_GAME),
    "players.create": ActionRule(("account",), ("tournament:write",)),
    "player.edit": ActionRule(
        ("player", "custodian"), ("tournament:write",), player_scopes=("account:write",)
    ),
    "player.administer": ActionRule((), ("tournament:write",)),
    "claims.make": ActionRule(("account",), ("account:write",)),
    "names.report": ActionRule(("account",), ("account:write",)),
    "names.hide": ActionRule((), ("tournament:write",)),
    "claims.see": ActionRule(("account",), (*SEE_ACCOUNT, "tournament:write")),
    "claims.decide": ActionRule(("account",), ("tournament:write",)),
    "players.search": ActionRule(("account",), SEE_TOURNAMENT),
    "game.see": ActionRule((*ARBITERS, "player"), SEE_GAME),
    "game.propose": ActionRule(("account",), ("result:write",)),
    "games.import": ActionRule((Role.Name.RATING_OFFICER,), ("rating:admin",)),
    "game.proposal": ActionRule(("player",), ("result:write",)),
    "game.record": ActionRule(("player",), ("record:write",)),
    "game.keep": ActionRule(
        (*ARBITERS, "player"),
        ("result:write", "tournament:write"),
        player_scopes=("record:write",),
    ),
    "game.claim": ActionRule(("player",), ("result:write",)),
    "game.answer": ActionRule(("player",), ("result:write", "record:write")),
    "game.reports": ActionRule((*ARBITERS, "player"), SEE_GAME),
    "game.rule": ActionRule(ARBITERS, ("result:write", "tournament:write")),
    "game.overrule": ActionRule(
        (*DIRECTORS, Role.Name.RATING_OFFICER), ("result:write", "tournament:write")
    ),
    "entries.apply": ActionRule(("account",), ("entry:write",)),
    "entry.availability": ActionRule(
        (*DIRECTORS, "player"), ("tournament:write",), player_scopes=("entry:write",)
    ),
    "entry.consent": ActionRule(("player",), ("entry:write",)),
    "entry.agree": ActionRule(
        ("player", "custodian"), ("tournament:write",), player_scopes=("entry:write",)
    ),
    "webhooks.see": ActionRule(("account",), ("webhook:write",)),
    "webhooks.edit": ActionRule((*DIRECTORS, Role.Name.RATING_OFFICER), ("webhook:write",)),
    "webhooks.site": ActionRule((), ("webhook:write",)),
    "account.follow": ActionRule(("account",), SEE_GAME),
    "pool.edit": ActionRule((Role.Name.RATING_OFFICER,), ("rating:admin",)),
    "pool.officers": ActionRule((), ("rating:admin",)),
    "accounts.administer": ActionRule((), ("tournament:write",)),
}


def event_scopes(scopes: Iterable[str]) -> list[str]:
    """Return those of the scopes of an app that name an event."""
    return [name for name in scopes if name.startswith(EVENT_SCOPE) and name not in SCOPES]


def stream_of(scopes: Sequence[str]) -> str | None:
    """Return the stream to which the scopes of an app limit it, if any; None for a wrong one."""
    events = [name.removeprefix(EVENT_SCOPE) for name in event_scopes(scopes)]
    if not all(map(EVENT_NAME.fullmatch, events)):
        return None
    return f"{TOURNAMENT_STREAM}{events[0]}" if events else ""


ROLE_NAMES: Final[Mapping[str, str]] = {role: role for role in Role.Name} | {
    "player": Text("player"),
    "custodian": Text("custodian of the player"),
}
SITE_STAFF: Final = Word("site staff", gettext_noop("the site's staff"))


class Caller(Protocol):
    """Who asks: a request of the API or of a page, or the call of an action."""

    @property
    def user(self) -> Any:
        """Return the account, or an anonymous user."""

    @property
    def auth(self) -> Any:
        """Return the token, if there is one."""


ANOTHER_TOKEN: Final = (
    "create one on the page of your account (/account), or by POST /api/v1/tokens with email and"
    " password as HTTP Basic, if the account has no second factor"
)
"""What helps who has no valid token."""


class LoginNeeded(ApiError):
    """The request must be authenticated (401)."""

    status = 401

    def __init__(self) -> None:
        super().__init__(
            "login_needed", f"send a token, `Authorization: Bearer peri_...`; {ANOTHER_TOKEN}"
        )


class SecondFactorNeeded(Forbidden):
    """The account needs a second factor for this, or a password alone is not enough (403)."""

    def __init__(self) -> None:
        super().__init__(
            "second_factor_needed",
            Text(
                "this needs a second factor: set it up on the page of the account, and create "
                "tokens there"
            ),
        )


def needs_second_factor(account: Account) -> bool:
    """Return True if a password alone does not prove who uses the account."""
    if account.is_staff or account.has_second_factor:
        return True
    return account.roles.filter(second_factor=True, role__in=DIRECTORS).exists()


def current_account(caller: Caller) -> tuple[Any, Token | None]:
    """Return the account (or an anonymous user) and the token of a caller."""
    return caller.user, caller.auth if isinstance(caller.auth, Token) else None


def require_account(
    caller: Caller,
    action: str,
    *,
    stream: str = "",
    seats: list[str] | None = None,
    keeps: bool = False,
) -> Account:
    """Return the account if it may do the action; raises LoginNeeded (401) or Forbidden (403).

    `seats` are the seats that the account holds in the game, or its own entry or player; with
    `keeps` it is the custodian of the player.
    """
    user, token = current_account(caller)
    refusals = find_refusals(user, token, [action], stream=stream, seats=seats, keeps=keeps)
    if refusal := refusals[action]:
        raise refusal
    account: Account = user
    return account


def viewer(caller: Caller, action: str) -> tuple[Account | None, str]:
    """Return the account to filter rows by, and the one stream that its token is valid for.

    A token without a scope for the action (`tournament.see`, `game.see`) sees what is public.
    """
    user, token = current_account(caller)
    lacks_scope = token is not None and not set(MATRIX[action].all_scopes) & set(token.scopes)
    if lacks_scope or not isinstance(user, Account):
        return None, ""
    return user, token.stream if token else ""


def can_see_drafts(caller: Caller, stream: str) -> bool:
    """Return True if the account may see what is not published in an event."""
    user, token = current_account(caller)
    return may(user, token, "drafts.see", stream=stream)


def find_refusals(
    user: Account | AnonymousUser,
    token: Token | None,
    actions: Iterable[str],
    *,
    stream: str = "",
    seats: list[str] | None = None,
    keeps: bool = False,
) -> Mapping[str, ApiError | None]:
    """Return why the account may not do each of the actions, None if it may, in one query.

    The arguments are those of `require_account`, which raises these errors.
    """
    if isinstance(user, AnonymousUser):
        return dict.fromkeys(actions, LoginNeeded())
    refusals = {action: _find_token_refusal(token, MATRIX[action], stream) for action in actions}
    # Who issued the token may know it: it acts for the player, and not as an official or staff.
    is_given_out = token is not None and token.issued_by_other
    is_staff = user.is_staff and not is_given_out
    unknown = [
        action
        for action, refusal in refusals.items()
        if refusal is None
        and not (
            is_staff
            and user.acts_as_staff
            and (MATRIX[action].usable_roles(token) != ("player",) or seats)
        )
    ]
    if unknown:
        granted, held = ([], []) if is_given_out else _roles(stream, user)
        roles = {
            "account",
            *held,
            *(["player"] if seats else []),
            *(["custodian"] if keeps else []),
        }
        refusals |= {action: _find_role_refusal(roles, MATRIX[action], token) for action in unknown}
        if granted != held or (is_staff and not user.acts_as_staff):
            lacking = [action for action in unknown if isinstance(refusals[action], Forbidden)]
            refusals |= dict.fromkeys(lacking, SecondFactorNeeded())
    return refusals


def held_roles(stream: str, account: Account) -> list[str]:
    """Return the roles that an account may use in a stream."""
    return _roles(stream, account)[1]


def _roles(stream: str, account: Account) -> tuple[list[str], list[str]]:
    """Return the roles of an account in a stream, and those that it may use."""
    roles = Role.objects.filter(stream=stream, account=account)
    rows = list(roles.values_list("role", "second_factor"))
    needs = any(needs and role in DIRECTORS for role, needs in rows)
    granted = [role for role, _ in rows]
    if not needs or account.has_second_factor:
        return granted, granted
    return granted, [role for role in granted if role not in DIRECTORS]


def _find_token_refusal(token: Token | None, rule: ActionRule, stream: str) -> Forbidden | None:
    """Return why a token is not valid for an action, if it is not."""
    if token is None:
        return None
    if not set(rule.all_scopes) & set(token.scopes):
        return _scope_missing(rule.all_scopes)
    if token.stream and token.stream != stream:
        return token_elsewhere(token)
    return None


def _scope_missing(scopes: Sequence[str]) -> Forbidden:
    detail = Text("this token lacks the scope %(scope)s", scope=either([*scopes]))
    return Forbidden("scope_missing", detail)


def token_elsewhere(token: Token) -> Forbidden:
    """Return the refusal of a token that is valid for one tournament only."""
    detail = Text(
        "this token is valid for the tournament %(slug)s only", slug=tournament_of(token.stream)
    )
    return Forbidden("token_elsewhere", detail)


def _find_role_refusal(roles: set[str], rule: ActionRule, token: Token | None) -> Forbidden | None:
    """Return why an account with these roles may not do an action, if it may not."""
    if not roles.isdisjoint(rule.usable_roles(token)):
        return None
    if not roles.isdisjoint(rule.roles):
        return _scope_missing(rule.player_scopes if "player" in roles else rule.scopes)
    return role_missing([ROLE_NAMES.get(role, role) for role in rule.roles] or SITE_STAFF)


def role_missing(roles: Sequence[str]) -> Forbidden:
    """Return the refusal of an account that has none of these roles."""
    detail = Text("only for: %(roles)s; you have none of these roles here", roles=roles)
    return Forbidden("role_missing", detail)


def may(
    user: Account | AnonymousUser,
    token: Token | None,
    action: str,
    *,
    stream: str = "",
    seats: list[str] | None = None,
) -> bool:
    """Return True if `require_account` would return the account."""
    return find_refusals(user, token, [action], stream=stream, seats=seats)[action] is None
