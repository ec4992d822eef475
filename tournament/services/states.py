"""The states a tournament goes through, and what each step needs.

draft > registration > running > review > final > archived, or cancelled
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from games.http.errors import Conflict
from games.journal.lines import append_line
from games.models import Account, Game
from games.services.settlement import settle_unsettled
from ratings.models import Batch, Pool
from ratings.services.batches import file_batch
from tournament import queries
from tournament.models import Entry, Round, Tournament
from tournament.services.draw_seed import draw_seed_digest
from tournament.services.locking import lock_tournament, require_state
from tournament.services.numbering import number_entries
from tournament.services.systems import check_field

State = Tournament.State


@dataclass(frozen=True, slots=True)
class Transition:
    """One word an organiser may say: from which states, to which, and what happens on the way."""

    sources: tuple[Tournament.State, ...]
    target: Tournament.State
    prepare: Callable[[Tournament, Account], None]


def _nothing(_tournament: Tournament, _by: Account) -> None:
    return


def _start(tournament: Tournament, _by: Account) -> None:
    """Freeze the seed order and plan the rounds."""
    accepted = tournament.entries.filter(state=Entry.State.ACCEPTED).count()
    if accepted < 2:
        raise Conflict("too_few_entries", f"an event needs two accepted entries; it has {accepted}")
    check_field(tournament, accepted)
    number_entries(tournament)
    Round.objects.bulk_create(
        Round(tournament=tournament, number=number) for number in range(1, tournament.rounds + 1)
    )


def _review(tournament: Tournament, _by: Account) -> None:
    """All results must be in."""
    open_rounds = tournament.round_set.exclude(state__in=queries.DONE).order_by("number")
    numbers = list(open_rounds.values_list("number", flat=True))
    if numbers:
        listed = ", ".join(map(str, numbers))
        raise Conflict(
            "rounds_open",
            f"rounds {listed} are not complete",
            [{"code": "round_open", "round": number} for number in numbers],
        )


def _finalise(tournament: Tournament, _by: Account) -> None:
    """Lock the rounds, close the games, and file them with ratings.

    A ruling that no task has settled yet is settled here, so that what is filed is what stands.
    """
    tournament.finalised_at = timezone.now()
    tournament.round_set.update(state=Round.State.LOCKED)
    games = Game.objects.filter(stream=tournament.stream)
    games.update(closed=True)
    settle_unsettled(tournament.stream)
    pool = Pool.objects.filter(code=tournament.pool).first()
    if pool and tournament.rated:
        zone = ZoneInfo(tournament.time_zone)
        end = datetime.combine(tournament.ends_on, time.max.replace(microsecond=0), zone)
        file_batch(
            pool,
            stream=tournament.stream,
            label=tournament.name,
            effective_at=end.astimezone(UTC),
            games=games.order_by("pk"),
        )


TRANSITIONS = {
    "open": Transition((State.DRAFT,), State.REGISTRATION, _nothing),
    "start": Transition((State.REGISTRATION,), State.RUNNING, _start),
    "review": Transition((State.RUNNING,), State.REVIEW, _review),
    "finalise": Transition((State.REVIEW,), State.FINAL, _finalise),
    "archive": Transition((State.FINAL,), State.ARCHIVED, _nothing),
    "cancel": Transition(
        (State.DRAFT, State.REGISTRATION, State.RUNNING), State.CANCELLED, _nothing
    ),
}


def change_tournament_state(tournament: Tournament, word: str, *, by: Account) -> Tournament:
    """Bring the tournament to its next state; raises Conflict when it is not in order yet."""
    step = TRANSITIONS[word]
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_state(tournament, *step.sources)
        tournament.state = step.target
        step.prepare(tournament, by)
        tournament.save()
        payload: dict[str, Any] = {"state": tournament.state, "entries": tournament.entries.count()}
        if tournament.state == State.REGISTRATION:
            payload["draw_seed_digest"] = draw_seed_digest(tournament)
        append_line(tournament.stream, f"tournament.{tournament.state}", payload, by=by)
    return tournament


def rating_batch(tournament: Tournament) -> Batch | None:
    """The batch that was filed with ratings when the event became final, if any."""
    return Batch.objects.filter(pool__code=tournament.pool, stream=tournament.stream).first()
