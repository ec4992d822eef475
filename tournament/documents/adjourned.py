"""The adjourned games of a table, which have no result yet."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from games.rules.seat import Seat
from tournament.core.rankings import Table


def find_adjourned(table: Table) -> Iterator[dict[str, Any]]:
    """Yield round and pairing numbers of each adjourned game, by round."""
    players = table.crosstable.players
    for index in range(table.through):
        for player in players:
            result = player.result(index + 1)
            if result.adjourned and result.seat is Seat.FIRST:
                yield {"round": index + 1, "first": player.number, "second": result.opponent}


def adjourned_notes(table: Table) -> tuple[str, ...]:
    """Return a note that lists the adjourned games; none if there is no such game."""
    games = [
        f"{table.players[game['first']]['name']} – {table.players[game['second']]['name']} ("
        + gettext("round %(round)s") % {"round": game["round"]}
        + ")"
        for game in find_adjourned(table)
    ]
    if not games:
        return ()
    note = gettext("Adjourned, without points so far: %(games)s.")
    return (note % {"games": ", ".join(games)},)
