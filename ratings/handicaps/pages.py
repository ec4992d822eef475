"""The handicap that the table of a pool recommends for two players, who are found by name."""

from collections.abc import Sequence
from http import HTTPStatus
from itertools import chain, groupby
from typing import Any, Final

from django.http import QueryDict
from django.http.response import HttpResponseBase
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from games.core.errors import ApiError
from games.core.forms import FormState, rejected_form
from games.core.pages import PageView
from games.core.requests import validated
from games.models import Player
from games.rules.registry import FIRST_GAME, GAMES
from ratings.handicaps.queries import make_catalogue, recommend_handicap
from ratings.handicaps.serializers import HandicapParamsSerializer
from ratings.models import Pool
from ratings.pages.player_choice import PlayerChoice, find_choice
from ratings.systems.handicap import COVERED_BOARDS, FIRST_VERSION, parse_handicap
from ratings.systems.recommendation import CatalogueKind
from ratings.views.requested import requested_pool

SEATS: Final = ("first", "second")
PROPOSED_PLACE: Final = f"{FIRST_GAME} 10"
"""The game and the board that the form proposes."""
NARROWING: Final = ("kind", "share", "cap")
"""Parameters that narrow the choice of handicaps; an empty one is not given."""


class HandicapPage(PageView):
    """The form, which needs no scripts: a name that several players have becomes a choice."""

    template = "ratings/handicap.html"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the form and, for two players, the handicap or why there is none."""
        params = request.query_params
        pools = list(Pool.objects.order_by("name", "code"))
        pool = requested_pool(request) if params.get("pool") else next(iter(pools), None)
        choices = [find_choice(pool, params.get(seat, "")) for seat in SEATS]
        found, state, status = None, FormState(), HTTPStatus.OK.value
        if pool is not None and all(choice.chosen is not None for choice in choices):
            try:
                found = recommend(pool, choices, params)
            except (ApiError, ValidationError) as error:
                state = rejected_form(request._request, "", error)
                status = error.status if isinstance(error, ApiError) else 422
        context = {
            "pools": pools,
            "pool": pool,
            "choices": list(zip(SEATS, choices, strict=True)),
            "games": [
                (GAMES[code].name, list(rows)) for code, rows in groupby(COVERED_BOARDS, first_of)
            ],
            "place": params.get("place") or PROPOSED_PLACE,
            "kinds": [*CatalogueKind],
            "params": params,
            "rejected": [*chain(*state.errors.values())] or [state.detail],
            "found": found,
        }
        return self.page(context, status=status)


def first_of(place: tuple[str, str]) -> str:
    """Return the game of a game with a board."""
    return place[0]


def recommend(pool: Pool, choices: Sequence[PlayerChoice], params: QueryDict) -> dict[str, Any]:
    """Return the recommendation of the API, with the names and the parts of the handicap.

    Raises the errors of the API.
    """
    game, _, board = (params.get("place") or PROPOSED_PLACE).partition(" ")
    given = {name: params[name] for name in NARROWING if params.get(name)}
    query = {
        "pool": pool.code,
        **{seat: choice.chosen for seat, choice in zip(SEATS, choices, strict=True)},
        "game": game,
        "board": board,
        "swap": not params.get("without_swap"),
        **given,
    }
    checked = validated(HandicapParamsSerializer, query)
    _, first, second = (checked.pop(name) for name in ("pool", *SEATS))
    body = recommend_handicap(pool, first, second, make_catalogue(pool, **checked))
    people = Player.objects.in_bulk([body["player"], body["opponent"]])
    text = body["handicap"] or ""
    return body | {
        "player": people[body["player"]],
        "opponent": people[body["opponent"]],
        "is_first_move": text == CatalogueKind.FIRST_MOVE,
        "parts": parse_handicap(text) if text and text != CatalogueKind.FIRST_MOVE else None,
        "has_priors": body["table"] == FIRST_VERSION,
        "percent": round(100 * float(body["expected"])),
    }
