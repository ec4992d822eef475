"""The rounds of an event: schedule, check, pair, change, publish, complete and revert them.

Reads return rounds, their pairings with reasons, certificates and versions.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from functools import partial
from itertools import pairwise
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.actions import Action, Answer, Call, with_task
from games.core.errors import ApiError, NotFound, Unprocessable, check_all
from games.core.pagination import CursorPages
from games.core.permissions import Caller, can_see_drafts, current_account, find_refusals
from games.core.preconditions import Target, tag_for_writes
from games.core.requests import is_flag_set, only_in, requested_choice, wait_seconds
from games.core.serializers import validated
from games.core.tables.csv import CsvRenderer
from games.core.tables.json import NdjsonRenderer
from games.core.tables.pdf import PdfRenderer
from games.core.tables.views import BOM_PARAMETER, PAPER, NegotiatedView
from games.core.tables.xlsx import XlsxRenderer
from games.core.types import described, list_of, with_chosen_rows
from games.core.views import ACTIONS, ApiView, ValuesListView, endpoint, with_actions
from games.core.waits import PREFER, place_to_wait, wait_for_task
from games.rules.text import Text
from tournament.core.engine import PairedRound
from tournament.core.locking import lock_tournament, require_state
from tournament.core.lookup import (
    ActionInEvent,
    hide_draft,
    own_account,
    require_tournament,
    tournament_seen_by,
)
from tournament.core.queries import LISTED_STATES, entries_by_number, is_own
from tournament.core.rows import chosen_rows, row_parameters
from tournament.core.sheets import requested_frame
from tournament.core.states import BEFORE_START
from tournament.core.targets import tournament_target
from tournament.entries.queries import namesakes_in
from tournament.models import Round, Tournament
from tournament.rounds import serializers
from tournament.rounds.by_hand import (
    EnginePairings,
    ask_engine,
    change_boards,
    preview_pairings,
    set_pairings,
)
from tournament.rounds.checks import RoundCheck, check_round
from tournament.rounds.explanations import (
    ExplainedPair,
    WaitingPair,
    add_reasons,
    explain_pairings,
    explain_two,
    explanation_progress,
    explanation_with_names,
    read_explanation,
)
from tournament.rounds.lookup import ActionInRound, allowed_round_actions, round_of, round_seen_by
from tournament.rounds.pairing import (
    CertificateFile,
    compute_pairings,
    current_certificate,
    pair_round,
    preview_round,
)
from tournament.rounds.queries import (
    PairingRow,
    RoundPairings,
    VersionPairings,
    VersionRow,
    WaitingPairings,
    describe_notes,
    describe_versions,
    load_pairings,
    pairings_as_json,
    pairings_of_version,
    told_apart,
    version_rows,
)
from tournament.rounds.serializers import (
    BoardChangesSerializer,
    ByHandRequestSerializer,
    ExplainRequestSerializer,
    PairRequestSerializer,
    PublishRequestSerializer,
    RestoreRequestSerializer,
    RoundActionSerializer,
    RoundDetail,
    RoundRequestSerializer,
    RoundTimesSerializer,
    round_as_json,
)
from tournament.rounds.services import (
    complete_round,
    publish_round,
    reopen_round,
    restore_version,
    schedule_round,
    set_round_end,
    unpair_round,
)
from tournament.rounds.states import ROUND_RULES
from tournament.rounds.tables import (
    NO_POINTS,
    pairings_by_name_document,
    pairings_document,
    points_before,
)
from tournament.rounds.targets import round_target

Compared = tuple[Round, EnginePairings | None]
"""A round to write by hand, and the engine's pairings."""


class RoundList(ApiView):
    public_read = "slug"

    @extend_schema(operation_id="list_rounds", responses=list_of(serializers.Round))
    def get(self, request: Request, slug: str) -> Response:
        """Return the rounds of the tournament, which its start plans.

        Before the start only rounds with a date are there. All rounds come in one answer, by
        number.
        """
        tournament = tournament_seen_by(request, slug)
        found = list(tournament.round_set.order_by("number"))
        if not can_see_drafts(request, tournament.stream):
            found = [hide_draft(this_round) for this_round in found]
        rounds = [round_as_json(this_round) for this_round in found]
        return Response({"next": None, "previous": None, "results": rounds})


