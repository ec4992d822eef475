"""The effect of a correction on standings, later pairings, prizes and ratings, and its digest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.core.journal.chain import digest_of
from games.core.journal.lines import find_head
from ratings.models import Pool
from ratings.runs.rebuilds import RatingEffect, preview_ratings
from tournament import queries
from tournament.core.corrected_results import NO_CORRECTIONS, load_kept_ratings
from tournament.core.rankings import Table, compute_table
from tournament.corrections.changes import Changes, settled_copy
from tournament.corrections.effects import ChangedRound, find_changed_rounds
from tournament.models import Tournament
from tournament.queries.prizes import awards_by_entry
from tournament.rounds.advances import ChangedAdvances, find_changed_advances


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction does; entries are ids, and values are pairs of before and after."""

    standings: Sequence[dict[str, Any]]
    rounds: Sequence[ChangedRound]
    prizes: Sequence[dict[str, Any]]
    ratings: Sequence[RatingEffect]
    advances: ChangedAdvances | None

    def as_json(self) -> dict[str, Any]:
        """Return the effect as it is stored and hashed."""
        return {
            "standings": list(self.standings),
            "rounds": [changed.as_json() for changed in self.rounds],
            "prizes": list(self.prizes),
            "ratings": [effect.as_json() for effect in self.ratings],
            "advances": self.advances and self.advances.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Preview:
    """A correction with its effect, and the state of the journal and the pools that it is of."""

    changes: Changes
    effect: Effect
    state: tuple[Any, ...]

    @property
    def digest(self) -> str:
        """Return the last line of the journal and the digest of changes and effect: `57.8a0f`."""
        content = [self.changes.scope, self.changes.as_json(), self.effect.as_json()]
        return f"{self.state[0]}.{digest_of(content)}"


def compute_effect(tournament: Tournament, changes: Changes) -> Effect:
    """Compute the effect of a correction from values in memory; nothing is written."""
    undone = changes.undoes and changes.undoes.pk
    kept = load_kept_ratings(tournament, (None, changes.scope, undone, changes.as_json()))
    corrected = changes.corrected_values(kept)
    through = queries.last_complete_round(tournament)
    before, after = (
        compute_table(tournament, through=through, skip_unproven=True, corrected=values)
        for values in (NO_CORRECTIONS, corrected)
    )
    settled = {
        change.game.pk: settled_copy(change.game, change.settlement) for change in changes.games
    }
    return Effect(
        standings=list(_changed_rows(before, after)),
        rounds=list(find_changed_rounds(tournament, changes.first_round, corrected)),
        prizes=list(_changed_prizes(before, after)),
        ratings=preview_ratings(tournament.stream, settled) if settled else [],
        advances=find_changed_advances(tournament, corrected),
    )


def state_of(tournament: Tournament) -> tuple[Any, ...]:
    """Return what an effect depends on: the last line of the journal, the runs of the pools."""
    head = find_head(tournament.stream)
    runs = Pool.objects.filter(batches__stream=tournament.stream).order_by("pk")
    return head.sequence, *runs.values_list("pk", "current_run")


def _changed_rows(before: Table, after: Table) -> Iterator[dict[str, Any]]:
    """Yield the entries whose rank or values change, in the order of the new table."""
    old_rows = {before.entries[row.number]: row for row in before.rows}
    for row in after.rows:
        entry = after.entries[row.number]
        old_values = old_rows[entry].values_as_json()
        values = {
            label: [old_values.get(label), text]
            for label, text in row.values_as_json().items()
            if text != old_values.get(label)
        }
        ranks = [old_rows[entry].rank, row.rank]
        if values or ranks[0] != ranks[1]:
            yield {"entry": entry, "rank": ranks, "values": values}


def _changed_prizes(before: Table, after: Table) -> Iterator[dict[str, Any]]:
    """Yield the prizes that change; a place is None without an award."""
    old, new = awards_by_entry(before), awards_by_entry(after)
    for group, entry in dict.fromkeys([*old, *new]):
        place, coins = old.get((group, entry), (None, 0))
        new_place, new_coins = new.get((group, entry), (None, 0))
        if (place, coins) != (new_place, new_coins):
            yield {
                "group": group,
                "entry": entry,
                "place": [place, new_place],
                "coins": [coins, new_coins],
            }
