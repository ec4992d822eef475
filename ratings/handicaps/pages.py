"""The handicap for two players, who are found by name; the versions of the table of handicaps."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final

from django.http import QueryDict
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.errors import ApiError, require_found
from games.core.forms import FormState, rejected_form
from games.core.pages import PageView
from games.core.requests import validated_query
from games.models import Player
from games.play.boards import describe_least
from games.players.queries import players_by_name
from games.rules.conditions import Conditions, Handicap
from games.rules.records.handicaps import FIRST_MOVE, most_points, with_handicap
from games.rules.registry import FIRST_GAME, GAMES
from games.rules.seat import Seat
from games.rules.text import Text
from ratings.core.conditions import load_table, load_versions
from ratings.core.pools import requested_pool
from ratings.handicaps.queries import make_catalogue, recommend_handicap
from ratings.handicaps.serializers import HandicapParamsSerializer
from ratings.handicaps.views import VersionPages
from ratings.models import Pool, TableVersion
from ratings.systems.elo import MILLI
from ratings.systems.handicap import (
    CODE_TABLES,
    COVERED_BOARDS,
    RINGS_OF_BOARDS,
    GameTables,
    TableModel,
    is_prior,
    parse_handicap,
    part_of_conditions,
)
from ratings.systems.recommendation import CatalogueKind, most_recommended


class NewestVersions(VersionPages):
    ordering = ("-id",)


class HandicapTablesPage(PageView):
    template = "ratings/handicaps/handicap_tables.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return a page of the versions, newest first, each with the pools that use it."""
        pages = NewestVersions()
        versions = pages.paginate_queryset(TableVersion.objects.all(), request)
        users = defaultdict(list)
        for pool in Pool.objects.order_by("name", "code"):
            users[pool.handicap_table].append(pool)
        return {
            "versions": [(found, users[found.version]) for found in versions],
            "code_versions": list(CODE_TABLES),
            **pages.neighbours,
        }


class HandicapTablePage(PageView):
    template = "ratings/handicaps/handicap_table.html"

    def context(self, request: Request, version: str = "", **address: Any) -> dict[str, Any]:
        """Return the values of a version, and which of them are the project's priors."""
        missing = Text("there is no table of handicaps %(name)s", name=version[:12])
        versions = {row.version: row for row in load_versions()}
        found = require_found(versions.get(version), missing)
        values = load_table(found.version)
        return {
            "table": found,
            "is_of_code": found.version in CODE_TABLES,
            "is_margin": found.model == TableModel.MARGIN,
            "numbers": SHOWN_POINTS,
            "values_of_points": value_points(values),
            "pools": Pool.objects.filter(handicap_table=found.version).order_by("name", "code"),
            "rows": [
                (GAMES[place[0]].name, place[1], values[place], is_prior(place, values[place]))
                for place in COVERED_BOARDS
            ],
        }


SHOWN_POINTS: Final = (1, 2, 3, 5, 8, 10, 12, 13, 15, 18, 23)
"""Numbers of points whose values a page of a table shows."""


def value_points(tables: GameTables) -> list[tuple[str, list[tuple[int | None, bool]]]]:
    """Return for each board of *Star what `SHOWN_POINTS` are worth, and which are recommended.

    None is for those that nobody can overcome.
    """
    rows = []
    for board in RINGS_OF_BOARDS:
        values, even = tables[FIRST_GAME, board], Conditions(game=FIRST_GAME, board=board)
        most, cells = most_points(even, Seat.FIRST), []
        for number in SHOWN_POINTS:
            handicap = Handicap(Seat.FIRST, points=number)
            value = (
                part_of_conditions(values, FIRST_GAME, board, handicap, swap=True) // MILLI
                if number <= most
                else None
            )
            cells.append((value, number <= most_recommended(most)))
        rows.append((board, cells))
    return rows


