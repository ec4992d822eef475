"""Schedule, publish and complete a round.

planned > drafted > published > complete > locked
"""

from collections.abc import Collection
from datetime import date, time
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.core.errors import Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, combined, updated_rows, whole_rows
from games.models import Account, Game
from games.rules.text import Text
from tournament import queries
from tournament.core.systems import system_of
from tournament.core.violations import BY_HAND, codes_of, find_violations, require_acceptance
from tournament.entries.numbering import store_printed_numbers
from tournament.models import Pairing, Round, Tournament
from tournament.rounds.games import create_games, games_of, games_of_round
from tournament.services.actions import BEFORE_START
from tournament.services.forfeits import rule_forfeits
from tournament.services.locking import lock_current_round, lock_tournament
from tournament.snapshots.creation import take_snapshot


def schedule_round(
    tournament: Tournament,
    number: int,
    starts_on: date | None,
    start_time: time | None = None,
    *,
    by: Account,
) -> Round:
    """Set the date of a round and of its games, and the time in the time zone of the event.

    Before the start of the event, this adds the round. Raises Unprocessable for a date outside the
    event, Conflict if the round is complete.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        is_new = False
        if tournament.state in BEFORE_START and number <= tournament.rounds:
            _, is_new = tournament.round_set.get_or_create(number=number)
        tournament, this_round = lock_current_round(tournament, number, "edit")
        if starts_on and not tournament.starts_on <= starts_on <= tournament.ends_on:
            detail = Text(
                "the event is from %(first)s to %(last)s",
                first=tournament.starts_on,
                last=tournament.ends_on,
            )
            raise Unprocessable("outside_event", detail, at="/starts_on")
        same = (this_round.starts_on, this_round.start_time) == (starts_on, start_time)
        if same and not is_new:
            return this_round
        this_round.starts_on, this_round.start_time = starts_on, start_time
        this_round.save(update_fields=["starts_on", "start_time"])
        games = Game.objects.filter(games_of_round(this_round))
        games.update(played_on=starts_on)
        payload = {
            "round": number,
            "starts_on": starts_on.isoformat() if starts_on else None,
            "start_time": start_time.isoformat() if start_time else None,
        }
        scheduled = whole_rows(this_round) if is_new else changed_rows(this_round)
        rows = combined(scheduled, updated_rows(games, "played_on"))
        append_line(tournament.stream, "round.scheduled", payload, by=by, rows=rows)
    return this_round


def publish_round(
    tournament: Tournament, number: int, *, by: Account, accept: Collection[str] = ()
) -> Round:
    """Publish a drafted round and create its games.

    `accept` are the codes of the rules that the round may break, set by hand or since a player in
    it withdrew; raises Conflict if it breaks another one.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "publish")
        pairings = list(
            queries.current_pairings(tournament)
            .filter(round=this_round, kind=Pairing.Kind.GAME)
            .order_by("board_number")
            .select_related("first", "second")
        )
        violations = find_violations(tournament, this_round)
        require_acceptance(violations, accept)
        now = timezone.now()
        create_games(tournament, this_round, pairings, at=now)
        if system_of(tournament).has_schedule:
            rule_forfeits(tournament, number, pairings, by=by)
        this_round.state = Round.State.PUBLISHED
        this_round.published_at = now
        relaxed = [] if this_round.system == BY_HAND else this_round.relaxed
        this_round.relaxed = list(dict.fromkeys([*relaxed, *codes_of(violations)]))
        this_round.save(update_fields=["state", "published_at", "relaxed"])
        printed = store_printed_numbers(tournament)
        payload: dict[str, Any] = {
            "round": number,
            "version": this_round.version,
            "games": [pairing.game_id for pairing in pairings],
            "draw_seed": tournament.draw_seed,
            "relaxations": this_round.relaxed,
        }
        if tournament.games_per_pairing == 2:
            payload["return_games"] = [pairing.return_game_id for pairing in pairings]
        rows = combined(printed, changed_rows(this_round, *pairings, *games_of(pairings)))
        append_line(tournament.stream, "round.published", payload, by=by, rows=rows)
    return this_round


def complete_round(tournament: Tournament, number: int, *, by: Account) -> Round:
    """Complete a round and take its snapshot; raises Conflict naming the open boards."""
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "complete")
        this_round.state = Round.State.COMPLETE
        this_round.completed_at = timezone.now()
        this_round.save(update_fields=["state", "completed_at"])
        snapshot = take_snapshot(tournament, this_round)
        payload = {
            "round": number,
            "version": this_round.version,
            "standings": snapshot.digest,
        }
        rows = combined(changed_rows(this_round), whole_rows(snapshot))
        append_line(tournament.stream, "round.complete", payload, by=by, rows=rows)
    return this_round
