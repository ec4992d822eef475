"""The input and the output of a pairing system.

A forfeited game is not played: it gives no seat, and the two players may meet again.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.findings import Finding
from tournament.pairing.options import OptionValue
from tournament.standings.crosstable import PLAYED, Crosstable, Kind, PlayerId, RoundResult

Pair = tuple[PlayerId, PlayerId]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRequest:
    """One round to pair. The same request always gives the same pairings.

    - `crosstable`: a system reads the results of earlier rounds only.
    - `absent`: the players who do not play in this round, whatever bye they get for it.
    - `forbidden`: pairs that may not meet, in either order.
    - `preferences`: pairs that should not meet, in levels, the most important first.
    - `exempt`, `exempt_byes`: pairs who may meet, and players who may have the bye, although a
      rule forbids it, because the organiser relaxed the rule.
    - `initial_seat`: drawn before round 1; if None, that of the crosstable.
    - `codes`: the tie-breaks that rank the players, in systems that follow the standings.
    - `seed`: for systems that draw lots.
    - `draws_lots`: a tie that a director would decide is in the order of the numbers; for
      simulations.
    - `balance_seats`: False if the seats carry no advantage.
    - `options`: those of the system; missing options have their default.

    Raises PairingRequestError for an unknown round or player.
    """

    crosstable: Crosstable
    round: int
    absent: frozenset[PlayerId] = frozenset()
    forbidden: frozenset[Pair] = frozenset()
    initial_seat: Seat | None = None
    codes: tuple[str, ...] = ("PTS",)
    seed: int = 0
    draws_lots: bool = False
    balance_seats: bool = True
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    preferences: tuple[frozenset[Pair], ...] = ()
    exempt: frozenset[Pair] = frozenset()
    exempt_byes: frozenset[PlayerId] = frozenset()

    def __post_init__(self) -> None:
        rounds = self.crosstable.rounds
        if not 1 <= self.round <= rounds:
            raise PairingRequestError(
                Text(
                    "there is no round %(number)s; the tournament has %(rounds)s rounds",
                    number=self.round,
                    rounds=rounds,
                )
            )
        named = self.absent.union(
            self.exempt_byes,
            *self.forbidden,
            *self.exempt,
            *(pair for level in self.preferences for pair in level),
        )
        unknown = sorted(named - self.crosstable.by_number.keys())
        if unknown:
            listed = ", ".join(map(str, unknown))
            raise PairingRequestError(
                Text("players not in the tournament: %(numbers)s", numbers=listed)
            )

    @property
    def present(self) -> tuple[PlayerId, ...]:
        """The players to pair, by number."""
        numbers = (player.number for player in self.crosstable.players)
        return tuple(number for number in numbers if number not in self.absent)

    def earlier(self, number: PlayerId) -> tuple[RoundResult, ...]:
        """Return a player's results before the round to pair."""
        return self.crosstable.by_number[number].results[: self.round - 1]

    def opponents_met(self, number: PlayerId) -> dict[PlayerId, int]:
        """Return the opponents in played games, each with the last round of such a game."""
        return {
            result.opponent: round_number
            for round_number, result in enumerate(self.earlier(number), start=1)
            if result.opponent is not None and result.kind in PLAYED
        }

    def played_seats(self, number: PlayerId) -> tuple[Seat, ...]:
        """Return the seats of the played games, in order."""
        results = self.earlier(number)
        return tuple([r.seat for r in results if r.kind in PLAYED and r.seat is not None])

    def running_scores(self, number: PlayerId) -> list[int]:
        """Return a player's units before each round up to this one, virtual points included."""
        table, results = self.crosstable, self.earlier(number)
        awarded = [table.units_of(result) for result in results]
        awarded += [table.points.zero_bye] * (self.round - 1 - len(results))
        totals = list(accumulate(awarded, initial=0))
        for index, units in enumerate(table.by_number[number].virtual[: self.round]):
            totals[index] += units
        return totals

    def units_before(self, number: PlayerId) -> int:
        """Return a player's units before the round to pair, virtual points included."""
        return self.running_scores(number)[-1]


@dataclass(frozen=True, slots=True)
class Pairings:
    """A paired round: the pairs (first, second) by board, the byes, and the reasons.

    `bye` is the player with the pairing-allocated bye. `byes` are the byes of a schedule, by
    number, with their kinds. A schedule also pairs absent players, who lose by forfeit.
    """

    pairs: tuple[Pair, ...]
    bye: PlayerId | None = None
    findings: tuple[Finding, ...] = ()
    byes: tuple[tuple[PlayerId, Kind], ...] = ()

    def __str__(self) -> str:
        """Return the text that pairing programs write.

        The first line is the number of lines that follow: `first second` by board, then a line
        `player 0` for each bye.
        """
        free = [number for number, _ in self.byes]
        if self.bye is not None:
            free.append(self.bye)
        lines = [f"{first} {second}" for first, second in self.pairs]
        lines += [f"{number} 0" for number in free]
        return "".join(f"{line}\n" for line in (len(lines), *lines))


PairingFunction = Callable[[PairingRequest], Pairings]


def in_both_orders(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return the pairs as (a, b) and as (b, a), for lookups in any order."""
    return frozenset(ordered for a, b in pairs for ordered in ((a, b), (b, a)))
