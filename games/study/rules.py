"""The pages of the games: the list, and for each its rules, its board and a sample game."""

from typing import Any

from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.pages import PageView
from games.play.boards import answer_about, opening_query, requested_replay, requested_scene
from games.play.diagrams import find_rules
from games.rules.game import Family
from games.rules.registry import GAMES
from games.rules.samples import find_sample
from games.study.pages import usual_conditions


class RulesPage(PageView):
    public_read = "site"
    template = "games/study/rules.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return all games."""
        return {
            "families": [
                (gettext(family.label), [game for game in GAMES.values() if game.family is family])
                for family in Family
            ]
        }


class RulePage(PageView):
    template = "games/study/rule.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return a game with its sample, by default at its start with the names of cells."""
        rules = find_rules(address["code"])
        sample = find_sample(rules.code)
        is_first_view = not (address.get("ply") or request.query_params)
        scene = requested_scene(request, sample, {"ply": "0"} if is_first_view else address)
        replay = requested_replay(
            request, sample, scene, f"/rules/{rules.code}", names=is_first_view
        )
        return {
            "rules": rules,
            "replay": replay,
            "sample": sample,
            "openings": opening_query(usual_conditions(rules)) if rules.players == 2 else "",
            "handicaps": sorted(kind.value for kind in rules.handicaps),
        }


class RuleAbout(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Answer a question about a cell of a position of the sample game."""
        sample = find_sample(find_rules(address["code"]).code)
        return answer_about(request, requested_scene(request, sample, address))
