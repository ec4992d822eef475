"""What the API answers about an account, its roles and its tokens."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Annotated, NotRequired, TypedDict

from games.core.references import PlayerReference, TournamentReference, absolute_url, tournaments_of
from games.models import Role, Token
from games.models.streams import pool_of

ONLY_TOURNAMENT = "the only one that the token is valid for; null: all"


class TokenOfAccount(TypedDict):
    """A token, without its secret."""

    id: Annotated[str, "the first letters of the token"]
    name: str | None
    scopes: list[str]
    tournament: Annotated[TournamentReference | None, ONLY_TOURNAMENT]
    preconditions: Token.Preconditions
    issued_by_other: Annotated[bool, "by a director, who may know it: reports prove no agreement"]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    url: str


class NewToken(TokenOfAccount):
    """A new token."""

    token: Annotated[str, "the secret, which is never shown again"]


class RoleInStream(TypedDict):
    """A role in a tournament or a pool."""

    id: int
    tournament: TournamentReference | None
    pool: str | None
    role: str
    url: str


class OwnAccount(TypedDict):
    """The account of the caller, and what its token may do."""

    id: int
    name: str
    email: NotRequired[Annotated[str | None, "absent for a token of one event, and for an app"]]
    staff: Annotated[bool, "of the site's staff, who act as such with a second factor only"]
    player: PlayerReference | None
    roles: list[RoleInStream]
    scopes: list[str]
    tournament: Annotated[TournamentReference | None, ONLY_TOURNAMENT]


def tokens_as_json(tokens: Collection[Token]) -> list[TokenOfAccount]:
    """Return tokens as JSON; one query for their tournaments."""
    tournaments = tournaments_of(token.stream for token in tokens)
    return [token_as_json(token, tournaments) for token in tokens]


def token_as_json(token: Token, tournaments: Mapping[str, TournamentReference]) -> TokenOfAccount:
    """Return a token as JSON, with its tournament of those by stream."""
    return {
        "id": token.token_key,
        "name": token.name or None,
        "scopes": token.scopes,
        "tournament": tournaments.get(token.stream),
        "preconditions": Token.Preconditions(token.preconditions),
        "issued_by_other": token.issued_by_other,
        "created_at": token.created,
        "expires_at": token.expiry,
        "last_used_at": token.last_used_at,
        "url": absolute_url(f"tokens/{token.token_key}"),
    }


def roles_as_json(roles: Collection[Role]) -> list[RoleInStream]:
    """Return roles as JSON; one query for their tournaments."""
    tournaments = tournaments_of(role.stream for role in roles)
    return [
        {
            "id": role.pk,
            "tournament": tournaments.get(role.stream),
            "pool": pool_of(role.stream),
            "role": role.role,
            "url": absolute_url(f"me/roles/{role.pk}"),
        }
        for role in roles
    ]
