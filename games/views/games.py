"""Games: the list, one game, its record."""

from typing import Any

import django_filters
from django import forms
from django.core.validators import MaxValueValidator
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games import queries
from games.core.errors import NotFound
from games.core.permissions import find_refusals
from games.core.preconditions import tag_for_writes
from games.core.requests import current_account, viewer
from games.core.views import ApiView
from games.http.generics import ValuesListView
from games.models import Game, Player
from games.play.actions import GAME_PERMISSIONS, game_actions
from games.play.lookup import game_not_found, get_visible_game
from games.play.serializers import GameSerializer, GameWithActionsSerializer
from games.rules.records.record import Record
from games.rules.seat import Seat
from games.rules.text import Text
from games.views.targets import game_target

PLAYER_ACCOUNTS = (
    "first__account_id", "first__merged_into__account_id",
    "second__account_id", "second__merged_into__account_id",
)  # fmt: skip
"""The columns of the accounts that hold the seats of a game."""
OF_ACTIONS = ("stream", "pool", "state", "adjourned", "closed", "proposed_by", "created_at")
"""The columns that the actions of a game depend on."""


def holder_of(row: dict[str, Any], seat: str) -> int | None:
    """Return the account that holds a seat: that of its player, or of the one they merged into."""
    merged = row[f"{seat}__merged_into"] is not None
    account: int | None = row[
        f"{seat}__merged_into__account_id" if merged else f"{seat}__account_id"
    ]
    return account


class IdFilter(django_filters.NumberFilter):
    """Filter by an id, a whole number that the database can hold."""

    field_class = forms.IntegerField

    def get_max_validator(self) -> MaxValueValidator:
        """Return the validator of the largest id."""
        return MaxValueValidator(2**63 - 1)


class GameFilter(django_filters.FilterSet):
    player = IdFilter(method="filter_player", label="the id of a player, in either seat")

    class Meta:
        model = Game
        fields = ["stream", "event", "round", "game", "board", "state", "basis", "rated", "pool"]

    def filter_player(self, games: Any, _name: str, value: Any) -> Any:
        """Return the games in which the player has either seat."""
        merged = Player.objects.filter(merged_into=value).values_list("pk", flat=True)
        players = [value, *merged]
        return games.filter(first_id__in=players) | games.filter(second_id__in=players)


class GameList(ValuesListView):
    """The games that the account may see, oldest first."""

    public_read = "stream"
    queryset = Game.objects.none()
    serializer_class = GameSerializer
    filterset_class = GameFilter

    def get_queryset(self) -> Any:
        return queries.visible_game_rows(*viewer(self.request, "game.see"))

    def row_as_json(self, row: dict[str, Any]) -> dict[str, Any]:
        return queries.game_as_json(row)


def load_game(request: Request, game_id: int) -> dict[str, Any]:
    """Return a game with its allowed actions as JSON; raises NotFound."""
    games = queries.visible_games(*viewer(request, "game.see")).filter(pk=game_id)
    row = games.values(*queries.GAME_FIELDS, "closed", *PLAYER_ACCOUNTS).first()
    if row is None:
        raise game_not_found(game_id)
    user, token = current_account(request)
    seats: list[str] = [seat for seat in Seat if user.pk and holder_of(row, seat) == user.pk]
    game = Game(pk=game_id, **{name: row[name] for name in OF_ACTIONS})
    refusals = find_refusals(user, token, GAME_PERMISSIONS, stream=game.role_stream, seats=seats)
    if refusals["game.rule"] is None:
        tag_for_writes(request, game_target(game))
    actions = game_actions(game, refusals, seats)
    return {**queries.game_as_json(row), "allowed_actions": actions}


class GameView(ApiView):
    @extend_schema(operation_id="game", responses=GameWithActionsSerializer)
    def get(self, request: Request, game_id: int) -> Response:
        """Return a game: its players, its conditions, its result, and its allowed actions."""
        return Response(load_game(request, game_id))


class GameRecord(ApiView):
    @extend_schema(
        operation_id="game_record",
        responses={(200, "text/plain"): str, (200, "application/json"): OpenApiTypes.OBJECT},
    )
    def get(self, request: Request, game_id: int, form: str = "") -> HttpResponse:
        """Return the record that proves the result, as text (`.txt`) or JSON (`.json`)."""
        game = get_visible_game(request, game_id)
        if game.record is None:
            raise NotFound(
                "no_record", Text("no record proves the result of game %(number)s", number=game_id)
            )
        prefers_text = "text/plain" in request.headers.get("Accept", "")
        if form == "txt" or (not form and prefers_text):
            return HttpResponse(game.record.record, content_type="text/plain; charset=utf-8")
        return Response(Record.parse(game.record.record).as_json())
