"""The bracket of a knockout, as its earlier rounds decided it: options, stages, ties, winners.

`knockout.py` states the rules. The ties of a stage that was paired are those that were played, and
of a tie the player has advanced who plays on. These follow from the results, unless a round was set
by hand against the bracket, or a result was corrected and the next stage stays as it was played.
"""

from collections.abc import Collection, Mapping, Sequence

from games.rules.messages import gettext_noop
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.findings import Finding
from tournament.pairing.options import MOST_GAMES, FlagOption, NumberOption, OptionValue, WordOption
from tournament.pairing.request import Pair
from tournament.pairing.sentences import Sentence
from tournament.pairing.systems.ties import (
    NO_BOARDS,
    NOTHING_RUNNING,
    DrawnBracket,
    DrawnTie,
    FirstBoards,
    Running,
    Tie,
    TieScore,
    count_stages,
    folded,
)
from tournament.standings.crosstable import PAIRED, Crosstable, Kind, PlayerId

BEST_OF = NumberOption(
    "best_of",
    gettext_noop("Games in a pairing"),
    gettext_noop("the maximum number of games in a pairing"),
    default=1,
    least=1,
    most=MOST_GAMES,
)
THIRD_PLACE = FlagOption(
    "third_place",
    gettext_noop("Game for third place"),
    gettext_noop("whether the losers of the semi-finals play for third place"),
)
LEVEL_OPTION = WordOption(
    "level",
    gettext_noop("Pairings that end level"),
    gettext_noop("who advances from a pairing that ends level"),
    {
        "seed": gettext_noop("the better seed"),
        "second-seat": gettext_noop(
            "the player who sat second in the last game, else the better seed"
        ),
    },
)
BOTH_ABSENT = WordOption(
    "both_absent",
    gettext_noop("Pairings in which both are absent"),
    gettext_noop("who advances from a pairing in which both players lose every game by forfeit"),
    {
        "out": gettext_noop("nobody: both are out, and who would meet them has a bye"),
        "seed": gettext_noop("the better seed"),
    },
)


