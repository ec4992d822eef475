"""Who may do what: one matrix of actions and roles, and the scopes a token needs for them.

A role is held in a stream (an event, a pool). `player` is whoever holds a seat of the game at
hand; `account` is anyone with a login; site staff may do everything. What a token may do is the
smaller of what its account and its scopes allow, within its stream if it has one.
"""

from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser

from games.http.errors import ApiError, Forbidden
from games.models import Account, Role, Token

SCOPES: Final = {
    "tournament:read": "read what only the people of a tournament may see",
    "tournament:write": "create and direct tournaments, register players",
    "result:write": "claim, confirm and dispute results; enter them as a scorer",
    "record:write": "send game records",
    "rating:admin": "make rating pools and run them again",
    "webhook:write": "manage webhooks",
}

OWNER, DIRECTOR, SCORER = Role.Name.OWNER, Role.Name.DIRECTOR, Role.Name.SCORER
DIRECTORS = (OWNER, DIRECTOR)


@dataclass(frozen=True, slots=True)
class Rule:
    """Which roles may do an action, and the scopes of which a token needs one."""

    roles: tuple[str, ...]
    scopes: tuple[str, ...]


MATRIX: Final = {
    "tournament.create": Rule(("account",), ("tournament:write",)),
    "bundle.import": Rule((), ("tournament:write",)),
    "tournament.see": Rule((*DIRECTORS, SCORER, "player"), ("tournament:read", "tournament:write")),
    "drafts.see": Rule((*DIRECTORS, SCORER), ("tournament:read", "tournament:write")),
    "tournament.edit": Rule(DIRECTORS, ("tournament:write",)),
    "tournament.finish": Rule((OWNER,), ("tournament:write",)),
    "tournament.roles": Rule((OWNER,), ("tournament:write",)),
    "tournament.links": Rule(DIRECTORS, ("tournament:write",)),
    "entries.edit": Rule(DIRECTORS, ("tournament:write",)),
    "rounds.edit": Rule(DIRECTORS, ("tournament:write",)),
    "rounds.explain": Rule(
        ("account",), ("tournament:read", "tournament:write", "result:write", "record:write")
    ),
    "players.create": Rule(("account",), ("tournament:write",)),
    "game.see": Rule(
        (*DIRECTORS, SCORER, "player"),
        ("tournament:read", "tournament:write", "result:write", "record:write"),
    ),
    "game.record": Rule(("player",), ("record:write",)),
    "game.claim": Rule(("player",), ("result:write",)),
    "game.answer": Rule(("player",), ("result:write", "record:write")),
    "game.reports": Rule(
        (*DIRECTORS, SCORER, "player"),
        ("tournament:read", "tournament:write", "result:write", "record:write"),
    ),
    "game.rule": Rule((*DIRECTORS, SCORER), ("result:write", "tournament:write")),
    "pool.edit": Rule((Role.Name.RATING_OFFICER,), ("rating:admin",)),
}


class LoginNeeded(ApiError):
    """Nobody is logged in, and somebody must be (401)."""

    status = 401

    def __init__(self) -> None:
        super().__init__(
            "login_needed", "send `Authorization: Bearer <token>`; POST /api/v1/tokens makes one"
        )


def roles_in(account: Account, stream: str) -> set[str]:
    """What the account is in the stream, `account` included."""
    held = Role.objects.filter(stream=stream, account=account).values_list("role", flat=True)
    return {"account", *held}


def require(
    user: Account | AnonymousUser,
    token: Token | None,
    action: str,
    *,
    stream: str = "",
    seats: list[str] | None = None,
) -> Account:
    """The account, if it may do the action here; raises LoginNeeded (401) or Forbidden (403).

    `seats` are the seats that the account holds in the game at hand.
    """
    if isinstance(user, AnonymousUser):
        raise LoginNeeded
    rule = MATRIX[action]
    if token is not None:
        if not set(rule.scopes) & set(token.scopes):
            raise Forbidden(
                "scope_missing",
                f"this token lacks the scope {' or '.join(rule.scopes)}",
            )
        if token.stream and token.stream != stream:
            raise Forbidden("token_elsewhere", f"this token is good for {token.stream} only")
    if user.is_staff and (rule.roles != ("player",) or seats):
        return user
    roles = roles_in(user, stream)
    if seats:
        roles.add("player")
    if not roles & set(rule.roles):
        who = ", ".join(rule.roles) or "site staff"
        raise Forbidden("role_missing", f"this is for: {who}; you are none of these here")
    return user


def may(
    user: Account | AnonymousUser,
    token: Token | None,
    action: str,
    *,
    stream: str = "",
    seats: list[str] | None = None,
) -> bool:
    """Whether `require` would let the account through."""
    try:
        require(user, token, action, stream=stream, seats=seats)
    except ApiError:
        return False
    return True
