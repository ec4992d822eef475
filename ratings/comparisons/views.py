"""A player compared with others, and supposed results."""

from functools import partial

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Call
from games.core.errors import check_all
from games.core.types import described
from games.core.views import ApiView
from games.models import Game, Player
from games.play.queries import visible_games
from ratings.comparisons.queries import (
    HeadToHead,
    SupposedRating,
    SupposedResult,
    find_two_players,
    head_to_head_as_json,
    load_players,
    suppose_results,
)
from ratings.comparisons.serializers import WhatIfSerializer
from ratings.core.pools import named_pool
from ratings.runs.changes import find_rated_player
from ratings.systems.lists import SCORES


class HeadToHeadView(ApiView):
    @extend_schema(operation_id="get_head_to_head", responses=described(HeadToHead))
    def get(self, request: Request, player_id: int, opponent_id: int) -> Response:
        """Return the results of two players against each other, and their effect on the ratings.

        Only games that the account may see are counted, and none of a tournament in which somebody
        else entered one of them, unless they agreed or an officer approved the tournament.
        `players/{id}/rating-history?opponent=` lists the changes by each of them.
        """
        player, opponent = find_two_players(player_id, opponent_id)
        games = self.shown_games(request, player, opponent)
        return Response(head_to_head_as_json(player, opponent, games))

    def shown_games(self, request: Request, *players: Player) -> "QuerySet[Game]":
        """Return the games that count: those that the account may see."""
        return visible_games(request)


class SupposeResults(Action):
    """Return what a player's rating would be after some results; nothing is stored.

    The results are rated together as even games, as one tournament, after everything that is
    rated so far. One whose expected score is below the limit of the pool (`least_expected`)
    changes nothing, and says so (`exclusion`).
    """

    name = "suppose_results"
    body = WhatIfSerializer
    example = {"pool": "star", "results": [{"opponent_id": 2, "score": "1"}]}
    is_read_only = True

    def find(self, call: Call) -> Player:
        return find_rated_player(call.address["player_id"])

    def perform(self, call: Call, prepared: Player) -> SupposedRating:
        results = [
            SupposedResult(row["opponent_id"], SCORES[row["score"]]) for row in call.body["results"]
        ]
        pool, people = check_all(
            partial(named_pool, call.body["pool"]), partial(load_players, prepared.pk, results)
        )
        return suppose_results(pool, prepared.pk, results, people)