class KnockoutBracket:
    """A bracket as its earlier rounds decided it.

    `first_boards` are the players of board 1 by round, if they are known: they play the final, and
    the others of the last stage for third place. `through` is the last round whose results are
    read; it may be `running`.
    """

    def __init__(
        self,
        table: Crosstable,
        options: Mapping[str, OptionValue],
        seeds: Sequence[PlayerId],
        rounds_before: int,
        *,
        through: int,
        first_boards: FirstBoards = NO_BOARDS,
        running: Running = NOTHING_RUNNING,
    ):
        self.table = table
        self.options = options
        self.seeds = seeds
        self.rounds_before = rounds_before
        self.through = through
        self.first_boards = first_boards
        self.running = running
        self.best_of = BEST_OF.read_number(options)
        self.stages = count_stages(len(seeds))
        self._places = {number: place for place, number in enumerate(seeds)}
        self._pairs: dict[int, list[frozenset[PlayerId]]] = {}

    def place(self, number: PlayerId) -> tuple[int, PlayerId]:
        """Return the place of a player among the seeds; others, set by hand, are behind them."""
        return self._places.get(number, len(self._places)), number

    def ties_of_stage(self, stage: int) -> tuple[list[Tie], list[Finding]]:
        """Return the ties of a stage, the better seeds first; raises NoLegalPairing."""
        seeds = self.seeds
        order: Sequence[PlayerId | None] = [
            seeds[seed - 1] if seed <= len(seeds) else None for seed in folded(1 << self.stages)
        ]
        findings: list[Finding] = []
        losers: Sequence[PlayerId] = ()
        for earlier in range(stage):
            ties = self._ties_played(self._ties(order), earlier)
            decided = self.decide(ties, earlier)
            order = [winner for winner, _ in decided]
            losers = [
                number
                for tie, winner in zip(ties, order, strict=True)
                if tie and winner
                for number in tie.players
                if number != winner
            ]
            findings = [finding for _, finding in decided if finding]
        due = self._ties(order)
        if stage == self.stages - 1 and len(losers) == 2 and THIRD_PLACE.read(self.options):
            due += self._ties(losers)
            return [tie for tie in self._ties_played(due, stage) if tie], findings
        ties = self._ties_played(due, stage)
        return sorted(filter(None, ties), key=lambda tie: self.place(tie.better)), findings

    def draw(self) -> DrawnBracket:
        """Return the ties of all stages, as far as the results decide them; NoLegalPairing."""
        number_of_seeds = len(self.seeds)
        sides: list[PlayerId | None] = [
            self.seeds[seed - 1] if seed <= number_of_seeds else None
            for seed in folded(1 << self.stages)
        ]
        is_open = [False] * len(sides)
        drawn: list[tuple[DrawnTie, ...]] = []
        for stage in range(self.stages):
            if stage == self.stages - 1 and drawn and THIRD_PLACE.read(self.options):
                losers, open_losers = _losers(drawn[-1])
                if len(losers) == 2:
                    sides, is_open = [*sides, *losers], [*is_open, *open_losers]
            ties = self._draw_stage(stage, sides, is_open)
            drawn.append(ties)
            sides = [tie.winner for tie in ties]
            is_open = [not tie.is_over for tie in ties]
        return tuple(drawn)

    def _draw_stage(
        self, stage: int, sides: Sequence[PlayerId | None], is_open: Sequence[bool]
    ) -> tuple[DrawnTie, ...]:
        ties = self._ties_played(self._ties(sides), stage)
        decided = self.decide(ties, stage)
        is_next_paired = stage + 1 < self.stages and bool(self._pairs_of_stage(stage + 1))
        drawn = []
        for index, tie in enumerate(ties):
            places = sides[2 * index], sides[2 * index + 1]
            unknown = is_open[2 * index], is_open[2 * index + 1]
            if tie and set(tie.players) != {place for place in places if place is not None}:
                places, unknown = (tie.better, tie.worse), (False, False)
            is_over = not any(unknown) and (is_next_paired or self._is_over(tie, stage))
            winner, reason = decided[index] if is_over else (None, None)
            drawn.append(
                DrawnTie(
                    sides=places,
                    is_open=unknown,
                    is_for_third=stage == self.stages - 1 and index > 0,
                    is_over=is_over,
                    winner=winner,
                    points=self._points(places, stage),
                    reason=reason,
                )
            )
        return tuple(drawn)

    def _points(
        self, sides: tuple[PlayerId | None, PlayerId | None], stage: int
    ) -> tuple[int, int] | None:
        if sides[0] is None or sides[1] is None:
            return None
        score = self.score((sides[0], sides[1]), stage, self.best_of)
        return score.points if score.games else None

    def _is_over(self, tie: Tie | None, stage: int) -> bool:
        """Return True if no game of a tie is still to be played."""
        if tie is None or tie.worse is None:
            return True
        if not self.running.unsettled.isdisjoint(tie.players):
            return False
        left = self._first_round(stage) + self.best_of - 1 - self.through
        better, worse = self.score((tie.better, tie.worse), stage, self.best_of).points
        worth = self.table.points
        return left <= 0 or abs(better - worse) > min(left, self.best_of) * (worth.win - worth.loss)

    def _ties_played(self, due: Sequence[Tie | None], stage: int) -> list[Tie | None]:
        """Return the ties of a stage: those that are due, or else those that were paired instead.

        Raises NoLegalPairing if more ties were paired than the bracket has.
        """
        entrants = {number for tie in due if tie for number in tie.players}
        pairs = [pair for pair in self._pairs_of_stage(stage) if not entrants.isdisjoint(pair)]
        if not pairs:
            return list(due)
        paired = frozenset[PlayerId]().union(*pairs)
        ties = [
            tie
            if tie
            and (set(tie.players) in pairs or (tie.worse is None and tie.better not in paired))
            else None
            for tie in due
        ]
        known = [set(tie.players) for tie in ties if tie]
        others = [pair for pair in pairs if pair not in known]
        if len(others) > ties.count(None):
            players = tuple(sorted(paired))
            raise NoLegalPairing(
                Text(
                    "%(count)s pairings were set in round %(number)s, and the bracket has "
                    "%(due)s; it cannot be continued",
                    count=len(pairs),
                    number=self._first_round(stage),
                    due=len(due),
                ),
                players,
            )
        first_board = self.first_boards.get(self._first_round(stage))
        for index, tie in enumerate(due):
            if ties[index] is None and others:
                expected = frozenset(tie.players if tie else ())
                pair = min(others, key=lambda pair: self._distance(pair, expected, first_board))
                others.remove(pair)
                ties[index] = self._tie_of(pair)
        return ties

    def _distance(
        self,
        pair: frozenset[PlayerId],
        expected: frozenset[PlayerId],
        first_board: frozenset[PlayerId] | None,
    ) -> tuple[bool, int, list[tuple[int, PlayerId]]]:
        """Return how far a pair is from the tie that was due; board 1 and better seeds first."""
        return pair != first_board, -len(pair & expected), sorted(map(self.place, pair))

    def _first_round(self, stage: int) -> int:
        return self.rounds_before + stage * self.best_of + 1

    def _pairs_of_stage(self, stage: int) -> list[frozenset[PlayerId]]:
        """Return the players of each tie that was paired, one of them if it is a bye."""
        if stage in self._pairs:
            return self._pairs[stage]
        number = self._first_round(stage)
        pairs = self.running.pairs.get(number) or self._pairs_of_round(number)
        in_order = sorted(pairs, key=lambda pair: sorted(map(self.place, pair)))
        self._pairs[stage] = in_order if number <= self.through else []
        return self._pairs[stage]

    def _pairs_of_round(self, number: int) -> set[frozenset[PlayerId]]:
        pairs = set()
        for player in self.table.players:
            result = player.result(number)
            if result.opponent is not None:
                pairs.add(frozenset({player.number, result.opponent}))
            elif result.kind in (Kind.FULL_BYE, Kind.PAIRING_BYE):
                pairs.add(frozenset({player.number}))
        return pairs

    def decide(
        self, ties: Sequence[Tie | None], stage: int
    ) -> list[tuple[PlayerId | None, Finding | None]]:
        """Return who advances from each tie of a stage, and the reason if it ended level.

        Of two players the one has advanced who alone plays in the next stage, if it was paired.
        """
        decided: list[tuple[PlayerId | None, Finding | None]] = [
            self._winner(tie, stage) if tie else (None, None) for tie in ties
        ]
        playing_on = self._finalists(stage + 1, frozenset(w for w, _ in decided if w))
        for index, tie in enumerate(ties):
            advancing = playing_on.intersection(tie.players if tie else ())
            if len(advancing) == 1 and decided[index][0] not in advancing:
                decided[index] = min(advancing), None
        return decided

    def _finalists(self, stage: int, winners: frozenset[PlayerId]) -> frozenset[PlayerId]:
        """Return who plays on in a stage that was paired, without the game for third place."""
        pairs = self._pairs_of_stage(stage)
        if stage == self.stages - 1 and len(pairs) > 1:
            first_board = self.first_boards.get(self._first_round(stage))
            final = winners if winners in pairs else first_board
            pairs = [pair for pair in pairs if pair == final]
        return frozenset[PlayerId]().union(*pairs)

    def score(self, players: Pair, stage: int, games: int) -> TieScore:
        """Return the score of a tie after some games; raises NoLegalPairing for other opponents."""
        start = self._first_round(stage)
        rows = []
        for number, opponent in (players, players[::-1]):
            results = self.table.by_number[number].results[: self.through]
            row = results[start - 1 : start - 1 + games]
            for round_number, result in enumerate(row, start=start):
                if result.kind in PAIRED and result.opponent != opponent:
                    met = result.opponent or 0
                    raise NoLegalPairing(
                        Text(
                            "%(first)s had to meet %(second)s in round %(number)s but "
                            "met %(other)s; the bracket cannot be continued",
                            first=number,
                            second=opponent,
                            number=round_number,
                            other=met,
                        ),
                        (number, met),
                    )
            rows.append([result for result in row if result.kind in PAIRED])
        points = [sum(self.table.units_of(result) for result in row) for row in rows]
        return TieScore((points[0], points[1]), tuple(zip(*rows, strict=True)))

    def _ties(self, order: Sequence[PlayerId | None]) -> list[Tie | None]:
        """Return the ties of neighbours in the bracket; None where nobody is left."""
        pairs = zip(order[::2], order[1::2], strict=True)
        return [self._tie_of([n for n in pair if n is not None]) for pair in pairs]

    def _tie_of(self, players: Collection[PlayerId]) -> Tie | None:
        if not players:
            return None
        better, *others = sorted(players, key=self.place)
        return Tie(better, others[0] if others else None)

    def _winner(self, tie: Tie, stage: int) -> tuple[PlayerId | None, Finding | None]:
        """Return who wins a tie by the results, None if both are out, and why if it ended level."""
        if tie.worse is None:
            return tie.better, None
        pair = (tie.better, tie.worse)
        score = self.score(pair, stage, self.best_of)
        better, worse = score.points
        if better != worse:
            return (tie.better if better > worse else tie.worse), None
        lost_by_both = all(
            result.kind is Kind.FORFEIT_LOSS for game in score.games for result in game
        )
        if score.games and lost_by_both and BOTH_ABSENT.read(self.options) == "out":
            return None, Sentence.BOTH_OUT.about(*pair)
        winner = tie.better
        last = score.games[-1][0].seat if score.games else None
        reason = Sentence.LEVEL_BETTER_SEED
        if last is not None and LEVEL_OPTION.read(self.options) == "second-seat":
            winner = tie.better if last is Seat.SECOND else tie.worse
            reason = Sentence.LEVEL_SECOND_SEAT
        text = score.text(self.table.points)
        return winner, reason.about(*pair, score=text)


def _losers(ties: Sequence[DrawnTie]) -> tuple[list[PlayerId | None], list[bool]]:
    """Return who lost each of the semi-finals that have two players, and whether it is open."""
    losers: list[PlayerId | None] = []
    is_open = []
    for tie in ties:
        loser = next((side for side in tie.sides if side not in (None, tie.winner)), None)
        if not tie.is_over or (tie.winner and loser):
            losers.append(loser if tie.is_over else None)
            is_open.append(not tie.is_over)
    return losers, is_open
