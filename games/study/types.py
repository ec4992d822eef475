"""What the API answers about found games and the turns that follow an opening."""

from datetime import date
from typing import Annotated, TypedDict

from games.play import types
from games.rules.seat import Seat

RATING = "when the players were paired; null without one"


class SeatRatings(TypedDict):
    """The ratings of both players."""

    first_rating: Annotated[float | None, RATING]
    second_rating: Annotated[float | None, RATING]


class FoundGame(types.Game, SeatRatings):
    """A game that a search has found."""

    ply: Annotated[int, "the plies after which the pattern is on the board"]


class Continuation(TypedDict):
    """A turn that followed, and the results of the games."""

    move: Annotated[str, "in the orientation of the request"]
    equal: Annotated[list[str], "all turns that are the same up to a symmetry"]
    games: int
    wins: Annotated[int, "of the seat that plays the turn, as all results"]
    draws: int
    losses: int
    share: Annotated[float, "of the points: a win counts one, a draw one half"]
    rating: Annotated[float | None, "the mean of those who played it, when they were paired"]
    last_played_on: date | None


class NextMoves(TypedDict):
    """The turns that follow some first turns, the most frequent first."""

    moves: Annotated[list[str], "in canonical spelling"]
    to_move: Seat
    games: Annotated[int, "public games that begin like this"]
    ended: Annotated[int, "those that ended here"]
    rows: list[Continuation]