class ScheduleRound(ActionInRound):
    """Set the date, or the date and time, of the round and of its games, or its end.

    Before the start of the tournament, too. Without a time, the round has only a date. From its end
    on, the games without a result wait for the directors; nothing is decided by it.
    """

    rule = "edit"
    body = RoundRequestSerializer
    example = {"starts_at": "2027-04-17T14:30:00+01:00"}
    has_precondition = True
    done = gettext_noop("The times of the round are set.")

    def find(self, call: Call) -> Round:
        """Return the round, not saved if the start of the event will plan it; raise NotFound."""
        tournament = tournament_seen_by(call, call.address["slug"])
        number = call.address["number"]
        if tournament.state in BEFORE_START and 1 <= number <= tournament.rounds:
            planned = tournament.round_set.filter(number=number).first()
            return planned or Round(tournament=tournament, number=number)
        return round_of(tournament, number)

    def target(self, call: Call, found: Round) -> Target:
        """Return the round, or the event that has not planned it."""
        return round_target(found) if found.pk else tournament_target(found.tournament)

    def wanted(self, call: Call, found: Round) -> str:
        """Return the address of the round, or of the event that has not planned it."""
        return super().wanted(call, found) if found.pk else f"tournaments/{found.tournament.slug}"

    def read(self, call: Call, found: Round, content: Any) -> Any:
        return validated(self.body, content, context={"zone": found.tournament.time_zone})

    def perform(self, call: Call, found: Round) -> serializers.Round:
        place, body = (found.tournament, found.number), call.body
        if found.pk is None or body.keys() & {"starts_on", "starts_at"}:
            found = schedule_round(*place, *day_and_time(body), by=call.account)
        if "ends_at" in body:
            found = set_round_end(*place, body["ends_at"], by=call.account)
        return round_as_json(found)


def day_and_time(body: Mapping[str, Any]) -> tuple[date | None, time | None]:
    """Return the day and the time of a validated body, whose moment is at the event's place."""
    starts_at = body.get("starts_at")
    if starts_at is None:
        return body.get("starts_on"), None
    return starts_at.date(), starts_at.time()


class ScheduleRounds(ActionInEvent):
    """Set the day and the time of each round before the start; on pages only."""

    name = "schedule_rounds"
    permission = ROUND_RULES["edit"].permission
    body = RoundTimesSerializer
    done = gettext_noop("The times of the rounds are set.")

    def read(self, call: Call, found: Tournament, content: Any) -> Any:
        return validated(self.body, content, context={"zone": found.time_zone})

    def perform(self, call: Call, found: Tournament) -> dict[str, Any]:
        tournament = lock_tournament(found)
        require_state(tournament, *BEFORE_START)
        stored = tournament.round_set.values_list("number", "starts_on", "start_time")
        times = {number: at for number, *at in stored}
        sent = {int(number): day_and_time(body) for number, body in call.body["rounds"].items()}
        changed = {
            number: at
            for number, at in sorted(sent.items())
            if number <= tournament.rounds and [*at] != times.get(number, [None, None])
        }
        check_all(
            *(
                partial(
                    schedule_round,
                    tournament,
                    number,
                    *at,
                    by=call.account,
                    at=f"/rounds/{number}/starts_on",
                )
                for number, at in changed.items()
            ),
            partial(_require_order, {**times, **changed}),
        )
        return {}


def _require_order(times: Mapping[int, Sequence[Any]]) -> None:
    """Raise Unprocessable for each round that would begin before the one before it."""
    dated = [(number, day, time) for number, (day, time) in sorted(times.items()) if day]
    check_all(
        *(
            partial(_refuse_order, number, before)
            for (before, *first), (number, *second) in pairwise(dated)
            # Without a time, a round may be at any time of its day.
            if (second < first if None not in (first[1], second[1]) else second[0] < first[0])
        )
    )


def _refuse_order(number: int, before: int) -> None:
    detail = Text(
        "round %(number)s would begin before round %(before)s", number=number, before=before
    )
    raise Unprocessable("senseless_dates", detail, at=f"/rounds/{number}/starts_on")


