"""A player's rating after supposed results."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from itertools import zip_longest
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.request import Request

from games.core.errors import ApiError, unknown_value
from games.core.pages import PageView
from games.core.text import translated
from ratings.comparisons.queries import SupposedResult, load_players, suppose_results
from ratings.comparisons.serializers import MOST_RESULTS
from ratings.core.pools import requested_pool
from ratings.handicaps.pages import PlayerChoice, find_choice, parse_number
from ratings.models import Pool
from ratings.runs.changes import find_rated_player
from ratings.systems.lists import SCORES

MOST_SEARCHES: Final = 10
"""Opponents without a number that are searched for by a request."""
EMPTY_LINES: Final = 4
"""Empty lines that follow those that were filled in."""

SCORE_CHOICES: Final[tuple[tuple[str, Promise], ...]] = (
    ("1", _("won")),
    ("0.5", _("drawn")),
    ("0", _("lost")),
)


class WhatIfPage(PageView):
    """`?opponent=` and `?score=`, as often as there are results, compute a rating in `?pool=`."""

    template = "ratings/comparisons/what_if.html"
    repeatable = frozenset({"opponent", "score"})

    def get(self, request: Request, player_id: int = 0, **address: Any) -> HttpResponseBase:
        """Return the form and, if every opponent is known, the rating."""
        player = find_rated_player(player_id)
        given = request.query_params
        pools = list(Pool.objects.order_by("name", "code"))
        pool = requested_pool(request) if given.get("pool") else next(iter(pools), None)
        typed = zip_longest(given.getlist("opponent"), given.getlist("score"), fillvalue="")
        filled = [(text, score) for text, score in typed if text.strip()][:MOST_RESULTS]
        lines = [(find_choice(pool, text), score) for text, score in without_late_names(filled)]
        found, problem, status = None, "", HTTPStatus.OK.value
        if pool is not None and lines and all(choice.chosen is not None for choice, _ in lines):
            try:
                results = [*map(supposed_result, lines)]
                people = load_players(player.pk, results)
                found = suppose_results(pool, player.pk, results, people)
            except ApiError as error:
                problem, status = translated(error.detail), error.status
        shown = [*lines, *[(PlayerChoice(""), "")] * EMPTY_LINES][:MOST_RESULTS]
        numbered = [(f"opponent-{n}", *line) for n, line in enumerate(shown, start=1)]
        context = {
            "player": player,
            "pools": pools,
            "pool": pool,
            "lines": numbered,
            "scores": SCORE_CHOICES,
            "found": found,
            "leaves_out": found and any(row["exclusion"] for row in found["rows"]),
            "problem": problem,
        }
        return self.page(context, status=status)


def supposed_result(line: tuple[PlayerChoice, str]) -> SupposedResult:
    """Return the result of a line; raises Unprocessable for an unknown score."""
    choice, score = line
    if score not in SCORES:
        raise unknown_value("score", score, [*SCORES])
    return SupposedResult(choice.chosen or 0, SCORES[score])


def without_late_names(lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the lines up to the last name that a request may search for."""
    searches = 0
    for text, score in lines:
        searches += parse_number(text) is None
        if searches > MOST_SEARCHES:
            return
        yield text, score
