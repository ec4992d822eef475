"""Live records: a game's record, kept on the server turn by turn while it is played.

A player or an official keeps it at the board. The turn that ends the game makes it a report of the
player, or the slip of the official, in the same transaction. A game by turns is played here: each
side enters its own turns, nothing is taken back, and the end is the report of both sides
(by_turns.py). All changes lock the row of the game. What others see of records is in followers.py.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from games.core.errors import Conflict, NotFound, Unprocessable
from games.core.permissions import Caller, current_account
from games.models import Account, Game, LiveRecord, Report, Token
from games.play.mails import revoke_mails, send_end
from games.play.outcomes import conditions_as_json, record_error
from games.play.queries import lock_game
from games.play.services import ReportStatement, add_report, device_of, seat_of
from games.play.states import find_state_conflicts, may_in_game, other_way
from games.rules.errors import RecordError
from games.rules.game_outcome import GameOutcome
from games.rules.outcome import Termination
from games.rules.records.claims import parse_result
from games.rules.records.record import Record
from games.rules.records.verdict import State, Verdict
from games.rules.seat import Seat
from games.rules.text import Text

Way = LiveRecord.Way

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
        start = {"way": Way.PLAYED, "version": game.live_version + 1}
        return LiveRecord.objects.get_or_create(game=game, defaults=start)
    start = {"kept_by": by, "seat": seat, "version": game.live_version + 1}
    live, is_new = LiveRecord.objects.get_or_create(game=game, defaults=start)
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
    live = lock_live(game, by=by)
    known_turns = live.moves
    stands = known_turns[number - 1 :]
    if stands:
        turns = _as_recorded(live.game, known_turns[: number - 1], turns)
    for place, (stated, known) in enumerate(zip(turns, stands, strict=False), number):
        if stated != known:
            detail = Text("turn %(number)s is %(turn)s already", number=place, turn=known)
            raise Conflict("turn_differs", detail, number=place, turn=known)
    if number > len(live.turns) + 1:
        detail = Text("turn %(number)s is missing", number=len(live.turns) + 1)
        raise Conflict("turn_missing", detail, number=len(live.turns) + 1)
    new = turns[len(stands) :]
    if not new:
        return live, 0
    require_in_play(live)
    _require_turns(live, new)
    if live.way == Way.PLAYED:
        _require_own_turns(live, new, by=by)
    add_turns(live, new, by=by, token=token)
    return live, len(new)


def _as_recorded(game: Game, before: Sequence[str], turns: Sequence[str]) -> Sequence[str]:
    """Return turns as a record spells them; as they are if it cannot have them."""
    try:
        return turns_of(record_with(game, [*before, *turns]))[len(before) :]
    except RecordError:
        return turns


def add_turns(live: LiveRecord, new: Sequence[str], *, by: Account, token: Token | None) -> None:
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
        revoke_mails(live.game)
    _save(live, at=now)
    if live.is_over:
        _report(live, record, verdict, by=by, token=token)


def _require_turns(live: LiveRecord, new: Sequence[str]) -> None:
    """Raise Unprocessable for a result, and for what no side of a game by turns enters alone."""
    is_played = live.way == Way.PLAYED
    for place, turn in enumerate(new):
        word, is_ending = parse_result(turn, ()), turn.lower().startswith(("time", "agreed"))
        if word is None and not (is_played and is_ending):
            continue
        detail = Text(
            "%(result)s is a result, not a turn; type how the game ended: time, or agreed with the"
            " result; the side to move can also resign",
            result=word,
        )
        if is_played:
            detail = Text(
                "%(word)s is not a turn of this game; offer the result to the other side, claim the"
                " win on time when its time is over, or resign if you have lost",
                word=(word or turn)[:20],
            )
        raise Unprocessable("not_a_turn", detail, at=f"/turns/{place}")


def _require_own_turns(live: LiveRecord, new: Sequence[str], *, by: Account) -> None:
    """Raise Conflict for a turn of the other side."""
    seats = live.game.seats_of(by)
    for place in range(len(new)):
        to_move = to_move_after(live.game, [*live.moves, *new[:place]])
        if to_move and to_move not in seats:
            raise not_your_turn(live.game, to_move)


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
    live = _lock_kept(game, by=by)
    LiveRecord.objects.filter(pk=live.pk).end()


def _lock_kept(game: Game, *, by: Account) -> LiveRecord:
    """Lock a game whose record the account keeps, and return the record, which is not over."""
    live = lock_live(game, by=by)
    if live.way == Way.PLAYED:
        raise other_way(live.game)
    if live.is_over:
        raise is_over(live)
    return live


def lock_live(game: Game, *, by: Account) -> LiveRecord:
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


def require_in_play(live: LiveRecord) -> None:
    """Raise Conflict unless the game goes on; one by turns does not while it is adjourned."""
    for conflict in find_state_conflicts(live.game, by_side=True):
        raise conflict
    if live.way == Way.PLAYED and live.game.adjourned:
        detail = Text("the game is adjourned: it takes no turns until a director resumes it")
        raise Conflict("game_adjourned", detail)
    if live.is_over:
        raise is_over(live)


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
        own, players = live.game.seats_of(by), (live.game.first, live.game.second)
        # The last report is that of the side which has ended the game: the other hears of it.
        for seat, player in sorted(
            zip(Seat, players, strict=True), key=lambda side: side[0] in own
        ):
            linked = seat in live.linked
            device = Report.Device.DIRECTOR if linked else Report.Device.HERE
            account, kind = player.current.account, Report.Kind.RECORD
            add_report(live.game_id, account, kind, content, seat=seat, device=device)
        if not live.game.stream:
            send_end(live, outcome, by=by)
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


def may_keep(caller: Caller, game: Game) -> bool:
    """Return True for who may enter turns of a game now: its players, and officials who keep it."""
    if game.play == Game.Play.BY_TURNS and not game.seats_of(current_account(caller)[0]):
        return False
    return takes_turns(game) and may_in_game(caller, game, "game.keep")


def takes_turns(game: Game) -> bool:
    """Return True if turns of a game can be entered now, by those who may."""
    live = live_of(game)
    if game.adjourned and game.play == Game.Play.BY_TURNS:
        return False
    return game.state == Game.State.OPEN and not game.closed and not (live and live.is_over)


def to_move_after(game: Game, turns: Sequence[str]) -> Seat | None:
    """Return the side to move after these turns; None at the end."""
    return replay(game, turns)[1].to_move


def deadline_of(live: LiveRecord) -> datetime | None:
    """Return until when the side to move has time; None without a limit, and at the end.

    While the game is adjourned, no time runs.
    """
    days = live.game.days_per_turn
    if days is None or live.is_over or live.way != Way.PLAYED or live.game.adjourned:
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


def live_of(game: Game) -> LiveRecord | None:
    """Return the live record of a game, which may be loaded with it."""
    live: LiveRecord | None = getattr(game, "live", None)
    return live
