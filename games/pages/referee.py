"""The referee: enter or paste a record, and see the verdict on it."""

from collections.abc import Sequence
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.errors import ApiError, BadRequest, Unprocessable
from games.core.forms import FormState, rejected_form
from games.core.pages import PageView
from games.pages.words import say
from games.play.record_entry import error_in_words, record_entry, start_of_record
from games.play.referee import judge_text
from games.rules.descriptions.turns import describe_result
from games.rules.errors import BadConditions
from games.rules.records.tags import read_conditions
from games.rules.records.verdict import Verdict
from games.rules.registry import FIRST_GAME, GAMES
from games.rules.text import Text


class RefereePage(PageView):
    template = "games/referee.html"
    throttle_scope = "referee"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the control that enters a record of the game and the board in the query."""
        code = request.query_params.get("game", FIRST_GAME)
        rules = GAMES.get(code)
        if rules is None:
            raise Unprocessable(
                "unknown_game", Text("there is no game %(game)s", game=f"{code[:40]!r}"), at="/game"
            )
        board = request.query_params.get("board") or rules.first_board
        try:
            conditions = read_conditions({"Game": code, "Board": board})
        except BadConditions as error:
            raise Unprocessable(error.code, error.detail, at="/board") from None
        entry = record_entry(start_of_record(conditions), state=self.form)
        return {"games": GAMES.values(), "rules": rules, "board": board, "entry": entry}

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Judge what was entered, one record or several; nothing is stored."""
        text = request._request.POST.get("record", "")
        try:
            if "\0" in text:
                raise BadRequest("unreadable", Text("the text contains a NUL byte"))
            if not text.strip():
                raise Unprocessable("missing", Text("enter or paste a record"), at="/record")
            verdicts = judge_text(text.replace("\r\n", "\n"))
        except ApiError as error:
            self.form = rejected_form(request._request, "judge", error)
            return self.page(self.context(request), status=error.status)
        self.form = FormState(typed={"record": text})
        is_valid = all(verdict.is_valid for verdict in verdicts)
        context = self.context(request) | {"verdicts": verdicts_in_words(verdicts)}
        return self.page(context, status=200 if is_valid else 422)


def verdicts_in_words(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return verdicts for the template: the result, or the errors."""
    return [
        {
            "is_valid": verdict.is_valid,
            "plies": verdict.plies,
            "state": verdict.state,
            "result": describe_result(verdict.outcome, say),
            "claim": verdict.claim,
            "digest": verdict.digest,
            "errors": [error_in_words(error) for error in verdict.errors],
        }
        for verdict in verdicts
    ]
