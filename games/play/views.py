"""Games: the list, one game, its record; answers to proposals, and the reports of a game."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Any, NamedTuple

import django_filters
from django.db.models import Q
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from games.core.actions import Actions, Answer, Call, task_number, with_task
from games.core.errors import NoSuchFormat
from games.core.filters import (
    RULESETS,
    BoardSizeFilter,
    DayFilter,
    FlagFilter,
    IdFilter,
    IdsFilter,
    WholeNumberFilter,
    WordsFilter,
)
from games.core.formats import (
    RecordFileParser,
    RecordParser,
    SgfFile,
    StrictJSONParser,
    SvgFile,
    TextFile,
)
from games.core.pagination import CursorPages
from games.core.permissions import Caller, current_account, find_refusals
from games.core.preconditions import tag_for_writes
from games.core.requests import only_in
from games.core.serializers import BOARD_SIZE, RULESET, validated
from games.core.types import described
from games.core.uploads.encodings import decode_text
from games.core.uploads.tasks import report_progress
from games.core.uploads.views import ENCODING
from games.core.views import ACTIONS, ApiView, ListView, ValuesListView, endpoint, with_actions
from games.models import Game, Report
from games.models.streams import TOURNAMENT_STREAM
from games.play import types
from games.play.diagrams import NAMES_PARAMETER, NUMBERS_PARAMETER, PLY_PARAMETER, RecordDiagram
from games.play.proposals import answer_proposal
from games.play.queries import (
    GAME_FIELDS,
    game_as_json,
    game_not_found,
    games_of_pool,
    get_visible_game,
    record_of,
    visible_game_rows,
    visible_games,
)
from games.play.serializers import (
    ArbiterReasonSerializer,
    ConfirmationRequestSerializer,
    DisputeRequestSerializer,
    ReportAcceptedSerializer,
    ReportRequestSerializer,
    ReportSerializer,
    RulingRequestSerializer,
)
from games.play.services import (
    Statement,
    adjourn_game,
    annul_game,
    confirm,
    dispute,
    resume_game,
    rule_game,
    state_claim,
    state_record,
    submit,
)
from games.play.states import (
    GAME_PERMISSIONS,
    GAME_RULES,
    ActionInGame,
    game_actions,
    game_target,
    require_in_game,
)
from games.players.queries import named_player
from games.rules.records.record import Record
from games.rules.records.sgf_writer import is_written_in_sgf, write_sgf
from games.rules.seat import Seat
from games.rules.text import Text

PLAYER_ACCOUNTS = (
    "first__account_id", "first__merged_into__account_id",
    "second__account_id", "second__merged_into__account_id",
)  # fmt: skip
"""The columns of the accounts that hold the seats of a game."""
OF_ACTIONS = (
    "stream", "pool", "play", "state", "adjourned", "closed", "round_complete", "proposed_by",
    "created_at",
)  # fmt: skip
"""The columns that the actions of a game depend on."""


def holder_of(row: dict[str, Any], seat: str) -> int | None:
    """Return the account that holds a seat: that of its player, or of the one they merged into."""
    merged = row[f"{seat}__merged_into"] is not None
    account: int | None = row[
        f"{seat}__merged_into__account_id" if merged else f"{seat}__account_id"
    ]
    return account


class PlayedFilter(django_filters.FilterSet):
    """The filters that a list of games and a search for games have in common."""

    player = IdFilter(method="filter_player", label="the id of a player, in either seat")
    tournament_slug = django_filters.CharFilter(method="filter_tournament", label="the slug")
    round = WholeNumberFilter(
        method="filter_round", label="the number of a round", min_value=1, max_value=999
    )
    pool = django_filters.CharFilter(
        method="filter_pool",
        label="the code of the pool that rates the games, or will, by their event or proposal",
    )
    rated = FlagFilter(label="whether it was played for ratings")
    since = DayFilter(
        method="filter_since",
        label="the first day, as 2026-05-01: of `played_on`, else of `confirmed_at` (UTC)",
    )
    until = DayFilter(
        method="filter_until",
        label="the last day, as 2026-05-31: of `played_on`, else of `confirmed_at` (UTC)",
    )

    class Meta:
        model = Game
        fields: list[str] = []

    def filter_player(self, games: Any, _name: str, value: int) -> Any:
        """Return the games in which the player has either seat."""
        players = named_player(value).registration_ids()
        return games.filter(first_id__in=players) | games.filter(second_id__in=players)

    def filter_tournament(self, games: Any, _name: str, value: str) -> Any:
        return games.filter(stream=f"{TOURNAMENT_STREAM}{value}")

    def filter_round(self, games: Any, _name: str, value: int) -> Any:
        return games.filter(round=str(value))

    def filter_since(self, games: Any, _name: str, value: date) -> Any:
        start = datetime.combine(value, time.min, UTC)
        return games.filter(Q(played_on__gte=value) | Q(played_on=None, confirmed_at__gte=start))

    def filter_until(self, games: Any, _name: str, value: date) -> Any:
        end = datetime.combine(value, time.max, UTC)
        return games.filter(Q(played_on__lte=value) | Q(played_on=None, confirmed_at__lte=end))

    def filter_pool(self, games: Any, _name: str, value: str) -> Any:
        return games.filter(games_of_pool(value))


class GameFilter(PlayedFilter):
    id = IdsFilter(label="the ids of games, separated by commas")
    ruleset = django_filters.ChoiceFilter(field_name="game", choices=RULESETS, label=RULESET)
    board_size = BoardSizeFilter(label=BOARD_SIZE)
    state = WordsFilter(choices=Game.State.choices, label="one or several states")
    basis = django_filters.ChoiceFilter(choices=Game.Basis.choices)


class GameList(ValuesListView):
    """The games that the account may see, oldest first.

    These are the public ones, and those of the account's own player, such as proposals. A game of a
    tournament is there from the publication of its round.
    """

    public_read = "tournament_slug"
    queryset = Game.objects.none()
    filterset_class = GameFilter

    def get_queryset(self) -> Any:
        return visible_game_rows(self.request)

    def row_as_json(self, row: dict[str, Any]) -> types.Game:
        return game_as_json(row)


class GameForCaller(NamedTuple):
    """A game as JSON, what finds the caller's actions, and its row if they may ever rule it."""

    body: types.Game
    find_actions: Callable[[], Actions]
    ruled: Game | None


