"""The page on which a game's record is kept, or a game by turns is played.

With scripts, each cell or word is a `POST` with `entered=1`, whose answer is what the board shows
(static/games/board.js). The fields are `number`, that of the next turn as the browser
knows it; and `cell` with the turn that is `begun`, or `words`, or `undo`; or `about`, a question.
What was sent before and stands is no error, so a browser sends again what was not answered.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.http import JsonResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from rest_framework.request import Request

from games.core.actions import carry_out
from games.core.errors import ApiError, NotFound, Unprocessable
from games.core.forms import NUMBER_IN_FORM, Form
from games.core.pages import redirect
from games.core.permissions import LoginNeeded, current_account
from games.core.text import translated
from games.core.views import call_of
from games.models import Account, Game, LiveRecord
from games.play.boards import answer
from games.play.live import (
    AGREED,
    deadline_of,
    live_of,
    may_keep,
    no_live_record,
    record_with,
    replay,
    takes_turns,
    to_move_after,
    turns_of,
)
from games.play.live_views import (
    AcceptOffer,
    AppendTurns,
    BeginLiveRecord,
    ClaimTime,
    DeclineOffer,
    GiveUpLiveRecord,
    OfferResult,
    TakeBackTurn,
    WithdrawOffer,
)
from games.play.outcomes import conditions_of
from games.play.pages import PageOfGame, result_choices
from games.play.queries import find_visible_game, get_visible_game, visible_games
from games.play.record_entry import (
    AGREED_RESULT,
    LONGEST_WORDS,
    entry_as_json,
    full_agreement,
    record_entry,
    start_of_record,
)
from games.play.states import find_state_conflicts, require_in_game
from games.rules.diagram.scene import scene_of_record
from games.rules.record_entry import RESIGN, enter_cell, join_cells, read_entry
from games.rules.records.record import Record
from games.rules.registry import find_game
from games.rules.seat import Seat
from games.rules.text import Text


def typed_turns(form: Mapping[str, Any], address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the turns of a field, `agreed 26-25` as one of them."""
    words = str(form.get("words", "")).replace("\0", " ")[:LONGEST_WORDS]
    *turns, last = AGREED_RESULT.sub(full_agreement, words).split() or [""]
    if turns and turns[-1] == "agreed":
        turns, last = turns[:-1], f"agreed {last}"
    if RESIGN in map(str.lower, (*turns, last)):
        detail = Text("whether you resign is asked below the board; answer there")
        raise Unprocessable("not_a_turn", detail, at="/turns/0")
    number, turns = number_in(form), [*turns, last]
    live = LiveRecord.objects.select_related("game").filter(game=address["game_id"]).first()
    if live is not None and len(turns) > 1:
        game, before = live.game, live.moves[: max(number - 1, 0)]
        turns = join_cells(turns, len(before), lambda turns: record_with(game, [*before, *turns]))
    return {"number": number, "turns": turns}


def resignation(form: Mapping[str, Any], _address: Mapping[str, Any]) -> dict[str, Any]:
    """Return the turn that answers the question whether the side to move resigns."""
    return {"number": number_in(form), "turns": [RESIGN]}


def resign_question(game: Game, seat: Seat | None, account: Account | None = None) -> str:
    """Return what is asked before the side to move resigns; an account is that of its player."""
    if seat is None or (account and seat not in game.seats_of(account)):
        return ""
    players = {Seat.FIRST: game.first.current.name, Seat.SECOND: game.second.current.name}
    if account:
        return gettext("The game ends at once, and %(name)s wins.") % {"name": players[seat.other]}
    sentence = gettext("Does %(name)s resign? The game ends at once, and %(other)s wins.")
    return sentence % {"name": players[seat], "other": players[seat.other]}


def number_in(form: Mapping[str, Any]) -> int:
    """Return the number of the next turn as a form sends it; 0, which no turn has, for others."""
    number = str(form.get("number", ""))
    return int(number) if NUMBER_IN_FORM.fullmatch(number) else 0


def play_context(game: Game, live: LiveRecord, account: Account) -> dict[str, Any]:
    """Return what the page shows to a player of a game that is played here."""
    seats = game.seats_of(account)
    to_move = to_move_after(game, live.moves)
    offered = live.offer
    players = {Seat.FIRST: game.first.current.name, Seat.SECOND: game.second.current.name}
    own = Seat(seats[0]) if seats else Seat.FIRST
    deadline = deadline_of(live)
    results = [
        (label, [choice for choice in choices if " " not in choice[0]])
        for label, choices in result_choices(game, players, own)
    ]
    return {
        "is_own_turn": to_move in seats,
        "other_name": players[own.other],
        "deadline": deadline,
        "can_claim": to_move not in seats and deadline and deadline <= timezone.now(),
        "offered": offered if offered.get("seat") in seats else None,
        "asked": offered if offered.get("seat", own) not in seats else None,
        "means": _meaning(game, live, own, players) if offered else "",
        "is_declined": bool(live.proposal and live.proposal.get("declined")),
        "results": [group for group in results if group[1]],
    }


def _meaning(game: Game, live: LiveRecord, own: Seat, players: Mapping[Seat, str]) -> str:
    """Return who wins by the result that is offered, to one of the players."""
    with suppress(ApiError):  # a turn since may have made the result impossible
        _, verdict = replay(game, [*live.moves, f"{AGREED}{live.offer['result']}"])
        winner = verdict.outcome.winner
        if winner is None:
            return gettext("a draw")
        if winner is own:
            return gettext("you win")
        return gettext("%(name)s wins") % {"name": players[winner]}
    return ""


