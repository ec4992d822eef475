"""Games by turns: offers of a result, claims of time, who is to move, and who hears of it."""

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.core.accounts.mail import Kind
from games.core.errors import ApiError, Conflict
from games.core.journal.chain import format_time
from games.core.text import moment_text
from games.models import Account, Game, LiveRecord, Player, Token
from games.play.live import (
    AGREED,
    Way,
    add_turns,
    deadline_of,
    live_of,
    lock_live,
    replay,
    require_in_play,
    to_move_after,
)
from games.play.mails import about_turn, revoke_mails, send_mail
from games.play.queries import lock_game, own_games
from games.play.services import seat_of
from games.play.states import other_way
from games.rules.outcome import Termination
from games.rules.seat import Seat
from games.rules.text import Text

log = logging.getLogger(__name__)

NOTIFIED_AFTER: Final = timedelta(minutes=2)
"""Since a turn was entered: two who play on at once get no message of each turn."""


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
    add_turns(live, [f"{AGREED}{result}"], by=by, token=token)
    return live


def decline(game: Game, *, by: Account) -> LiveRecord:
    """Decline what the other side offers."""
    live, seat = _lock_played(game, by=by)
    _require_offer(live, seat)
    _change_offer(live, {**live.offer, "declined": True})
    return live


def withdraw(game: Game, *, by: Account) -> LiveRecord:
    """Take back one's own offer that is not answered."""
    live, seat = _lock_played(game, by=by)
    if live.offer.get("seat") != seat:
        raise Conflict("no_offer", Text("you offer nothing, or the other side has answered"))
    _change_offer(live, {})
    revoke_mails(game)  # the other side hears of no offer that is gone
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
    add_turns(live, [Termination.TIME], by=by, token=token)
    return live


def _lock_played(game: Game, *, by: Account) -> tuple[LiveRecord, str]:
    """Lock a game that is played here, and return its record and the seat of the account."""
    live = lock_live(game, by=by)
    if live.way != Way.PLAYED:
        raise other_way(live.game)
    require_in_play(live)
    return live, seat_of(live.game, by)


def _require_offer(live: LiveRecord, seat: str, result: str = "") -> None:
    """Raise Conflict unless the other side offers something: this result, if one is stated."""
    offered = live.offer
    if offered.get("seat", seat) == seat or result not in ("", offered["result"]):
        detail = Text("the other side offers nothing any more, or something else")
        raise Conflict("no_offer", detail)


def awaited_seats(game: Game) -> set[str]:
    """Return the sides for which a game that is played here waits: to move, or to answer."""
    live = live_of(game)
    if live is None or live.way != Way.PLAYED or live.is_over:
        return set()
    if game.state != Game.State.OPEN or game.void or game.closed or game.adjourned:
        return set()
    offered, to_move = live.offer.get("seat"), to_move_after(game, live.moves)
    asked = {Seat(offered).other.value} if offered else set()
    return asked | ({to_move.value} if to_move else set())


def to_move_in(games: Iterable[int]) -> dict[int, tuple[Seat, datetime | None]]:
    """Return the side to move in those of these games that are played here, and until when."""
    lives = LiveRecord.objects.filter(game__in=games, way=Way.PLAYED, is_over=False)
    found: dict[int, tuple[Seat, datetime | None]] = {}
    for live in lives.select_related("game"):
        with suppress(ApiError):  # one that cannot be replayed any more waits for nobody
            if seat := to_move_after(live.game, live.moves):
                found[live.game_id] = (seat, deadline_of(live))
    return found


def own_turns(account: Account) -> dict[int, tuple[LiveRecord, bool]]:
    """Return the live records of an account's games by turns, and which wait for the account."""
    own = own_games(account).filter(play=Game.Play.BY_TURNS, state=Game.State.OPEN, closed=False)
    games = own.select_related("live", "first__merged_into", "second__merged_into")
    found: dict[int, tuple[LiveRecord, bool]] = {}
    for game in games:
        live = live_of(game)
        with suppress(ApiError):  # one that cannot be replayed any more waits for nobody
            if live:
                seats = game.seats_of(account)
                found[game.pk] = (live, not awaited_seats(game).isdisjoint(seats))
    return found


def awaited_players(live: LiveRecord) -> list[tuple[Seat, Player, Player]]:
    """Return the seats and players for whom a game waits, each with the opponent."""
    awaited = awaited_seats(live.game)
    players = [player.current for player in (live.game.first, live.game.second)]
    sides = zip(Seat, players, reversed(players), strict=True)
    return [side for side in sides if side[0] in awaited]


def turns_to_notify() -> "QuerySet[LiveRecord]":
    """Return the records of games whose side to move was not notified yet, the oldest first."""
    due = LiveRecord.objects.filter(
        way=Way.PLAYED, is_over=False, told_at=None, turn_since__lte=timezone.now() - NOTIFIED_AFTER
    )
    due = due.filter(game__state=Game.State.OPEN, game__adjourned=False)
    due = due.filter(game__void=False, game__closed=False)
    players = ("game__first__merged_into__account", "game__second__merged_into__account")
    accounts = ("game__first__account", "game__second__account")
    return due.select_related(*players, *accounts).order_by("turn_since")


def notify_each(due: "QuerySet[LiveRecord]", notify: Callable[[LiveRecord], None]) -> int:
    """Notify the players of each of these games, once; return how many games were due.

    A game that cannot be replayed any more delays no other; it is logged.
    """
    found = list(due)
    for live in found:
        try:
            with transaction.atomic():
                _notify(live, notify)
        except Exception:
            log.exception("the players of game %s were not notified", live.game_id)
    return len(found)


def _notify(live: LiveRecord, notify: Callable[[LiveRecord], None]) -> None:
    lock_game(live.game_id)
    # A turn that is entered meanwhile takes the message back.
    if turns_to_notify().filter(pk=live.pk).exists():
        live.refresh_from_db(fields=["turns", "version", "proposal", "is_over", "turn_since"])
        notify(live)
        LiveRecord.objects.filter(pk=live.pk).update(told_at=timezone.now())


def notify_casual_players() -> int:
    """Send mails to those whose turn it is in a casual game; return how many games were due."""
    return notify_each(turns_to_notify().filter(game__stream=""), _mail_turn)


def _mail_turn(live: LiveRecord) -> None:
    until = deadline_of(live)
    for seat, _, _ in awaited_players(live):
        send_mail(Kind.TURN, live.game, seat, until=until, lines=about_turn(live, seat, until))
