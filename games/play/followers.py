"""What is seen of live records: by their players and officials at once, by others after a delay.

A page, a stream and the API show the same turns. The heads count what changes, for the streams.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from games.core.journal.chain import format_time
from games.core.permissions import Caller
from games.core.references import absolute_url
from games.models import Game, LiveRecord
from games.play import types
from games.play.live import Way, deadline_of, live_of, no_live_record, record_with, replay
from games.play.queries import record_of
from games.play.settlement import FINISHED_STATES
from games.play.states import may_in_game
from games.rules.records.record import Record
from games.rules.records.verdict import State
from games.rules.seat import Seat

NO_DELAY = Game.LiveDelay.NONE

FOLLOWED_DELAYS = [delay for delay in Game.LiveDelay if delay.minutes is not None]
"""The delays with which others follow a game while it is played."""

SETTLED = 2**31 - 1
"""The head of a game that is settled; one without a record that is shown has the head 0."""


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


def delay_in_words(caller: Caller, game: Game) -> str:
    """Return when the caller sees the turns of a game that is played; "" for one who sees all."""
    delay = Game.LiveDelay(game.live_delay)
    is_over = game.record is not None or live_of(game) is None or game.round_complete
    if is_over or delay == NO_DELAY or sees_all_turns(caller, game):
        return ""
    if delay == Game.LiveDelay.NEVER:
        return gettext("The turns are not shown while the game is played.")
    if delay == Game.LiveDelay.ROUND:
        return gettext("The turns are shown when the round is complete.")
    minutes = {"minutes": delay.minutes}
    return gettext("The turns are shown %(minutes)s minutes after they were entered.") % minutes


def sees_all_turns(caller: Caller, game: Game) -> bool:
    """Return True for the players of a game and for officials, who see its turns at once."""
    return may_in_game(caller, game, "game.reports")


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
        answer["offer"] = {"seat": Seat(live.offer["seat"]), "result": live.offer["result"]}
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
        "offer": None,
    }


def live_heads(game_ids: Sequence[int]) -> dict[int, int]:
    """Return the version of each game that spectators see; it falls where a record ends.

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
    """Return the version of each game that its players see, as `live_heads`; one query."""
    if not game_ids:
        return {}
    games = Game.objects.filter(pk__in=game_ids).select_related("live")
    return {
        game.pk: SETTLED
        if game.state in FINISHED_STATES
        else (live.own_version if (live := live_of(game)) else 0)
        for game in games
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
        is_kept = live.way == Way.KEPT
        is_undone = (
            is_kept and bool(live.turns) and live.turns[-1][1] != live.turn_since.isoformat()
        )
        data = own_record(live) if is_own else live_as_json(live, shown)
        at = data["turn_since"]
        if not data["over"]:
            kind = "turn.added" if shown else "live.begun"
            kind = "turn.taken_back" if is_undone and shown == len(live.turns) else kind
            proposal = live.proposal or {}
            if is_own and proposal.get("changes"):
                kind = "offer.declined" if proposal.get("declined") else "offer.withdrawn"
                kind = "offer.made" if live.offer else kind
    return {"type": kind, "timestamp": format_time(at), "game_id": game_id, "data": data}