def load_game(caller: Caller, game_id: int) -> GameForCaller:
    """Return a game; raises NotFound."""
    games = visible_games(caller).filter(pk=game_id)
    row = games.values(*GAME_FIELDS, "closed", "round_complete", *PLAYER_ACCOUNTS).first()
    if row is None:
        raise game_not_found(game_id)
    user, token = current_account(caller)
    seats: list[str] = [seat for seat in Seat if user.pk and holder_of(row, seat) == user.pk]
    game = Game(pk=game_id, **{name: row[name] for name in OF_ACTIONS})
    refusals = find_refusals(user, token, GAME_PERMISSIONS, stream=game.role_stream, seats=seats)
    find_actions = partial(game_actions, game, refusals, seats)
    ruled = game if refusals["game.rule"] is None else None
    return GameForCaller(game_as_json(row), find_actions, ruled)


class GameView(ApiView):
    parameters = (ACTIONS,)

    @extend_schema(responses=described(types.GameWithActions))
    def get(self, request: Request, game_id: int) -> Response:
        """Return a game: its players, its conditions, its result."""
        body, find_actions, ruled = load_game(request, game_id)
        if ruled is not None:
            tag_for_writes(request, game_target(ruled))
        return with_actions(request, body, find_actions)


class AcceptProposal(ActionInGame):
    """Accept a game that another player has proposed.

    An accepted game is public and can be reported; the two players have then agreed that it is
    rated, if it is.
    """

    rule = "accept"
    done = gettext_noop("You have accepted the game.")

    def perform(self, call: Call, game: Game) -> types.Game:
        answer_proposal(game, self.rule, by=call.account)
        return load_game(call, game.pk).body


class DeclineProposal(AcceptProposal):
    """Decline a game that another player has proposed.

    The game stays with the state `declined`, and only the two players see it. Who has proposed a
    game cancels it instead (`own_proposal`).
    """

    rule = "decline"
    done = gettext_noop("You have declined the game.")


