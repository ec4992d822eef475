"""Live records: a game's record, kept on the server turn by turn while it is played.

A player or an official keeps it at the board. The turn that ends the game makes it a report of the
player, or the slip of the official, in the same transaction. All changes lock the row of the game.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games.core.errors import Conflict, NotFound
from games.core.journal.chain import format_time
from games.core.permissions import Caller
from games.core.references import absolute_url
from games.models import Account, Game, LiveRecord, Report, Token
from games.play import types
from games.play.outcomes import conditions_as_json, record_error
from games.play.queries import lock_game, record_of
from games.play.services import ReportStatement, add_report, device_of
from games.play.settlement import FINISHED_STATES
from games.play.states import find_state_conflicts, may_in_game
from games.rules.errors import RecordError
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from games.rules.records.record import Record
from games.rules.records.verdict import State, Verdict
from games.rules.text import Text

AGREED = f"{Termination.AGREED} "
"""The beginning of the last turn of a game whose players agree on a result, as `agreed 26-25`."""


def begin(game: Game, *, by: Account, seat: str) -> tuple[LiveRecord, bool]:
    """Begin the record of a game, or continue it in place of who has kept it.

    Return it, and whether it has been begun. Raises Conflict if the game has a result already.
    """
    game = lock_game(game.pk)
    for conflict in find_state_conflicts(game, by_side=True):
        raise conflict
    live, is_new = LiveRecord.objects.get_or_create(
        game=game, defaults={"kept_by": by, "seat": seat}
    )
    if live.is_over:
        raise is_over(live)
    if (live.kept_by_id, live.seat) != (by.pk, seat):
        live.kept_by, live.seat = by, seat
        _save(live, at=live.turn_since)
    return live, is_new


def append_turns(
    game: Game, number: int, turns: Sequence[str], *, by: Account, token: Token | None
) -> tuple[LiveRecord, int]:
    """Append turns, the first of which has this number; return the record, and how many are new.

    Turns that stand already under their numbers are no new ones. Raises Conflict if others stand
    there, if earlier turns are missing, if somebody else keeps the record, and if the game is over;
    Unprocessable with the referee's words for an illegal turn: then none is appended.
    """
    live = _lock(game, by=by)
    known_turns = live.moves
    stands = known_turns[number - 1 :]
    for place, (stated, known) in enumerate(zip(turns, stands, strict=False), number):
        if stated != known:
            detail = Text(
                "turn %(number)s is %(turn)s already; read the record again",
                number=place,
                turn=known,
            )
            raise Conflict("turn_differs", detail, number=place, turn=known)
    if number > len(live.turns) + 1:
        detail = Text("turn %(number)s is missing", number=len(live.turns) + 1)
        raise Conflict("turn_missing", detail, number=len(live.turns) + 1)
    new = turns[len(stands) :]
    if not new:
        return live, 0
    for conflict in find_state_conflicts(live.game, by_side=True):
        raise conflict
    if live.is_over:
        raise is_over(live)
    now = timezone.now()
    record, verdict = replay(live.game, [*known_turns, *new], after=len(known_turns))
    words = turns_of(record)[len(known_turns) :]
    live.turns = [*live.turns, *([word, now.isoformat()] for word in words)]
    live.is_over = verdict.state is State.FINISHED
    _save(live, at=now)
    if live.is_over:
        _report(live, record, verdict, by=by, token=token)
    return live, len(new)


def take_back(game: Game, number: int, *, by: Account) -> LiveRecord:
    """Remove the last turn, which has this number; raises Conflict for another one."""
    live = _lock(game, by=by)
    if live.is_over:
        raise is_over(live)
    if not live.turns or number != len(live.turns):
        detail = Text(
            "only the last turn can be taken back, which is %(number)s", number=len(live.turns)
        )
        raise Conflict("not_last_turn", detail, number=len(live.turns))
    live.turns = live.turns[:-1]
    _save(live, at=timezone.now())
    return live


def give_up(game: Game, *, by: Account) -> None:
    """Delete a record that is not over; the result comes another way."""
    live = _lock(game, by=by)
    if live.is_over:
        raise is_over(live)
    live.delete()


def _lock(game: Game, *, by: Account) -> LiveRecord:
    """Lock the game and return its live record; raises Conflict if somebody else keeps it."""
    lock_game(game.pk)
    live = LiveRecord.objects.select_related("game__first", "game__second").filter(game=game)
    found = live.first()
    if found is None:
        raise no_live_record(game)
    if found.kept_by_id != by.pk:
        detail = Text("another device keeps this record now; continue it here first")
        raise Conflict("kept_elsewhere", detail)
    return found


def _save(live: LiveRecord, *, at: datetime) -> None:
    live.version += 1
    live.turn_since = at
    live.save()


def _report(
    live: LiveRecord, record: Record, verdict: Verdict, *, by: Account, token: Token | None
) -> None:
    """Make the report that the record has become: the player's, or the slip of an official."""
    outcome = GameOutcome.from_verdict(verdict)
    content = ReportStatement(outcome, str(record), verdict.digest or "")
    kind, device = Report.Kind.SLIP, Report.Device.DIRECTOR
    if live.seat:
        kind, device = Report.Kind.RECORD, device_of(live.game, by, token)
    add_report(live.game_id, by, kind, content, seat=live.seat, device=device)


