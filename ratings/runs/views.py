"""The runs of a pool; the changes of the ratings of a player, and of a game."""

from typing import Any

import django_filters
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.filters import IdFilter
from games.core.pagination import CursorPages, NewestFirst
from games.core.tables.csv import CsvRenderer
from games.core.tables.json import NdjsonRenderer
from games.core.tables.views import BOM_PARAMETER, TableListView
from games.core.tables.xlsx import XlsxRenderer
from games.core.types import described, list_of
from games.core.views import ApiView, ValuesListView
from games.play.queries import get_visible_game, visible_games
from games.players.queries import named_player
from ratings.core.pools import find_pool, pool_choices
from ratings.models import Change
from ratings.runs.changes import (
    CHANGE_FIELDS,
    NEWEST_FIRST,
    GameRating,
    change_as_json,
    find_rated_player,
    game_ratings_as_json,
    player_changes,
    run_changes,
)
from ratings.runs.queries import RUN_FIELDS, RatingRun, find_run, finished_runs, run_as_json
from ratings.runs.tables import history_document


class RunPages(CursorPages):
    """Pages of the changes of a run, in the order of its key."""

    ordering = ("batch_id", "game_id", "seat")
    orders = ("oldest", "newest")


class NewestRunPages(RunPages):
    ordering = ("-batch_id", "-game_id", "-seat")
    orders = ("newest", "oldest")


class HistoryPages(CursorPages):
    """Pages of a player's changes, newest first."""

    ordering = NEWEST_FIRST
    orders = ("newest", "oldest")


class ChangeFilter(django_filters.FilterSet):
    pool = django_filters.ChoiceFilter(
        field_name="pool__code", choices=pool_choices, label="the code of a pool"
    )
    opponent = IdFilter(method="filter_opponent", label="the id of a player")

    class Meta:
        model = Change
        fields: list[str] = []

    def filter_opponent(self, changes: Any, name: str, value: int) -> Any:
        """Return the changes by games with the player."""
        return changes.filter(opponent__in=named_player(value, name).registration_ids())


@extend_schema_view(get=extend_schema(operation_id="list_rating_changes"))
class RatingHistory(TableListView):
    """List the changes of a player's ratings, newest first, with all values of the computation.

    A change by a game that the account may not see is left out. CSV columns: `pool,run,game,
    tournament,tournament_name,round,board,played_on,effective_at,seat,opponent_player,opponent,
    score,before,opponent_before,handicap_part,expected,expected_at_pairing,k,change,after,
    explanation`; an apostrophe precedes text that a spreadsheet would run as a formula.
    """

    queryset = Change.objects.none()
    filterset_class = ChangeFilter
    pagination_class = HistoryPages
    renderer_classes = [JSONRenderer, CsvRenderer, XlsxRenderer, NdjsonRenderer]
    parameters = (BOM_PARAMETER,)
    fields = CHANGE_FIELDS
    row_as_json = staticmethod(change_as_json)

    def get_queryset(self) -> Any:
        player = find_rated_player(self.kwargs["player_id"])
        return player_changes(player.pk, visible_games(self.request))

    def file(self, request: Request, player_id: int) -> HttpResponse:
        """Return all changes."""
        player = find_rated_player(player_id)
        rows = self.filter_queryset(self.get_queryset())
        return self.render_table(history_document(player, rows))


class GameRatings(ApiView):
    @extend_schema(operation_id="list_game_ratings", responses=list_of(GameRating))
    def get(self, request: Request, game_id: int) -> Response:
        """Return the state of a game in each pool: `pending`, `rated`, or `excluded` and why.

        A pending game waits for the next run of its pool. `changes` has what a rated game changed
        for each player, with the numbers of the computation. A game that no pool rates has no row.
        """
        game = get_visible_game(request, game_id)
        rows = game_ratings_as_json(game)
        return Response({"next": None, "previous": None, "results": rows})


class RunList(ValuesListView):
    """List the runs of a pool, newest first.

    Anyone may read it. Each run computes the ratings from the batch `from_batch_id` on; the digests
    are those of its input and of the parameters of the pool.
    """

    pagination_class = NewestFirst
    fields = RUN_FIELDS

    def row_as_json(self, row: Any, /) -> RatingRun:
        return run_as_json(self.kwargs["code"], row)

    def get_queryset(self) -> Any:
        return finished_runs(find_pool(self.kwargs["code"]))


class RunView(ApiView):
    @extend_schema(responses=described(RatingRun))
    def get(self, request: Request, code: str, number: int) -> Response:
        """Return a run, current or not.

        `made_current_at` is null for a run that was never shown. `changes` lists what it computed.
        """
        run = find_run(find_pool(code), number)
        return Response(run_as_json(code, vars(run)))


@extend_schema_view(get=extend_schema(operation_id="list_run_changes"))
class RunChanges(ValuesListView):
    """List the changes that a run computed, by the ids of the batches and games.

    Later runs replace changes, which are listed nevertheless: this is what the run computed. A
    change by a game that the account may not see is left out.
    """

    pagination_class = RunPages
    fields = CHANGE_FIELDS
    row_as_json = staticmethod(change_as_json)

    def get_queryset(self) -> Any:
        pool = find_pool(self.kwargs["code"])
        run = find_run(pool, self.kwargs["number"])
        return run_changes(run, visible_games(self.request))
