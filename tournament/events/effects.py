"""What a change of settings or an entry does to what is published: pairings, ranks and prizes.

A director gives a reason for it, and accepts it by its codes (tournament/rounds/acceptance.py).
Rounds stay as they are, and a draft that would be paired differently is withdrawn, as after a
correction.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, TypedDict

from games.core.errors import Conflict, Unprocessable
from games.models import Account
from games.rules.text import Numeral, Text
from tournament.core.corrected_results import NO_CORRECTIONS, CorrectedValues, Purpose
from tournament.core.queries import last_complete_round
from tournament.core.rankings import Table, compute_table
from tournament.core.references import NumberedEntry, numbered_references
from tournament.core.systems import system_of
from tournament.corrections.effects import ChangedRound, find_changed_rounds
from tournament.corrections.queries import DueRound, round_as_json
from tournament.models import Entry, Round, Tournament
from tournament.rounds.acceptance import PAIRINGS, PRIZES, RANKS
from tournament.rounds.services import withdraw_pairings
from tournament.standings.prizes.money import format_coins
from tournament.tables.awards import awards_by_entry

DECIDES_PAIRINGS: Final = frozenset(
    {"rounds", "separations", "tiebreaks", "unrated_rating", "decided_ties"}
)
DECIDES_TABLES: Final = frozenset(
    {"rounds", "tiebreaks", "unrated_rating", "prizes", "currency", "starts_on"}
)
"""The settings of a running event on which ranks and prizes depend: ages are those of a year.

