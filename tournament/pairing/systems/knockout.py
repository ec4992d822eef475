"""Knockout: who loses a tie is out; folded seeds, byes to the top seeds, one game or the best of.

The seeds are the pairing numbers. The bracket is the seeds' list folded again and again, so that
the top two can only meet in the final, the top four only in the semi-finals, and so on, and in
each stage without an upset the best meets the worst. Places that the field does not fill are byes
of the top seeds in the first stage: full-point byes, one for each game of the stage.

A tie has `best_of` games, one a round; once decided, what is left of it is not played. In its
first game the seat goes by the games played so far (boards.py), then the two change seats. Who has
the more points goes on. When they are level, drawn games or double forfeits, the option `level`
decides. The games of somebody who is away are lost by forfeit; so he is out, unless his opponent
is away as well. Those knocked out have no board and no bye.

The bracket is read from the results: a round that was set by hand against it has no next round by
it, which is said naming those who met.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.rules.seat import Seat
from tournament.pairing.boards import seat_of_higher
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.options import FlagOption, NumberOption, Option, OptionValue, WordOption
from tournament.pairing.request import (
    Note,
    NoteCode,
    Pair,
    PairingRequest,
    Pairings,
    either_way,
    played_seats,
)
from tournament.standings.crosstable import PAIRED, Kind, PlayerId, RoundResult

BEST_OF = NumberOption("best_of", "the most games of a tie", default=1, least=1, most=15)
THIRD_PLACE = FlagOption(
    "third_place", "whether the losers of the semi-finals play for the third place"
)
LEVEL = WordOption(
    "level",
    "who goes on from a tie that ends level",
    {
        "seed": "the better seed",
        "second-seat": "who sat second in the last game, else the better seed",
    },
)
OPTIONS: tuple[Option, ...] = (BEST_OF, THIRD_PLACE, LEVEL)


@dataclass(frozen=True, slots=True)
class Tie:
    """Two who play for going on, the better seed first; nobody to beat is a bye."""

    better: PlayerId
    worse: PlayerId | None

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """Both, or the one."""
        return (self.better,) if self.worse is None else (self.better, self.worse)


@dataclass(frozen=True, slots=True)
class Course:
    """What a tie came to in the games so far: points and games, by the order of its players."""

    points: tuple[int, int]
    games: tuple[tuple[RoundResult, RoundResult], ...]


def pair_knockout(request: PairingRequest) -> Pairings:
    """Give the games of a round of the bracket.

    Raises PairingRequestError for a round after the final, NoLegalPairing naming players who met
    against the bracket or are kept apart.
    """
    seeds = tuple(player.number for player in request.crosstable.players)
    if len(seeds) < 2:
        raise PairingRequestError("a knockout needs two players")
    return pair_bracket(request, seeds, begun=0)


def rounds_needed(players: int, _rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Give how many rounds the event must have."""
    return stages_of(players) * BEST_OF.number(options)


def stages_of(players: int) -> int:
    """Give how many stages a bracket has, the final included."""
    return (players - 1).bit_length()


def folded(places: int) -> tuple[int, ...]:
    """Give the seeds of a bracket from top to bottom; `folded(8)` is 1 8 4 5 2 7 3 6."""
    order = [1]
    while len(order) < places:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return tuple(order)


def pair_bracket(request: PairingRequest, seeds: Sequence[PlayerId], *, begun: int) -> Pairings:
    """Give the games of these seeds' bracket, the best first, which begins after round `begun`."""
    best_of = BEST_OF.number(request.options)
    stage, game = divmod(request.round - begun - 1, best_of)
    if stage >= stages_of(len(seeds)):
        raise PairingRequestError(
            f"a knockout of {len(seeds)} ends with round {begun + rounds_of(seeds, best_of)}; "
            f"this is round {request.round}"
        )
    ties, notes = _ties_of_stage(request, seeds, stage, begun, best_of)
    _refuse_apart(request, ties)
    first_round = begun + stage * best_of + 1
    pairs: list[Pair] = []
    byes: list[tuple[PlayerId, Kind]] = []
    forfeits: set[PlayerId] = set()
    for tie in ties:
        if tie.worse is None:
            if tie.better not in request.absent:
                byes.append((tie.better, Kind.FULL_BYE))
                notes.append(Note(NoteCode.BYE, (tie.better,), f"{tie.better} goes on by a bye"))
            continue
        course = _course(request, tie, first_round, game)
        if _is_decided(request, course, best_of - game):
            notes.append(Note(NoteCode.DECIDED, tie.players, f"{_told(request, tie, course)}"))
            continue
        pairs.append(_seated(request, tie, course, board=len(pairs) + 1))
        for number in tie.players:
            if number in request.absent:
                forfeits.add(number)
                sentence = f"{number} is away; his game is lost by forfeit"
                notes.append(Note(NoteCode.FORFEIT, (number,), sentence))
    return Pairings(tuple(pairs), None, tuple(notes), tuple(sorted(byes)), frozenset(forfeits))


