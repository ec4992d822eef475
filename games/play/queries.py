"""Load games: what is due, what a caller may see, and their JSON."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import reduce
from operator import or_
from typing import Any, Final

from django.conf import settings
from django.db.models import Case, Expression, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Substr
from django.utils import timezone

from games.core.errors import NotFound
from games.core.handicaps import handicap_in_words
from games.core.permissions import Caller, viewer
from games.core.references import absolute_url, current_columns, current_player_of, page_url
from games.models import Account, Game, HiddenName, LiveRecord, Report
from games.models.attempts import MAX_ATTEMPTS
from games.models.streams import POOL_STREAM, tournament_of
from games.models.time_controls import TimeControl
from games.play import types
from games.rules.game_outcome import FORFEITS
from games.rules.records.json_form import handicap_text
from games.rules.records.notation import (
    LONGEST_RECORD,
    LONGEST_VALUE,
    LONGEST_WORD,
    MOST_TAGS,
    MOST_WORDS,
)
from games.rules.records.record import Record
from games.rules.records.tags import MOST_HANDICAP_POINTS, MOST_HANDICAP_STONES
from games.rules.registry import GAMES
from games.rules.text import Text

CONTESTED: Final = "contested"
RECORDS: Final = "records"
"""The two records differ; with the ply of the first difference, `records 17`."""
CLAIMS: Final = "claims"
RECORD_AND_CLAIM: Final = "record and claim"

WORDS: Final = {
    CONTESTED: Text("one side disputes what the other reported"),
    RECORDS: Text("the two records differ"),
    CLAIMS: Text("%(detail)s give different results", detail=Text("the two reports")),
    RECORD_AND_CLAIM: Text(
        "%(detail)s give different results", detail=Text("a record and a reported result")
    ),
}


def dispute_in_words(dispute: str) -> str:
    """Return what a dispute is about; empty without one."""
    ply = dispute.removeprefix(f"{RECORDS} ")
    if ply != dispute:
        return Text("the two records differ first at turn %(ply)s", ply=ply)
    return WORDS.get(dispute, dispute)


GAME_FIELDS = (
    "id", "stream", "event", "round", "place", "game", "board", "options", "swap", "handicap",
    "advice", "main_minutes", "increment_seconds", "play", "days_per_turn",
    *current_columns("first"), *current_columns("second"),
    "rated", "pool", "rating_pool", "public", "played_on", "proposed_by", "created_at",
    "updated_at",
    "accepted_at",
    "state", "basis", "termination", "winner", "draw", "score_first", "score_second",
    "record__digest", "visible_dispute", "adjourned", "confirm_by", "confirmed_at",
)  # fmt: skip

POOLS_OF_EVENTS: Final = ("pairings__tournament__pool", "return_pairings__tournament__pool")
"""Where the pool of a game's event is."""


def rows_as_dicts(rows: "QuerySet[Any]", *fields: str) -> list[dict[str, Any]]:
    """Return the rows as dicts of these columns."""
    return list(rows.values(*fields))


def lock_game(game_id: int) -> Game:
    """Read a game again and lock its row until the transaction ends."""
    # Not its key: rows that others insert meanwhile, as batches do, may refer to the game.
    return Game.objects.select_for_update(no_key=True).get(pk=game_id)


def due_games(now: datetime | None = None) -> list[int]:
    """Return the games to settle: with an unsettled report, or a deadline that has passed."""
    unsettled = Report.objects.filter(settled_at__isnull=True).values("game_id")
    late = Q(state=Game.State.WAITING, confirm_by__lte=now or timezone.now(), void=False)
    games = Game.objects.filter(Q(pk__in=unsettled) | late)
    return list(games.order_by("pk").values_list("pk", flat=True))


def expired_games(now: datetime) -> "QuerySet[Game]":
    """Return the proposals not answered, and the accepted games not reported, in time.

    A game by turns is in time as long as turns are entered.
    """
    proposed = now - timedelta(days=settings.PROPOSAL_DAYS)
    accepted = now - timedelta(days=settings.CASUAL_GAME_DAYS)
    return Game.objects.filter(
        Q(state=Game.State.PROPOSED, created_at__lte=proposed)
        | Q(state=Game.State.OPEN, accepted_at__lte=accepted, reports=None)
    ).exclude(live__way=LiveRecord.Way.PLAYED, live__turn_since__gt=accepted)


def given_up_games() -> "QuerySet[Game]":
    """Return the games that are not settled after too many attempts."""
    return Game.objects.filter(attempts__gte=MAX_ATTEMPTS)


def _shown() -> Q:
    """Return the condition that all see a game: it is public, and its event is not hidden."""
    return Q(public=True) & ~Q(stream__in=HiddenName.objects.values("about"))


def public_games(*, void: bool = False) -> "QuerySet[Game]":
    """Return the public games; they have the columns of `games_of_account`."""
    return _with_columns(Game.objects.filter(_shown(), void=void), Value(""))


