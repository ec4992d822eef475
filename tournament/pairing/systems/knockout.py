"""Knockout: the loser of a tie is out. Folded seeds, byes for the top seeds, best-of ties.

The seeds are the pairing numbers. The bracket is the list of seeds, folded repeatedly, so that the
top two can meet only in the final, the top four only in the semi-finals, and so on, and in each
stage without an upset the best player meets the worst. Places without a player are byes of the top
seeds in the first stage: full-point byes, one for each game of the stage.

A tie has `best_of` games, one in each round; once it is decided, its remaining games are not
played. In the first game, seat balance decides the seats (`boards`), then the two players
alternate. The player with more points advances. If a tie ends level, the option `level` decides.
The games of an absent player are lost by forfeit, so they are out. If both players of a tie lose
every game by forfeit, both are out, or the better seed advances (`both_absent`). Players who are
out have neither a game nor a bye.

The bracket is read from the results and from who was paired. A round set by hand against the
bracket continues it: who plays in a tie has advanced, and who has no game is out. There is no next
round only if a stage had more ties than the bracket.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.rules.seat import Seat
from games.rules.text import Text
from tournament.pairing.boards import balanced_seat, initial_seat_of_board
from tournament.pairing.errors import PairingRequestError, kept_apart
from tournament.pairing.options import Option, OptionValue
from tournament.pairing.request import Pair, PairingRequest, Pairings, in_both_orders
from tournament.pairing.sentences import Sentence
from tournament.pairing.systems.bracket import (
    BEST_OF,
    BOTH_ABSENT,
    LEVEL_OPTION,
    THIRD_PLACE,
    KnockoutBracket,
)
from tournament.pairing.systems.ties import (
    DrawnBracket,
    FirstBoards,
    Running,
    TieScore,
    count_stages,
)
from tournament.standings.crosstable import Crosstable, Kind, PlayerId, Progress

KNOCKOUT_OPTIONS: tuple[Option, ...] = (BEST_OF, THIRD_PLACE, LEVEL_OPTION, BOTH_ABSENT)


def pair_knockout(request: PairingRequest) -> Pairings:
    """Return the games of a round of the bracket.

    Raises PairingRequestError for a round after the final, and NoLegalPairing for players who are
    kept apart, for more ties than the bracket has, and for other opponents within a tie.
    """
    seeds = tuple(player.number for player in request.crosstable.players)
    if len(seeds) < 2:
        raise PairingRequestError(Text("a knockout needs at least two players"))
    return pair_bracket(request, seeds, rounds_before=0)


def rounds_needed(players: int, _rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Return the number of rounds of a bracket."""
    return count_stages(players) * BEST_OF.read_number(options)


def pair_bracket(
    request: PairingRequest, seeds: Sequence[PlayerId], *, rounds_before: int
) -> Pairings:
    """Return the games of the bracket of these seeds, best first, after `rounds_before` rounds.

    A finding says if no game is left to be played: the bracket is over.
    """
    best_of = BEST_OF.read_number(request.options)
    stage, game = divmod(request.round - rounds_before - 1, best_of)
    if stage >= count_stages(len(seeds)):
        last_round = rounds_before + rounds_needed(len(seeds), 0, request.options)
        raise PairingRequestError(
            Text(
                "a knockout of %(players)s players ends with round %(last)s; this is "
                "round %(number)s",
                players=len(seeds),
                last=last_round,
                number=request.round,
            )
        )
    bracket = KnockoutBracket(
        request.crosstable, request.options, seeds, rounds_before, through=request.round - 1
    )
    ties, findings = bracket.ties_of_stage(stage)
    separated = in_both_orders(request.forbidden)
    for tie in ties:
        if tie.players in separated:
            raise kept_apart(*tie.players)
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
    left = {number for tie in ties for number in tie.players}
    if not left:
        findings.append(Sentence.NOBODY_LEFT.about())
    elif len(left) == 1:
        findings.append(Sentence.ONE_LEFT.about(*left))
    elif stage == bracket.stages - 1 and not pairs:
        findings.append(Sentence.LAST_DECIDED.about())
    return Pairings(tuple(pairs), None, tuple(findings), tuple(sorted(byes)))


