"""The pages of a game: its replay, the same in a frame of another site, its reports.

Forms of a game are sent to the page of its reports, from wherever they are
(templates/games/report_forms.html).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.utils.safestring import mark_safe
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.clickjacking import xframe_options_exempt
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.forms import Form, FormState
from games.core.pages import PageView, redirect
from games.core.permissions import current_account
from games.core.text import translated
from games.core.uploads.tasks import report_progress
from games.core.waits import place_to_wait, wait_while
from games.models import Game, Report
from games.models.streams import tournament_of
from games.play import types
from games.play.boards import (
    DIAGRAM_FLAGS,
    answer_about,
    opening_query,
    requested_replay,
    requested_scene,
    say,
    score_in_words,
    view_board,
)
from games.play.by_turns import awaited_seats
from games.play.followers import delay_in_words, followed_record
from games.play.live import deadline_of, live_of, may_keep, takes_turns
from games.play.outcomes import conditions_of, possible_results
from games.play.queries import (
    GAME_FIELDS,
    game_as_json,
    game_not_found,
    get_visible_game,
    public_games,
    visible_games,
)
from games.play.record_entry import record_entry, start_of_record
from games.play.settlement import RESULT_KINDS, reports_since_adjournment
from games.play.states import find_report_of_other_side, may_in_game, require_in_game
from games.play.views import (
    AcceptProposal,
    CancelProposal,
    ConfirmGame,
    DeclineProposal,
    DisputeGame,
    ReportGame,
    load_game,
    sgf_of,
)
from games.players.queries import name_players
from games.rules.diagram.drawing import draw
from games.rules.diagram.scene import scene_of_board, scene_of_record
from games.rules.outcome import Termination, leader
from games.rules.records.claims import STATED_SCORE, WIN_TOKENS, without_ending
from games.rules.records.record import Record, first_difference
from games.rules.records.sgf_writer import is_written_in_sgf
from games.rules.registry import find_game
from games.rules.seat import Seat

LINKED_TURNS: Final = 4
"""The turns of a game of which its page shows the other games: few games share more."""

QUERY_NAMES: Final = ("ply", *DIAGRAM_FLAGS)

EMBED_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *"
)
"""The Content-Security-Policy of a page that other sites may show in a frame."""


class PageOfGame(PageView):
    """A page of a game; its players are told apart as in its event."""

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page; that of a game whose pairing was withdrawn leads to its event."""
        try:
            return super().get(request, **address)
        except NotFound:
            game = visible_games(request, void=True).filter(pk=address["game_id"]).first()
            slug = game and tournament_of(game.stream)
            if slug is None:
                raise
            return redirect(f"/e/{slug}")

    def names_in_event(self, game: Game) -> Mapping[int, str] | None:
        """Return the names of those who share theirs by their ids; None without an event."""
        return None


class GamePage(PageOfGame):
    template = "games/play/game.html"
    public_read = "game_id"
    query_names = QUERY_NAMES

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the game with its replay, or with its empty board if it has no record."""
        game = get_visible_game(request, address["game_id"])
        body = load_game(request, game.pk).body
        name_players([body], self.names_in_event(game))
        context = game_context(request, game, body, address, base=f"/games/{game.pk}")
        embed = request.build_absolute_uri(f"/games/{game.pk}/embed") if game.public else ""
        keeps = {"embed": embed, "may_keep": may_keep(request, game)}
        keeps["takes_turns"] = takes_turns(game)
        return context | reports_of(request, game) | keeps


@method_decorator(xframe_options_exempt, name="dispatch")
class GameEmbed(PageView):
    """A public game; the reader's session is not used, so the page shows nothing else."""

    authentication_classes = []
    template = "games/play/embed.html"
    public_read = "game_id"
    query_names = QUERY_NAMES

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        game_id = address["game_id"]
        row = public_games().filter(pk=game_id).values(*GAME_FIELDS).first()
        if row is None:
            raise game_not_found(game_id)
        game = get_visible_game(request, game_id)
        body = game_as_json(row)
        name_players([body])
        return game_context(request, game, body, address, base=f"/games/{game_id}/embed")

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        response = super().get(request, **address)
        response.headers["Content-Security-Policy"] = EMBED_POLICY
        return response


