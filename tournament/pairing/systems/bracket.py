"""The bracket of a knockout, as its earlier rounds decided it: options, stages, ties, winners.

`knockout.py` states the rules.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.rules.seat import Seat
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.findings import Finding
from tournament.pairing.options import FlagOption, NumberOption, OptionValue, WordOption
from tournament.pairing.request import Pair
from tournament.pairing.sentences import Sentence
from tournament.standings.crosstable import PAIRED, Crosstable, PlayerId, RoundResult
from tournament.standings.points import PointSystem

BEST_OF = NumberOption(
    "best_of", "the maximum number of games in a tie", default=1, least=1, most=15
)
THIRD_PLACE = FlagOption(
    "third_place", "whether the losers of the semi-finals play for third place"
)
LEVEL = WordOption(
    "level",
    "who advances from a tie that ends level",
    {
        "seed": "the better seed",
        "second-seat": "the player who sat second in the last game, else the better seed",
    },
)


@dataclass(frozen=True, slots=True)
class TieScore:
    """The points of two players in the games of their tie so far, and their results by game."""

    points: tuple[int, int]
    games: tuple[tuple[RoundResult, RoundResult], ...]

    def text(self, system: PointSystem) -> str:
        """Return the score, for example `1.5-0.5`."""
        return "-".join(system.format_units(units) for units in self.points)


@dataclass(frozen=True, slots=True)
class Tie:
    """Two players of whom one advances, the better seed first; without `worse`, it is a bye."""

    better: PlayerId
    worse: PlayerId | None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """The one or two players."""
        return (self.better,) if self.worse is None else (self.better, self.worse)


def count_stages(players: int) -> int:
    """Return the number of stages of a bracket, including the final."""
    return (players - 1).bit_length()


def folded(places: int) -> tuple[int, ...]:
    """Return the seeds of a bracket from top to bottom; `folded(8)` is 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < places:
        order = [seed for upper in order for seed in (upper, 2 * len(order) + 1 - upper)]
    return tuple(order)


class KnockoutBracket:
    """A bracket as its earlier rounds decided it."""

    def __init__(
        self,
        table: Crosstable,
        options: Mapping[str, OptionValue],
        seeds: Sequence[PlayerId],
        rounds_before: int,
        *,
        through: int,
    ):
        self.table = table
        self.options = options
        self.seeds = seeds
        self.rounds_before = rounds_before
        self.through = through
        self.best_of = BEST_OF.read_number(options)
        self.place = {number: place for place, number in enumerate(seeds)}

    def ties_of_stage(self, stage: int) -> tuple[list[Tie], list[Finding]]:
        """Return the ties of a stage, the better seeds first; raises NoLegalPairing."""
        seeds = self.seeds
        stages = count_stages(len(seeds))
        order: Sequence[PlayerId | None] = [
            seeds[seed - 1] if seed <= len(seeds) else None for seed in folded(1 << stages)
        ]
        findings: list[Finding] = []
        losers: Sequence[PlayerId] = ()
        for earlier in range(stage):
            ties = self._ties(order)
            decided = [self.winner(tie, earlier) for tie in ties]
            order = [winner for winner, _ in decided]
            winners = {winner for winner, _ in decided}
            losers = [number for tie in ties for number in tie.players if number not in winners]
            findings = [finding for _, finding in decided if finding]
        ties = sorted(self._ties(order), key=lambda tie: self.place[tie.better])
        if stage == stages - 1 and len(losers) == 2 and THIRD_PLACE.read(self.options):
            ties += self._ties(losers)
        return ties, findings

    def score(self, players: Pair, stage: int, games: int) -> TieScore:
        """Return the score of a tie after some games; raises NoLegalPairing for other opponents."""
        start = self.rounds_before + stage * self.best_of + 1
        rows = []
        for number, opponent in (players, players[::-1]):
            results = self.table.by_number[number].results[: self.through]
            row = results[start - 1 : start - 1 + games]
            for round_number, result in enumerate(row, start=start):
                if result.kind in PAIRED and result.opponent != opponent:
                    met = result.opponent or 0
                    raise NoLegalPairing(
                        f"{number} had to meet {opponent} in round {round_number} but met {met}; "
                        "the bracket cannot be continued",
                        (number, met),
                    )
            rows.append([result for result in row if result.kind in PAIRED])
        points = [sum(self.table.units_of(result) for result in row) for row in rows]
        return TieScore((points[0], points[1]), tuple(zip(*rows, strict=True)))

    def _ties(self, order: Sequence[PlayerId | None]) -> list[Tie]:
        ties = []
        for pair in zip(order[::2], order[1::2], strict=True):
            players = sorted((n for n in pair if n is not None), key=self.place.__getitem__)
            ties.append(Tie(players[0], players[1] if len(players) > 1 else None))
        return ties

    def winner(self, tie: Tie, stage: int) -> tuple[PlayerId, Finding | None]:
        """Return who advances from a tie, and the reason if it ended level."""
        if tie.worse is None:
            return tie.better, None
        pair = (tie.better, tie.worse)
        score = self.score(pair, stage, self.best_of)
        better, worse = score.points
        if better != worse:
            return (tie.better if better > worse else tie.worse), None
        winner = tie.better
        last = score.games[-1][0].seat if score.games else None
        reason = Sentence.LEVEL_BETTER_SEED
        if last is not None and LEVEL.read(self.options) == "second-seat":
            winner = tie.better if last is Seat.SECOND else tie.worse
            reason = Sentence.LEVEL_SECOND_SEAT
        text = score.text(self.table.points)
        return winner, reason.about(*pair, score=text)
