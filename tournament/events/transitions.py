"""The states of a tournament, and what each transition needs and does.

draft > registration > running > review > final > archived, or cancelled

A cancelled event can be resumed, and a final one reopened for corrections.
"""

from collections.abc import Callable, Collection
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.core.journal.lines import append_line
from games.core.journal.rows import Rows, changed_rows, combined, updated_rows
from games.models import Account, Game
from games.play.settlement import settle_unsettled
from ratings.batches.services import file_batch, limit_effective_time
from ratings.models import Batch, Pool
from ratings.pools.services import remove_approval
from tournament.core.approvals import find_event_filing
from tournament.core.handicaps import table_version
from tournament.core.locking import lock_tournament
from tournament.core.queries import is_league, last_complete_round, numbered_entries, was_opened
from tournament.core.states import require_event_allows
from tournament.core.systems import system_of
from tournament.entries.letters import tell_of_cancellation, tell_of_resumption
from tournament.entries.numbering import number_entries, store_printed_numbers
from tournament.events.draw_seed import draw_seed_digest
from tournament.events.effects import find_effect, require_accepted
from tournament.models import Round, Tournament
from tournament.pairing.systems.round_robin import count_cycles
from tournament.rounds.pairing import pair_round
from tournament.rounds.services import plan_rounds, publish_round, remove_surplus_rounds

State = Tournament.State


@dataclass(frozen=True, slots=True)
class Transition:
    """The state a transition leads to, and what it does; `EVENT_RULES` has what it needs.

    The effect returns the changed columns of other rows than the tournament's.
    The journal line is named after the state, or `kind` if the transition goes back.
    """

    target: Tournament.State
    effect: Callable[[Tournament], Rows] | None = None
    kind: str = ""


def change_tournament_state(
    tournament: Tournament,
    action: str,
    *,
    by: Account,
    reason: str = "",
    accept: Collection[str] = (),
) -> Tournament:
    """Perform a transition; raises Conflict if the tournament does not allow it.

    The review of an event that ends early raises as a change of its number of rounds does.
    """
    transition = TRANSITIONS[action]
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_allows(tournament, action)
        ending = _end_early(tournament, accept, reason) if action == "review" else {}
        tournament.state = transition.target
        rows = transition.effect(tournament) if transition.effect else {}
        tournament.save(
            update_fields=[
                "state", "rounds", "system_options", "handicap_table", "finalised_at",
            ]
        )  # fmt: skip
        payload: dict[str, Any] = {
            "state": tournament.state,
            "entries": tournament.entries.count(),
            **ending,
        }
        if reason:
            payload["reason"] = reason
        if action == "open":
            payload["draw_seed_digest"] = draw_seed_digest(tournament)
        if action == "start":
            numbered = numbered_entries(tournament)
            payload["numbers"] = list(
                numbered.values_list("pk", "pairing_number", "lot", "seed_rating")
            )
            payload["handicap_table"] = tournament.handicap_table
        kind = transition.kind or tournament.state
        if action == "cancel" and was_opened(tournament):
            tell_of_cancellation(tournament)
        rows = combined(changed_rows(tournament), rows)
        append_line(tournament.stream, f"tournament.{kind}", payload, by=by, rows=rows)
        if action == "resume" and was_opened(tournament):
            tell_of_resumption(tournament)
        if action == "start" and is_league(tournament):
            _open_all_rounds(tournament, by)
    return tournament


def _open_all_rounds(tournament: Tournament, by: Account) -> None:
    """Pair and publish the rounds of a league."""
    for number in range(1, tournament.rounds + 1):
        pair_round(tournament, number, by=by)
        publish_round(tournament, number, by=by)


def _start(tournament: Tournament) -> Rows:
    """Assign pairing numbers, plan the rounds, and fix the table of handicaps."""
    numbered = number_entries(tournament)
    numbered = combined(numbered, store_printed_numbers(tournament))
    tournament.handicap_table = table_version(tournament)
    return combined(numbered, plan_rounds(tournament))


