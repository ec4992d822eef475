"""The boards of published rounds, as the feed of a tournament shows them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from tournament.core.queries import FINISHED_ROUND_STATES, current_pairings
from tournament.models import Pairing, Round, Tournament

SEATS = ("first", "second")
GAMES = ("game", "return_game")


@dataclass(frozen=True, slots=True)
class FeedBoard:
    """A board of a published round: its games, and the players by the seats of the first game.

    `places` name the games in the journal.
    """

    round: int
    board: int
    games: tuple[int, ...]
    places: tuple[str, ...]
    first: dict[str, Any]
    second: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the board as JSON; a second game has exchanged seats."""
        return {
            "board": self.board,
            "games": list(self.games),
            "first": self.first,
            "second": self.second,
        }

    def game_as_json(self, game: int) -> dict[str, Any]:
        """Return one game of the board as JSON, with the players by its own seats."""
        is_return_game = game != self.games[0]
        seats = (self.second, self.first) if is_return_game else (self.first, self.second)
        return {
            "board": self.board,
            "game": game,
            "return_game": is_return_game,
            **dict(zip(SEATS, seats, strict=True)),
        }


def load_boards(
    tournament: Tournament, rounds: Collection[int], places: Collection[str]
) -> list[FeedBoard]:
    """Load the boards of these rounds and games by round and board; those of drafts are left out.

    One query.
    """
    wanted = (
        Q(round__number__in=rounds) | Q(game__place__in=places) | Q(return_game__place__in=places)
    )
    is_public = Q(
        round__state__in=(*FINISHED_ROUND_STATES, Round.State.PUBLISHED), game__isnull=False
    )
    columns = [
        f"{seat}__{column}"
        for seat in SEATS
        for column in (
            "pairing_number",
            "player_id",
            "player__name",
            "player__merged_into",
            "player__merged_into__name",
        )
    ]
    rows = current_pairings(tournament).filter(wanted, is_public, kind=Pairing.Kind.GAME)
    ordered = rows.order_by("round__number", "board_number")
    return [
        FeedBoard(
            round=row["round__number"],
            board=row["board_number"],
            games=tuple(row[name] for name in GAMES if row[name] is not None),
            places=tuple(row[f"{name}__place"] for name in GAMES if row[name] is not None),
            first=_player(row, "first"),
            second=_player(row, "second"),
        )
        for row in ordered.values(
            "round__number",
            "board_number",
            *GAMES,
            *(f"{name}__place" for name in GAMES),
            *columns,
        )
    ]


def _player(row: dict[str, Any], seat: str) -> dict[str, Any]:
    """Return the player of a seat; for a merged player, the one they were merged into."""
    prefix = f"{seat}__player"
    if row[f"{prefix}__merged_into"] is not None:
        player, name = row[f"{prefix}__merged_into"], row[f"{prefix}__merged_into__name"]
    else:
        player, name = row[f"{prefix}_id"], row[f"{prefix}__name"]
    return {"player": player, "name": name, "pairing_number": row[f"{seat}__pairing_number"]}