def rounds_of(seeds: Sequence[PlayerId], best_of: int) -> int:
    """Give how many rounds the bracket of these seeds takes."""
    return stages_of(len(seeds)) * best_of


def _ties_of_stage(
    request: PairingRequest, seeds: Sequence[PlayerId], stage: int, begun: int, best_of: int
) -> tuple[list[Tie], list[Note]]:
    """Play the bracket through to a stage; its ties, the better seeds' boards first."""
    place = {number: index for index, number in enumerate(seeds)}
    order: list[PlayerId | None] = [
        seeds[seed - 1] if seed <= len(seeds) else None
        for seed in folded(1 << stages_of(len(seeds)))
    ]
    notes: list[Note] = []
    losers: list[PlayerId] = []
    for earlier in range(stage):
        start = begun + earlier * best_of + 1
        ties = _ties(order, place)
        order, losers = [], []
        for tie in ties:
            winner, note = _winner(request, tie, start, best_of)
            order.append(winner)
            losers += [number for number in tie.players if number != winner]
            if note and earlier == stage - 1:
                notes.append(note)
    ties = sorted(_ties(order, place), key=lambda tie: place[tie.better])
    is_final = stage == stages_of(len(seeds)) - 1
    if is_final and len(losers) == 2 and THIRD_PLACE.read(request.options):
        ties.append(_ties(list(losers), place)[0])
    return ties, notes


def _ties(order: Sequence[PlayerId | None], place: Mapping[PlayerId, int]) -> list[Tie]:
    ties = []
    for pair in zip(order[::2], order[1::2], strict=True):
        players = sorted((one for one in pair if one is not None), key=place.__getitem__)
        ties.append(Tie(players[0], players[1] if len(players) > 1 else None))
    return ties


def _winner(
    request: PairingRequest, tie: Tie, start: int, best_of: int
) -> tuple[PlayerId, Note | None]:
    """Give who goes on from a tie that has been played, and why when it ended level."""
    if tie.worse is None:
        return tie.better, None
    course = _course(request, tie, start, best_of)
    better, worse = course.points
    if better != worse:
        return (tie.better if better > worse else tie.worse), None
    winner, why = tie.better, "the better seed"
    last = course.games[-1][0].seat if course.games else None
    if last is not None and LEVEL.read(request.options) == "second-seat":
        winner = tie.better if last is Seat.SECOND else tie.worse
        why = "who sat second in the last game"
    sentence = f"{_told(request, tie, course)}; {winner}, {why}, goes on"
    return winner, Note(NoteCode.LEVEL_TIE, tie.players, sentence)


def _course(request: PairingRequest, tie: Tie, start: int, games: int) -> Course:
    """Read what a tie came to in its first games; whoever met somebody else is named."""
    rows = []
    for number, opponent in (tie.players, tie.players[::-1]):
        row = request.earlier(number)[start - 1 : start - 1 + games]
        for index, result in enumerate(row, start=start):
            if result.kind in PAIRED and result.opponent != opponent:
                met = result.opponent or 0
                raise NoLegalPairing(
                    f"{number} was to meet {opponent} in round {index} and met {met}; the bracket "
                    f"does not go on from there",
                    (number, met),
                )
        rows.append([result for result in row if result.kind in PAIRED])
    points = [sum(request.crosstable.units_of(result) for result in row) for row in rows]
    return Course((points[0], points[1]), tuple(zip(*rows, strict=True)))


def _is_decided(request: PairingRequest, course: Course, left: int) -> bool:
    worth = request.crosstable.points
    return abs(course.points[0] - course.points[1]) > left * (worth.win - worth.loss)


def _seated(request: PairingRequest, tie: Tie, course: Course, *, board: int) -> Pair:
    """Seat a tie's next game: by balance in its first, else changed from the game before."""
    better, worse = tie.players
    seat = course.games[-1][0].seat if course.games else None
    if seat is not None:
        seat = seat.other
    elif request.balance_seats:
        seats = (played_seats(request.earlier(number)) for number in tie.players)
        seat = seat_of_higher(*seats)
    if seat is None:
        initial = request.initial_seat or request.crosstable.initial_seat or Seat.FIRST
        seat = initial if (board + len(course.games)) % 2 else initial.other
    return (better, worse) if seat is Seat.FIRST else (worse, better)


def _refuse_apart(request: PairingRequest, ties: Iterable[Tie]) -> None:
    apart = either_way(request.forbidden)
    for tie in ties:
        if tie.players in apart:
            listed = f"{tie.better} and {tie.worse}"
            raise NoLegalPairing(f"{listed} are kept apart, and their tie is due", tie.players)


def _told(request: PairingRequest, tie: Tie, course: Course) -> str:
    better, worse = (request.crosstable.points.format_units(units) for units in course.points)
    return f"{tie.better} against {tie.worse} stands {better}-{worse}"