class LivePage(PageOfGame):
    template = "games/play/live.html"
    actions = {
        "begin": Form(BeginLiveRecord),
        "turns": Form(AppendTurns, body=typed_turns),
        "resign": Form(AppendTurns, body=resignation),
        "take-back": Form(TakeBackTurn, parameters=("number",)),
        "offer": Form(OfferResult),
        "accept": Form(AcceptOffer),
        "decline": Form(DeclineOffer),
        "withdraw": Form(WithdrawOffer),
        "claim-time": Form(ClaimTime),
        "give-up": Form(GiveUpLiveRecord, sentence=gettext_noop("The record is given up.")),
    }

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the page; who may enter no turns, or finds the record over, reads the game."""
        game = find_visible_game(request, address["game_id"])
        if game is not None and not may_keep(request, game):
            return redirect(f"/games/{game.pk}")
        return super().get(request, **address)

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        game = get_visible_game(request, address["game_id"])
        require_in_game(request, game, "game.keep")  # the page has all turns
        live = live_of(game)
        text = text_of(game, live.moves if live else [])
        is_played = game.play == Game.Play.BY_TURNS
        is_keeper = live is not None and (is_played or live.kept_by == request.user)
        context = {
            "game": game,
            "rules": find_game(game.game),
            "live": live,
            "takes_turns": takes_turns(game),
            "is_keeper": is_keeper,
            "is_played": is_played,
            "entry": record_entry(text),
            "number": len(live.turns) + 1 if live else 1,
        }
        if live and is_keeper:
            player = current_account(request)[0] if is_played else None
            context["question"] = resign_question(game, to_move_after(game, live.moves), player)
        return context | (
            play_context(game, live, current_account(request)[0]) if live and is_played else {}
        )

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page without a sentence: the board shows what was done."""
        return request.path if name != "give-up" else f"/games/{address['game_id']}"

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Enter what the script of the board sends, or carry out the action of a form."""
        if not request.POST.get("entered"):
            return super().post(request, **address)
        try:
            return self.answer(request, address)
        except LoginNeeded:
            raise
        except NotFound as error:
            withdrawn = visible_games(request, void=True).filter(pk=address["game_id"]).first()
            conflicts = find_state_conflicts(withdrawn, by_side=True) if withdrawn else iter(())
            found = next(conflicts, error)
            return JsonResponse({"error": translated(found.detail)}, status=error.status)
        except ApiError as error:
            return JsonResponse({"error": translated(error.detail)}, status=error.status)

    def answer(self, request: Request, address: Mapping[str, Any]) -> JsonResponse:
        """Enter what the script sends, and return what the board shows then."""
        game = get_visible_game(request, address["game_id"])
        require_in_game(request, game, "game.keep")  # the answer has all turns
        live = live_of(game)
        if live is None:
            raise next(find_state_conflicts(game, by_side=True), no_live_record(game))
        fields = request.POST
        if question := fields.get("about"):
            scene = scene_of_record(record_with(game, live.moves))
            return JsonResponse({"message": answer(scene, question, fields.get("cell", ""))})
        begun, error = self.enter(request, game, live, address)
        live = LiveRecord.objects.filter(game=game).first() or live
        shown = replace(read_entry(text_of(game, live.moves)), begun=begun)
        found = entry_as_json(shown, names=fields.get("names") == "1")
        is_kept = live.way == LiveRecord.Way.KEPT
        seat = shown.scene.position.to_move if shown.scene else None
        return JsonResponse(
            found
            | {"number": len(live.turns) + 1, "over": live.is_over}
            | ({"waits": True} if self.waits(request, live) else {})
            | ({} if is_kept else {"version": live.own_version})
            | ({"question": resign_question(game, seat)} if is_kept and seat else {})
            | ({"error": error} if error else {})
        )

    def waits(self, request: Request, live: LiveRecord) -> bool:
        """Return True if it is the turn of the other side in a game that is played here."""
        if live.way != LiveRecord.Way.PLAYED:
            return False
        return to_move_after(live.game, live.moves) not in live.game.seats_of(
            current_account(request)[0]
        )

    def enter(
        self, request: Request, game: Game, live: LiveRecord, address: Mapping[str, Any]
    ) -> tuple[str, str]:
        """Enter a cell or words; return the turn that is begun, and what is wrong."""
        fields = request.POST
        number = number_in(fields)
        try:
            if fields.get("undo"):
                if number and number == len(live.turns) and not fields.get("begun"):
                    call = call_of(request, {**address, "number": number})
                    carry_out(TakeBackTurn(), call, dict, None)
                return "", ""
            sent = typed_turns(fields, address)
            if not fields.get("words", "").strip():
                before = read_entry(text_of(game, live.moves[: max(number - 1, 0)]))
                before = replace(before, begun=fields.get("begun", ""))
                cell = fields.get("cell", "")
                entered = enter_cell(before, cell) if cell else before
                if entered.error:
                    return "", translated(entered.error.detail)
                is_next = number == len(live.turns) + 1
                if entered.text == before.text and (is_next or not entered.begun):
                    return entered.begun, ""
                # A turn that is begun where another stands is refused as a whole one is.
                turns = turns_of(Record.parse(entered.text))[max(number - 1, 0) :]
                sent["turns"] = [entered.begun] if entered.begun else turns
            carry_out(AppendTurns(), call_of(request, address), lambda: sent, None)
        except ApiError as error:
            if error.code == "kept_elsewhere":
                raise  # the page is loaded again, and offers to continue here
            return "", translated(error.detail)
        return "", ""


def text_of(game: Game, turns: Sequence[str]) -> str:
    """Return the record so far, with the names of the players, as text."""
    record = record_with(game, turns)
    tags = Record.parse(start_of_record(conditions_of(game), (game.first.name, game.second.name)))
    return str(replace(record, tags=tags.tags))