class RoundView(ApiView):
    public_read = "slug"
    parameters = (ACTIONS,)
    patch = endpoint(ScheduleRound)

    @extend_schema(responses=described(RoundDetail))
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return a round with its state and its dates.

        Officials get the tag that the writes of the round want. What a draft says about its
        pairings is hidden from others.
        """
        tournament = tournament_seen_by(request, slug)
        this_round = round_of(tournament, number)
        if can_see_drafts(request, tournament.stream):
            tag_for_writes(request, round_target(this_round))
        else:
            this_round = hide_draft(this_round)
        body = round_as_json(this_round)
        return with_actions(request, body, lambda: allowed_round_actions(request, this_round))


class CheckRound(ActionInRound):
    """Check whether a round can be paired, who blocks it, and what could give way.

    Nothing is changed. It pairs the round as `pair` would, and takes as long; `relax` is what
    `pair` needs then.
    """

    name = "check_round"
    rule = "pair"
    problems = (409,)
    cost = "pairing"
    is_read_only = True

    def perform(self, call: Call, found: Round) -> RoundCheck:
        return check_round(found).as_json()


class RoundWrite(ActionInRound):
    """A write after which the response is the round with its pairings; `service` writes it."""

    has_precondition = True
    service: Callable[..., Any]

    def perform(self, call: Call, found: Any) -> RoundPairings:
        place = found.tournament, found.number
        return pairings_as_json(self.service(*place, **call.body, by=call.account))


class PairRound(RoundWrite):
    """Pair a round with the tournament's pairing system. A draft is paired again.

    If there is no legal pairing, the response is 409. It names the players who block the round, and
    in `relaxations` the rules that could give way. To relax these rules, send them as `relax`, with
    a reason.
    """

    rule = "pair"
    body = PairRequestSerializer
    example = {"relax": ["same_seats"], "reason": "a small group"}
    cost = "pairing"
    done = gettext_noop("The round is paired; only officials see it.")

    def prepare(self, call: Call, found: Round) -> tuple[Round, PairedRound]:
        return found, compute_pairings(found, **call.body)

    def try_out(self, call: Call, prepared: tuple[Round, PairedRound]) -> RoundPairings:
        return preview_round(*prepared, reason=call.body["reason"])

    def perform(self, call: Call, prepared: tuple[Round, PairedRound]) -> RoundPairings:
        found, computed = prepared
        paired = pair_round(
            found.tournament, found.number, by=call.account, computed=computed, **call.body
        )
        return pairings_as_json(paired)


class WriteByHand(RoundWrite):
    """A write of pairings that the engine's are compared with."""

    def prepare(self, call: Call, found: Round) -> Compared:
        return found, ask_engine(found, self.rule)

    def perform(self, call: Call, prepared: Compared) -> RoundPairings:
        found, engine = prepared
        this_round, draft = self.service(
            found.tournament, found.number, **call.body, by=call.account, engine=engine
        )
        return draft.add_to(pairings_as_json(this_round))


class SetPairings(WriteByHand):
    """Set all pairings of a draft by hand, with a reason; boards are numbered as sent.

    Each player who is present needs a game or a bye. `violations` are the rules that the pairings
    break; `publish` requires their acceptance. In a tournament with handicaps, boards for which
    none is named get the recommended one, in the seats that it needs.
    """

    rule = "set_pairings"
    body = ByHandRequestSerializer
    example = {
        "reason": "drawn by hand",
        "pairings": [
            {"first_id": 9, "second_id": 12},
            {"first_id": 15, "second_id": None, "bye": "pairing_bye"},
        ],
    }
    service = staticmethod(set_pairings)
    done = gettext_noop("The round is paired by hand; only officials see it.")

    def try_out(self, call: Call, prepared: Compared) -> RoundPairings:
        return preview_pairings(*prepared, **call.body)


class ChangeBoards(WriteByHand):
    """Change single boards or byes of a draft or of a published round, with a reason.

    The other boards stay as they are, with their games. The games of changed boards become
    void. In a published round, `accept` must name the rules that the round breaks then, and
    `game_reported` if a changed board has reports (409 `acceptance_needed`). Only the handicap
    of two players can change too, until their game has a report (409 `handicap_fixed`).
    """

    rule = "change_boards"
    body = BoardChangesSerializer
    example = {
        "reason": "they travel together",
        "boards": [{"board": 1, "first_id": 9, "second_id": 12}],
    }
    service = staticmethod(change_boards)
    done = gettext_noop("The boards are changed.")


class PublishRound(RoundWrite):
    """Publish a draft and create its games.

    If the round breaks rules, such as a rematch set by hand or a player who withdrew, `accept`
    must name them; otherwise the response is 409 `acceptance_needed` and lists them.
    """

    rule = "publish"
    body = PublishRequestSerializer
    example = {"accept": ["player_absent"]}
    made = ("rows.game_id?", "rows.return_game?")
    service = staticmethod(publish_round)
    done = gettext_noop("The round is published.")