def draw_bracket(
    table: Crosstable,
    options: Mapping[str, OptionValue],
    _codes: Sequence[str],
    first_boards: FirstBoards,
    running: Running,
) -> DrawnBracket:
    """Return the ties of all stages, as far as the results of the table decide them.

    Raises NoLegalPairing as `pair_knockout` does.
    """
    seeds = [player.number for player in table.players]
    return draw_from_seeds(table, options, seeds, 0, first_boards, running)


def draw_from_seeds(
    table: Crosstable,
    options: Mapping[str, OptionValue],
    seeds: Sequence[PlayerId],
    rounds_before: int,
    first_boards: FirstBoards,
    running: Running,
) -> DrawnBracket:
    """Return the bracket of these seeds, best first, after `rounds_before` rounds."""
    bracket = KnockoutBracket(
        table,
        options,
        seeds,
        rounds_before,
        through=table.completed,
        first_boards=first_boards,
        running=running,
    )
    return bracket.draw()


def find_progress(
    table: Crosstable,
    options: Mapping[str, OptionValue],
    _codes: Sequence[str],
    first_boards: FirstBoards,
) -> dict[PlayerId, Progress]:
    """Return how far each player of a knockout got in the completed rounds.

    `first_boards` are the players of board 1 by round, as far as they are known. Raises
    NoLegalPairing as `pair_knockout` does.
    """
    seeds = [player.number for player in table.players]
    return progress_in_bracket(table, options, seeds, rounds_before=0, first_boards=first_boards)


def progress_in_bracket(
    table: Crosstable,
    options: Mapping[str, OptionValue],
    seeds: Sequence[PlayerId],
    *,
    rounds_before: int,
    first_boards: FirstBoards,
) -> dict[PlayerId, Progress]:
    """Return the progress in the completed stages of the bracket of these seeds, best first."""
    bracket = KnockoutBracket(
        table, options, seeds, rounds_before, through=table.completed, first_boards=first_boards
    )
    progress = dict.fromkeys(seeds, Progress())
    stages_completed = (table.completed - rounds_before) // bracket.best_of
    stages = count_stages(len(seeds))
    for stage in range(min(stages, stages_completed)):
        ties, _ = bracket.ties_of_stage(stage)
        decided = bracket.decide(ties, stage)
        place = 1 + (1 << (stages - stage - 1))
        for index, (tie, (winner, _)) in enumerate(zip(ties, decided, strict=True)):
            is_for_third = stage == stages - 1 and index > 0
            if winner is None:
                for number in tie.players if tie and not is_for_third else ():
                    so_far = progress.get(number, Progress())
                    progress[number] = replace(so_far, lost_to=number, place=place)
                continue
            so_far = progress.get(winner, Progress())
            if is_for_third:
                progress[winner] = replace(so_far, half_ties=so_far.half_ties + 1)
                continue
            progress[winner] = Progress(so_far.half_ties + 2)
            for loser in tie.players:
                if loser != winner:
                    so_far = progress.get(loser, Progress())
                    progress[loser] = replace(so_far, lost_to=winner, place=place)
    return progress


def _is_decided(request: PairingRequest, score: TieScore, games_left: int) -> bool:
    worth = request.crosstable.points
    return abs(score.points[0] - score.points[1]) > games_left * (worth.win - worth.loss)


def _seat(request: PairingRequest, pair: Pair, score: TieScore, *, board: int) -> Pair:
    """Return the next game of a tie as (first, second)."""
    last = score.games[-1][0].seat if score.games else None
    seat = last.other if last is not None else balanced_seat(request, pair)
    seat = seat or initial_seat_of_board(request, board + len(score.games))
    return pair if seat is Seat.FIRST else pair[::-1]
