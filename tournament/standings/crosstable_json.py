"""Crosstables as compact JSON, of which digests are taken.

    {"form": 1, "rounds": 5, "round_robin": false, "initial_seat": "first",
     "points": [2, 2, 1, 0, ...],
     "players": [[1, "Ada", 1500, "", "POR", "", "", "", "", "", 0, [], "2f1 3s= U"], ...]}

`held` is present if the last rounds are over but have no pairings, `games_per_pairing` if it is not
1, `unrated` if unrated players have a rating, `decided` for ties that the director decided (the
round, the players in their order), `unranked` for players without a place, and `progress` for a
bracket: number, half ties, who beat the player or 0, and the best place of those who went out with
them. `points` are the fields of `PointSystem` in order. A player is a list in the order of
`PLAYER_ITEMS`; the last item has a word for each round: the opponent's number, the player's seat
(f, s, or - for none) and the symbol of the result, or only the symbol of a bye. These suffixes are
optional: `!` for a short game, `@3` for units awarded, `:11:10` for the player's and the opponent's
game score, `*3` for stars, `~5` for quarks, `&1=` for the symbols of the two games of a pairing,
`?` for an adjourned game.
"""

from dataclasses import fields
from typing import Any

from tournament.standings.crosstable import Competitor, Crosstable, RoundResult
from tournament.standings.crosstable_rows import SEAT_LETTERS, SYMBOLS
from tournament.standings.points import PointSystem

FORM = 1
TEXT_ITEMS = ("title", "federation", "sex", "birth", "fide_id", "club", "category")
PLAYER_ITEMS = ("number", "name", "rating", *TEXT_ITEMS, "start", "virtual", "results")
POINT_FIELDS = tuple(field.name for field in fields(PointSystem))


def crosstable_as_json(table: Crosstable) -> dict[str, Any]:
    """Return the JSON form: equal crosstables have equal JSON, and others have not."""
    progress = [
        [player.number, reached.half_ties, reached.lost_to or 0, reached.place]
        for player in table.players
        if (reached := player.progress)
    ]
    decided = [[tie.after, list(tie.players)] for tie in table.decided]
    return {
        "form": FORM,
        "rounds": table.rounds,
        "round_robin": table.round_robin,
        "initial_seat": None if table.initial_seat is None else str(table.initial_seat),
        "points": [getattr(table.points, name) for name in POINT_FIELDS],
        "players": [_player_as_json(player) for player in table.players],
        **({"held": table.held} if table.held else {}),
        **({"games_per_pairing": 2} if table.games_per_pairing == 2 else {}),
        **({"unrated": table.unrated} if table.unrated else {}),
        **({"decided": decided} if decided else {}),
        **({"unranked": sorted(table.unranked)} if table.unranked else {}),
        **({"progress": progress} if progress else {}),
    }


def _player_as_json(player: Competitor) -> list[Any]:
    return [
        player.number,
        player.name,
        player.rating,
        *(getattr(player, name) for name in TEXT_ITEMS),
        player.start,
        list(player.virtual),
        " ".join(map(_result_word, player.results)),
    ]


def _result_word(result: RoundResult) -> str:
    word = SYMBOLS[result.kind]
    if result.opponent is not None:
        word = f"{result.opponent}{SEAT_LETTERS[result.seat]}{word}"
    if result.short:
        word += "!"
    if result.awarded is not None:
        word += f"@{result.awarded}"
    if result.score is not None:
        word += f":{result.score[0]}:{result.score[1]}"
    if result.stars is not None:
        word += f"*{result.stars}"
    if result.quarks is not None:
        word += f"~{result.quarks}"
    if result.games:
        word += "&" + "".join(map(SYMBOLS.__getitem__, result.games))
    if result.adjourned:
        word += "?"
    return word