def _end_early(tournament: Tournament, accept: Collection[str], reason: str) -> dict[str, Any]:
    """Let an event end with its last complete round; return what the journal says of it.

    Nobody is left to play the others. The last round is paired again while the event is locked:
    its players have left.
    """
    last = last_complete_round(tournament)
    if last == tournament.rounds:
        return {}
    before = copy(tournament)
    if system_of(tournament).is_round_robin:
        players = numbered_entries(tournament).count()
        cycles = count_cycles(players, tournament.rounds, tournament.system_options)
        tournament.system_options = tournament.system_options | {"cycles": cycles}
    tournament.rounds = last
    effect = find_effect(before, tournament, {"rounds"})
    require_accepted(effect, accept, reason=reason)
    return {"rounds": last, **effect.as_payload()}


def _finalise(tournament: Tournament) -> Rows:
    """Lock the rounds, close the games, and request their rating.

    Reports that no task has settled yet are settled first, so that the filed results are final.
    """
    tournament.finalised_at = timezone.now()
    tournament.round_set.update(state=Round.State.LOCKED)
    rounds = updated_rows(tournament.round_set.all(), "state")
    games = Game.objects.filter(stream=tournament.stream)
    closed = _set_closed(tournament, is_closed=True)
    settle_unsettled(tournament.stream)
    _file_games(tournament, games.filter(void=False).order_by("pk"), at=tournament.finalised_at)
    return combined(rounds, closed)


def _set_closed(tournament: Tournament, *, is_closed: bool) -> Rows:
    """Close or open the games of an event, and return them."""
    games = Game.objects.filter(stream=tournament.stream)
    games.update(closed=is_closed)
    return updated_rows(games, "closed")


def _file_games(tournament: Tournament, games: "QuerySet[Game]", *, at: datetime) -> None:
    """Request the rating of these games, if the event is rated in a pool."""
    pool = Pool.objects.filter(code=tournament.pool).first()
    if pool and tournament.rated:
        found = find_event_filing(pool, tournament)
        if found.changed:
            remove_approval(pool, tournament.stream)
        zone = ZoneInfo(tournament.time_zone)
        end = datetime.combine(tournament.ends_on, time.max.replace(microsecond=0), zone)
        file_batch(
            pool,
            stream=tournament.stream,
            label=tournament.name,
            effective_at=limit_effective_time(
                end.astimezone(UTC), created_at=tournament.created_at, filed_at=at
            ),
            games=games,
            filing=found.filing,
            organiser=tournament.created_by,
        )


def _cancel(tournament: Tournament) -> Rows:
    """Close the games; reports that no task has settled yet are settled first."""
    closed = _set_closed(tournament, is_closed=True)
    settle_unsettled(tournament.stream)
    return closed


def _resume(tournament: Tournament) -> Rows:
    """Return to the state before the cancellation, and open the games."""
    if not numbered_entries(tournament).exists():
        tournament.state = State.REGISTRATION if was_opened(tournament) else State.DRAFT
    return _set_closed(tournament, is_closed=False)


def _reopen(tournament: Tournament) -> Rows:
    """Open the rounds and the games for corrections, and remove the games from their pool.

    Their batch keeps its place in the pool, without games, until the event is final again.
    """
    tournament.finalised_at = None
    tournament.round_set.filter(state=Round.State.LOCKED).update(state=Round.State.COMPLETE)
    rounds = updated_rows(tournament.round_set.all(), "state")
    opened = _set_closed(tournament, is_closed=False)
    _file_games(tournament, Game.objects.none(), at=timezone.now())
    return combined(rounds, opened)


TRANSITIONS = {
    "open": Transition(State.REGISTRATION),
    "start": Transition(State.RUNNING, _start),
    "review": Transition(State.REVIEW, remove_surplus_rounds),
    "finalise": Transition(State.FINAL, _finalise),
    "archive": Transition(State.ARCHIVED),
    "cancel": Transition(State.CANCELLED, _cancel),
    "resume": Transition(State.RUNNING, _resume, kind="resumed"),
    "reopen": Transition(State.REVIEW, _reopen, kind="reopened"),
}
"""By the name of the action in the API."""


def filed_batch(tournament: Tournament) -> Batch | None:
    """Return the batch of a final tournament, if its pool has accepted it."""
    batches = Batch.objects.filter(pool__code=tournament.pool, state=Batch.State.FILED)
    return batches.filter(stream=tournament.stream).first()
