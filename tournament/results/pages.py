"""The pages of results: enter those of a round, rule a game, see disputes and repeated records.

Scorers enter results by keyboard, by board, or pasted, or a file of records, each of which is a
ruling that the record proves. An arbiter sees both records of a game at their first difference.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Prefetch
from django.http.response import HttpResponseBase
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import ApiError
from games.core.forms import Form, FormState, Undo, form_body, form_fields
from games.core.namesakes import tell_apart
from games.core.permissions import current_account
from games.core.requests import is_flag_set
from games.core.uploads.pages import TextForm, find_stream_task, sent_text
from games.models import Game, Report
from games.play.boards import BoardView, view_board
from games.play.by_turns import to_move_in
from games.play.outcomes import conditions_of, possible_results
from games.play.pages import PlyPair, compare_records, records_by_seat
from games.play.queries import game_not_found, get_visible_game
from games.play.serializers import ArbiterReasonSerializer, RulingRequestSerializer
from games.play.settlement import settle_game
from games.play.states import game_target
from games.play.views import AdjournGame, AnnulGame, ResumeGame, RuleGame, load_game
from games.players.queries import name_players
from games.rules.diagram.scene import scene_of_record
from games.rules.records.claims import DRAW_TOKEN, without_ending
from games.rules.records.handicaps import with_points
from games.rules.records.record import Record
from games.rules.seat import Seat
from tournament.core.pages import RunPage, actions_of_page, quoted_tag, with_errors_by_line
from tournament.entries.queries import namesakes_in
from tournament.models import Round, Tournament
from tournament.results.lines import FIELD, RETURN, line_body, lines_body, ruling_body, table_body
from tournament.results.queries import (
    disputed_games,
    examples_of_results,
    find_repeated_records,
    results_as_json,
    statements_of,
)
from tournament.results.serializers import ResultsRequestSerializer
from tournament.results.services import ResultBasis, entered_results
from tournament.results.views import EnterResults, ImportRecords, RevokeResults
from tournament.rounds.lookup import allowed_round_actions, visible_round

BODIES: Final = {"line": line_body, "table": table_body, "lines": lines_body}
FINISHED = (Game.State.CONFIRMED, Game.State.ANNULLED)
STANDING: Final = ("result_differs", "correction_needed")
"""The codes of a board that has another result."""
SUCCESS: Final = 303
MOST_UNDONE: Final = 200
"""Results that the notice can take back: their games are in the address of the page."""


def add_turns(games: Sequence[dict[str, Any]]) -> None:
    """Add who is to move, and until when, to the games without a result that are played here."""
    turns = to_move_in(game["game_id"] for game in games if game["is_missing"])
    for game in games:
        if game["game_id"] in turns:
            seat, game["deadline"] = turns[game["game_id"]]
            game["to_move"] = game[seat]["player"]["name"]


class ResultsPage(RunPage):
    template = "tournament/results/run_results.html"
    section = "results"
    actions = {
        **{name: Form(EnterResults, body=body) for name, body in BODIES.items()},
        "revoke": Form(RevokeResults),
    }

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the games by board with their results, and the fields of the forms."""
        this_round = visible_round(request, tournament, address["number"])
        body = tell_apart(results_as_json(this_round), namesakes_in(tournament))
        self.form = with_field_names(self.form)
        games = [self._with_field(game) for game in body["rows"]]
        if tournament.play == Game.Play.BY_TURNS:
            add_turns(games)
        problems = self.form.problems
        differing = [found["board"] for found in problems if found.get("code") in STANDING]
        if self.form.accept:
            detail = gettext("A player has reported another result; see below what it is.")
            self.form = replace(self.form, detail=detail)
        return {
            "round": this_round,
            **examples_of_results(tournament),
            "allowed": actions_of_page(allowed_round_actions(request, this_round)),
            "games": games,
            "warnings": body["warnings"],
            "missing_games": [game for game in games if game["is_missing"]],
            "missing_runs": [
                list(run)
                for is_missing, run in groupby(games, itemgetter("is_missing"))
                if is_missing
            ],
            "has_boxes": any(game["has_box"] for game in games),
            "last": [
                game
                for game in games
                if game["name"] == request.query_params.get("board") or game["board"] in differing
            ],
            "statements": statements_of(
                game["game_id"] for game in games if game["state"] == Game.State.DISPUTED
            ),
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
        is_missing = game["state"] not in FINISHED and not game["adjourned"]
        return game | {
            "name": name,
            "typed": self.form.typed.get(f"result.{name}", ""),
            "errors": self.form.errors.get(f"result.{name}", ()),
            "is_missing": is_missing,
            "has_box": is_missing and game["state"] != Game.State.DISPUTED,
        }

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of the page, which names the board that was entered last."""
        if name not in BODIES:
            return super().next_address(request, name, content, **address)
        sent = BODIES[name](form_body(request.POST), address)["results"]
        places = [(row["board"], row.get("return_game", False)) for row in sent]
        games = [
            str(row["game_id"])
            for row in content["rows"]
            if (row["board"], row["return_game"]) in places
        ]
        board, is_return_game = places[-1]
        query = {"done": name, "board": f"{board}{RETURN if is_return_game else ''}"}
        if len(games) <= MOST_UNDONE:
            query["games"] = " ".join(games)
        return f"{request.path}?{urlencode(query)}"

    def undo(self, name: str, context: Mapping[str, Any]) -> Undo | None:
        """Return how the results that were entered last are taken back, if they still can be."""
        sent = self.request.query_params.get("games", "").split()
        ids = [game["game_id"] for game in context["games"] if str(game["game_id"]) in sent]
        this_round = context["round"]
        if name not in BODIES or not ids or this_round.state != Round.State.PUBLISHED:
            return None
        account, _ = current_account(self.request)
        games = list(Game.objects.filter(pk__in=ids))
        if len(entered_results(this_round.tournament, games, account)) < len(ids):
            return None
        return Undo("revoke", {"game_ids": " ".join(map(str, ids))})


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


class ArbiterPage(RunPage):
    template = "tournament/results/run_game.html"
    section = "disputes"
    actions = {
        "rule": Form(RuleGame, body=ruling_body, is_typed=True),
        "adjourn": Form(AdjournGame),
        "resume": Form(ResumeGame),
        "annul": Form(AnnulGame),
        "revoke": Form(RevokeResults, ("number",)),
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out a ruling, and settle the game at once, so that the next page shows it."""
        game_of_event(request, address["slug"], address["game_id"])
        response = super().post(request, **address)
        if response.status_code == SUCCESS and not is_flag_set(request, "dry_run"):
            settle_game(address["game_id"])
        return response

    def undo(self, name: str, context: Mapping[str, Any]) -> Undo | None:
        """Return how the decision is taken back."""
        game = context["game"]
        if name not in ("rule", "annul") or not context["can_revoke"]:
            return None
        return Undo("revoke", {"game_ids": game["id"], "number": game["round"]})

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the game, its reports, both records where they differ, and the forms."""
        game = game_of_event(request, tournament.slug, address["game_id"])
        body, find_actions, _ = load_game(request, game.pk)
        name_players([body], namesakes_in(tournament))
        reports = list(game.reports.order_by("version").select_related("confirms"))
        comparison = compare_records(reports)
        records = records_by_seat(reports)
        account, _ = current_account(request)
        place = tournament.round_set.filter(number=game.round or 0, state=Round.State.PUBLISHED)
        return {
            "game": body,
            "can_revoke": place.exists() and bool(entered_results(tournament, [game], account)),
            **examples_of_results(tournament),
            "allowed": actions_of_page(find_actions()),
            "if_match": quoted_tag(game_target(game)),
            "reports": reports,
            "comparison": comparison,
            "positions": positions_at_difference(game, records, comparison),
            "records": [(seat, records[seat]) for seat in Seat if seat in records],
            "results": list(dict.fromkeys(["1", "0", *map(typed_result, scores_on_board(game))])),
            "fields": {
                "rule": form_fields(
                    RulingRequestSerializer(),
                    ["result", "termination", "reason"],
                    state=self.form,
                    action="rule",
                ),
                **{
                    name: form_fields(
                        ArbiterReasonSerializer(), ["reason"], state=self.form, action=name
                    )
                    for name in ("adjourn", "resume", "annul")
                },
            },
        }


def typed_result(result: str) -> str:
    """Return a result as the page shows how to type it."""
    return {"1-0": "1", "0-1": "0", DRAW_TOKEN: "="}.get(result, result)


def scores_on_board(game: Game) -> list[str]:
    """Return the results of a game, as they are counted before the points of the handicap."""
    points = conditions_of(game).points_for_first
    return [with_points(result, -points) for result in possible_results(game)]


def game_of_event(request: Request, slug: str, game_id: int) -> Game:
    """Return a game of the event that the caller may see; raises NotFound."""
    game = get_visible_game(request, game_id)
    if game.stream != f"tournament/{slug}":
        raise game_not_found(game_id)
    return game


def positions_at_difference(
    game: Game, records: dict[Seat, str], comparison: Sequence[PlyPair]
) -> list[tuple[str, BoardView]]:
    """Return each side's position after the first ply that differs, with the player's name."""
    difference = next((pair.ply for pair in comparison if pair.is_difference), None)
    if difference is None:
        return []
    names = {Seat.FIRST: game.first.name, Seat.SECOND: game.second.name}
    positions = []
    for seat in Seat:
        record = Record.parse(records[seat])
        ply = min(difference, len(without_ending(record.moves)))
        scene = scene_of_record(record, ply, (game.first.name, game.second.name))
        positions.append((names[seat], view_board(scene, names=True)))
    return positions


class DisputesPage(RunPage):
    template = "tournament/results/run_disputes.html"
    section = "disputes"

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the disputed games, each with both records where they differ."""
        found = disputed_games(tournament)
        ordered = Report.objects.order_by("version")
        games = Game.objects.prefetch_related(Prefetch("reports", ordered))
        reports = {
            game.pk: list(game.reports.all())
            for game in games.filter(pk__in=[disputed.game for disputed in found])
        }
        return {"disputed": [(row, compare_records(reports[row.game])) for row in found]}


class RecordsPage(TextForm, RunPage):
    template = "tournament/results/run_records.html"
    section = "results"
    actions = {"import": Form(ImportRecords, text="file")}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Enter or preview the records of a file, or of a text."""
        try:
            self.sent_text = sent_text(request)
        except ApiError as error:
            self.form = self.refused_text(request, "import", error)
            return self.page(self.context(request, **address), status=error.status)
        self.sent = self.sent_text.encode() if self.sent_text.strip() else None
        return super().post(request, **address)

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, with the task of a large file."""
        task = content.get("task") if isinstance(content, dict) else None
        return f"{request.path}?task={task['id']}" if task else f"{request.path}?done={name}"

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return the text that was sent or its encodings, and the progress of an import."""
        return {
            "text": self.sent_text,
            "encodings": self.encodings,
            "task": find_stream_task(request, tournament.stream),
        }


class RepeatedRecordsPage(RunPage):
    template = "tournament/results/run_repeated_records.html"
    section = "disputes"

    def details(self, request: Request, tournament: Tournament, **address: Any) -> dict[str, Any]:
        """Return each repeated record with its games."""
        return {"repeated": find_repeated_records(tournament)}
