"""Knockout: the loser of a tie is out. Folded seeds, byes for the top seeds, best-of ties.

The seeds are the pairing numbers. The bracket is the list of seeds, folded repeatedly, so that the
top two can meet only in the final, the top four only in the semi-finals, and so on, and in each
stage without an upset the best player meets the worst. Places without a player are byes of the top
seeds in the first stage: full-point byes, one for each game of the stage.

A tie has `best_of` games, one in each round; once it is decided, its remaining games are not
played. In the first game, seat balance decides the seats (`boards`), then the two players
alternate. The player with more points advances. If a tie ends level, by draws or double forfeits,
the option `level` decides. The games of an absent player are lost by forfeit, so they are out
unless their opponent is absent too. Players who are out have neither a game nor a bye.

The bracket is read from the results. After a round set by hand against the bracket, there is no
next round; the error names the players who met.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from games.rules.seat import Seat
from tournament.pairing.boards import balanced_seat, initial_seat_of_board
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.findings import Finding
from tournament.pairing.options import FlagOption, NumberOption, Option, OptionValue, WordOption
from tournament.pairing.request import Pair, PairingRequest, Pairings, in_both_orders
from tournament.pairing.sentences import Sentence
from tournament.standings.crosstable import (
    PAIRED,
    Crosstable,
    Kind,
    PlayerId,
    Progress,
    RoundResult,
)
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
OPTIONS: tuple[Option, ...] = (BEST_OF, THIRD_PLACE, LEVEL)


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


def pair_knockout(request: PairingRequest) -> Pairings:
    """Return the games of a round of the bracket.

    Raises PairingRequestError for a round after the final, and NoLegalPairing for players who met
    against the bracket or are kept apart.
    """
    seeds = tuple(player.number for player in request.crosstable.players)
    if len(seeds) < 2:
        raise PairingRequestError("a knockout needs at least two players")
    return pair_bracket(request, seeds, rounds_before=0)


def rounds_needed(players: int, _rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Return the number of rounds of a bracket."""
    return count_stages(players) * BEST_OF.read_number(options)


def count_stages(players: int) -> int:
    """Return the number of stages of a bracket, including the final."""
    return (players - 1).bit_length()


def folded(places: int) -> tuple[int, ...]:
    """Return the seeds of a bracket from top to bottom; `folded(8)` is 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < places:
        order = [seed for upper in order for seed in (upper, 2 * len(order) + 1 - upper)]
    return tuple(order)


def pair_bracket(
    request: PairingRequest, seeds: Sequence[PlayerId], *, rounds_before: int
) -> Pairings:
    """Return the games of the bracket of these seeds, best first, after `rounds_before` rounds."""
    best_of = BEST_OF.read_number(request.options)
    stage, game = divmod(request.round - rounds_before - 1, best_of)
    if stage >= count_stages(len(seeds)):
        last_round = rounds_before + rounds_needed(len(seeds), 0, request.options)
        raise PairingRequestError(
            f"a knockout of {len(seeds)} players ends with round {last_round}; "
            f"this is round {request.round}"
        )
    bracket = _Bracket(
        request.crosstable, request.options, seeds, rounds_before, through=request.round - 1
    )
    ties, findings = bracket.ties_of_stage(stage)
    separated = in_both_orders(request.forbidden)
    for tie in ties:
        if tie.players in separated:
            raise NoLegalPairing(
                f"{tie.better} and {tie.worse} are kept apart but have to meet", tie.players
            )
    pairs: list[Pair] = []
    byes: list[tuple[PlayerId, Kind]] = []
    for tie in ties:
        if tie.worse is None:
            if tie.better not in request.absent:
                byes.append((tie.better, Kind.FULL_BYE))
                findings.append(Sentence.ADVANCES_BY_BYE.about(tie.better))
            continue
        pair = (tie.better, tie.worse)
        score = bracket.score(pair, stage, game)
        if _is_decided(request, score, best_of - game):
            text = score.text(request.crosstable.points)
            findings.append(Sentence.DECIDED.about(*pair, score=text))
            continue
        pairs.append(_seat(request, pair, score, board=len(pairs) + 1))
        absent = (number for number in pair if number in request.absent)
        findings += [Sentence.FORFEIT.about(number) for number in absent]
    return Pairings(tuple(pairs), None, tuple(findings), tuple(sorted(byes)))


def find_progress(
    table: Crosstable, options: Mapping[str, OptionValue]
) -> dict[PlayerId, Progress]:
    """Return how far each player of a knockout got in the completed rounds.

    Raises NoLegalPairing for players who met against the bracket.
    """
    return progress_in_bracket(table, options, [p.number for p in table.players], rounds_before=0)


def progress_in_bracket(
    table: Crosstable,
    options: Mapping[str, OptionValue],
    seeds: Sequence[PlayerId],
    *,
    rounds_before: int,
) -> dict[PlayerId, Progress]:
    """Return the progress in the completed stages of the bracket of these seeds, best first."""
    bracket = _Bracket(table, options, seeds, rounds_before, through=table.completed)
    progress = dict.fromkeys(seeds, Progress())
    stages_completed = (table.completed - rounds_before) // bracket.best_of
    stages = count_stages(len(seeds))
    for stage in range(min(stages, stages_completed)):
        ties, _ = bracket.ties_of_stage(stage)
        for index, tie in enumerate(ties):
            winner, _ = bracket.winner(tie, stage)
            if stage == stages - 1 and index > 0:
                progress[winner] = replace(
                    progress[winner], half_ties=progress[winner].half_ties + 1
                )
                continue
            progress[winner] = Progress(progress[winner].half_ties + 2)
            for loser in tie.players:
                if loser != winner:
                    progress[loser] = replace(progress[loser], lost_to=winner)
    return progress


class _Bracket:
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


def _is_decided(request: PairingRequest, score: TieScore, games_left: int) -> bool:
    worth = request.crosstable.points
    return abs(score.points[0] - score.points[1]) > games_left * (worth.win - worth.loss)


def _seat(request: PairingRequest, pair: Pair, score: TieScore, *, board: int) -> Pair:
    """Return the next game of a tie as (first, second)."""
    last = score.games[-1][0].seat if score.games else None
    seat = last.other if last is not None else balanced_seat(request, pair)
    seat = seat or initial_seat_of_board(request, board + len(score.games))
    return pair if seat is Seat.FIRST else pair[::-1]
