"""The API of live records: begin, append turns, take the last one back, give up, offer, claim."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Answer, Call
from games.core.preconditions import content_tag
from games.core.serializers import OptionalChoiceField, SeatField
from games.core.types import described
from games.core.views import ApiView, endpoint
from games.models import Game, LiveRecord
from games.play import types
from games.play.by_turns import accept, claim_time, decline, offer, withdraw
from games.play.followers import load_live
from games.play.live import append_turns, begin, give_up, take_back
from games.play.queries import get_visible_game
from games.play.serializers import ResultField
from games.play.services import seat_of
from games.play.states import ActionInGame

MOST_TURNS = 400
"""Turns that may be appended at once; no game of the family has more."""


class ActionOnLiveRecord(ActionInGame):
    """A change of the live record of a game, by one of its players or an official.

    Nothing of it is in the journal, and `number` says what the caller has seen: so it has no
    `If-Match`.
    """

    permission = "game.keep"
    response: Any = types.LiveRecord
    made: tuple[str, ...] = ("version",)


class BeginRequestSerializer(serializers.Serializer):
    way = OptionalChoiceField(
        LiveRecord.Way.choices,
        default="",
        help_text="by default that of the game: a game by turns is `played`, any other `kept`",
    )
    seat = SeatField()


class BeginLiveRecord(ActionOnLiveRecord):
    """Begin to keep the record of a game at the board, or continue it on this device.

    A player of the game keeps it, or an official. If another account has kept it so far, its
    turns stand, and its next turn is refused (409 `kept_elsewhere`). The turn that ends the game
    makes the record a report of the player, which the opponent confirms, or the slip of the
    official. A game by turns is played here, by its players only: its record has begun with the
    game, and its end is the report of both sides.
    """

    name = "begin_live_record"
    body = BeginRequestSerializer
    example: Mapping[str, Any] = {}
    responses = {200: types.LiveRecord, 201: types.LiveRecord}
    location = "games/{game_id}/live"

    def perform(self, call: Call, prepared: Game) -> Answer:
        is_player = prepared.seats_of(call.account) or prepared.play == Game.Play.BY_TURNS
        seat = seat_of(prepared, call.account, call.body.get("seat")) if is_player else ""
        _, is_new = begin(prepared, by=call.account, seat=seat, way=call.body["way"])
        return Answer(load_live(call, prepared), status=201 if is_new else 200)

    def made_tag(self, call: Call, content: Any) -> str:
        return content_tag(content)


class TurnsRequestSerializer(serializers.Serializer):
    number = serializers.IntegerField(min_value=1, max_value=10_000, help_text="of the first turn")
    turns = serializers.ListField(
        child=serializers.CharField(max_length=200),
        min_length=1,
        max_length=MOST_TURNS,
        help_text="as a record writes them; `resign`, `time`, or `agreed 26-25` ends a game, of a"
        " game by turns only `resign`",
    )


class AppendTurns(ActionOnLiveRecord):
    """Append turns to a live record: one, or several that waited for the network.

    Turns that stand under their numbers already are no error, so a request can be sent again: 200
    if none was new. 409 `turn_differs` names the turn that stands there, 409 `turn_missing` the
    number that is next; 422 has the referee's words for an illegal turn, and then none is appended.
    """

    name = "append_live_turns"
    body = TurnsRequestSerializer
    example = {"number": 1, "turns": ["S60"]}
    responses = {200: types.LiveRecord, 201: types.LiveRecord}
    location = "games/{game_id}/live"

    def perform(self, call: Call, prepared: Game) -> Answer:
        number, turns = call.body["number"], call.body["turns"]
        _, new = append_turns(prepared, number, turns, by=call.account, token=call.auth)
        return Answer(load_live(call, prepared), status=201 if new else 200)

    def made_tag(self, call: Call, content: Any) -> str:
        return content_tag(content)


class TakeBackTurn(ActionOnLiveRecord):
    """Take back the last turn of a record that is kept; `number` is that of the last turn."""

    name = "take_back_live_turn"

    def perform(self, call: Call, prepared: Game) -> types.LiveRecord:
        take_back(prepared, call.address["number"], by=call.account)
        return load_live(call, prepared)


class GiveUpLiveRecord(ActionOnLiveRecord):
    """Delete a live record that is not over; the result of the game is reported another way."""

    name = "give_up_live_record"
    response = None
    made = ()

    def perform(self, call: Call, prepared: Game) -> None:
        give_up(prepared, by=call.account)


class OfferSerializer(serializers.Serializer):
    result = ResultField(help_text="on which both would agree, as `26-25`, `1-0` or `1/2`")


class OfferResult(ActionOnLiveRecord):
    """Offer the other side to agree on a result of a game by turns: a score, a win, or a draw.

    The offer stands until the next turn of the other side or until it is withdrawn, and replaces an
    earlier one.
    """

    name = "offer_result"
    body = OfferSerializer
    example = {"result": "26-25"}
    done = gettext_noop("The offer is sent; it stands until the next turn.")

    def perform(self, call: Call, prepared: Game) -> types.LiveRecord:
        offer(prepared, call.body["result"], by=call.account)
        return load_live(call, prepared)


class AcceptOffer(ActionOnLiveRecord):
    """Agree on the result that the other side offers; the game ends with it.

    `result` is the one that the caller has seen: 409 `no_offer` if the other side offers another.
    """

    name = "accept_offer"
    body = OfferSerializer
    example = {"result": "26-25"}
    done = gettext_noop("You have agreed on the result.")

    def perform(self, call: Call, prepared: Game) -> types.LiveRecord:
        accept(prepared, call.body["result"], by=call.account, token=call.auth)
        return load_live(call, prepared)


class DeclineOffer(ActionOnLiveRecord):
    """Decline the result that the other side offers; the game goes on."""

    name = "decline_offer"
    done = gettext_noop("You have declined the offer.")

    def perform(self, call: Call, prepared: Game) -> types.LiveRecord:
        decline(prepared, by=call.account)
        return load_live(call, prepared)


class WithdrawOffer(ActionOnLiveRecord):
    """Withdraw one's own offer of a result, while the other side has not answered it."""

    name = "withdraw_offer"
    done = gettext_noop("You have withdrawn your offer.")

    def perform(self, call: Call, prepared: Game) -> types.LiveRecord:
        withdraw(prepared, by=call.account)
        return load_live(call, prepared)


class ClaimTime(ActionOnLiveRecord):
    """Claim a win on time: the other side has not moved within the days of a turn.

    Nobody loses on time without that. Before the `deadline` it is 409 `time_left`.
    """

    name = "claim_time"
    done = gettext_noop("The game has ended on time.")

    def perform(self, call: Call, prepared: Game) -> types.LiveRecord:
        claim_time(prepared, by=call.account, token=call.auth)
        return load_live(call, prepared)


class LiveRecordView(ApiView):
    @extend_schema(operation_id="get_live_record", responses=described(types.LiveRecord))
    def get(self, request: Request, game_id: int) -> Response:
        """Return the record of a game that is being kept or played here, turn by turn.

        Its players and the officials see it at once, others after the delay of the event; 404
        `no_live_record` if there is none. It is deleted when the game is settled: its record is
        then that of the game.
        """
        return Response(load_live(request, get_visible_game(request, game_id)))

    post = endpoint(BeginLiveRecord)
    delete = endpoint(GiveUpLiveRecord)
