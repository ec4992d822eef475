"""The effect of a correction on standings, later pairings, prizes and ratings, and its digest.

Later rounds are compared with what the pairing system would pair after the corrected results.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.core.journal.chain import digest_of
from games.core.journal.lines import find_head
from ratings.models import Pool
from ratings.runs.effects import RatingEffect, preview_ratings
from tournament.core.corrected_results import NO_CORRECTIONS, CorrectedValues, load_kept_ratings
from tournament.core.crosstable import load_crosstable, load_participants
from tournament.core.due_rounds import (
    is_paired_alike,
    load_places,
    pair_again,
    request_again,
    rounds_to_compare,
)
from tournament.core.queries import last_complete_round, load_separations
from tournament.core.rankings import Table, compute_table
from tournament.corrections.changes import Changes, settled_copy
from tournament.models import Round, Tournament
from tournament.pairing.differences import find_differences
from tournament.pairing.request import Pairings
from tournament.rounds.advances import ChangedAdvances, find_changed_advances
from tournament.standings.crosstable import PlayerId
from tournament.tables.awards import awards_by_entry


@dataclass(frozen=True, slots=True)
class ChangedRound:
    """A round of which boards would be paired differently; None if it cannot be paired at all.

    A board has the entries of the board as the system paired it, None for a bye, and the boards
    on which it would place them. Those that it would pair instead are `due`; a round that has them
    already `is_held`.
    """

    round: Round
    boards: tuple[Mapping[str, Any], ...] | None
    due: tuple[Mapping[str, Any], ...] = ()
    is_held: bool = False

    def as_json(self) -> dict[str, Any]:
        boards = None if self.boards is None else [dict(board) for board in self.boards]
        due = [dict(board) for board in self.due]
        return {"round": self.round.number, "state": self.round.state, "boards": boards, "due": due}


@dataclass(frozen=True, slots=True)
class Effect:
    """What a correction does; entries are ids, and values are pairs of before and after.

    The leaders are those with rank 1.
    """

    standings: Sequence[dict[str, Any]]
    leaders: Sequence[Sequence[int]]
    rounds: Sequence[ChangedRound]
    prizes: Sequence[dict[str, Any]]
    ratings: Sequence[RatingEffect]
    advances: ChangedAdvances | None

    def as_json(self) -> dict[str, Any]:
        """Return the effect as it is stored and hashed."""
        return {
            "standings": list(self.standings),
            "leaders": [list(entries) for entries in self.leaders],
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
    through = last_complete_round(tournament)
    before, after = (
        compute_table(tournament, through=through, corrected=values)
        for values in (NO_CORRECTIONS, corrected)
    )
    settled = {
        change.game.pk: settled_copy(change.game, change.settlement) for change in changes.games
    }
    return Effect(
        standings=list(_changed_rows(before, after)),
        leaders=[
            [table.entries[row.number] for row in table.rows if row.rank == 1]
            for table in (before, after)
        ],
        rounds=list(
            find_changed_rounds(
                tournament, tournament, after_round=changes.first_round, corrected=corrected
            )
        ),
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


def find_changed_rounds(
    before: Tournament,
    after: Tournament,
    *,
    after_round: int = 0,
    corrected: CorrectedValues = NO_CORRECTIONS,
) -> Iterator[ChangedRound]:
    """Yield the paired rounds that would be paired differently: after a correction, or a change.

    The system pairs each round twice, by the settings and results before and after, with the
    players who were paired in it. Rounds that were set by hand and round robins are not compared.
    The events need not be saved. Raises PairingTooLong.
    """
    rounds = [this for this in rounds_to_compare(before) if after_round < this.number]
    if not rounds:
        return
    through = last_complete_round(before)
    table, participants = load_participants(before, through=through, for_pairing=True)
    new_table = load_crosstable(after, through=through, for_pairing=True, corrected=corrected)
    inputs = (
        (before, table, load_separations(before)),
        (after, new_table, load_separations(after)),
    )
    places = load_places(before)
    for this_round in rounds:
        number = this_round.number
        held = places.get(number, [])
        old_request, new_request = (
            request_again(event, number, results, separations, held)
            for event, results, separations in inputs
        )
        if is_paired_alike(before, old_request, new_request):
            continue
        old, new = pair_again(before, old_request), pair_again(after, new_request)
        if old is None:
            continue  # rules were relaxed for this round
        if new is None:
            yield ChangedRound(this_round, None)
            continue
        boards = _changed_boards(old, new, participants.entries)
        due = _due_boards(old, new, participants.entries)
        if boards or due:
            byes = [] if new.bye is None else [(new.bye,)]
            is_held = sorted(held) == sorted([*new.pairs, *byes])
            yield ChangedRound(this_round, boards, due, is_held)


def _changed_boards(
    old: Pairings, new: Pairings, entries: Mapping[PlayerId, int]
) -> tuple[Mapping[str, Any], ...]:
    def entry_ids(place: Sequence[PlayerId | None]) -> list[int | None]:
        return [None if number is None else entries[number] for number in place]

    byes = () if old.bye is None else (old.bye,)
    return tuple(
        {
            "code": difference.code.value,
            "board": difference.board,
            "entries": entry_ids(difference.place),
            "engine": [entry_ids(place) for place in difference.engine],
        }
        for difference in find_differences(old.pairs, byes, new)
    )


def _due_boards(
    old: Pairings, new: Pairings, entries: Mapping[PlayerId, int]
) -> tuple[Mapping[str, Any], ...]:
    """Return the boards and byes of the new pairings that the old ones do not have; None is a bye.

    Each has the entries in the order of their seats.
    """

    def places(pairings: Pairings) -> list[tuple[int | None, tuple[PlayerId, ...]]]:
        boards = enumerate(pairings.pairs, start=1)
        byes = [*([] if pairings.bye is None else [pairings.bye]), *(n for n, _ in pairings.byes)]
        return [*boards, *((None, (number,)) for number in byes)]

    known = places(old)
    return tuple(
        {"board": board, "entries": [entries[number] for number in players]}
        for board, players in places(new)
        if (board, players) not in known
    )