def games_of_pool(code: str) -> Q:
    """Return the condition of games that a pool rates, or will, by their event or proposal."""
    ways = [
        rated_games().filter(batch_games__pool__code=code),
        *(Game.objects.filter(rated=True, **{path: code}) for path in POOLS_OF_EVENTS),
    ]
    return reduce(or_, (Q(pk__in=way.values("pk")) for way in ways), Q(pool=code))


def rated_games() -> "QuerySet[Game]":
    """Return the games that a pool rates: they are filed with it for no exclusion."""
    return Game.objects.filter(batch_games__exclusion="")


def _with_columns(games: "QuerySet[Game]", dispute: Expression | F) -> "QuerySet[Game]":
    """Return games with what their dispute is about, and the pool that rates them, or will."""
    this = OuterRef("pk")
    filed = rated_games().filter(pk=this).order_by("-batch_games__pk")
    codes = [
        filed.values("batch_games__pool__code"),
        *(Game.objects.filter(pk=this, rated=True).values(path) for path in POOLS_OF_EVENTS),
    ]
    pool = Coalesce(*(Subquery(code[:1]) for code in codes))
    return games.annotate(visible_dispute=dispute, rating_pool=pool)


def visible_game_rows(caller: Caller) -> "QuerySet[Game, dict[str, Any]]":
    """Return the games that a caller may see, as rows of `GAME_FIELDS`."""
    return visible_games(caller).values(*GAME_FIELDS)


def own_game_rows(account: Account) -> "QuerySet[Game, dict[str, Any]]":
    """Return the games in which the player of an account has a seat, as rows of `GAME_FIELDS`."""
    return own_games(account).values(*GAME_FIELDS)


def own_games(account: Account) -> "QuerySet[Game]":
    """Return the games in which the player of an account has a seat."""
    own = Q(first__account=account) | Q(first__merged_into__account=account)
    own |= Q(second__account=account) | Q(second__merged_into__account=account)
    return games_of_account(account).filter(own)


def visible_games(caller: Caller, *, void: bool = False) -> "QuerySet[Game]":
    """Return the games that a caller may see; `visible_dispute` is what a dispute is about.

    A void game is visible only in the version of the pairings that it belongs to: those that are
    `void` are returned instead of the others.
    """
    account, stream = viewer(caller, "game.see")
    if account is None:
        return public_games(void=void)
    return games_of_account(account, stream, void=void)


def games_of_account(account: Account, stream: str = "", *, void: bool = False) -> "QuerySet[Game]":
    """Return the games that an account may see: public, its own, and where it has a role.

    With a `stream` (of a token for one event) games that are not public are visible only there.
    Officers of a pool see its casual games as the players do, once both have agreed to play.
    `visible_dispute` is empty in the games that only the public may see.
    """
    games = Game.objects.filter(void=void)
    own = Q(first__account=account) | Q(second__account=account)
    own |= Q(first__merged_into__account=account) | Q(second__merged_into__account=account)
    own |= Q(stream__in=account.roles.usable().values("stream")) & ~Q(stream="")
    roles = account.roles.filter(stream__startswith=POOL_STREAM)
    pools = roles.values(code=Substr("stream", len(POOL_STREAM) + 1))
    own |= Q(stream="", public=True, pool__in=pools)
    if account.acts_as_staff:
        own = Q()
    if stream:
        own &= Q(stream=stream)
    if not own:
        return _with_columns(games, F("dispute"))
    visible_dispute = Case(When(own, then="dispute"), default=Value(""))
    return _with_columns(games.filter(_shown() | own), visible_dispute)


def get_visible_game(caller: Caller, game_id: int) -> Game:
    """Return a game that the caller may see; raises NotFound."""
    game = find_visible_game(caller, game_id)
    if game is None:
        raise game_not_found(game_id)
    return game


def find_visible_game(caller: Caller, game_id: int) -> Game | None:
    """Return a game if the caller may see it."""
    games = visible_games(caller).select_related("first", "second", "record", "live")
    return games.filter(pk=game_id).first()


def record_of(game: Game) -> Record:
    """Return the record that proves the result of a game; raises NotFound without one."""
    if game.record is None:
        detail = Text("no record proves the result of game %(number)s", number=game.pk)
        raise NotFound("no_record", detail)
    return Record.parse(game.record.record)


def game_not_found(game_id: int) -> NotFound:
    """Return the error for a game that does not exist or that the caller may not see."""
    return NotFound(
        "not_found", Text("there is no game %(number)s that you may see", number=game_id)
    )


def answer_deadline(created_at: datetime) -> datetime:
    """Return when the proposal of a game expires."""
    return created_at + timedelta(days=settings.PROPOSAL_DAYS)


def report_deadline(accepted_at: datetime) -> datetime:
    """Return when an accepted casual game expires that nobody has reported."""
    return accepted_at + timedelta(days=settings.CASUAL_GAME_DAYS)


