"""A round around its pairing: on its day, published, played, complete.

planned > drafted > published > complete > locked
"""

from collections.abc import Sequence
from datetime import date

from django.db import transaction
from django.utils import timezone

from games.bulk import BATCH_SIZE
from games.http.errors import Conflict, Unprocessable
from games.journal.lines import append_line
from games.models import Account, Game
from games.rules.outcome import RulingTermination
from games.services.creation import EventGames, NewGame, create_games
from games.services.rulings import rule_game
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.services.locking import (
    lock_current_round,
    lock_round,
    lock_tournament,
    require_state,
)
from tournament.services.systems import system_of
from tournament.snapshots.creation import take_snapshot

OPEN = (Round.State.PLANNED, Round.State.DRAFTED, Round.State.PUBLISHED)


def schedule_round(
    tournament: Tournament, number: int, starts_on: date | None, *, by: Account
) -> Round:
    """Say on which day a round is played, until it is complete; its open games follow.

    Raises Unprocessable for a day outside the event, Conflict once the round is complete.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_state(tournament, Tournament.State.RUNNING)
        this_round = lock_round(tournament, number, *OPEN)
        if starts_on and not tournament.starts_on <= starts_on <= tournament.ends_on:
            detail = f"the event is from {tournament.starts_on} to {tournament.ends_on}"
            error = {"pointer": "/starts_on", "code": "outside_event", "detail": detail}
            raise Unprocessable("outside_event", detail, [error])
        if this_round.starts_on == starts_on:
            return this_round
        this_round.starts_on = starts_on
        this_round.save(update_fields=["starts_on"])
        Game.objects.filter(pairing__round=this_round).update(played_on=starts_on)
        told = {"round": number, "starts_on": starts_on.isoformat() if starts_on else None}
        append_line(tournament.stream, "round.scheduled", told, by=by)
    return this_round


def event_games(tournament: Tournament) -> EventGames:
    """Return what all games of a tournament share."""
    return EventGames(
        stream=tournament.stream,
        event=tournament.name,
        game=tournament.game,
        board=tournament.board,
        options=tournament.options,
        swap=tournament.swap,
        public=tournament.public,
        confirm_hours=tournament.confirm_hours,
    )


def publish_round(tournament: Tournament, number: int, *, by: Account) -> Round:
    """Show a drafted round to everyone and open its games."""
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, Round.State.DRAFTED)
        lines = list(
            queries.current_pairings(tournament)
            .filter(round=this_round, kind=Pairing.Kind.GAME)
            .select_related("first", "second")
        )
        games = create_games(
            event_games(tournament),
            [
                NewGame(
                    round=str(number),
                    first=line.first.player_id,
                    second=line.second.player_id,  # type: ignore[union-attr] # a game has two
                    rated=tournament.rated,
                    played_on=this_round.starts_on,
                )
                for line in lines
            ],
        )
        for line, game in zip(lines, games, strict=True):
            line.game = game
        Pairing.objects.bulk_update(lines, ["game"], batch_size=BATCH_SIZE)
        _rule_forfeits(tournament, number, lines, by)
        this_round.state = Round.State.PUBLISHED
        this_round.published_at = timezone.now()
        this_round.save(update_fields=["state", "published_at"])
        told = {
            "round": number,
            "version": this_round.version,
            "games": [g.pk for g in games],
            "draw_seed": tournament.draw_seed,
        }
        append_line(tournament.stream, "round.published", told, by=by)
    return this_round


def _rule_forfeits(
    tournament: Tournament, number: int, lines: Sequence[Pairing], by: Account
) -> None:
    """Give lost the games of those who are away, whose boards a schedule keeps."""
    if not system_of(tournament).has_schedule:
        return
    away = queries.absent_numbers(tournament, number)
    for line in lines:
        gone = [side.pairing_number in away for side in (line.first, line.second) if side]
        if line.game and any(gone):
            result = {(True, False): "0-1", (False, True): "1-0"}.get((gone[0], gone[1]), "0-0")
            reason = "away: the game stays in the schedule and is lost by forfeit"
            rule_game(
                line.game,
                by=by,
                reason=reason,
                result=result,
                termination=RulingTermination.FORFEIT,
            )


def complete_round(tournament: Tournament, number: int, *, by: Account) -> Round:
    """Close a round whose results are all in; raises Conflict naming the open boards."""
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, Round.State.PUBLISHED)
        boards = queries.unsettled_boards(tournament, number)
        if boards:
            raise Conflict(
                "results_open",
                f"round {number} has open results; boards: {', '.join(map(str, boards))}",
                [{"code": "result_open", "round": number, "board": board} for board in boards],
            )
        this_round.state = Round.State.COMPLETE
        this_round.completed_at = timezone.now()
        this_round.save(update_fields=["state", "completed_at"])
        told = {"round": number, "standings": take_snapshot(tournament, this_round).digest}
        append_line(tournament.stream, "round.complete", told, by=by)
    return this_round
