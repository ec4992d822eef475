"""The players of an event: CSV columns `id,name,country,club,rating,state`.

`id` is the pairing number, which players have from the start of the event on.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import F
from django.utils.translation import gettext

from games.core.tables.table import Column, ColumnKind, Heading, TableDocument
from games.queries import rows_as_dicts
from games.rules.messages import gettext_noop
from tournament.models import Entry, Tournament
from tournament.queries import listed_entries
from tournament.queries.players import load_survivors

PLAYER_TABLE_COLUMNS = (
    Column("id", gettext_noop("No"), is_key=True),
    Column("name", gettext_noop("Name"), ColumnKind.TEXT, is_wide=True, is_key=True),
    Column("country", gettext_noop("Country"), ColumnKind.TEXT),
    Column("club", gettext_noop("Club"), ColumnKind.TEXT, is_wide=True),
    Column("rating", gettext_noop("Rating")),
    Column("state", gettext_noop("State"), ColumnKind.TEXT),
)


def players_document(tournament: Tournament, account: int | None = None) -> TableDocument:
    """Return the players that an account sees by pairing number, without numbers by name."""
    rows = rows_as_dicts(
        listed_entries(tournament, account).order_by(
            F("pairing_number").asc(nulls_last=True), "player__name", "pk"
        ),
        "pk", "pairing_number", "state", "seed_rating", "club", "player_id", "player__name",
        "player__country", "player__club", "player__merged_into_id",
    )  # fmt: skip
    merged = [row["player__merged_into_id"] for row in rows if row["player__merged_into_id"]]
    survivors = load_survivors(merged)
    records = []
    for row in rows:
        player = survivors.get(row["player__merged_into_id"]) or {
            "id": row["player_id"],
            "name": row["player__name"],
            "country": row["player__country"],
            "club": row["player__club"],
        }
        records.append(
            {
                "entry": row["pk"],
                "number": row["pairing_number"],
                "player": {**player, "club": row["club"] or player["club"]},
                "seed_rating": row["seed_rating"],
                "state": row["state"],
            }
        )
    return TableDocument(
        heading=Heading(
            title=f"{tournament.name}: players",
            subtitle="Players",
            file_stem=f"{tournament.slug}.players",
        ),
        columns=PLAYER_TABLE_COLUMNS,
        records=records,
        cells=lambda record: (
            record["number"] or "",
            record["player"]["name"],
            record["player"]["country"],
            record["player"]["club"],
            record["seed_rating"] or "",
            _state_text(record),
        ),
    )


def _state_text(record: Mapping[str, Any]) -> str:
    return "" if record["state"] == Entry.State.ACCEPTED else gettext(record["state"])
