"""How answers of the API name objects: a person, an account, a tournament; and their addresses.

A member that names a player is always a `PlayerReference`, one that names a tournament always a
`TournamentReference`, whatever answer it is in.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, TypedDict

from django.apps import apps
from django.conf import settings

from games.models import Account, Player
from games.models.streams import TOURNAMENT_STREAM, tournament_of

API: Final = "/api/v1/"


class PlayerReference(TypedDict):
    """A player; in an event, with the club that the entry shows."""

    id: int
    name: str
    country: str | None
    club: str | None


class PlayerOfFile(TypedDict):
    """A player of a file that was read."""

    id: Annotated[int | None, "null for a new player in a dry run, and in a line that is left out"]
    name: str
    country: str | None
    club: str | None


class AccountReference(TypedDict):
    """An account."""

    id: int
    name: str


class TournamentReference(TypedDict):
    """A tournament."""

    slug: str
    name: str


PLAYER_COLUMNS: Final = ("id", "name", "country", "club")
"""The columns of a player that a reference needs."""


def player_reference(player: Player, *, club: str = "") -> PlayerReference:
    """Return how answers name a player; `club` is another than the player's own."""
    return {
        "id": player.pk,
        "name": player.name,
        "country": player.country or None,
        "club": club or player.club or None,
    }


def player_columns(relation: str) -> list[str]:
    """Return the columns of a related player, for `values`, as `first__name`."""
    return [f"{relation}__{column}" for column in PLAYER_COLUMNS]


def player_of(row: Mapping[str, Any], relation: str) -> PlayerReference:
    """Return the reference of a related player, of a row with `player_columns`."""
    number, name, country, club = (row[column] for column in player_columns(relation))
    return {"id": number, "name": name, "country": country or None, "club": club or None}


def current_columns(relation: str) -> list[str]:
    """Return the columns of a related player and of the one they were merged into, if they were."""
    merged = f"{relation}__merged_into"
    return [merged, *player_columns(relation), *player_columns(merged)]


def current_player_of(row: Mapping[str, Any], relation: str) -> PlayerReference:
    """Return the player of a row with `current_columns`; of a merged one, the other."""
    merged = f"{relation}__merged_into"
    return player_of(row, relation if row[merged] is None else merged)


def tournaments_of(streams: Iterable[str]) -> dict[str, TournamentReference]:
    """Return the tournaments of streams, by stream; one query.

    Their model is of an app above this one, so it is found by its name.
    """
    slugs = {slug for stream in streams if (slug := tournament_of(stream))}
    named = apps.get_model("tournament.Tournament")._default_manager.filter(slug__in=slugs)
    rows = named.values_list("slug", "name") if slugs else ()
    return {f"{TOURNAMENT_STREAM}{slug}": {"slug": slug, "name": name} for slug, name in rows}


def account_reference(account: Account) -> AccountReference:
    """Return how answers name an account."""
    return {"id": account.pk, "name": account.name}


def absolute_url(path: str) -> str:
    """Return the address of an object of the API, of its path: `games/7`."""
    return f"{settings.PUBLIC_URL}{API}{path}"


def page_url(path: str) -> str:
    """Return the address of a page for people, of its path: `games/7`."""
    return f"{settings.PUBLIC_URL}/{path}"