def is_over(live: LiveRecord) -> Conflict:
    """Return the refusal of a change after the end of the game."""
    detail = Text("the record of game %(number)s is over, and was reported", number=live.game_id)
    return Conflict("live_over", detail)


def no_live_record(game: Game) -> NotFound:
    """Return the error for a game without a live record that the caller may see."""
    detail = Text("game %(number)s has no live record that you may see", number=game.pk)
    return NotFound("no_live_record", detail)


def record_with(game: Game, turns: Sequence[str]) -> Record:
    """Return the record of these turns, without a verdict on them."""
    *moves, last = turns or [""]
    words, result = [*turns], None
    if last.startswith(AGREED):
        words, result = [*moves, Termination.AGREED.value], last.removeprefix(AGREED)
    return Record.from_json({**conditions_as_json(game), "moves": words, "result": result})


def replay(game: Game, turns: Sequence[str], *, after: int = 0) -> tuple[Record, Verdict]:
    """Return the record of these turns and its verdict.

    Raises Unprocessable with the referee's words for an illegal turn; `after` is the number of the
    turns that the caller has not sent.
    """
    try:
        record = record_with(game, turns)
        return record, record.replay()
    except RecordError as error:
        place = max((error.ply or len(turns)) - after, 1) - 1
        raise record_error(error.code, error.detail, error, f"/turns/{place}") from error


def turns_of(record: Record) -> list[str]:
    """Return the turns of a record, the agreement at its end as one of them."""
    *moves, last = record.moves or [""]
    if last == Termination.AGREED:
        return [*moves, f"{last} {record.result}"]
    return [*record.moves]


def shown_turns(live: LiveRecord, *, sees_all: bool, now: datetime | None = None) -> int:
    """Return how many turns the caller may see: others see them after the delay of the event."""
    game = live.game
    if sees_all or (game.live_delay == Game.LiveDelay.ROUND and game.round_complete):
        return len(live.turns)
    minutes = Game.LiveDelay(game.live_delay).minutes
    if minutes is None:
        return 0
    until = (now or timezone.now()) - timedelta(minutes=minutes)
    return sum(datetime.fromisoformat(at) <= until for _, at in live.turns)


def shown_since(live: LiveRecord, shown: int) -> datetime:
    """Return since when the record is as it is with so many of its turns."""
    if shown == len(live.turns):
        return live.turn_since
    return datetime.fromisoformat(live.turns[shown - 1][1]) if shown else live.started_at


def shown_version(live: LiveRecord, shown: int) -> int:
    """Return the version of the record as it is with so many of its turns.

    What was entered at once is one version: no other turns get the same one, and it never falls.
    """
    return live.version - len({entered[1] for entered in live.turns[shown:]})


def sees_all_turns(caller: Caller, game: Game) -> bool:
    """Return True for the players of a game and for officials, who see its turns at once."""
    return may_in_game(caller, game, "game.reports")


def live_of(game: Game) -> LiveRecord | None:
    """Return the live record of a game, which may be loaded with it."""
    live: LiveRecord | None = getattr(game, "live", None)
    return live


def may_keep(caller: Caller, game: Game) -> bool:
    """Return True for who may keep the record of a game now: its players, and officials."""
    live = live_of(game)
    if game.state != Game.State.OPEN or game.closed or (live and live.is_over):
        return False
    return may_in_game(caller, game, "game.keep")


def followed_record(caller: Caller, game: Game) -> Record:
    """Return the record of a game, or the turns so far that the caller may see.

    Raises NotFound without either.
    """
    live = live_of(game)
    if game.record or live is None:
        return record_of(game)
    shown = shown_turns(live, sees_all=sees_all_turns(caller, game))
    return record_with(game, live.moves[:shown])