class GameAbout(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        record = followed_record(request, get_visible_game(request, address["game_id"]))
        return answer_about(request, requested_scene(request, record, address))


class GameTextPage(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        record = followed_record(request, get_visible_game(request, address["game_id"]))
        if address.get("ply"):
            scene = requested_scene(request, record, address)
            if len(scene.turns) < scene.plies:
                record = replace(record, moves=scene.turns, result=None)
        if address["form"] == "json":
            return JsonResponse(record.as_json())
        if address["form"] == "sgf":
            return sgf_of(record)
        return HttpResponse(str(record), content_type="text/plain; charset=utf-8")


def game_context(
    request: Request, game: Game, body: types.Game, address: dict[str, Any], *, base: str
) -> dict[str, Any]:
    """Return what the pages of a game show to everybody who sees it."""
    players = body["first"]["player"]["name"], body["second"]["player"]["name"]
    context: dict[str, Any] = {
        "game": body,
        "rules": find_game(game.game),
    }
    context["is_played"] = game.state in (Game.State.OPEN, Game.State.WAITING)
    context["delay"] = delay_in_words(request, game)
    record = None
    with suppress(NotFound):
        record = followed_record(request, game)
    if record is None or (context["delay"] and not record.moves):
        scene = scene_of_board(conditions_of(game))
        return context | {"empty": view_board(replace(scene, players=players))}
    scene = requested_scene(request, record, address, players)
    openings = opening_query(record.conditions, scene.turns[:LINKED_TURNS])
    return context | {
        "replay": requested_replay(request, record, scene, base),
        "has_sgf": is_written_in_sgf(record),
        "openings": openings,
        "turns": len(record.moves),
    }


def reports_of(request: Request, game: Game) -> dict[str, Any]:
    """Return the reports of a game for the template, if the reader may see them."""
    if not may_in_game(request, game, "game.reports"):
        return {}
    seats = game.seats_of(current_account(request)[0])
    rows = game.reports.order_by("version").select_related("confirms")
    return {"may_report": bool(seats), "sees_reports": True, "reports": list(rows)}


NEARBY: Final = 3
"""Plies before and after the first difference that a comparison shows."""

SETTLED_SOON: Final = 2.0
"""Seconds that a form waits for the task that settles its game."""


@dataclass(frozen=True, slots=True)
class PlyPair:
    """What both records have at a ply; the first ply that differs is the difference."""

    ply: int
    first: str
    second: str
    is_difference: bool


def claim_body(form: dict[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return a claim, whose result may name how the game ended, as `1-0 resigned`."""
    claim = form.get("claim")
    if not isinstance(claim, dict):
        return form
    result, _, ending = str(claim.get("result", "")).partition(" ")
    return form | {
        "claim": claim | {"result": result, **({"termination": ending} if ending else {})}
    }


class ReportsPage(PageOfGame):
    template = "games/play/reports.html"
    actions = {
        "claim": Form(
            ReportGame, body=claim_body, sentence=gettext_noop("Your result is reported.")
        ),
        "record": Form(ReportGame, sentence=gettext_noop("Your record is reported.")),
        "confirm": Form(ConfirmGame),
        "dispute": Form(DisputeGame),
        "accept": Form(AcceptProposal),
        "decline": Form(DeclineProposal),
        "cancel": Form(CancelProposal),
    }
    task_id = ""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Report, and wait a moment for the settlement, so that the next page shows it."""
        response = super().dispatch(request, *args, **kwargs)
        if self.task_id and "Prefer" not in request.headers:
            # The transaction of the report has ended, so the task can start.
            number = int(self.task_id.rpartition("-")[2])
            with place_to_wait(SETTLED_SOON, {}) as seconds:
                wait_while(report_progress, number, ("waiting",), seconds)
        return response

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of this page, and remember the task that settles a report."""
        self.task_id = (content.get("task") or {}).get("id", "")
        return super().next_address(request, name, content, **address)

    def context(self, request: Request, game_id: int = 0, **address: Any) -> dict[str, Any]:
        game = get_visible_game(request, game_id)
        require_in_game(request, game, "game.reports")
        reports = list(game.reports.order_by("version").select_related("confirms"))
        frame = report_context(request, game, self.form, self.names_in_event(game))
        if frame["can"].get("record"):
            start = start_of_record(conditions_of(game), (game.first.name, game.second.name))
            typed = self.form if self.form.action == "record" else FormState()
            frame["entry"] = record_entry(start, state=typed)
        return frame | {
            "rules": find_game(game.game),
            "reports": reports,
            "comparison": compare_records(reports),
        }


def report_context(
    request: Request,
    game: Game,
    state: FormState | None = None,
    names: Mapping[int, str] | None = None,
) -> dict[str, Any]:
    """Return what the forms of a game need (templates/games/report_forms.html).

    `names` are those of the players of an event by their ids, in which namesakes differ.
    """
    state = state or FormState()
    user, _ = current_account(request)
    seats = game.seats_of(user)
    body, find_actions, _ = load_game(request, game.pk)
    actions = find_actions()
    can = {name: action["level"] != "forbidden" for name, action in actions.items()}
    other = find_report_of_other_side(game, seats[0]) if seats else None
    is_reported = game.state in (Game.State.WAITING, Game.State.DISPUTED) and len(seats) == 1
    own_seat = seats[0] if len(seats) == 1 else ""
    disputes = _open_disputes(game) if own_seat else {}
    name_players([body], names)
    players = {Seat.FIRST: body["first"]["player"], Seat.SECOND: body["second"]["player"]}
    return {
        "game": body,
        "own_report": find_report_of_other_side(game, Seat(seats[0]).other)
        if is_reported
        else None,
        "own_dispute": disputes.get(own_seat),
        "other_dispute": disputes.get(Seat(own_seat).other) if own_seat else None,
        "own_seat": seats[0] if seats else "",
        "turn_since": game.live.turn_since if awaited_seats(game).intersection(seats) else None,
        "turn_deadline": deadline_of(live) if (live := live_of(game)) else None,
        "other_name": players[Seat.FIRST if seats == [Seat.SECOND] else Seat.SECOND]["name"],
        "can": can,
        "why_not": translated(actions.get("claim", {}).get("reason", "")),
        "results": result_choices(game, {seat: players[seat]["name"] for seat in Seat}, own_seat),
        "is_scored": "1-0" not in possible_results(game),
        "other_report": other,
        "other_board": _final_board(other) if other and can.get("confirm") else "",
        "claimed": state.typed.get("claim.result"),
        "form": state,
    }


def _final_board(report: Report) -> str:
    """Return the picture of the position at the end of a record; "" for a claim."""
    if not report.record:
        return ""
    return mark_safe(draw(scene_of_record(Record.parse(report.record)), say=say))


def _open_disputes(game: Game) -> dict[str, Report]:
    """Return the dispute of each side, if it is the last that this side has said."""
    if game.state != Game.State.DISPUTED:
        return {}
    last = {report.seat: report for report in game.reports.exclude(seat="").order_by("version")}
    return {seat: said for seat, said in last.items() if said.kind == Report.Kind.DISPUTE}


def result_choices(
    game: Game, names: Mapping[Seat, str], own_seat: str = ""
) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the results that a claim can state, with their texts, in groups by the winner.

    A result without a score is followed by how the game ended, as `1-0 resigned`. The reader has
    `own_seat`, if they play one side.
    """
    results = possible_results(game)
    is_scored = "1-0" not in results
    points = conditions_of(game).points_for_first
    groups: dict[str, list[tuple[str, str]]] = {}
    for result in [*results, "1-0", "0-1"] if is_scored else results:
        winner = _winner_of(result)
        is_own = winner == own_seat
        if winner is None:
            label = gettext("Draw")
        elif own_seat:
            label = gettext("You win") if is_own else gettext("Your opponent wins")
        else:
            label = gettext("%(name)s wins") % {"name": names[winner]}
        choices = groups.setdefault(label, [])
        if result in WIN_TOKENS:
            if not is_scored:
                # A closed list shows the choice without the heading of its group.
                how = gettext("played to the end, or agreed")
                choices.append((result, f"{label} ({how})"))
            choices.append((f"{result} {Termination.RESIGNED}", _resigned(own_seat, is_own)))
            choices.append((f"{result} {Termination.TIME}", _on_time(own_seat, is_own)))
            continue
        text = label if winner is None and not is_scored else score_in_words(result, points)
        choices.append((result, text))
    return list(groups.items())


def _resigned(own_seat: str, is_own: bool) -> str:
    if not own_seat:
        return gettext("the other side resigned")
    return gettext("your opponent resigned") if is_own else gettext("you resigned")


def _on_time(own_seat: str, is_own: bool) -> str:
    if not own_seat:
        return gettext("the other side lost on time")
    return gettext("your opponent lost on time") if is_own else gettext("you lost on time")


def _winner_of(result: str) -> Seat | None:
    score = STATED_SCORE.fullmatch(result)
    return leader((int(score[1]), int(score[2]))) if score else None


def compare_records(reports: Sequence[Report]) -> list[PlyPair]:
    """Return the plies around the first difference of both sides' last records, if they differ."""
    found = records_by_seat(reports)
    if len(found) < len(Seat):
        return []
    first, second = (Record.parse(found[seat]) for seat in Seat)
    difference = first_difference(first, second)
    if difference is None:
        return []
    pairs = zip_longest(words_of(first), words_of(second), fillvalue="")
    return [
        PlyPair(ply, *words, is_difference=ply == difference)
        for ply, words in enumerate(pairs, 1)
        if abs(ply - difference) <= NEARBY
    ]


def records_by_seat(reports: Sequence[Report]) -> dict[Seat, str]:
    """Return the record that each side reported last, if its last result is one."""
    counted = reports_since_adjournment(reports)
    last = {report.seat: report.record for report in counted if report.kind in RESULT_KINDS}
    return {seat: last[seat] for seat in Seat if last.get(seat)}


def words_of(record: Record) -> list[str]:
    """Return the turns of a record; its ending and its result are one more."""
    turns = without_ending(record.moves)
    ending = " ".join([*record.moves[len(turns) :], record.result or ""]).strip()
    return [*turns, ending] if ending else [*turns]