MOST_CHOICES: Final = 20
"""Players that are listed for a part of a name."""
TYPED_NUMBER: Final = re.compile(r"(?:.*#)?([0-9]+)", re.ASCII)
"""A number of a player, alone or after a name."""
LONGEST: Final = 80
"""Characters of a name to search for."""


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """What was typed, the rated players whose name it is part of, and who is chosen.

    `found` are numbers, names and ratings in milli; nobody is chosen if there are several. The
    field of a player who was found by name ends with their number, which needs no search again.
    """

    typed: str
    found: Sequence[tuple[int, str, int]] = ()
    chosen: int | None = None


def parse_number(text: str) -> int | None:
    """Return the number of a player in a text such as `17` or `Ada #17`, None for a name only."""
    found = TYPED_NUMBER.fullmatch(text.strip())
    return int(found[1][:18]) if found else None


def find_choice(pool: Pool | None, text: str) -> PlayerChoice:
    """Return who may be meant by a number, or by a part of the name of a player of a pool."""
    typed = " ".join(text.replace("\0", " ").split())[:LONGEST]
    if (number := parse_number(typed)) is not None:
        return PlayerChoice(typed, chosen=number)
    if pool is None or not typed:
        return PlayerChoice(typed)
    ratings = pool.ratings.filter(player__in=players_by_name(typed).values("pk"))
    rows = ratings.order_by("player__folded_name", "player_id")[:MOST_CHOICES]
    found = list(rows.values_list("player_id", "player__name", "rating"))
    if len(found) != 1:
        return PlayerChoice(typed, found)
    ((chosen, name, _),) = found
    return PlayerChoice(f"{name[: LONGEST - 20]} #{chosen}", found, chosen)


SEATS: Final = ("first", "second")
PROPOSED_PLACE: Final = f"{FIRST_GAME} 10"
"""The game and the board that the form proposes."""
NARROWING: Final = ("kind", "share", "cap")
"""Parameters that narrow the choice of handicaps; an empty one is not given."""


class HandicapPage(PageView):
    """The form, which needs no scripts: a name that several players have becomes a choice."""

    template = "ratings/handicaps/handicap.html"

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
            except ApiError as error:
                state, status = rejected_form(request, "", error), error.status
        context = {
            "pools": pools,
            "pool": pool,
            "choices": list(zip(SEATS, choices, strict=True)),
            "games": [
                (GAMES[code].name, list(rows))
                for code, rows in groupby(COVERED_BOARDS, key=itemgetter(0))
            ],
            "place": params.get("place") or PROPOSED_PLACE,
            "kinds": [*CatalogueKind],
            "params": params,
            "rejected": [*chain(*state.errors.values())] or [state.detail],
            "found": found,
        }
        return self.page(context, status=status)


def recommend(pool: Pool, choices: Sequence[PlayerChoice], params: QueryDict) -> dict[str, Any]:
    """Return the recommendation of the API, with the names and the parts of the handicap.

    Raises the errors of the API.
    """
    game, _, board = (params.get("place") or PROPOSED_PLACE).partition(" ")
    given = {name: params[name] for name in NARROWING if params.get(name)}
    query = {
        "pool": pool.code,
        **{f"{seat}_player_id": choice.chosen for seat, choice in zip(SEATS, choices, strict=True)},
        "ruleset": game,
        "board_size": board,
        "swap": not params.get("without_swap"),
        **given,
    }
    checked = validated_query(HandicapParamsSerializer, query)
    _, first, second = (
        checked.pop(name) for name in ("pool", "first_player_id", "second_player_id")
    )
    body = recommend_handicap(pool, first, second, make_catalogue(pool, **checked))
    people = Player.objects.in_bulk([body["player"]["id"], body["opponent"]["id"]])
    text = body["handicap_text"] or ""
    even = Conditions(game=game, board=board, swap=not params.get("without_swap"))
    return {
        **body,
        "player": people[body["player"]["id"]],
        "opponent": people[body["opponent"]["id"]],
        "is_first_move": text == FIRST_MOVE,
        "parts": parse_handicap(text) if text and text != FIRST_MOVE else None,
        "has_priors": body["table"] in CODE_TABLES,
        "least_to_win": describe_least(with_handicap(even, text)),
        "percent": round(100 * body["expected"]),
    }
