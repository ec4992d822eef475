"""Schedule, publish and complete a round.

planned > drafted > published > complete > locked
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.bulk import BATCH_SIZE
from games.http.errors import Unprocessable
from games.journal import append_line
from games.models import Account, Game
from tournament import queries
from tournament.models import Pairing, Round, Tournament
from tournament.services.forfeits import rule_forfeits
from tournament.services.games import build_game, games_of_round
from tournament.services.locking import (
    lock_current_round,
)
from tournament.services.numbering import publish_entries
from tournament.services.systems import system_of
from tournament.snapshots.creation import take_snapshot


def schedule_round(
    tournament: Tournament, number: int, starts_on: date | None, *, by: Account
) -> Round:
    """Set the date of a round and of its games.

    Raises Unprocessable for a date outside the event, Conflict if the round is complete.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "edit")
        if starts_on and not tournament.starts_on <= starts_on <= tournament.ends_on:
            detail = f"the event is from {tournament.starts_on} to {tournament.ends_on}"
            raise Unprocessable("outside_event", detail, at="/starts_on")
        if this_round.starts_on == starts_on:
            return this_round
        this_round.starts_on = starts_on
        this_round.save(update_fields=["starts_on"])
        Game.objects.filter(games_of_round(this_round)).update(played_on=starts_on)
        payload = {"round": number, "starts_on": starts_on.isoformat() if starts_on else None}
        append_line(tournament.stream, "round.scheduled", payload, by=by)
    return this_round


def publish_round(tournament: Tournament, number: int, *, by: Account) -> Round:
    """Publish a drafted round and create its games."""
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "publish")
        pairings = list(
            queries.current_pairings(tournament)
            .filter(round=this_round, kind=Pairing.Kind.GAME)
            .order_by("board_number")
            .select_related("first", "second")
        )
        now = timezone.now()
        _create_games(tournament, this_round, pairings, at=now)
        if system_of(tournament).has_schedule:
            rule_forfeits(tournament, number, pairings, by=by)
        this_round.state = Round.State.PUBLISHED
        this_round.published_at = now
        this_round.save(update_fields=["state", "published_at"])
        publish_entries(tournament)
        payload: dict[str, Any] = {
            "round": number,
            "version": this_round.version,
            "games": [pairing.game_id for pairing in pairings],
            "draw_seed": tournament.draw_seed,
        }
        if tournament.games_per_pairing == 2:
            payload["return_games"] = [pairing.return_game_id for pairing in pairings]
        append_line(tournament.stream, "round.published", payload, by=by)
    return this_round


def _create_games(
    tournament: Tournament, this_round: Round, pairings: Sequence[Pairing], *, at: datetime
) -> None:
    """Create the games of the pairings, and the return games if a pairing has two."""
    names = ("game", "return_game")[: tournament.games_per_pairing]
    for name in names:
        games = Game.objects.bulk_create(
            build_game(
                tournament,
                this_round,
                pairing,
                rated=tournament.rated,
                at=at,
                is_return_game=name == "return_game",
            )
            for pairing in pairings
        )
        for pairing, game in zip(pairings, games, strict=True):
            setattr(pairing, name, game)
    Pairing.objects.bulk_update(pairings, names, batch_size=BATCH_SIZE)


def complete_round(tournament: Tournament, number: int, *, by: Account) -> Round:
    """Complete a round and take its snapshot; raises Conflict naming the open boards."""
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "complete")
        this_round.state = Round.State.COMPLETE
        this_round.completed_at = timezone.now()
        this_round.save(update_fields=["state", "completed_at"])
        tournament.as_published = True  # a snapshot is public before the next round is
        payload = {
            "round": number,
            "version": this_round.version,
            "standings": take_snapshot(tournament, this_round).digest,
        }
        append_line(tournament.stream, "round.complete", payload, by=by)
    return this_round