def load_live(caller: Caller, game: Game) -> types.LiveRecord:
    """Return the live record of a game as the caller may see it; raises NotFound without one."""
    live = LiveRecord.objects.filter(game=game).first()  # not as it was loaded before a change
    sees_all = sees_all_turns(caller, game)
    is_shown = sees_all or game.live_delay != Game.LiveDelay.NEVER
    if live is None or not is_shown:
        raise no_live_record(game)
    live.game = game
    return live_as_json(live, shown_turns(live, sees_all=sees_all))


def live_as_json(live: LiveRecord, shown: int) -> types.LiveRecord:
    """Return a live record as JSON, with so many of its turns."""
    turns = live.moves[:shown]
    _, verdict = replay(live.game, turns)
    outcome = verdict.outcome
    score, bounds = outcome.score, outcome.bounds
    return {
        "url": absolute_url(f"games/{live.game_id}/live"),
        "game_id": live.game_id,
        "kept_as": live.seat or "official",
        "version": shown_version(live, shown),
        "turns": turns,
        "next_number": shown + 1,
        "to_move": verdict.to_move,
        "over": verdict.state is State.FINISHED,
        "winner": outcome.winner,
        "score": score and {"first": score[0], "second": score[1]},
        "bounds": bounds and {"first": [*bounds[0]], "second": [*bounds[1]]},
        "started_at": live.started_at,
        "turn_since": shown_since(live, shown),
    }


NO_DELAY = Game.LiveDelay.NONE
FOLLOWED_DELAYS = [delay for delay in Game.LiveDelay if delay.minutes is not None]
"""The delays with which others follow a game while it is played."""
SETTLED = 2**31 - 1
"""The head of a live record whose game is settled: it is above that of any other."""


def live_heads(game_ids: Sequence[int]) -> dict[int, int]:
    """Return what counts the changes that spectators see of games being played.

    One query, and another one if some of them are shown after a delay.
    """
    if not game_ids:
        return {}
    found = shown_versions(Game.objects.filter(pk__in=game_ids))
    return {
        game: SETTLED if state in FINISHED_STATES else version for _, game, state, version in found
    }


def followed_games() -> "QuerySet[Game]":
    """Return the games whose records grow, and which others follow meanwhile."""
    return Game.objects.filter(
        void=False,
        state=Game.State.OPEN,
        live_delay__in=FOLLOWED_DELAYS,
        live__is_over=False,
    )


def boards_in_play(streams: Sequence[str]) -> dict[str, dict[int, int]]:
    """Return the followed games of events by stream, with what `live_heads` returns."""
    found: dict[str, dict[int, int]] = {stream: {} for stream in streams}
    games = followed_games().filter(stream__in=streams)
    for stream, game, _, version in shown_versions(games) if streams else ():
        found[stream][game] = version
    return found


def shown_versions(games: "QuerySet[Game]") -> Iterator[tuple[str, int, str, int]]:
    """Yield stream, id, state and version of games; turns are loaded of those with a delay."""
    columns = "stream", "pk", "state", "live_delay", "live__version"
    rows = list(games.order_by("pk").values_list(*columns))
    later = [game for _, game, _, delay, version in rows if version and delay != NO_DELAY]
    records = LiveRecord.objects.filter(game__in=later).select_related("game") if later else ()
    shown = {
        live.game_id: shown_version(live, shown_turns(live, sees_all=False)) for live in records
    }
    for stream, game, state, _, version in rows:
        yield stream, game, state, shown.get(game, version or 0)


def live_message(game_id: int) -> dict[str, Any]:
    """Return the event of a game stream: what spectators see now, and by what it came."""
    game = Game.objects.select_related("first", "second", "live").get(pk=game_id)
    live = live_of(game)
    kind, at, data = "live.ended", game.confirmed_at or timezone.now(), None
    if live is not None and game.live_delay != Game.LiveDelay.NEVER:
        shown = shown_turns(live, sees_all=False)
        is_undone = bool(live.turns) and live.turns[-1][1] != live.turn_since.isoformat()
        data = live_as_json(live, shown)
        at = data["turn_since"]
        if not data["over"]:
            kind = "turn.added" if shown else "live.begun"
            kind = "turn.taken_back" if is_undone and shown == len(live.turns) else kind
    return {"type": kind, "timestamp": format_time(at), "game_id": game_id, "data": data}
