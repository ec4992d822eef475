"""The expected verdict on a record, from its turns alone.

Each function plays turns on a simple board and returns the whole verdict except the digest.
"""

from typing import Any

from tests.games.rules.reference import goals, movement
from tests.games.rules.reference.boards import CENTRE, ring_graph
from tests.games.rules.reference.scores import StarBoard, StarStarBoard, extremes

GOALS = {
    "star-y": goals.StarY,
    "poly-y": goals.PolyY,
    "y": goals.Y,
    "hex": goals.Hex,
    "havannah": goals.Havannah,
    "twixt": goals.Twixt,
}
SCORES = ("star-star", "nobridge-star-star", "double-star-star", "star")
SEATS = ("first", "second")


def leader(one: int, other: int) -> str | None:
    return None if one == other else SEATS[one < other]


def score_board(game: str, board: str, options: tuple[str, ...] = ()) -> StarStarBoard | StarBoard:
    if game == "star":
        return StarBoard(game, board, two_point_corners=bool(options))
    return StarStarBoard(game, board)


def handicap_stones(board: str, stones: int | tuple[str, ...]) -> set[str]:
    """Return named cells, or the first of S A * T R on ring 6 of ten, then 3; rounded up."""
    if isinstance(stones, tuple):
        return set(stones)
    rings = int(board)
    outer, inner = (-(-rings * tenths // 10) % 10 for tenths in (6, 3))
    return {*[f"{ray}{ring}0" for ring in (outer, inner) for ray in "SA*TR"][:stones]}


def judge_scores(
    game: str,
    board: str,
    turns: list[str],
    *,
    options: tuple[str, ...] = (),
    stones: int | tuple[str, ...] = 0,
    points: int = 0,
) -> dict[str, Any]:
    """Return the verdict on turns of a scoring game; `points` are added to the first seat."""
    plain = score_board(game, board, options)
    held: list[set[str]] = [set(), handicap_stones(board, stones) if stones else set()]
    passes = 0
    for ply, turn in enumerate(turns):
        passes = passes + 1 if turn == "pass" else 0
        if turn == "swap":
            held.reverse()
        elif turn != "pass":
            held[ply % 2] |= {*turn.split(",")}
    low, high = extremes(plain, *held)
    full = len(held[0] | held[1]) == len(plain.graph)
    if passes == 2:
        termination, score = "passes", plain.scores(*held)
    elif low == high:
        termination, score = ("full" if full else "decided"), low
    else:
        termination, score = None, None
    answer: dict[str, Any] = {
        "valid": True,
        "game": game,
        "board": board,
        "plies": len(turns),
        "to_move": None if termination else SEATS[len(turns) % 2],
        "state": "finished" if termination else "unfinished",
        "termination": termination,
        "winner": None,
        "score": None,
        "bounds": {"first": [low[0], high[0]], "second": [high[1], low[1]]},
        "detail": {"first": plain.detail(*held), "second": plain.detail(held[1], held[0])},
    }
    if score:
        one, other = score[0] + points, score[1] - points
        answer |= {"winner": leader(one, other), "score": {"first": one, "second": other}}
        if one == other:
            answer["draw"] = True
        return answer
    certain = {leader(one + points, other - points) for one, other in (low, high)}
    if len(certain) == 1 and None not in certain:
        answer["winner_decided"] = certain.pop()
    return answer


class GoalGame:
    """A goal game in progress; black is the seat that has the colour that moves first."""

    def __init__(self, game: str, board: str, *, stones: int | tuple[str, ...] = 0) -> None:
        self.game, self.board = game, board
        self.plain = GOALS[game](board)
        self.held: list[set[str]] = [set(), handicap_stones(board, stones) if stones else set()]
        self.turns: list[str] = []
        self.black = 0
        self.winner: str | None = None

    @property
    def seat(self) -> int:
        return len(self.turns) % 2

    @property
    def open_cells(self) -> set[str]:
        cells = self.plain.cells
        if isinstance(self.plain, goals.Twixt):
            cells = self.plain.open_to(self.seat == self.black)
        return cells - self.held[0] - self.held[1]

    @property
    def termination(self) -> str | None:
        if self.winner:
            return "goal"
        if self.open_cells:
            return None
        return "blocked" if self.game == "twixt" else "full"

    def play(self, turn: str) -> None:
        seat = self.seat
        if turn == "swap":
            self.held.reverse()
            self.black = 1 - self.black
        else:
            if isinstance(self.plain, goals.Twixt):
                self.plain.link(turn, self.held[seat], seat == self.black)
            self.held[seat].add(turn)
            if self.plain.has_won(self.held[seat], turn, seat == self.black):
                self.winner = SEATS[seat]
        self.turns.append(turn)

    def verdict(self) -> dict[str, Any]:
        answer = _answer(self.game, self.board, self.turns, self.termination, self.winner)
        if self.termination in ("blocked", "full"):
            answer["draw"] = True
        return answer


def _answer(
    game: str, board: str, turns: list[str], termination: str | None, winner: str | None
) -> dict[str, Any]:
    return {
        "valid": True,
        "game": game,
        "board": board,
        "plies": len(turns),
        "to_move": None if termination else SEATS[len(turns) % 2],
        "state": "finished" if termination else "unfinished",
        "termination": termination,
        "winner": winner,
        "score": None,
        "bounds": None,
        "detail": None,
    }


def start_of(game: str) -> list[set[str]]:
    """Return the stones of the usual start, by seat; a solitaire has one seat."""
    full = ring_graph(10)
    if game == "penta-line":
        return [{f"{s}0{k}" for s in "*STAR" for k in pair} for pair in ((1, 2), (8, 9))]
    if game == "penta-hex":
        rim = movement.rim(10)
        return [{*rim[0::2]}, {*rim[1::2]}]
    rings = {"supply-line": "12345", "ring": "6", "mini": "12", "queens": ""}[game]
    stones = {cell for cell in full if cell[1] in rings}
    return [stones | ({CENTRE} if game in ("supply-line", "mini") else set())]


def judge_line(game: str, turns: list[str], winner: str | None) -> dict[str, Any]:
    """Return the verdict on a movement game that is won or open."""
    return _answer(game, "10", turns, "goal" if winner else None, winner)


def judge_solitaire(game: str, turns: list[str]) -> dict[str, Any]:
    """Return the verdict on a solitaire."""
    (stones,) = start_of(game)
    for turn in turns:
        if game == "queens":
            stones.add(turn)
            continue
        start, target = turn.split("-")
        over = movement.jumps(stones)[turn]
        stones = stones - {start, over} | {target}
    goal = {"supply-line": movement.RIM, "ring": {CENTRE}, "mini": {*movement.BOARD}}
    if game == "queens":
        free = {*movement.BOARD} - stones - set().union(*map(movement.in_a_row, stones))
        termination = None if free else "solved"
    elif len(stones) == 1 and stones <= goal[game]:
        termination = "solved"
    else:
        termination = None if movement.jumps(stones) else "blocked"
    answer = _answer(game, "10", turns, termination, None)
    answer["detail"] = {"stones": len(stones)}
    answer["to_move"] = None if termination else "first"
    return answer
