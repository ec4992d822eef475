"""What other rating systems make of a player's games; the official rating is not affected."""

from collections import defaultdict
from datetime import UTC, date
from typing import Any

from django.db.models import QuerySet

from games.core.errors import NotFound
from games.models import Game, Player
from games.rules.text import Text
from ratings.lists.queries import find_row, live_list, rating_as_json
from ratings.models import RATED_ORDER, Pool
from ratings.runs.changes import player_changes
from ratings.systems.elo import MILLI, MILLION
from ratings.systems.research.second_opinions import CENTER, OPINIONS, SECOND_OPINION_METHOD

SECOND_OPINION_COLUMNS = (
    "before",
    "opponent_before",
    "handicap_part",
    "score",
    "batch__effective_at",
)


def second_opinions_as_json(
    player: Player, pool: Pool, visible_games: "QuerySet[Game]", *, today: date
) -> dict[str, Any]:
    """Return the JSON of the official rating of a player and of what other systems say.

    They read the player's rated games that are visible, against rated opponents. Raises NotFound
    without a rating, or without such a game.
    """
    live = live_list(pool)
    row = find_row(player, pool.ratings.all())
    changes = player_changes(player.pk, visible_games).filter(pool=pool, opponent_before__gt=0)
    ordered = changes.order_by(*RATED_ORDER)
    rows = list(ordered.values_list(*SECOND_OPINION_COLUMNS))
    if not rows:
        detail = Text(
            "player %(number)s has no game in %(pool)s that you may see",
            number=player.pk,
            pool=pool.code,
        )
        raise NotFound("not_found", detail)

    start = rows[0][0] / MILLI or CENTER
    games: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for _, opponent, part, score, effective_at in rows:
        day = effective_at.astimezone(UTC).date().toordinal()
        games[day].append(((opponent - part) / MILLI, score / MILLION))
    opinions = {name: rate(start, games, today.toordinal()) for name, rate in OPINIONS.items()}
    return {
        "pool": pool.code,
        "player": {"id": player.pk, "name": player.name},
        "official": rating_as_json(row, live.terms),
        "games": len(rows),
        "method": SECOND_OPINION_METHOD,
        "opinions": [
            {"system": name, "rating": rating, "interval": interval._asdict()}
            for name, (rating, interval) in opinions.items()
        ],
    }
