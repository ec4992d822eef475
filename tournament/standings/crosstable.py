"""The crosstable: the results of all players in all rounds.

Pairing, standings and tie-breaks read their input from this value. Points are the fields of the
event's `PointSystem`. Sources: C.04.3 (2026-02-01) for pairing, where a downfloat is any unplayed
round worth more than a loss, and C.07 (2026-03-01) for tie-breaks.

Forfeits. Two players were paired, but no game was played; they may be paired again.

| kind         | standings    | pairing                | tie-breaks             | seats | ratings |
|--------------|--------------|------------------------|------------------------|-------|---------|
| forfeit_win  | forfeit_win  | a downfloat; no bye    | a dummy with the own   | no    | no      |
|              |              | later if worth a win   | score, at most that of |       |         |
|              |              |                        | the opponent (16.4.1)  |       |         |
| forfeit_loss | forfeit_loss | no effect              | the same dummy; a VUR  | no    | no      |

In a round robin a forfeit is an ordinary game for SB, KS, DE and PS (C.07 15.2). A forfeit win is
also a game for article 7; no forfeit is a game for article 10. In a double forfeit both players
have a forfeit_loss.

Byes. The player had no opponent.

| kind         | standings    | pairing                | tie-breaks             | seats | ratings |
|--------------|--------------|------------------------|------------------------|-------|---------|
| pairing_bye  | pairing_bye  | a downfloat; at most   | a dummy with the own   | no    | no      |
|              |              | one for each player    | score, at most a draw  |       |         |
|              |              |                        | in each round (16.4.2) |       |         |
| full_bye     | full_bye     | the same if worth a    | the same dummy         | no    | no      |
|              |              | win                    |                        |       |         |
| half_bye     | half_bye     | a downfloat            | the same dummy; a VUR; | no    | no      |
|              |              |                        | a draw for opponents   |       |         |
|              |              |                        | if only VURs follow    |       |         |
| zero_bye     | zero_bye     | no effect              | as for the half_bye    | no    | no      |

A player has a zero_bye if absent, not yet entered, or withdrawn. A VUR is a voluntary unplayed
round (16.1.2): half_bye, zero_bye or forfeit_loss. A cut removes VURs first (16.5).
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import InitVar, dataclass, replace
from functools import cached_property

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.standings.errors import CrosstableError
from tournament.standings.points import CLASSIC, PointSystem
from tournament.standings.results import (
    ABSENT,
    BYES,
    FORFEITS,
    GAME_POINTS,
    PAIRED,
    PLAYED,
    Competitor,
    DecidedTie,
    Kind,
    PlayerId,
    Progress,
    RoundResult,
    check_players,
    combine_games,
)

__all__ = [
    "ABSENT",
    "BYES",
    "FORFEITS",
    "GAME_POINTS",
    "PAIRED",
    "PLAYED",
    "Competitor",
    "Crosstable",
    "DecidedTie",
    "Kind",
    "PlayerId",
    "Progress",
    "RoundResult",
    "combine_games",
    "in_order",
]


@dataclass(frozen=True, kw_only=True)
class Crosstable:
    """The results of an event; both sides of every pairing agree.

    `players` are in the order of their numbers. `rounds` is the scheduled number of rounds.
    `completed` is the last round with a pairing or a pairing-allocated bye, or `held` if that is
    set: a later round that is over although it has no pairing. Byes after the completed rounds are
    announced and give no points yet. `games_per_pairing` is 1 or 2. `unrated` is the rating that
    the regulations give to unrated players, 0 if they do not (C.07 article 10). `decided` are the
    ties that the director decided. `unranked` are the players without a place, whose results count
    for their opponents.
    Raises CrosstableError with player and round for results that contradict each other, unless
    `is_checked` says that they do not.
    """

    players: tuple[Competitor, ...]
    rounds: int
    points: PointSystem = CLASSIC
    round_robin: bool = False
    initial_seat: Seat | None = None
    held: int = 0
    games_per_pairing: int = 1
    unrated: int = 0
    decided: tuple[DecidedTie, ...] = ()
    unranked: frozenset[PlayerId] = frozenset()
    is_checked: InitVar[bool] = False

    def __post_init__(self, is_checked: bool) -> None:
        if not is_checked:
            check_players(self.players, self.by_number, self.rounds, self.games_per_pairing)

    @cached_property
    def completed(self) -> int:
        """The last round that is over."""
        return max(self._last_paired, self.held)

    @cached_property
    def by_number(self) -> Mapping[PlayerId, Competitor]:
        """The players by number."""
        return {player.number: player for player in self.players}

    @property
    def ranked(self) -> list[PlayerId]:
        """The numbers of the players who have a place, in order."""
        return [player.number for player in self.players if player.number not in self.unranked]

    @cached_property
    def _last_paired(self) -> int:
        return _last_paired_round(self.players)

    @cached_property
    def _units_of(self) -> Mapping[Kind, int]:
        return {kind: self.points.units_of(kind) for kind in Kind}

    @cached_property
    def _totals(self) -> Mapping[PlayerId, int]:
        totals, completed, units_of = {}, self.completed, self._units_of
        for player in self.players:
            results = player.results[:completed]
            units = units_of[Kind.ZERO_BYE] * (completed - len(results))
            for result in results:
                units += units_of[result.kind] if result.awarded is None else result.awarded
            totals[player.number] = units
        return totals

    def points_of(self, number: PlayerId) -> int:
        """Return the units of a player in the completed rounds, without virtual points."""
        return self._totals[number]

    def units_of(self, result: RoundResult) -> int:
        """Return the units that a result is worth."""
        return self._units_of[result.kind] if result.awarded is None else result.awarded

    def after(self, round_number: int) -> "Crosstable":
        """Return the crosstable after a round, with the same number of scheduled rounds."""
        if round_number < 0:
            raise CrosstableError(Text("there is no round %(number)s", number=round_number))
        players = tuple(
            replace(player, results=player.results[:round_number]) for player in self.players
        )
        earlier = replace(self, players=players, held=0, is_checked=True)
        return earlier.held_until(min(self.completed, round_number))

    def held_until(self, round_number: int) -> "Crosstable":
        """Return the crosstable with the rounds up to this one over, paired or not."""
        held = round_number if round_number > self._last_paired else 0
        return self if held == self.held else replace(self, held=held, is_checked=True)

    def with_round(self, row: Mapping[PlayerId, RoundResult]) -> "Crosstable":
        """Return the crosstable with the results of one more round, which is then completed.

        Players who are not in the row are absent. The results are not checked: a simulation adds
        thousands of rounds that the pairing engine made.
        """
        number = self.completed + 1
        players = tuple(
            [player.with_result(number, row.get(player.number, ABSENT)) for player in self.players]
        )
        has_pairing = any(
            result.opponent is not None or result.kind is Kind.PAIRING_BYE
            for result in row.values()
        )
        held = 0 if has_pairing else number
        return replace(self, players=players, held=held, is_checked=True)

    def for_pairing(self) -> "Crosstable":
        """Return the crosstable that later rounds are paired by: adjourned games are draws."""
        if not any(result.adjourned for player in self.players for result in player.results):
            return self
        players = tuple(
            replace(
                player,
                results=tuple(
                    RoundResult(Kind.DRAW, r.opponent, r.seat, games=(Kind.DRAW,) * len(r.games))
                    if r.adjourned
                    else r
                    for r in player.results
                ),
            )
            for player in self.players
        )
        return replace(self, players=players)

    def without(self, numbers: Collection[PlayerId]) -> "Crosstable":
        """Return the crosstable without some players; rounds against them are free."""
        if not numbers:
            return self
        players = tuple(
            replace(
                player,
                results=tuple(ABSENT if r.opponent in numbers else r for r in player.results),
            )
            for player in self.players
            if player.number not in numbers
        )
        return replace(self, players=players, held=0).held_until(self.completed)


def in_order(players: Iterable[Competitor]) -> tuple[Competitor, ...]:
    """Return the players in the order of their numbers."""
    return tuple(sorted(players, key=lambda player: player.number))


def _last_paired_round(players: Iterable[Competitor]) -> int:
    last = 0
    for player in players:
        for index in range(len(player.results) - 1, last - 1, -1):
            result = player.results[index]
            if result.opponent is not None or result.kind is Kind.PAIRING_BYE:
                last = index + 1
                break
    return last
