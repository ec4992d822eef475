"""Count the games of each round, and find those that need an arbiter."""

from dataclasses import dataclass

from django.db.models import Count, F, Q

from games.models import Game
from games.play.queries import dispute_in_words
from tournament.core.queries import UNSETTLED, current_pairings
from tournament.models import Pairing, Tournament


@dataclass(frozen=True, slots=True)
class RoundCount:
    """The boards of a round, the results it needs, and how many are missing or adjourned.

    A pairing of two games has one board, and needs two results.
    """

    boards: int
    results: int
    missing: int
    adjourned: int


def count_games_by_round(tournament: Tournament) -> dict[int, RoundCount]:
    """Return the counts of the current version of each round that has games; one query."""
    is_open = Q(game__state__in=UNSETTLED, game__adjourned=False)
    is_return_open = Q(return_game__state__in=UNSETTLED, return_game__adjourned=False)
    rows = (
        current_pairings(tournament)
        .filter(kind=Pairing.Kind.GAME)
        .values("round__number")
        .annotate(
            boards=Count("pk"),
            results=Count("pk") + Count("return_game"),
            missing=Count("pk", filter=is_open | Q(game=None)) + Count("pk", filter=is_return_open),
            adjourned=Count("pk", filter=Q(game__adjourned=True))
            + Count("pk", filter=Q(return_game__adjourned=True)),
        )
        .values_list("round__number", "boards", "results", "missing", "adjourned")
    )
    return {number: RoundCount(*counts) for number, *counts in rows}


@dataclass(frozen=True, slots=True)
class DisputedGame:
    """A game on which the two sides differ, and its place."""

    round: int
    board: int
    game: int
    first: str
    second: str
    dispute: str


def disputed_games(tournament: Tournament) -> list[DisputedGame]:
    """Return the disputed games by round and board; two queries."""
    pairings = current_pairings(tournament)
    found = []
    for name, first, second in (("game", "first", "second"), ("return_game", "second", "first")):
        rows = pairings.filter(**{f"{name}__state": Game.State.DISPUTED}).values_list(
            "round__number",
            "board_number",
            f"{name}_id",
            F(f"{first}__player__name"),
            F(f"{second}__player__name"),
            f"{name}__dispute",
        )
        found += [
            DisputedGame(this_round, board, game, own, other, dispute_in_words(dispute))
            for this_round, board, game, own, other, dispute in rows
        ]
    return sorted(found, key=lambda game: (game.round, game.board, game.game))