class CompleteRound(RoundWrite):
    """Complete a published round that has all its results.

    409 `results_open` names the boards that have none. The journal keeps the digest of the
    results, and the next round can be paired. `reopen` is the way back.
    """

    rule = "complete"
    body = RoundActionSerializer
    example = {"reason": "the last board is decided by the arbiter"}
    service = staticmethod(complete_round)
    done = gettext_noop("The round is complete.")


class UnpairRound(RoundWrite):
    """Withdraw the pairings of a round, which is planned again.

    Its games are void until `restore` makes this version current again. The drafts of later rounds
    are withdrawn too. Rejected once a later round is published (409 `later_round_published`).
    """

    rule = "unpair"
    body = RoundActionSerializer
    example = {"reason": "a player is late"}
    service = staticmethod(unpair_round)
    done = gettext_noop("The pairings are withdrawn; the version can be restored.")


class ReopenRound(RoundWrite):
    """Set a complete round back to published; the drafts of later rounds are withdrawn.

    Rejected once a later round is published (409 `later_round_published`).
    """

    rule = "reopen"
    body = RoundActionSerializer
    example = {"reason": "a result is missing"}
    service = staticmethod(reopen_round)
    done = gettext_noop("The round is published again.")


class RestoreVersion(RoundWrite):
    """Make an older version of a round current again, with its games and results.

    A version that was published or complete is published again; `complete` completes it. The
    version that was current remains, with void games.
    """

    rule = "restore"
    body = RestoreRequestSerializer
    example = {"version": 1, "reason": "paired too early"}
    service = staticmethod(restore_version)
    done = gettext_noop("The version is restored.")


def explain_refusal(caller: Caller, tournament: Tournament) -> ApiError | None:
    """Return why the caller may not ask why two players of an event do not meet, if so."""
    own = is_own(own_account(caller, tournament), "player")
    seats = ["own entry"] * tournament.entries.filter(own, state__in=LISTED_STATES).exists()
    action = ExplainTwo.permission
    user, token = current_account(caller)
    return find_refusals(user, token, [action], stream=tournament.stream, seats=seats)[action]


class ExplainTwo(Action):
    """Explain why two players, by their pairing numbers, do not meet in a round.

    For the players and officials of the tournament. The round is paired again with the pair forced;
    the reason says what gets worse. For a large round, the response is 202, and the result of the
    task has the reason. Without numbers, all boards are explained: `pairings?explain=1` has the
    reasons then.
    """

    name = "explain_pairing"
    permission = "rounds.explain"
    body = ExplainRequestSerializer
    example = {"first_number": 9, "second_number": 12}
    responses = {200: ExplainedPair, 202: WaitingPair}
    cost = "dear"
    is_read_only = True

    def find(self, call: Call) -> Round:
        return round_seen_by(call, call.address["slug"], call.address["number"])

    def check(self, call: Call, found: Round) -> None:
        if (refusal := explain_refusal(call, found.tournament)) is not None:
            raise refusal

    def perform(self, call: Call, this_round: Round) -> Answer:
        if not call.body:
            explanation = explain_pairings(this_round, by=call.user)
            whole = {"round": this_round.number, "entries": []}
            if explanation.body is not None:
                return Answer(whole)
            return with_task(lambda: whole, explanation_progress, explanation.pk)
        numbers = {name.removesuffix("_number"): number for name, number in call.body.items()}
        explanation = explain_two(this_round, numbers["first"], numbers["second"], by=call.user)
        explained = explanation_with_names(explanation)
        described = {entry["id"]: entry for entry in explained["entries"]}
        entries = entries_by_number(this_round.tournament)
        pair = {seat: described[entries[number]] for seat, number in numbers.items()}
        body = {"round": this_round.number, **pair, **explained}
        if explanation.body is not None:
            return Answer(body)
        return with_task(lambda: body, explanation_progress, explanation.pk)


class ExplainRound(ExplainTwo):
    """Ask for the reasons of all boards: the form of a page, which is then loaded again."""

    is_read_only = False


