"""Requests below `/players`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Literal

from .. import types
from ..operation import Listing, Operation, path_of


def players(
    *,
    birth_year: int | None = None,
    club: str | None = None,
    country: str | None = None,
    cursor: str | None = None,
    external_id: str | None = None,
    limit: int | None = None,
    name: str | None = None,
    order: Literal["oldest", "newest"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedPlayerList, types.Player]:
    """The players by id."""
    return Listing(
        "GET",
        "/players",
        query={
            "birth_year": birth_year,
            "club": club,
            "country": country,
            "cursor": cursor,
            "external_id": external_id,
            "limit": limit,
            "name": name,
            "order": order,
        },
        headers={"If-None-Match": if_none_match},
    )


def register_player(
    body: types.PlayerDetailsRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.PlayerDetails]:
    """Register a player; two players may have the same name, but not an external id."""
    return Operation(
        "POST",
        "/players",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def player(player_id: int, *, if_none_match: str | None = None) -> Operation[types.LinkedPlayer]:
    """Return a player; for a merged player, the one they were merged into."""
    return Operation(
        "GET",
        path_of("/players/{player_id}", player_id=player_id),
        headers={"If-None-Match": if_none_match},
    )


def edit_player(
    player_id: int,
    body: types.PatchedPlayerChangeRequest | None = None,
    *,
    dry_run: bool | None = None,
    if_match: str | None = None,
) -> Operation[types.PlayerDetails]:
    """Correct the details of a player; omitted values stay unchanged."""
    return Operation(
        "PATCH",
        path_of("/players/{player_id}", player_id=player_id),
        query={"dry_run": dry_run},
        headers={"If-Match": if_match},
        body=body,
    )


def delete_player(player_id: int, *, dry_run: bool | None = None) -> Operation[None]:
    """Delete a player who was never entered and never played."""
    return Operation(
        "DELETE",
        path_of("/players/{player_id}", player_id=player_id),
        query={"dry_run": dry_run},
    )


def player_calendar(player_id: int, *, if_none_match: str | None = None) -> Operation[str]:
    """Return the events of a player, and the boards of published rounds."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/calendar.ics", player_id=player_id),
        headers={"If-None-Match": if_none_match},
    )


def erase_player(
    player_id: int, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.PlayerDetails]:
    """Erase the personal data of a player at their request; for site staff, and final."""
    return Operation(
        "POST",
        path_of("/players/{player_id}/erase", player_id=player_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def player_games(player_id: int, *, after: int | None = None) -> Operation[str]:
    """Return the confirmed games of a player, with their turns if they have a record."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/games.ndjson", player_id=player_id),
        query={"after": after},
    )


def player_records(player_id: int, *, after: int | None = None) -> Operation[str]:
    """Return the confirmed games of a player, with their turns if they have a record."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/games.rec", player_id=player_id),
        query={"after": after},
    )


def head_to_head(
    player_id: str, opponent_id: str, *, if_none_match: str | None = None
) -> Operation[types.HeadToHead]:
    """Return the results of two players against each other, and their effect on the ratings."""
    return Operation(
        "GET",
        path_of(
            "/players/{player_id}/head-to-head/{opponent_id}",
            player_id=player_id,
            opponent_id=opponent_id,
        ),
        headers={"If-None-Match": if_none_match},
    )


def player_history(
    player_id: str,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    opponent: int | None = None,
    order: Literal["newest", "oldest"] | None = None,
    pool: str | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedChangeList, types.Change]:
    """List the changes of a player's ratings, newest first, with all values of the computation."""
    return Listing(
        "GET",
        path_of("/players/{player_id}/ratings", player_id=player_id),
        query={
            "cursor": cursor,
            "limit": limit,
            "opponent": opponent,
            "order": order,
            "pool": pool,
        },
        headers={"If-None-Match": if_none_match},
    )


def player_history_csv(
    player_id: str,
    *,
    bom: bool | None = None,
    pool: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the changes of a player's ratings as a file, newest first."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/ratings.csv", player_id=player_id),
        query={"bom": bom, "pool": pool},
        headers={"If-None-Match": if_none_match},
    )


def player_history_html(
    player_id: str,
    *,
    bom: bool | None = None,
    pool: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the changes of a player's ratings as a file, newest first."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/ratings.html", player_id=player_id),
        query={"bom": bom, "pool": pool},
        headers={"If-None-Match": if_none_match},
    )


def player_history_ndjson(
    player_id: str,
    *,
    bom: bool | None = None,
    pool: str | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the changes of a player's ratings as a file, newest first."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/ratings.ndjson", player_id=player_id),
        query={"bom": bom, "pool": pool},
        headers={"If-None-Match": if_none_match},
    )


def player_chart(
    player_id: str, *, pool: str | None = None, if_none_match: str | None = None
) -> Operation[str]:
    """Return a chart of a player's rating in a pool, with the interval of 95 %."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/ratings.svg", player_id=player_id),
        query={"pool": pool},
        headers={"If-None-Match": if_none_match},
    )


def second_opinion(
    player_id: str, *, pool: str | None = None, if_none_match: str | None = None
) -> Operation[types.SecondOpinions]:
    """Return what Glicko-2 and whole-history ratings make of a player's games, with intervals."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/second-opinion", player_id=player_id),
        query={"pool": pool},
        headers={"If-None-Match": if_none_match},
    )


def player_standings(
    player_id: str, *, if_none_match: str | None = None
) -> Operation[list[types.PoolRating]]:
    """Return a player's rating in each pool, provisional or not."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/standings", player_id=player_id),
        headers={"If-None-Match": if_none_match},
    )


def what_if(
    player_id: str,
    *,
    pool: str | None = None,
    results: str | None = None,
    if_none_match: str | None = None,
) -> Operation[types.WhatIf]:
    """Return what a player's rating would be after some results; nothing is stored."""
    return Operation(
        "GET",
        path_of("/players/{player_id}/what-if", player_id=player_id),
        query={"pool": pool, "results": results},
        headers={"If-None-Match": if_none_match},
    )


def import_players(
    body: str | bytes,
    *,
    columns: str | None = None,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.Import | types.ImportAccepted]:
    """Register the players of a CSV file who are not registered yet, all or none."""
    return Operation(
        "POST",
        "/players/import",
        query={"columns": columns, "dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        content_type="text/csv",
        takes_key=True,
    )