A decided tie changes the ranks that the director states.
"""
TABLES_OF_ENTRIES: Final = frozenset({"expelled", "seed_rating", "birth_year", "sex", "category"})
"""The values of an entry on which ranks and prizes depend; the first two decide who advances."""
MOST_NAMED: Final = 6


class RankChange(NumberedEntry):
    """An entry whose rank changes."""

    before: Annotated[int | None, "null: expelled, and not ranked"]
    after: int | None


class PrizeChange(NumberedEntry):
    """An entry whose prize in a group changes."""

    group: str
    before: Annotated[str | None, "with the currency; null: none"]
    after: str | None


class Effect(TypedDict):
    """What changes of what is published."""

    rank_changes: Annotated[list[RankChange], "after the last complete round"]
    prize_changes: Annotated[list[PrizeChange], "after the last complete round"]
    due_rounds: Annotated[list[DueRound], "they would be paired differently"]
    accept: Annotated[list[str], "the codes that this needs"]


@dataclass(frozen=True, slots=True)
class PublishedEffect:
    """What would be different; `ranks` and `prizes` are those after the last complete round.

    `entries` are those of the event by id, `last` the number of the last round, if that changes.
    """

    entries: Mapping[int, NumberedEntry]
    last: int | None = None
    rounds: Sequence[ChangedRound] = ()
    ranks: Sequence[RankChange] = ()
    prizes: Sequence[PrizeChange] = ()

    def as_json(self) -> Effect:
        """Return the effect for the API, with the codes to accept."""
        return {
            "rank_changes": list(self.ranks),
            "prize_changes": list(self.prizes),
            "due_rounds": [round_as_json(due.as_json(), self.entries) for due in self.rounds],
            "accept": self.codes,
        }

    def as_payload(self) -> dict[str, Any]:
        """Return what was accepted, for the journal; boards have their number and the entries."""
        if not self.codes:
            return {}
        return {
            "accepted": self.codes,
            "due_rounds": [
                [due.round.number, [[place["board"], *place["entries"]] for place in due.due]]
                for due in self.rounds
            ],
        }

    @property
    def codes(self) -> list[str]:
        """The codes to accept, each once."""
        return list(dict.fromkeys(error["code"] for error in self.errors))

    @property
    def errors(self) -> list[dict[str, Any]]:
        """What a director has to accept."""
        errors: list[dict[str, Any]] = [
            {"code": PAIRINGS, "round": due.round.number, "detail": self._describe(due)}
            for due in self.rounds
        ]
        if self.ranks:
            detail = Text("ranks would change: %(changes)s", changes=_moves(self.ranks))
            errors.append({"code": RANKS, "detail": detail})
        # A prize that nobody had before takes nothing away.
        lost = [change for change in self.prizes if change["before"]]
        if lost:
            detail = Text("prizes would change: %(changes)s", changes=_moves(lost))
            errors.append({"code": PRIZES, "detail": detail})
        return errors

    def _describe(self, due: ChangedRound) -> Text:
        """Return what would be due instead of a round."""
        values = {
            "number": due.round.number,
            "state": Round.State(due.round.state),
            "boards": _shortened([self._describe_place(place["entries"]) for place in due.due]),
        }
        if due.boards is None:
            return Text("round %(number)s (%(state)s) could not be paired any more", **values)
        if due.round.number == self.last:
            return Text(
                "round %(number)s (%(state)s) was not paired as the last one; due would be:"
                " %(boards)s",
                **values,
            )
        return Text(
            "round %(number)s (%(state)s) would be paired differently; due would be: %(boards)s",
            **values,
        )

    def _describe_place(self, entries: Sequence[int]) -> str:
        """Return the players of a board, or of a bye, with their numbers."""
        players = [
            f"{self.entries[entry]['number']} {self.entries[entry]['player']['name']}"
            for entry in entries
        ]
        return " – ".join(players) if players[1:] else Text("bye: %(player)s", player=players[0])


def _shortened(items: Sequence[str]) -> list[str]:
    return [*items[:MOST_NAMED]] + ["…"] * (len(items) > MOST_NAMED)


def _moves(changes: Sequence[RankChange] | Sequence[PrizeChange]) -> list[str]:
    return _shortened(
        [
            Text(
                "%(name)s %(before)s → %(after)s",
                name=change["player"]["name"],
                before=change["before"] or "–",
                after=change["after"] or "–",
            )
            for change in changes
        ]
    )


def find_effect(before: Tournament, after: Tournament, changed: Collection[str]) -> PublishedEffect:
    """Return what a change of settings does; the events need not be saved.

    Raises PairingTooLong.
    """
    decides_pairings = not DECIDES_PAIRINGS.isdisjoint(changed)
    return _find_effect(
        before,
        after,
        decides_pairings=decides_pairings,
        decides_tables=not DECIDES_TABLES.isdisjoint(changed),
    )


def find_effect_of_entry(
    tournament: Tournament, entry: Entry, changes: Mapping[str, Any]
) -> PublishedEffect:
    """Return what a change of an entry does, before it is saved; raises PairingTooLong.

    The rounds of a bracket are compared: elsewhere such changes count in the rounds to come only.
    """
    changed = {name for name, value in changes.items() if value != getattr(entry, name)}
    decides_tables = not TABLES_OF_ENTRIES.isdisjoint(changed)
    has_bracket = system_of(tournament).find_progress is not None
    values = {name: changes[name] for name in changed & TABLES_OF_ENTRIES}
    return _find_effect(
        tournament,
        tournament,
        decides_pairings=has_bracket and not {"expelled", "seed_rating"}.isdisjoint(changed),
        decides_tables=decides_tables,
        corrected=CorrectedValues(entries={purpose: {entry.pk: values} for purpose in Purpose}),
    )


def _find_effect(
    before: Tournament,
    after: Tournament,
    *,
    decides_pairings: bool,
    decides_tables: bool,
    corrected: CorrectedValues = NO_CORRECTIONS,
) -> PublishedEffect:
    if not (decides_pairings or decides_tables):
        return PublishedEffect({})
    entries = {row["id"]: row for row in numbered_references(before)}
    rounds: Sequence[ChangedRound] = ()
    if decides_pairings:
        found = find_changed_rounds(before, after, corrected=corrected)
        # A round is held if an earlier change, which was accepted, is taken back.
        rounds = [due for due in found if not due.is_held]
    ranks: list[RankChange] = []
    prizes: list[PrizeChange] = []
    if decides_tables and (through := last_complete_round(before)):
        table = compute_table(before, through=through)
        new_table = compute_table(after, through=through, corrected=corrected)
        ranks = list(_changed_ranks(table, new_table, entries))
        prizes = list(_changed_prizes(table, new_table, entries))
    last = None if before.rounds == after.rounds else after.rounds
    return PublishedEffect(entries, last, rounds, ranks, prizes)


def _changed_ranks(
    before: Table, after: Table, entries: Mapping[int, NumberedEntry]
) -> Iterator[RankChange]:
    """Yield the players whose rank changes; an expelled player has none."""
    old, new = ({row.number: row.rank for row in table.rows} for table in (before, after))
    for number in dict.fromkeys([*old, *new]):
        ranks = old.get(number), new.get(number)
        if ranks[0] != ranks[1]:
            yield {**entries[before.entries[number]], "before": ranks[0], "after": ranks[1]}


def _changed_prizes(
    before: Table, after: Table, entries: Mapping[int, NumberedEntry]
) -> Iterator[PrizeChange]:
    """Yield the players whose prize in a group changes, with the amounts; None without one."""
    old, new = _amounts(before), _amounts(after)
    for group, entry in dict.fromkeys([*old, *new]):
        amounts = old.get((group, entry)), new.get((group, entry))
        if amounts[0] != amounts[1]:
            yield {**entries[entry], "group": group, "before": amounts[0], "after": amounts[1]}


def _amounts(table: Table) -> dict[tuple[str, int], Numeral]:
    currency = table.tournament.currency
    return {
        place: Numeral(f"{format_coins(coins, currency)} {currency}".rstrip())
        for place, (_, coins) in awards_by_entry(table).items()
    }


def require_accepted(effect: PublishedEffect, accept: Collection[str], *, reason: str) -> None:
    """Raise Unprocessable without a reason for the effect, and Conflict unless it is accepted."""
    errors = effect.errors
    if errors and not reason:
        detail = Text("this changes what is published; say why")
        needed = {"pointer": "/reason", "code": "reason_needed", "detail": detail}
        raise Unprocessable("reason_needed", detail, [needed, *errors], **effect.as_json())
    missing = [error for error in errors if error["code"] not in accept]
    if missing:
        detail = Text("this changes what is published, and has to be accepted")
        raise Conflict("acceptance_needed", detail, missing, **effect.as_json())


def withdraw_drafts(
    tournament: Tournament, effect: PublishedEffect, *, reason: str, by: Account
) -> None:
    """Withdraw the drafts that would be paired differently."""
    numbers = [due.round.number for due in effect.rounds]
    drafts = tournament.round_set.filter(number__in=numbers, state=Round.State.DRAFTED)
    for drafted in drafts if numbers else ():
        withdraw_pairings(drafted, reason, by)