class CertificateView(ApiView):
    @extend_schema(responses=described(CertificateFile))
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return the certificate of a paired round, as a file for `verify_certificate`.

        It has the input of the engine and its output, so that anyone can compute the pairings
        again. 404 `no_certificate` for a round that is not paired, or that was paired by hand.
        """
        this_round = round_seen_by(request, slug, number)
        certificate = current_certificate(this_round)
        if certificate is None:
            paired_by = (
                Text("paired by %(name)s", name=this_round.system)
                if this_round.system
                else Text("not paired")
            )
            raise NotFound(
                "no_certificate",
                Text(
                    "round %(number)s has no certificate: %(detail)s",
                    number=number,
                    detail=paired_by,
                ),
            )
        return HttpResponse(certificate.text, content_type="application/json")


EXPLAIN = only_in(
    OpenApiParameter("explain", bool, description="add the reasons of every board"), "json"
)
BY = only_in(OpenApiParameter("by", str, enum=["board", "name"], description="the order"), "pdf")


class RoundPairingsView(NegotiatedView):
    public_read = "slug"
    renderer_classes = [JSONRenderer, CsvRenderer, XlsxRenderer, NdjsonRenderer, PdfRenderer]
    put = endpoint(SetPairings)
    patch = endpoint(ChangeBoards)
    parameters = (EXPLAIN, PREFER, BY, BOM_PARAMETER, PAPER, *row_parameters(PairingRow))

    @extend_schema(
        responses={200: with_chosen_rows(RoundPairings), 202: described(WaitingPairings)},
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        """Return the pairings of a round; only directors see a draft.

        With `?explain=1` each board has its reasons. Those of more than 200 players are computed by
        a task (202) once somebody has asked for them by `explain_pairing`, before 404
        `no_explanation`.
        The tables have a row for each pairing, byes last; columns: `round,board,kind,first_number,
        first_player,first,second_number,second_player,second,result,termination,state,starts_on,
        starts_at`; the numbers are pairing numbers, the players their ids, and an apostrophe
        precedes names that a spreadsheet would run. PDF is the sheet to print.
        """
        this_round = round_seen_by(request, slug, number)
        tournament = this_round.tournament
        if not isinstance(request.accepted_renderer, JSONRenderer):
            return self.file(request, this_round)
        if can_see_drafts(request, tournament.stream):
            tag_for_writes(request, round_target(this_round))
        body = pairings_as_json(this_round)
        if not is_flag_set(request, "explain"):
            return Response(chosen_rows(request, body))
        self.is_final = False
        explanation = read_explanation(this_round, by=request.user)
        if explanation.body is not None:
            return Response(chosen_rows(request, add_reasons(body, explanation)))
        with place_to_wait(wait_seconds(request), self.headers) as seconds:
            content, status, headers = wait_for_task(
                explanation_progress, explanation.pk, lambda: chosen_rows(request, body), seconds
            )
        return Response(content, status=status, headers=headers)

    def file(self, request: Request, this_round: Round) -> HttpResponse:
        """Return the pairings as a table or as a sheet."""
        is_sheet = isinstance(self.renderer, PdfRenderer)
        by_name = is_sheet and requested_choice(request, "by", ("board", "name")) == "name"
        build = pairings_by_name_document if by_name else pairings_document
        with self.language:
            context = {"frame": requested_frame(request, this_round.tournament)} if is_sheet else {}
            points = points_before(this_round) if is_sheet else NO_POINTS
            pairings = load_pairings(this_round)
            if is_sheet:
                pairings = told_apart(pairings, namesakes_in(this_round.tournament))
            document = build(this_round, pairings, points)
            return self.render_table(document, **context)


class RoundsByVersion(CursorPages):
    ordering = ("version",)


class VersionList(ValuesListView):
    """The versions of a round's pairings: who set them, when, why, and their state.

    For the officials of the tournament.
    """

    serializer_class = described(VersionRow)
    pagination_class = RoundsByVersion
    permission = "drafts.see"

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        tournament = require_tournament(request, kwargs["slug"], self.permission)
        this_round = round_of(tournament, kwargs["number"])
        page = self.paginate_queryset(self.filter_queryset(version_rows(this_round))) or []
        versions = describe_versions(this_round, page)
        noted = describe_notes(tournament, [version.notes for version in versions])
        rows = [
            version.as_json(this_round, notes)
            for version, notes in zip(versions, noted, strict=True)
        ]
        return self.get_paginated_response(rows)


class VersionView(ApiView):
    permission = "drafts.see"

    @extend_schema(responses=described(VersionPairings))
    def get(self, request: Request, slug: str, number: int, version: int) -> Response:
        """Return the pairings of a version with their games, which are void if it is not current.

        `restore` makes the version current again.
        """
        tournament = require_tournament(request, slug, self.permission)
        this_round = round_of(tournament, number)
        return Response(pairings_of_version(this_round, version))
