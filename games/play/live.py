"""Live records: a game's record, kept on the server turn by turn while it is played.

A player or an official keeps it at the board. The turn that ends the game makes it a report of the
player, or the slip of the official, in the same transaction. A game by turns is played here: each
side enters its own turns, nothing is taken back, and the end is the report of both sides. All
changes lock the row of the game.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.core.accounts.mail import Kind, request_message, revoke_messages
from games.core.errors import Conflict, NotFound, Unprocessable
from games.core.journal.chain import format_time
from games.core.journal.lines import game_stream
from games.core.permissions import Caller, current_account
from games.core.references import absolute_url
from games.core.text import moment_text
from games.models import Account, Game, LiveRecord, Player, Report, Token
from games.play import types
from games.play.outcomes import conditions_as_json, record_error
from games.play.queries import lock_game, own_games, record_of
from games.play.services import ReportStatement, add_report, device_of, seat_of
from games.play.settlement import FINISHED_STATES
from games.play.states import find_state_conflicts, may_in_game, other_way
from games.rules.errors import RecordError
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from games.rules.records.record import Record
from games.rules.records.verdict import State, Verdict
from games.rules.seat import Seat
from games.rules.text import Text

Way = LiveRecord.Way
TURN_LIFETIME: Final = timedelta(days=14)
"""How long it is tried to send a message about a turn without a limit."""
AGREED = f"{Termination.AGREED} "
"""The beginning of the last turn of a game whose players agree on a result, as `agreed 26-25`."""


def begin(game: Game, *, by: Account, seat: str, way: str = "") -> tuple[LiveRecord, bool]:
    """Begin the record of a game, or continue it in place of who has kept it.

    Return it, and whether it has been begun. Raises Conflict if the game has a result already, or
    is to be recorded the other way.
    """
    game = lock_game(game.pk)
    for conflict in find_state_conflicts(game, by_side=True):
        raise conflict
    if way not in ("", way_of(game)):
        raise other_way(game)
    if game.play == Game.Play.BY_TURNS:
        return LiveRecord.objects.get_or_create(game=game, defaults={"way": Way.PLAYED})
    live, is_new = LiveRecord.objects.get_or_create(
        game=game, defaults={"kept_by": by, "seat": seat}
    )
    if live.is_over:
        raise is_over(live)
    if (live.kept_by_id, live.seat) != (by.pk, seat):
        live.kept_by, live.seat = by, seat
        _save(live, at=live.turn_since)
    return live, is_new


def begin_played(games: Iterable[Game]) -> None:
    """Begin the records of those of new games that are played by turns; time counts from now."""
    by_turns = [game for game in games if game.play == Game.Play.BY_TURNS]
    LiveRecord.objects.bulk_create(LiveRecord(game=game, way=Way.PLAYED) for game in by_turns)


def append_turns(
    game: Game, number: int, turns: Sequence[str], *, by: Account, token: Token | None
) -> tuple[LiveRecord, int]:
    """Append turns, the first of which has this number; return the record, and how many are new.

    Turns that stand already under their numbers are no new ones. Raises Conflict if others stand
    there, if earlier turns are missing, if somebody else keeps the record, if a turn is that of the
    other side, and if the game is over; Unprocessable with the referee's words for an illegal turn:
    then none is appended.
    """
    live = _lock(game, by=by)
    known_turns = live.moves
    stands = known_turns[number - 1 :]
    if stands:
        turns = _as_recorded(live.game, known_turns[: number - 1], turns)
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
    if live.way == Way.PLAYED:
        _require_own_turns(live, new, by=by)
    _append(live, new, by=by, token=token)
    return live, len(new)


def _as_recorded(game: Game, before: Sequence[str], turns: Sequence[str]) -> Sequence[str]:
    """Return turns as a record spells them; as they are if it cannot have them."""
    try:
        return turns_of(record_with(game, [*before, *turns]))[len(before) :]
    except RecordError:
        return turns


def _append(live: LiveRecord, new: Sequence[str], *, by: Account, token: Token | None) -> None:
    """Append legal turns; the end of the game is reported."""
    now, known_turns = timezone.now(), live.moves
    record, verdict = replay(live.game, [*known_turns, *new], after=len(known_turns))
    words = turns_of(record)[len(known_turns) :]
    live.turns = [*live.turns, *([word, now.isoformat()] for word in words)]
    live.is_over = verdict.state is State.FINISHED
    if live.way == Way.PLAYED:
        live.version, live.told_at = live.own_version, None
        side = live.offer.get("seat")
        # An offer goes with the own turn, and ends with that of the other side.
        is_kept = side is not None and to_move_after(live.game, known_turns) == side
        live.proposal = {**live.offer, "changes": 0} if is_kept and not live.is_over else None
        if device_of(live.game, by, token) == Report.Device.DIRECTOR:
            live.linked = sorted({*live.linked, *live.game.seats_of(by)})
        revoke_messages(game_stream(live.game))
    _save(live, at=now)
    if live.is_over:
        _report(live, record, verdict, by=by, token=token)


def _require_own_turns(live: LiveRecord, new: Sequence[str], *, by: Account) -> None:
    """Raise Conflict for a turn of the other side, Unprocessable for what no side enters alone."""
    seats = live.game.seats_of(by)
    for place, turn in enumerate(new):
        if turn == Termination.TIME or turn.startswith(Termination.AGREED):
            detail = Text(
                "%(turn)s is no turn of one side: it offers a result, which the other accepts, or"
                " claims the other's time",
                turn=turn[:20],
            )
            raise Unprocessable("not_a_turn", detail, at=f"/turns/{place}")
        to_move = to_move_after(live.game, [*live.moves, *new[:place]])
        if to_move and to_move not in seats:
            raise not_your_turn(live.game, to_move)


def offer(game: Game, result: str, *, by: Account) -> LiveRecord:
    """Offer the other side to agree on a result; the offer stands until that side moves.

    Raises Unprocessable for a result that the game cannot have.
    """
    live, seat = _lock_played(game, by=by)
    record, _ = replay(live.game, [*live.moves, f"{AGREED}{result}"], at="/result")
    live.told_at = None
    _change_offer(live, {"seat": seat, "result": record.result})
    return live


def accept(game: Game, result: str, *, by: Account, token: Token | None) -> LiveRecord:
    """Agree on the result that the other side offers, which ends the game."""
    live, seat = _lock_played(game, by=by)
    _require_offer(live, seat, result)
    _append(live, [f"{AGREED}{result}"], by=by, token=token)
    return live


def decline(game: Game, *, by: Account) -> LiveRecord:
    """Decline what the other side offers."""
    live, seat = _lock_played(game, by=by)
    _require_offer(live, seat)
    _change_offer(live, {**live.offer, "declined": True})
    return live


def _change_offer(live: LiveRecord, offered: Mapping[str, Any]) -> None:
    changes = (live.proposal or {}).get("changes", 0) + 1
    live.proposal = {**offered, "changes": changes}
    live.save()


def claim_time(game: Game, *, by: Account, token: Token | None) -> LiveRecord:
    """End a game whose other side has not moved in its time; raises Conflict before that."""
    live, seat = _lock_played(game, by=by)
    if to_move_after(live.game, live.moves) == seat:
        detail = Text("it is your own turn: only the other side can claim your time")
        raise Conflict("not_your_turn", detail)
    until = deadline_of(live)
    if until is None:
        raise Conflict("time_left", Text("this game has no limit for the time of a turn"))
    if timezone.now() < until:
        detail = Text("the other side has time until %(until)s", until=moment_text(until))
        raise Conflict("time_left", detail, deadline=format_time(until))
    _append(live, [Termination.TIME], by=by, token=token)
    return live


def _lock_played(game: Game, *, by: Account) -> tuple[LiveRecord, str]:
    """Lock a game that is played here, and return its record and the seat of the account."""
    live = _lock(game, by=by)
    if live.way != Way.PLAYED:
        raise other_way(live.game)
    for conflict in find_state_conflicts(live.game, by_side=True):
        raise conflict
    if live.is_over:
        raise is_over(live)
    return live, seat_of(live.game, by)


def _require_offer(live: LiveRecord, seat: str, result: str = "") -> None:
    """Raise Conflict unless the other side offers something: this result, if one is stated."""
    offered = live.offer
    if offered.get("seat", seat) == seat or result not in ("", offered["result"]):
        detail = Text("the other side offers nothing any more, or something else")
        raise Conflict("no_offer", detail)


def take_back(game: Game, number: int, *, by: Account) -> LiveRecord:
    """Remove the last turn, which has this number; raises Conflict for another one."""
    live = _lock_kept(game, by=by)
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
    _lock_kept(game, by=by).delete()


def _lock_kept(game: Game, *, by: Account) -> LiveRecord:
    """Lock a game whose record the account keeps, and return the record, which is not over."""
    live = _lock(game, by=by)
    if live.way == Way.PLAYED:
        raise other_way(live.game)
    if live.is_over:
        raise is_over(live)
    return live


def _lock(game: Game, *, by: Account) -> LiveRecord:
    """Lock the game and return its live record.

    Raises Conflict if somebody else keeps it, Forbidden if others play the game here.
    """
    game = lock_game(game.pk)
    live = LiveRecord.objects.select_related("game__first", "game__second").filter(game=game)
    found = live.first()
    if found is None:
        for conflict in find_state_conflicts(game, by_side=True):
            raise conflict
        raise no_live_record(game)
    if found.way == Way.PLAYED:
        seat_of(found.game, by)
    elif found.kept_by_id != by.pk:
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
    """Make the reports that the record has become: of both players, of one, or of an official."""
    outcome = GameOutcome.from_verdict(verdict)
    content = ReportStatement(outcome, str(record), verdict.digest or "")
    if live.way == Way.PLAYED:
        players = zip(Seat, (live.game.first, live.game.second), strict=True)
        for seat, player in players:
            linked = seat in live.linked
            device = Report.Device.DIRECTOR if linked else Report.Device.HERE
            account, kind = player.current.account, Report.Kind.RECORD
            add_report(live.game_id, account, kind, content, seat=seat, device=device)
        return
    kind, device = Report.Kind.SLIP, Report.Device.DIRECTOR
    if live.seat:
        kind, device = Report.Kind.RECORD, device_of(live.game, by, token)
    add_report(live.game_id, by, kind, content, seat=live.seat, device=device)


def is_over(live: LiveRecord) -> Conflict:
    """Return the refusal of a change after the end of the game."""
    detail = Text("the record of game %(number)s is over, and was reported", number=live.game_id)
    return Conflict("live_over", detail)


def way_of(game: Game) -> LiveRecord.Way:
    """Return how the record of a game is made."""
    return Way.PLAYED if game.play == Game.Play.BY_TURNS else Way.KEPT


def not_your_turn(game: Game, to_move: Seat) -> Conflict:
    """Return the refusal of a turn of the other side."""
    player = game.first if to_move is Seat.FIRST else game.second
    return Conflict("not_your_turn", Text("it is the turn of %(name)s", name=player.current.name))


def to_move_after(game: Game, turns: Sequence[str]) -> Seat | None:
    """Return the side to move after these turns; None at the end."""
    return replay(game, turns)[1].to_move


def is_awaited(game: Game, seat: str) -> bool:
    """Return True if a game that is played here waits for this side: to move, or for its answer."""
    live = live_of(game)
    if game.state != Game.State.OPEN or live is None or live.way != Way.PLAYED or live.is_over:
        return False
    is_asked = live.offer.get("seat", seat) != seat
    return is_asked or to_move_after(game, live.moves) == seat


def awaited_games(account: Account) -> dict[int, datetime]:
    """Return the games by turns that wait for an account, with since when."""
    own = own_games(account).filter(play=Game.Play.BY_TURNS, state=Game.State.OPEN, closed=False)
    games = own.select_related("live", "first__merged_into", "second__merged_into")
    return {
        game.pk: live.turn_since
        for game in games
        if (live := live_of(game))
        and any(is_awaited(game, seat) for seat in game.seats_of(account))
    }


TOLD_AFTER: Final = timedelta(minutes=2)
"""Since a turn was entered: two who play on at once are not told of each turn."""


def turns_to_tell() -> "QuerySet[LiveRecord]":
    """Return the records of games whose side to move was not told so yet, the oldest first."""
    due = LiveRecord.objects.filter(
        way=Way.PLAYED, is_over=False, told_at=None, turn_since__lte=timezone.now() - TOLD_AFTER
    ).filter(game__state=Game.State.OPEN, game__void=False, game__closed=False)
    players = ("game__first__merged_into__account", "game__second__merged_into__account")
    accounts = ("game__first__account", "game__second__account")
    return due.select_related(*players, *accounts).order_by("turn_since")


def awaited_players(live: LiveRecord) -> list[tuple[Player, Player]]:
    """Return the players for whom a game waits, each with the opponent."""
    game = live.game
    players = [player.current for player in (game.first, game.second)]
    pairs = zip(Seat, players, reversed(players), strict=True)
    return [(own, other) for seat, own, other in pairs if is_awaited(game, seat)]


def lock_untold(live: LiveRecord) -> bool:
    """Lock the game of a record and read it again; False if nobody is to be told any more."""
    lock_game(live.game_id)
    if not turns_to_tell().filter(pk=live.pk).exists():
        return False
    live.refresh_from_db(fields=["turns", "version", "proposal", "is_over", "turn_since"])
    return True


def note_told(live: LiveRecord) -> None:
    """Note that the players of a record, which is locked, were told."""
    LiveRecord.objects.filter(pk=live.pk).update(told_at=timezone.now())


def tell_turns() -> int:
    """Send messages to those whose turn it is in a casual game; return how many games were due."""
    due = list(turns_to_tell().filter(game__stream=""))
    for live in due:
        with transaction.atomic():
            if not lock_untold(live):  # a turn that is entered meanwhile takes the message back
                continue
            until = deadline_of(live) or timezone.now() + TURN_LIFETIME
            for own, other in awaited_players(live):
                if own.account is not None:
                    request_message(
                        Kind.TURN,
                        game_stream(live.game),
                        own.account,
                        name=other.name,
                        until=until,
                        by=other.account,
                    )
            note_told(live)
    return len(due)


def deadline_of(live: LiveRecord) -> datetime | None:
    """Return until when the side to move has time; None without a limit, and at the end."""
    days = live.game.days_per_turn
    if days is None or live.is_over or live.way != Way.PLAYED:
        return None
    return live.turn_since + timedelta(days=days)


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


def replay(
    game: Game, turns: Sequence[str], *, after: int = 0, at: str = ""
) -> tuple[Record, Verdict]:
    """Return the record of these turns and its verdict.

    Raises Unprocessable with the referee's words for an illegal turn, which stands `at` a member of
    the body; by default in `turns`, where `after` is the number of those that were not sent.
    """
    try:
        record = record_with(game, turns)
        return record, record.replay()
    except RecordError as error:
        place = max((error.ply or len(turns)) - after, 1) - 1
        raise record_error(error.code, error.detail, error, at or f"/turns/{place}") from error


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
    """Return True for who may enter turns of a game now: its players, and officials who keep it."""
    live = live_of(game)
    if game.play == Game.Play.BY_TURNS and not game.seats_of(current_account(caller)[0]):
        return False
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
    is_shown = is_shown and game.state not in FINISHED_STATES
    if live is None or not is_shown:
        raise no_live_record(game)
    live.game = game
    return own_record(live) if sees_all else live_as_json(live, shown_turns(live, sees_all=False))


def own_record(live: LiveRecord) -> types.LiveRecord:
    """Return a live record as JSON, as its players and the officials see it."""
    answer = live_as_json(live, len(live.turns)) | {"version": live.own_version}
    if live.offer:
        answer["proposal"] = {"seat": Seat(live.offer["seat"]), "result": live.offer["result"]}
    return answer


def live_as_json(live: LiveRecord, shown: int) -> types.LiveRecord:
    """Return a live record as JSON, with so many of its turns; others see no offer."""
    turns = live.moves[:shown]
    _, verdict = replay(live.game, turns)
    outcome = verdict.outcome
    score, bounds = outcome.score, outcome.bounds
    return {
        "url": absolute_url(f"games/{live.game_id}/live"),
        "game_id": live.game_id,
        "way": LiveRecord.Way(live.way),
        "kept_as": live.seat or "official" if live.way == Way.KEPT else None,
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
        "deadline": deadline_of(live) if shown == len(live.turns) else None,
        "proposal": None,
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
    is_shown = ~Q(live_delay=Game.LiveDelay.NEVER) | Q(state__in=FINISHED_STATES)
    found = shown_versions(Game.objects.filter(is_shown, pk__in=game_ids))
    return {
        game: SETTLED if state in FINISHED_STATES else version for _, game, state, version in found
    }


def own_live_heads(game_ids: Sequence[int]) -> dict[int, int]:
    """Return what counts the changes that the players of games see; one query."""
    found = LiveRecord.objects.filter(game__in=game_ids).exclude(game__state__in=FINISHED_STATES)
    heads = dict.fromkeys(game_ids, SETTLED)
    return heads | {live.game_id: live.own_version for live in found} if game_ids else {}


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


def live_message(game_id: int, *, is_own: bool = False) -> dict[str, Any]:
    """Return the event of a game stream: what is seen now, and by what it came.

    `is_own` is for its players and the officials; others are spectators.
    """
    game = Game.objects.select_related("first", "second", "live").get(pk=game_id)
    live = live_of(game)
    kind, at, data = "live.ended", game.confirmed_at or timezone.now(), None
    is_shown = is_own or game.live_delay != Game.LiveDelay.NEVER
    if live is not None and is_shown and game.state not in FINISHED_STATES:
        shown = shown_turns(live, sees_all=is_own)
        is_undone = bool(live.turns) and live.turns[-1][1] != live.turn_since.isoformat()
        data = own_record(live) if is_own else live_as_json(live, shown)
        at = data["turn_since"]
        if not data["over"]:
            kind = "turn.added" if shown else "live.begun"
            kind = "turn.taken_back" if is_undone and shown == len(live.turns) else kind
            if is_own and (live.proposal or {}).get("changes"):
                kind = "offer.made" if live.offer else "offer.declined"
    return {"type": kind, "timestamp": format_time(at), "game_id": game_id, "data": data}