def game_as_json(row: dict[str, Any]) -> types.Game:
    """Return a row of `GAME_FIELDS` as JSON."""
    score: types.Score | None = None
    if row["score_first"] is not None:
        score = {"first": row["score_first"], "second": row["score_second"]}
    return {
        **game_reference(row["id"], row),
        "ruleset": row["game"],
        "board_size": row["board"],
        "options": row["options"],
        "swap": row["swap"],
        "handicap": row["handicap"],
        "handicap_text": row["handicap"] and handicap_in_words(handicap_text(row["handicap"])),
        "advice": row["advice"] or None,
        "main_minutes": row["main_minutes"],
        "increment_seconds": row["increment_seconds"],
        "time_class": TimeControl(row["main_minutes"], row["increment_seconds"]).time_class,
        "play": row["play"],
        "days_per_turn": row["days_per_turn"],
        "first": {"player": current_player_of(row, "first")},
        "second": {"player": current_player_of(row, "second")},
        "rated": row["rated"],
        "pool": row["rating_pool"] or row["pool"] or None,
        "played_on": row["played_on"],
        "state": row["state"],
        "proposed_by": row["proposed_by"] or None,
        "answer_by": answer_deadline(row["created_at"])
        if row["state"] == Game.State.PROPOSED
        else None,
        "report_by": report_deadline(row["accepted_at"])
        if (row["state"], row["play"]) == (Game.State.OPEN, Game.Play.ANYWHERE)
        and row["accepted_at"]
        else None,
        "basis": row["basis"] or None,
        "termination": row["termination"] or None,
        "winner": row["winner"] or None,
        "draw": row["draw"],
        "score": score,
        "result": result_text(
            row["state"],
            row["winner"],
            row["draw"],
            (row["score_first"], row["score_second"]),
            row["termination"],
        ),
        "digest": row["record__digest"],
        "record_url": absolute_url(f"games/{row['id']}/record") if row["record__digest"] else None,
        "dispute": dispute_in_words(row["visible_dispute"]) or None,
        "adjourned": row["adjourned"],
        "confirm_by": row["confirm_by"],
        "confirmed_at": row["confirmed_at"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
    }


def game_reference(game_id: int, row: Mapping[str, Any], game: str = "") -> types.GameReference:
    """Return how answers name a game; the columns of its row begin with `game`."""
    return {
        "id": game_id,
        "url": absolute_url(f"games/{game_id}"),
        "page_url": game_page(game_id),
        **place_as_json(row, game),
    }


def game_page(game_id: int) -> str:
    """Return the address of the page of a game."""
    return page_url(f"games/{game_id}")


def place_as_json(row: Mapping[str, Any], game: str = "") -> types.GamePlace:
    """Return the tournament, the round and the board of a game; null for a casual game.

    The columns of the row begin with `game`. Nobody moves a game to another board: its players
    get another game there.
    """
    slug, round_number = tournament_of(row[f"{game}stream"]), row[f"{game}round"]
    if slug is None:
        return {"tournament": None, "round": None, "board": None}
    board = row[f"{game}place"].split("/")[2:3]
    return {
        "tournament": {"slug": slug, "name": row[f"{game}event"]},
        "round": int(round_number) if round_number else None,
        "board": int(board[0]) if board else None,
    }


def result_text(
    state: str, winner: str, draw: bool, score: Sequence[int | None], termination: str
) -> str | None:
    """Return the result of a game, first seat first; None while it has none.

    A forfeit is `1-0f`, `0-1f` or `0-0f`.
    """
    if state != Game.State.CONFIRMED:
        return None
    if score[0] is not None:
        return f"{score[0]}-{score[1]}"
    if draw:
        return "1/2"
    won = {"first": "1-0", "second": "0-1"}.get(winner, "0-0")
    return f"{won}f" if termination in FORFEITS else won


def record_limits_as_json() -> types.RecordLimits:
    """Return the limits of a record as JSON."""
    return {
        "characters": LONGEST_RECORD,
        "words": MOST_WORDS,
        "word_characters": LONGEST_WORD,
        "comments": MOST_WORDS,
        "tags": MOST_TAGS,
        "tag_characters": LONGEST_VALUE,
        "handicap_stones": MOST_HANDICAP_STONES,
        "handicap_points": MOST_HANDICAP_POINTS,
    }


def records_beside(stream: str) -> "QuerySet[Report]":
    """Return the reports with a record of the games of a stream, and of all public games.

    Annulled games are left out: their record may be that of the game that replaces them.
    """
    reports = Report.objects.exclude(record="").exclude(game__state=Game.State.ANNULLED)
    in_stream = Q(game__stream=stream) & ~Q(game__stream="")
    return reports.filter(in_stream | Q(game__public=True))


def games_with_record(game: Game, digest: str) -> list[int]:
    """Return the ids of the other games that have this record, as far as they are visible."""
    reports = records_beside(game.stream).filter(digest=digest).exclude(game=game)
    return list(reports.order_by("game_id").values_list("game_id", flat=True).distinct())


def boards_of(values: Mapping[str, str]) -> Sequence[str] | None:
    """Return the boards of the game that an address names; None without a game."""
    rules = GAMES.get(values.get("code") or values.get("ruleset", ""))
    return rules.boards if rules else None