class CancelProposal(AcceptProposal):
    """Cancel a game that one has proposed and that is not accepted yet.

    The game stays with the state `cancelled`, and only the two players see it. An accepted game
    cannot be cancelled; an arbiter annuls it.
    """

    rule = "cancel"
    done = gettext_noop("You have cancelled your proposal.")


class GameRecord(RecordDiagram):
    renderer_classes = [JSONRenderer, TextFile, SvgFile, SgfFile]
    parameters = [
        only_in(each, "svg") for each in (PLY_PARAMETER, NAMES_PARAMETER, NUMBERS_PARAMETER)
    ]

    @extend_schema(responses=described(types.GameRecord))
    def get(self, request: Request, game_id: int) -> HttpResponseBase:
        """Return the record that proves the result; SVG is the position after some or all plies.

        404 `no_record` for a result without a record. JSON and text are the two forms of one
        record, and the referee takes either. Records of Hex and TwixT are written in SGF, too.
        """
        form = request.accepted_renderer.format
        if form == "svg":
            return self.diagram(request, game_id, request.query_params.get("ply", ""))
        record = record_of(get_visible_game(request, game_id))
        if form == "txt":
            return HttpResponse(str(record), content_type="text/plain; charset=utf-8")
        return sgf_of(record) if form == "sgf" else Response(record.as_json())


def sgf_of(record: Record) -> HttpResponse:
    """Return a record as a file in SGF; raises NoSuchFormat for others than Hex and TwixT."""
    if not is_written_in_sgf(record):
        detail = Text("only records of Hex and TwixT are written in SGF")
        raise NoSuchFormat("not_acceptable", detail, valid=["json", "txt", "svg"])
    return HttpResponse(write_sgf(record), content_type=f"{SgfFile.media_type}; charset=utf-8")


ACCEPTED = {200: ReportAcceptedSerializer, 202: ReportAcceptedSerializer}
"""The responses to a report: already settled (`Prefer: wait`, a dry run), or settled later."""


class WriteReport(ActionInGame):
    """A report of a game, which a task settles; `rule` is what the report does."""

    responses = ACCEPTED
    made = ("report.id",)

    def resume(self, call: Call, accepted: Mapping[str, Any]) -> Answer:
        return _settled(task_number(accepted))


def _settled(number: int) -> Answer:
    """Return the answer with a report and the task that settles it."""

    def content() -> dict[str, Any]:
        report = Report.objects.select_related("confirms").get(pk=number)
        return {"report": ReportSerializer(report).data}

    return with_task(content, report_progress, number)


class ReportGame(WriteReport):
    """Report one's own game by its record or by a claim.

    The record is replayed at once; a task settles the result (`Prefer: wait=10` waits for it). A
    report that repeats the last one of the same player is that one: nothing is written. A claim
    needs the scope `result:write` instead. A score without a `termination` is that of a game that
    was played to the end; `1-0` needs one, such as `resigned`.
    """

    rule = "record"
    parameters = [ENCODING]
    body = ReportRequestSerializer
    example = {"claim": {"result": "1-0", "termination": "resigned"}}
    request = {
        "application/json": ReportRequestSerializer,
        "text/plain": bytes,
        "application/octet-stream": bytes,
    }

    def check(self, call: Call, found: Game) -> None:
        """Require nothing yet: the permission depends on the body."""

    def read(self, call: Call, found: Game, content: Any) -> Any:
        """Return the members; a text is a record."""
        if isinstance(content, bytes):
            return {"record": decode_text(content, call.query.get("encoding", ""))}
        return validated(ReportRequestSerializer, content)

    def prepare(self, call: Call, game: Game) -> Statement:
        action = GAME_RULES["claim" if call.body.get("claim") else "record"]
        account = require_in_game(call, game, action.permission)
        seat, claim = call.body.get("seat"), call.body.get("claim")
        sender: dict[str, Any] = {"by": account, "token": call.auth, "seat": seat}
        if claim:
            return state_claim(game, **claim, **sender)
        return state_record(game, call.body["record"], **sender, journals=not call.dry_run)

    def perform(self, call: Call, prepared: Statement) -> Answer:
        return _settled(submit(prepared).pk)


