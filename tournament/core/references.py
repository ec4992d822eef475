"""How answers of the API name an entry: by its id, its pairing number and its player."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict, cast

from django.db.models import QuerySet
from msgspec import Meta

from games.core.references import (
    PlayerReference,
    TournamentReference,
    player_columns,
    player_of,
    player_reference,
)
from tournament.core.queries import numbered_entries
from tournament.models import Entry, Tournament


class EntryReference(TypedDict):
    """An entry of an event: a player in it."""

    id: int
    number: Annotated[int | None, Meta(description="the pairing number")]
    player: PlayerReference


class NumberedEntry(TypedDict):
    """An entry of an event that has a pairing number."""

    id: int
    number: Annotated[int, Meta(description="the pairing number")]
    player: PlayerReference


def tournament_reference(tournament: Tournament) -> TournamentReference:
    """Return how answers name a tournament."""
    return {"slug": tournament.slug, "name": tournament.name}


def shown_player(entry: Entry) -> PlayerReference:
    """Return the current player of an entry, with the club that the entry shows."""
    return player_reference(entry.player.current, club=entry.club)


def entry_reference(entry: Entry) -> EntryReference:
    """Return how answers name an entry."""
    return {"id": entry.pk, "number": entry.pairing_number, "player": shown_player(entry)}


def references_of(entries: "QuerySet[Any]") -> list[EntryReference]:
    """Return entries in their order, as answers name them; one query."""
    return [entry_reference(entry) for entry in entries.select_related("player__merged_into")]


def numbered_references(tournament: Tournament) -> list[NumberedEntry]:
    """Return the entries that have a pairing number, ordered by it; one query."""
    return cast("list[NumberedEntry]", references_of(numbered_entries(tournament)))


def entry_columns(relation: str) -> list[str]:
    """Return the columns of a related entry, for `values`, as `first__pairing_number`."""
    columns = player_columns(f"{relation}__player")
    return [f"{relation}_id", f"{relation}__pairing_number", f"{relation}__club", *columns]


def entry_of(row: Mapping[str, Any], relation: str) -> NumberedEntry:
    """Return the reference of a related entry, of a row with `entry_columns`."""
    player = player_of(row, f"{relation}__player")
    return {
        "id": row[f"{relation}_id"],
        "number": row[f"{relation}__pairing_number"],
        "player": {**player, "club": row[f"{relation}__club"] or player["club"]},
    }
