"""The games of two players against each other, and how they changed the ratings."""

from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from games.core.errors import NotFound, Unprocessable
from games.models import Game, Player
from games.rules.text import Text
from ratings.batches.eligibility import FORFEIT_TERMINATIONS
from ratings.models import Rating
from ratings.queries.current_changes import load_current_changes
from ratings.systems.elo import MILLION
from ratings.systems.lists import format_decimal


def find_players(player_id: int, opponent_id: int) -> tuple[Player, Player]:
    """Return two players; for a merged one, the player they were merged into.

    Raises NotFound, or Unprocessable if both are the same person.
    """
    numbers = [player_id, opponent_id]
    players = Player.objects.filter(pk__in=numbers).select_related("merged_into")
    found = {player.pk: player.current for player in players}
    for number in numbers:
        if number not in found:
            raise NotFound("not_found", Text("there is no player %(number)s", number=number))
    player, opponent = (found[number] for number in numbers)
    if player == opponent:
        raise Unprocessable(
            "same_player",
            Text(
                "%(first)s and %(second)s are the same person", first=player_id, second=opponent_id
            ),
        )
    return player, opponent


def head_to_head_as_json(
    player: Player, opponent: Player, visible_games: "QuerySet[Game]"
) -> dict[str, Any]:
    """Return the results of two players against each other in these games, as JSON.

    A forfeited game is not counted.
    """
    return {
        "player": {"id": player.pk, "name": player.name},
        "opponent": {"id": opponent.pk, "name": opponent.name},
        **_count_results(player, opponent, visible_games),
        "pools": _sum_changes(player, opponent, visible_games),
    }


def _count_results(
    player: Player, opponent: Player, visible_games: "QuerySet[Game]"
) -> dict[str, int]:
    """Return the numbers of games, wins, draws and losses of the player."""
    own, other = (
        Player.objects.filter(Q(pk=person.pk) | Q(merged_into=person)).values("pk")
        for person in (player, opponent)
    )
    as_first, as_second = Q(first__in=own, second__in=other), Q(first__in=other, second__in=own)
    games = visible_games.filter(as_first | as_second, state=Game.State.CONFIRMED).exclude(
        termination__in=FORFEIT_TERMINATIONS
    )
    wins = (as_first & Q(winner="first")) | (as_second & Q(winner="second"))
    losses = (as_first & Q(winner="second")) | (as_second & Q(winner="first"))
    return games.order_by().aggregate(
        games=Count("pk", filter=wins | losses | Q(draw=True)),
        wins=Count("pk", filter=wins),
        draws=Count("pk", filter=Q(draw=True)),
        losses=Count("pk", filter=losses),
    )


def _sum_changes(
    player: Player, opponent: Player, visible_games: "QuerySet[Game]"
) -> list[dict[str, Any]]:
    """Return for each pool the score of the player, the expected score, the changes by them."""
    pools = Rating.objects.filter(player=player).values("pool")
    changes = load_current_changes(pools, [player.pk]).filter(
        opponent=opponent, game__in=visible_games.values("pk")
    )
    sums = changes.values("pool__code").annotate(
        games=Count("game"), points=Sum("score"), expectation=Sum("expected"), total=Sum("share")
    )
    return [
        {
            "pool": row["pool__code"],
            "games": row["games"],
            "score": format_decimal(row["points"] // (MILLION // 10), 1),
            "expected": format_decimal(row["expectation"], 6),
            "change": format_decimal(int(row["total"]), 9),  # PostgreSQL sums it as a decimal
        }
        for row in sums.order_by("pool__code")
    ]