class ConfirmGame(WriteReport):
    """Confirm the other side's last report.

    `version` is that of the report that the caller has seen: if the other side has reported again
    since, the answer is 409 `report_superseded`. A task then settles the game with this result
    (`Prefer: wait=10` waits for it).
    """

    rule = "confirm"
    body = ConfirmationRequestSerializer
    example = {"version": 1}
    done = gettext_noop("You have confirmed the result.")

    def perform(self, call: Call, prepared: Game) -> Answer:
        sender: dict[str, Any] = {"by": call.account, "token": call.auth}
        return _settled(confirm(prepared, **sender, **call.body).pk)


class DisputeGame(WriteReport):
    """Dispute the other side's last report, with a reason.

    The game is `disputed` then, which the officials see; it has no result until both sides report
    the same or an arbiter rules.
    """

    rule = "dispute"
    body = DisputeRequestSerializer
    example = {"reason": "I have won by three points"}
    done = gettext_noop("The directors see that you dispute it.")

    def perform(self, call: Call, prepared: Game) -> Answer:
        sender: dict[str, Any] = {"by": call.account, "token": call.auth}
        return _settled(dispute(prepared, **sender, **call.body).pk)


class DecideGame(WriteReport):
    """A decision of an arbiter; `decide` reports it."""

    body: type[Serializer] = ArbiterReasonSerializer
    has_precondition = True
    decide: Callable[..., Report]

    def perform(self, call: Call, prepared: Game) -> Answer:
        return _settled(self.decide(prepared, by=call.account, **call.body).pk)


class RuleGame(DecideGame):
    """Give a game a result as an arbiter, whatever the sides reported; also a forfeit.

    Send `result`, or a `record` that proves one; its conditions must be those of the game. All
    reports stay, and a later ruling replaces this one. Officials of the tournament rule, or the
    officers of the pool of a casual game; against what both players have reported, only directors.
    Once the round is complete, a correction changes a result (409 `correction_needed`); a record
    that proves it can be added where there is none.
    """

    rule = "rule"
    body = RulingRequestSerializer
    example = {"result": "0-1", "reason": "both stopped at a finished board"}
    done = gettext_noop("The game is ruled.")
    decide = staticmethod(rule_game)


class AdjournGame(DecideGame):
    """Adjourn a game that is to be continued; its earlier reports do not count any more.

    Until it has a result, it counts as a draw in pairings and gives no points in standings, and its
    tournament cannot become final. A result is reported or ruled as usual. A game by turns takes no
    turns and no offers until it is resumed (409 `game_adjourned`).
    """

    rule = "adjourn"
    example = {"reason": "the hall closes at ten"}
    done = gettext_noop("The game is adjourned.")
    decide = staticmethod(adjourn_game)


class ResumeGame(DecideGame):
    """Let an adjourned game go on: its result is awaited as that of any other game of its round.

    What was reported before the adjournment does not count. In a game by turns the time of the turn
    begins anew.
    """

    rule = "resume"
    example = {"reason": "both are back"}
    done = gettext_noop("The game goes on.")
    decide = staticmethod(resume_game)


class AnnulGame(DecideGame):
    """Annul a game: it counts for nothing, and its reports stay.

    It gives no points and is not rated; the round can be completed without it. A later ruling gives
    it a result again. Once the round is complete, a correction does both.
    """

    rule = "annul"
    example = {"reason": "played with wrong seats"}
    done = gettext_noop("The game is annulled; it counts for nothing.")
    decide = staticmethod(annul_game)


class ReportsByVersion(CursorPages):
    ordering = ("version",)


class ReportList(ListView):
    """The reports of a game, oldest first, for its players and for the tournament's officials.

    Others get 403, also for a public game: only its result and its record are public. `version`
    numbers the reports, and `confirm` takes it.
    """

    serializer_class = ReportSerializer
    pagination_class = ReportsByVersion
    permission = "game.reports"
    parser_classes = [StrictJSONParser, RecordParser, RecordFileParser]
    post = endpoint(ReportGame)

    def get_queryset(self) -> Any:
        game = get_visible_game(self.request, self.kwargs["game_id"])
        require_in_game(self.request, game, self.permission)
        return game.reports.select_related("confirms")
