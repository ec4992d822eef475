"""The page on which scorers enter the results of a round: by keyboard, by board, or pasted."""

from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode

from django.utils.translation import gettext_noop
from rest_framework.request import Request

from games.core.forms import FormState, form_body, form_fields
from games.core.page_actions import PageAction
from games.models import Game
from tournament.core.lookup import allowed_round_actions
from tournament.core.pages import RunPage, actions_by_name
from tournament.models import Round, Tournament
from tournament.pages.run.player_numbers import with_errors_by_line
from tournament.results.lines import FIELD, RETURN, line_body, lines_body, table_body
from tournament.results.queries import results_as_json
from tournament.results.serializers import ResultsRequestSerializer
from tournament.results.services import ResultBasis
from tournament.results.views import RoundResultsView
from tournament.views.seen import visible_round

ENTERED = gettext_noop("The results are entered.")
BODIES: Final = {"line": line_body, "table": table_body, "lines": lines_body}
FINISHED = (Game.State.CONFIRMED, Game.State.ANNULLED)


class ResultsPage(RunPage):
    template = "tournament/run/results.html"
    section = "results"
    actions = {
        name: PageAction(RoundResultsView, body=body, done=ENTERED) for name, body in BODIES.items()
    }

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the games by board with their results, and the fields of the forms."""
        this_round = visible_round(request, tournament, address["number"])
        body = results_as_json(tournament, this_round)
        self.form = with_field_names(self.form)
        games = [self._with_field(game) for game in body["results"]]
        return {
            "round": this_round,
            "allowed": actions_by_name(allowed_round_actions(request, tournament, this_round)),
            "games": games,
            "missing_games": [game for game in games if game["is_missing"]],
            "last": [game for game in games if game["name"] == request.query_params.get("board")],
            "fields": {
                name: form_fields(
                    ResultsRequestSerializer(),
                    ["basis", "reason"],
                    values={"basis": ResultBasis.SLIP},
                    state=self.form,
                    action=name,
                )
                for name in BODIES
            },
        }

    def _with_field(self, game: dict[str, Any]) -> dict[str, Any]:
        """Return a game with the name of its field, and what a rejected form has typed there."""
        name = f"{game['board']}{RETURN if game['return_game'] else ''}"
        return game | {
            "name": name,
            "typed": self.form.typed.get(f"result.{name}", ""),
            "errors": self.form.errors.get(f"result.{name}", ()),
            "is_missing": game["state"] not in FINISHED and not game["adjourned"],
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the page, which names the board that was entered last."""
        last = BODIES[name](form_body(request._request.POST), address)["results"][-1]
        board = f"{last['board']}{RETURN if last.get('return_game') else ''}"
        return f"{request.path}?{urlencode({'done': name, 'board': board})}"


def with_field_names(form: FormState) -> FormState:
    """Return a rejected form with its errors by the fields of the page.

    The API names the results by their place in the list: `results.0.board`.
    """
    if form.action not in BODIES:
        return form
    if form.action == "lines":
        form = with_errors_by_line(form, items="results", lines="lines")
    fields = [
        name for name, value in form.typed.items() if FIELD.fullmatch(name) and str(value).strip()
    ]
    errors: dict[str, tuple[str, ...]] = {}
    for name, messages in form.errors.items():
        parts = name.split(".")
        if parts[0] == "results":
            name = form.action
            if form.action == "table" and parts[1:2] and parts[1].isdigit():
                name = fields[int(parts[1])]
        errors[name] = (*errors.get(name, ()), *messages)
    return replace(form, errors=errors)
