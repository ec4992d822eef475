"""The reports of a game: its players report, confirm and dispute; both sides are compared.

Forms of a game are sent to this page, from wherever they are (templates/games/report_forms.html).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request

from games import queries
from games.core.forms import FormState
from games.core.page_actions import Form, PageAction
from games.core.pages import PageView
from games.core.requests import current_account, wait_while
from games.models import Game, Report
from games.play.actions import find_report_of_other_side
from games.play.lookup import get_visible_game, require_in_game
from games.play.outcomes import conditions_of, possible_results
from games.play.record_entry import record_entry, start_of_record
from games.play.settlement import RESULT_KINDS, reports_since_adjournment
from games.play.views import ConfirmGame, DisputeGame, ReportGame
from games.rules.outcome import Termination, leader
from games.rules.records.claims import STATED_SCORE, WIN_TOKENS, without_ending
from games.rules.records.record import Record, first_difference
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.views.games import load_game
from games.views.proposals import AnswerProposal

NEARBY: Final = 3
"""Plies before and after the first difference that a comparison shows."""

SETTLED_SOON: Final = 2.0
"""Seconds that a form waits for the task that settles its game."""

REPORT_ACTIONS: Final[Mapping[str, Form | PageAction]] = {
    "claim": Form(ReportGame, sentence=gettext_noop("Your result is reported.")),
    "record": Form(ReportGame, sentence=gettext_noop("Your record is reported.")),
    "confirm": Form(ConfirmGame),
    "dispute": Form(DisputeGame),
    "accept": PageAction(
        AnswerProposal,
        done=gettext_noop("You have accepted; the game can be reported."),
        options={"action_name": "accept"},
    ),
    "decline": PageAction(
        AnswerProposal,
        done=gettext_noop("You have declined the game."),
        options={"action_name": "decline"},
    ),
    "cancel": PageAction(
        AnswerProposal,
        done=gettext_noop("You have cancelled your proposal."),
        options={"action_name": "cancel"},
    ),
}


ENDING_NAMES: Final = {
    Termination.AGREED: gettext_noop("played to the end, or agreed"),
    Termination.RESIGNED: gettext_noop("the other side resigned"),
    Termination.TIME: gettext_noop("the other side lost on time"),
}
"""The endings that a player can report, as one who has won says them."""


@dataclass(frozen=True, slots=True)
class PlyPair:
    """What both records have at a ply; the first ply that differs is the difference."""

    ply: int
    first: str
    second: str
    is_difference: bool


class ReportsPage(PageView):
    template = "games/reports.html"
    actions = REPORT_ACTIONS

    task_id = ""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Report, and wait a moment for the settlement, so that the next page shows it."""
        response = super().dispatch(request, *args, **kwargs)
        if self.task_id and "Prefer" not in request.headers:
            # The transaction of the report has ended, so the task can start.
            number = int(self.task_id.rpartition("-")[2])
            wait_while(queries.report_progress, number, ("waiting",), SETTLED_SOON)
        return response

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return the address of this page, and remember the task that settles a report."""
        self.task_id = (content.get("task") or {}).get("id", "")
        return super().next_address(request, name, content, **address)

    def context(self, request: Request, game_id: int = 0, **address: Any) -> dict[str, Any]:
        """Return the game, its reports, and the forms that its players can send."""
        game = get_visible_game(request, game_id)
        require_in_game(request, game, "game.reports")
        reports = list(game.reports.order_by("version").select_related("confirms"))
        frame = report_context(request, game, self.form)
        if frame["can"].get("record"):
            start = start_of_record(conditions_of(game), (game.first.name, game.second.name))
            typed = self.form if self.form.action == "record" else FormState()
            frame["entry"] = record_entry(start, state=typed)
        return frame | {
            "slug": game.stream.removeprefix("tournament/"),
            "rules": find_game(game.game),
            "reports": reports,
            "comparison": compare_records(reports),
        }


def report_context(request: Request, game: Game, state: FormState | None = None) -> dict[str, Any]:
    """Return what the forms of a game need (templates/games/report_forms.html)."""
    state = state or FormState()
    user, _ = current_account(request)
    seats = game.seats_of(user)
    body = load_game(request, game.pk)
    actions = {action["action"]: action for action in body["allowed_actions"]}
    other = find_report_of_other_side(game, seats[0]) if seats else None
    is_reported = game.state in (Game.State.WAITING, Game.State.DISPUTED) and len(seats) == 1
    typed = state.typed
    return {
        "game": body,
        "own_report": find_report_of_other_side(game, Seat(seats[0]).other)
        if is_reported
        else None,
        "own_seat": seats[0] if seats else "",
        "other_name": (game.first if seats == [Seat.SECOND] else game.second).current.name,
        "can": {name: action["level"] != "forbidden" for name, action in actions.items()},
        "why_not": actions.get("claim", {}).get("reason", ""),
        "results": result_choices(game),
        "endings": [(name, gettext(text)) for name, text in ENDING_NAMES.items()],
        "other_report": other,
        "claimed": {"result": typed.get("claim.result"), "ending": typed.get("claim.termination")},
        "form": state,
    }


def result_choices(game: Game) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the results that a claim can state, with their texts, in groups by the winner."""
    results = possible_results(game)
    is_scored = "1-0" not in results
    names = {Seat.FIRST: game.first.name, Seat.SECOND: game.second.name}
    groups: dict[str, list[tuple[str, str]]] = {}
    for result in [*results, "1-0", "0-1"] if is_scored else results:
        winner = _winner_of(result)
        label = gettext("%(name)s wins") % {"name": names[winner]} if winner else gettext("Draw")
        is_bare = is_scored and result in WIN_TOKENS
        text = (
            gettext("without a score: resigned, or on time")
            if is_bare
            else result.replace("-", "–")
        )
        groups.setdefault(label, []).append((result, text))
    return list(groups.items())


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
