"""What a player's rating would be after some results, computed on values in memory.

The results are rated as one batch, or in FIDE's system as one month, after everything that is rated
so far. A player without a rating in the pool starts as in the pool, from their seed or the start of
the system. The year of birth is not public, so FIDE's K of juniors is not applied.
"""

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games.core.errors import Unprocessable
from games.models import Player
from games.rules.text import Text
from ratings.models import Pool
from ratings.queries.current_states import load_current_states, rate_games
from ratings.systems.elo import DRAW, LOSS, WIN, RatedGame
from ratings.systems.explanations import explain_change
from ratings.systems.lists import SCORE_TEXTS, format_decimal
from ratings.systems.presets import find_preset

MOST_RESULTS: Final = 50
OPPONENT_RESULT: Final = re.compile(r"([0-9]{1,18}):(1|0\.5|0)", re.ASCII)
SCORE_OF: Final = {"1": WIN, "0.5": DRAW, "0": LOSS}


class SupposedResult(NamedTuple):
    """An opponent's id and the score of the player against them, in millionths."""

    opponent: int
    score: int


def parse_results(text: str) -> list[SupposedResult]:
    """Return results from their text, as in `17:1,18:0.5`; raises Unprocessable."""
    found = [OPPONENT_RESULT.fullmatch(part) for part in text.split(",")[: MOST_RESULTS + 1]]
    results = [SupposedResult(int(part[1]), SCORE_OF[part[2]]) for part in found if part]
    if len(results) < len(found) or len(results) > MOST_RESULTS:
        detail = Text(
            "results is %(value)s; it must be 1 to %(most)s ids of opponents with "
            "a score of 1, 0.5 or 0, as in 17:1,18:0.5",
            value=f"{text[:40]!r}",
            most=MOST_RESULTS,
        )
        raise Unprocessable("wrong_results", detail, at="/results")
    return results


def suppose_results(
    pool: Pool, player_id: int, results: Sequence[SupposedResult]
) -> dict[str, Any]:
    """Return the rating of a player after these results, with the computation, as JSON.

    Raises Unprocessable for an opponent who does not exist or is the player.
    """
    people = _load_players(player_id, results)
    system = find_preset(pool.preset, pool.parameters)
    opponents = [people[result.opponent] for result in results]
    states = load_current_states(
        pool, system, {player_id: people[player_id]} | {p.pk: p for p in opponents}
    )

    games = [
        RatedGame(player_id, opponent.pk, result.score)
        for opponent, result in zip(opponents, results, strict=True)
    ]
    changes = [change for change in rate_games(states, games, system) if change.player == player_id]
    before, after = changes[0].before, changes[0].after
    return {
        "pool": pool.code,
        "player": {"id": player_id, "name": people[player_id].name},
        "before": format_decimal(before, 3),
        "after": format_decimal(after, 3),
        "change": format_decimal(after - before, 3),
        "results": [
            {
                "opponent": {"id": opponent.pk, "name": opponent.name},
                "score": SCORE_TEXTS[change.score],
                "opponent_before": format_decimal(change.opponent_before, 3),
                "expected": format_decimal(change.expected, 6),
                "k": format_decimal(change.k, 3),
                "explanation": explain_change(
                    pool.preset, before, change.opponent_before, change.k
                ),
                "change": format_decimal(change.share, 9),
            }
            for opponent, change in zip(opponents, changes, strict=True)
        ],
    }


def _load_players(player_id: int, results: Sequence[SupposedResult]) -> dict[int, Player]:
    """Return the players by the ids in the request; for a merged one, who they were merged into."""
    numbers = {player_id, *(result.opponent for result in results)}
    rows = Player.objects.filter(pk__in=numbers).select_related("merged_into")
    people = {player.pk: player.current for player in rows}
    for result in results:
        if result.opponent not in people:
            detail = Text("there is no player %(number)s", number=result.opponent)
            raise Unprocessable("unknown_player", detail, at="/results")
        if people[result.opponent].pk == player_id:
            detail = Text("%(number)s is the player; name the opponents", number=result.opponent)
            raise Unprocessable("same_player", detail, at="/results")
    return people
