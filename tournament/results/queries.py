"""The results of a round, game by game."""

from typing import Any

from games.models import Game
from tournament.models import Round, Tournament
from tournament.rounds.queries import RoundPairing, load_pairings

GAME_MEMBERS = ("game", "state", "basis", "result", "termination", "adjourned")


def results_as_json(
    tournament: Tournament, this_round: Round, *, only_missing: bool = False
) -> dict[str, Any]:
    """Return the games of a round with their results: by board, a return game after the first."""
    games = [
        game
        for pairing in load_pairings(tournament, this_round)
        if pairing.second is not None and pairing.game is not None
        for game in _games_of(pairing)
    ]
    missing = [
        game for game in games if game["state"] not in (Game.State.CONFIRMED, Game.State.ANNULLED)
    ]
    return {
        "round": this_round.number,
        "state": this_round.state,
        "missing": len(missing),
        "results": missing if only_missing else games,
    }


def _games_of(pairing: RoundPairing) -> list[dict[str, Any]]:
    values = {name: getattr(pairing, name) for name in GAME_MEMBERS}
    players = {"first": pairing.first, "second": pairing.second}
    games = [{"board": pairing.board, "return_game": False, **players, **values}]
    if pairing.return_game is not None:
        exchanged = {"first": pairing.second, "second": pairing.first}
        values = dict(pairing.return_game)
        games.append({"board": pairing.board, "return_game": True, **exchanged, **values})
    return games
