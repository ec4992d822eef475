"""How answers of the API name an entry: by its id, its pairing number and its player."""

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict, cast

from django.db.models import QuerySet

from games.core.references import (
    PlayerReference,
    TournamentReference,
    current_columns,
    current_player_of,
    player_reference,
)
from tournament.core.queries import numbered_entries
from tournament.models import Entry, Tournament


class EntryReference(TypedDict):
    """An entry of an event: a player in it."""

    id: int
    number: Annotated[int | None, "the pairing number"]
    player: PlayerReference


class NumberedEntry(TypedDict):
    """An entry of an event that has a pairing number."""

    id: int
    number: Annotated[int, "the pairing number"]
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
    rows = entries.values(*entry_columns())
    return [cast("EntryReference", entry_of(row)) for row in rows]


def numbered_references(tournament: Tournament) -> list[NumberedEntry]:
    """Return the entries that have a pairing number, ordered by it; one query."""
    return cast("list[NumberedEntry]", references_of(numbered_entries(tournament)))


def entry_columns(prefix: str = "") -> list[str]:
    """Return the columns of an entry, for `values`; of a related one as `first__club`."""
    columns = ("id", "pairing_number", "club", *current_columns("player"))
    return [f"{prefix}{name}" for name in columns]


def entry_of(row: Mapping[str, Any], prefix: str = "") -> NumberedEntry:
    """Return the reference of an entry, of a row with `entry_columns`."""
    player = current_player_of(row, f"{prefix}player")
    return {
        "id": row[f"{prefix}id"],
        "number": row[f"{prefix}pairing_number"],
        "player": {**player, "club": row[f"{prefix}club"] or player["club"]},
    }
