"""Everybody's results, round by round: the one value on which pairing and standings stand.

What each forfeit means. The two were paired and no game was played, so in every system they may
meet again, the seats do not count, and nothing is rated.

| kind         | points              | pairing                  | tie-breaks                       |
|--------------|---------------------|--------------------------|----------------------------------|
| forfeit-win  | points.forfeit_win  | a downfloat; no pairing  | a dummy with the own score, at   |
|              |                     | bye later if worth a win | most the opponent's (16.4.1)     |
| forfeit-loss | points.forfeit_loss | nothing                  | the same dummy; a VUR, cut first |

In a round robin a forfeit is an ordinary game for SB, KS, DE and PS; the win also for article 7;
neither for article 10 (C.07 15.2). Two forfeit losses face each other when nobody came.

What each bye means. There was no opponent: the seats do not count, and nothing is rated.

| kind        | given to           | points             | pairing         | tie-breaks            |
|-------------|--------------------|--------------------|-----------------|-----------------------|
| pairing-bye | the odd one out    | points.pairing_bye | a downfloat; no | a dummy of at most a  |
|             |                    |                    | second one      | draw a round (16.4.2) |
| full-bye    | whom the rules     | points.full_bye    | the same if     | the same              |
|             | invite             |                    | worth a win     |                       |
| half-bye    | who asked for it   | points.half_bye    | a downfloat     | the same; a VUR; for  |
|             |                    |                    |                 | others a draw if only |
|             |                    |                    |                 | VURs follow (16.3.2)  |
| zero-bye    | who is away, not   | points.zero_bye    | nothing         | as the half-bye       |
|             | yet or no more in  |                    |                 |                       |

A VUR is a voluntary unplayed round: half-bye, zero-bye or forfeit-loss (16.1.2). Sources: C.04.3
(2026-02-01) for pairing, where a downfloat is any unplayed round worth more than a loss, and C.07
(2026-03-01) for tie-breaks.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from games.rules.seat import Seat
from tournament.standings.errors import CrosstableError
from tournament.standings.points import CLASSIC, PointSystem
from tournament.standings.results import (
    ABSENT,
    BYES,
    FORFEITS,
    OPPOSITES,
    PAIRED,
    PLAYED,
    REQUESTED_BYES,
    VOLUNTARY,
    Competitor,
    Kind,
    PlayerId,
    RoundResult,
)

__all__ = [
    "ABSENT",
    "BYES",
    "FORFEITS",
    "PAIRED",
    "PLAYED",
    "REQUESTED_BYES",
    "VOLUNTARY",
    "Competitor",
    "Crosstable",
    "Kind",
    "PlayerId",
    "RoundResult",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Crosstable:
    """The results of an event, checked: both sides of every pairing agree.

    `rounds` is the scheduled number. `completed` is the last round in which anybody was paired;
    byes recorded beyond it are announced, not yet earned, but for those up to round `held`, which
    was over though nobody was paired in it (0 where that is not known, or says nothing new).
    Raises CrosstableError naming player and round when the rows contradict each other.
    """

    players: tuple[Competitor, ...]
    rounds: int
    points: PointSystem = CLASSIC
    round_robin: bool = False
    initial_seat: Seat | None = None
    held: int = 0
    completed: int = field(init=False, compare=False)
    by_number: Mapping[PlayerId, Competitor] = field(init=False, compare=False, repr=False)
    _totals: Mapping[PlayerId, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        players = tuple(sorted(self.players, key=lambda player: player.number))
        by_number = {player.number: player for player in players}
        _check_rows(players, by_number, self.rounds)
        worth = {kind: self.points.units_of(kind) for kind in Kind}
        paired = _last_paired_round(players)
        completed = max(paired, self.held)
        totals = {}
        for player in players:
            units = 0
            for result in player.results[:completed]:
                units += worth[result.kind] if result.awarded is None else result.awarded
            units += worth[Kind.ZERO_BYE] * max(0, completed - len(player.results))
            totals[player.number] = units
        object.__setattr__(self, "players", players)
        object.__setattr__(self, "by_number", by_number)
        object.__setattr__(self, "held", self.held if self.held > paired else 0)
        object.__setattr__(self, "completed", completed)
        object.__setattr__(self, "_totals", totals)

    def points_of(self, number: PlayerId) -> int:
        """Give the units awarded to a player in the completed rounds, without virtual points."""
        return self._totals[number]

    def units_of(self, result: RoundResult) -> int:
        """Give the units that one result brought."""
        return self.points.units_of(result.kind) if result.awarded is None else result.awarded

    def after(self, round_number: int) -> "Crosstable":
        """Give the table as it stood when `round_number` rounds were played.

        The scheduled number of rounds stays: only the results are cut.
        """
        if round_number < 0:
            raise CrosstableError(f"there is no round {round_number}")
        rows = tuple(replace(row, results=row.results[:round_number]) for row in self.players)
        return replace(self, players=rows, held=min(self.completed, round_number))


def _last_paired_round(players: Iterable[Competitor]) -> int:
    last = 0
    for player in players:
        for index in range(len(player.results) - 1, last - 1, -1):
            result = player.results[index]
            if result.opponent is not None or result.kind is Kind.PAIRING_BYE:
                last = index + 1
                break
    return last


def _check_rows(
    players: tuple[Competitor, ...], by_number: Mapping[PlayerId, Competitor], rounds: int
) -> None:
    if len(by_number) != len(players):
        numbers = [player.number for player in players]
        twice = next(number for number in numbers if numbers.count(number) > 1)
        raise CrosstableError("the number is given twice", twice)
    for player in players:
        if player.number < 1:
            raise CrosstableError("pairing numbers begin at 1", player.number)
        if len(player.results) > rounds:
            raise CrosstableError(
                f"has {len(player.results)} results, the event has {rounds} rounds", player.number
            )
        for index, result in enumerate(player.results):
            if result.opponent is not None:
                _check_pair(player, index, result, by_number)


def _check_pair(
    player: Competitor, index: int, result: RoundResult, by_number: Mapping[PlayerId, Competitor]
) -> None:
    opponent = by_number.get(result.opponent or 0)
    answer = opponent.result(index + 1) if opponent else ABSENT
    detail = ""
    if opponent is None:
        detail = f"opponent {result.opponent} is not a player of the event"
    elif opponent is player:
        detail = "nobody meets himself"
    elif answer.opponent != player.number:
        met = "nobody" if answer.opponent is None else f"player {answer.opponent}"
        detail = f"met player {opponent.number}, who met {met}"
    elif answer.kind not in OPPOSITES[result.kind]:
        detail = f"a {result.kind} against a {answer.kind} of player {opponent.number}"
    elif (result.seat and result.seat.other) != answer.seat:
        detail = f"seats contradict: {result.seat} here, {answer.seat} opposite"
    if detail:
        raise CrosstableError(detail, player.number, index + 1)
