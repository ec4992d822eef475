"""The referee and the reference referee agree on random games with all endings."""

import json
import random
from itertools import combinations
from typing import Any

import pytest

from games.rules.boards.pentahexes import has_shape, shape_of
from games.rules.boards.rows import row_board
from games.rules.errors import IllegalMove
from games.rules.penta_hex import PentaHex
from games.rules.records.streams import judge
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from tests.games.rules.reference import movement
from tests.games.rules.reference.referee import (
    SCORES,
    SEATS,
    GoalGame,
    judge_line,
    judge_scores,
    judge_solitaire,
    leader,
    score_board,
    start_of,
)
from tests.games.rules.seeds import seeds

SCORE_BOARDS = [
    *((game, board) for game in SCORES[:3] for board in ("4", "6", "10")),
    *(("star", board) for board in ("2x3", "3x3", "5x6", "4x7")),
]
GOAL_BOARDS = [
    ("star-y", "4"), ("star-y", "10"), ("poly-y", "4"), ("poly-y", "8"), ("poly-y", "4x9"),
    ("poly-y", "6x9"), ("y", "5"), ("y", "9"), ("y", "93"), ("hex", "3"), ("hex", "8"),
    ("hex", "3x6"), ("hex", "7x4"), ("havannah", "3"), ("havannah", "4"), ("twixt", "5"),
    ("twixt", "6"), ("twixt", "10"),
]  # fmt: skip
QUICK, MANY = range(2), range(2, 90)


def text_of(game: str, board: str, words: list[str], **tags: str) -> str:
    head = [f'[{name} "{value}"]' for name, value in {"Game": game, "Board": board, **tags}.items()]
    return "\n".join([*head, "", " ".join(words)])


def judged(record: str) -> dict[str, Any]:
    """Return the verdict in JSON without its digest, or the code and the ply of the error."""
    verdict = json.loads(json.dumps(judge(record).as_json()))
    if verdict["valid"]:
        assert verdict.pop("digest").startswith("sha256:")
        return verdict
    (error,) = verdict["errors"]
    return {"code": error["code"], "ply": error.get("ply")}


def with_loss(verdict: dict[str, Any], termination: str) -> dict[str, Any]:
    """Return the verdict if the side to move loses."""
    loser = SEATS.index(verdict["to_move"])
    rest = {key: value for key, value in verdict.items() if key != "winner_decided"}
    return rest | {
        "state": "finished",
        "to_move": None,
        "termination": termination,
        "winner": SEATS[1 - loser],
    }


def with_agreed_score(verdict: dict[str, Any], first: int, second: int) -> dict[str, Any]:
    """Return the verdict if the players agree on a score."""
    rest = {key: value for key, value in verdict.items() if key != "winner_decided"}
    answer = rest | {
        "state": "finished",
        "to_move": None,
        "termination": "agreed",
        "winner": leader(first, second),
        "score": {"first": first, "second": second},
    }
    return answer | ({"draw": True} if first == second else {})


def random_scoring(game: str, board: str, chance: random.Random) -> tuple[list[str], dict, dict]:
    """Return random turns of a game, its tags, and the arguments for the reference referee."""
    options = ("two-point-corners",) if game == "star" and chance.random() < 0.5 else ()
    tags: dict[str, str] = {"Options": " ".join(options)} if options else {}
    known: dict[str, Any] = {"options": options}
    kind = chance.choice(["none", "points", "stones", "cells"])
    cells = {*score_board(game, board, options).graph}
    if kind == "points":
        seat, number = chance.randrange(2), chance.choice([1, 2, 5, 40])
        tags["Handicap"] = f"{SEATS[seat]} {number} points"
        known["points"] = number if seat == 0 else -number
    if kind == "stones" and game != "star":
        known["stones"] = chance.randrange(1, 11)
        tags["Handicap"] = f"second {known['stones']} stones"
        rings = {"4": "32", "6": "42", "10": "63"}[board]
        cells -= {*[f"{ray}{ring}0" for ring in rings for ray in "SA*TR"][: known["stones"]]}
    if kind == "cells" and game != "star":
        known["stones"] = tuple(chance.sample(sorted(cells), chance.randint(1, len(cells) // 3)))
        known["points"] = -chance.choice([0, 1, 4])
        points = f", {-known['points']} points" if known["points"] else ""
        tags["Handicap"] = f"second {' '.join(known['stones'])}{points}"
        cells -= {*known["stones"]}
    order = chance.sample(sorted(cells), len(cells))
    left = chance.choice([0, 0, 1, 2, 3, 5, chance.randrange(len(order)), len(order) - 1])
    del order[max(1, len(order) - left) :]
    if game == "double-star-star":
        rest = order[1:] if len(order) == len(cells) or len(order) % 2 else order[1:-1]
        turns = [order[0], *(",".join(rest[n : n + 2]) for n in range(0, len(rest), 2))]
    else:
        turns = order
    if "stones" not in known and len(turns) > 1 and chance.random() < 0.4:
        turns[1:1] = ["swap"]
    if game == "star" and len(order) < len(cells) and chance.random() < 0.5:
        turns.insert(chance.randrange(2, len(turns) + 1) if len(turns) > 2 else len(turns), "pass")
    if game == "star" and len(order) < len(cells) and turns[-1] != "pass" and chance.random() < 0.5:
        turns += ["pass", "pass"]
    return turns, tags, known


@seeds(QUICK, MANY)
@pytest.mark.parametrize(("game", "board"), SCORE_BOARDS)
def test_verdicts_on_scoring_games_agree(game, board, seed):
    chance = random.Random(f"{game}{board}{seed}")
    turns, tags, known = random_scoring(game, board, chance)
    plain = judge_scores(game, board, turns, **known)

    def answer(*words: str) -> dict[str, Any]:
        return judged(text_of(game, board, [*turns, *words], **tags))

    assert answer() == plain
    points = known.get("points", 0)
    low, high = plain["bounds"]["first"]
    total = score_board(game, board, known["options"]).total
    is_over = plain["termination"] in ("full", "passes")
    score = plain["score"] and "{first}-{second}".format(**plain["score"])
    if plain["state"] == "finished":
        assert answer(score) == plain
        assert answer("*") == {"code": "claim_contradicts", "ply": len(turns) + 1}
        off = plain["score"]["first"] + 1, plain["score"]["second"] - 1
        if off not in ((0, 1), (1, 0)):  # they state a winner, not a score
            found = answer("{}-{}".format(*off))
            assert found == {"code": "claim_contradicts", "ply": len(turns) + 1}
    else:
        assert answer("*") == plain
        assert answer("26-25") == plain | {"claim": "26-25"}
        for word, termination in (("resign", "resigned"), ("time", "time")):
            assert answer(word) == with_loss(plain, termination)
    if is_over:
        for word in ("resign", "time", "pass", "swap", turns[0], "XX"):
            assert answer(word) == {"code": "after_end", "ply": len(turns) + 1}
        return
    assert answer("resign", "*") == {"code": "claim_contradicts", "ply": len(turns) + 1}
    for first in {low, high, chance.randint(low, high)}:
        one, other = first + points, total - first - points
        assert answer("agreed", f"{one}-{other}") == with_agreed_score(plain, one, other)
    for first in (low - 1, high + 1):
        one, other = first + points, total - first - points
        assert answer("agreed", f"{one}-{other}") == {
            "code": "claim_out_of_bounds",
            "ply": len(turns) + 1,
        }
    assert answer("agreed", f"{low + points}-{total - low - points + 1}") == {
        "code": "claim_contradicts",
        "ply": len(turns) + 1,
    }
    placed = next(turn for turn in turns if turn not in ("swap", "pass")).split(",")[0]
    if game != "double-star-star" or "," in turns[-1]:
        assert answer(placed) == {"code": "occupied", "ply": len(turns) + 1}


@seeds(QUICK, MANY)
@pytest.mark.parametrize(("game", "board"), GOAL_BOARDS)
def test_verdicts_on_goal_games_agree(game, board, seed):
    chance = random.Random(f"{game}{board}{seed}")
    tags, known = {}, {}
    if game in ("star-y", "poly-y") and "x9" not in board and chance.random() < 0.4:
        known["stones"] = chance.randrange(1, 11)
        tags["Handicap"] = f"second {known['stones']} stones"
    elif "x9" in board and chance.random() < 0.4:
        cells = sorted(GoalGame(game, board).open_cells)
        known["stones"] = tuple(chance.sample(cells, chance.randrange(1, 5)))
        tags["Handicap"] = f"second {' '.join(known['stones'])}"
    played = GoalGame(game, board, **known)
    # Many games are cut off before their end.
    last = chance.choice([1, chance.randrange(1, 60), 10_000, 10_000])
    while played.termination is None and len(played.turns) < last:
        if len(played.turns) == 1 and not known and chance.random() < 0.4:
            played.play("swap")
        else:
            played.play(chance.choice(sorted(played.open_cells)))
        if seed % 3 == 0 and len(played.turns) % 7 == 0:
            verdict_so_far = played.verdict()
            assert judged(text_of(game, board, played.turns, **tags)) == verdict_so_far
    verdict, turns = played.verdict(), played.turns

    def answer(*words: str) -> dict[str, Any]:
        return judged(text_of(game, board, [*turns, *words], **tags))

    assert answer() == verdict
    if verdict["termination"]:
        for word in ("resign", "swap", "pass", turns[0], "zz"):
            assert answer(word) == {"code": "after_end", "ply": len(turns) + 1}
        token = {"first": "1-0", "second": "0-1", None: "1/2"}[verdict["winner"]]
        assert answer(token) == verdict
        for other in {"1-0", "0-1", "1/2", "*"} - {token}:
            assert answer(other) == {"code": "claim_contradicts", "ply": len(turns) + 1}
        return
    drawable = game in ("havannah", "twixt")
    assert answer("0-1") == verdict | {"claim": "0-1"}
    assert answer("time") == with_loss(verdict, "time")
    won = with_loss(verdict, "agreed") | {"winner": "first"}
    assert answer("agreed", "1-0") == won
    drawn = answer("agreed", "1/2")
    assert drawn == (
        won | {"winner": None, "draw": True}
        if drawable
        else {"code": "claim_contradicts", "ply": len(turns) + 1}
    )
    filled = next(turn for turn in turns if turn != "swap")
    assert answer(filled) == {"code": "occupied", "ply": len(turns) + 1}


@seeds(range(4), range(4, 150))
def test_verdicts_on_penta_line_agree(seed):
    chance = random.Random(seed)
    cells = sorted(movement.BOARD)
    while True:
        start = chance.choice(["C", "S10", "T20", chance.choice(cells), chance.choice(cells)])
        way = chance.choice(movement.rows_from(start))[:4]
        row = [start, *way]
        if len(row) < 5:
            continue
        del row[chance.randrange(5)]
        others = chance.sample([cell for cell in cells if cell not in row], 16)
        held = [{*row, *others[:6]}, {*others[6:]}]
        if not any(map(movement.has_five, held)):
            break
    setup = "first: {}; second: {}".format(*(" ".join(sorted(side)) for side in held))
    turns, winner = [], None
    while winner is None and len(turns) < 16:
        own = held[len(turns) % 2]
        moves = [(one, to) for one in own for to in movement.runs(one, held[0] | held[1])]
        moves.sort()
        wins = [m for m in moves if movement.has_five(own - {m[0]} | {m[1]})]
        one, to = chance.choice(wins if wins and chance.random() < 0.4 else moves)
        own -= {one}
        own |= {to}
        if movement.has_five(own):
            winner = SEATS[len(turns) % 2]
        turns.append(f"{one}-{to}")
        at = text_of("penta-line", "10", turns, Setup=setup)
        assert judged(at) == judge_line("penta-line", turns, winner)


def test_a_move_is_rejected_for_the_first_reason():
    chance = random.Random(5)
    cells = sorted(movement.BOARD)
    for _ in range(300):
        stones = chance.sample(cells, 20)
        own, enemy = {*stones[:10]}, {*stones[10:]}
        if movement.has_five(own) or movement.has_five(enemy):
            continue
        setup = f"first: {' '.join(own)}; second: {' '.join(enemy)}"
        one, to = chance.choice([*stones, chance.choice(cells)]), chance.choice([*cells, *stones])
        expected = (
            "occupied" if to in stones
            else "no_own_stone" if one not in own
            else "not_in_a_row" if to not in movement.in_a_row(one)
            else "path_blocked" if to not in movement.runs(one, own | enemy)
            else None
        )  # fmt: skip
        answer = judged(text_of("penta-line", "10", [f"{one}-{to}"], Setup=setup))
        assert answer.get("code") == expected


def pentahexes_of(*sides: set[str]) -> list[set[str]]:
    return [group for side in sides for group in movement.pentahexes(side)]


@seeds(range(8), range(8, 600))
def test_verdicts_on_turns_of_penta_hex_agree(seed):
    chance = random.Random(seed)
    mesh = row_board()
    near = [sorted(movement.beside({c})) for c in ("S63", "T20", "C", "A05")]
    field = {*chance.choice(near)}
    while len(field) < 34:
        field |= {chance.choice(sorted(movement.beside(field)))}
    stones = chance.sample(sorted(field), 26)
    own, enemy = {*stones[::2]}, {*stones[1::2]}
    separate = seed % 2 == 1
    options = {"Options": "total-separation"} if separate else {}
    terms = read_conditions({"Game": "penta-hex", "Board": "10", **options})
    masks = [sum(mesh.bits[cell] for cell in side) for side in (own, enemy)]
    shapes = [str(movement.shape(one)) for one in pentahexes_of(own, enemy)]
    near_theirs = set().union(*map(movement.beside, movement.pentahexes(enemy)))
    touch = any(group & near_theirs for group in movement.pentahexes(own))
    if len({*shapes}) < len(shapes) or (separate and touch):
        # No game reaches this position.
        return
    position = PentaHex(terms, mesh, *masks)
    free = sorted(movement.RIM - own - enemy)
    for start in sorted(own):
        for target in sorted(movement.runs(start, own | enemy)):
            moved = own - {start} | {target}
            to_lift = sorted(movement.enclosed(target, moved, enemy))
            lifts = list(zip(to_lift, chance.sample(free, len(to_lift)), strict=True))
            if chance.random() < 0.2:
                lifts = chance.choice(
                    [lifts[1:], [*lifts, (chance.choice(sorted(enemy)), free[0])]]
                )
            word = ",".join(f"{cell}>{to}" for cell, to in lifts)
            error = movement.penta_hex_error(
                start, target, lifts, own, enemy, total_separation=separate
            )
            turn = f"{start}-{target}" + (f"({word})" if word else "")
            if error is not None:
                with pytest.raises(IllegalMove) as caught:
                    position.play(turn)
                assert caught.value.code == error
                continue
            after = position.play(turn)
            left = enemy - {cell for cell, _ in lifts} | {to for _, to in lifts}
            for seat, side in ((Seat.FIRST, moved), (Seat.SECOND, left)):
                assert after.stones(seat) == sum(mesh.bits[cell] for cell in side)


def test_shapes_of_pentahexes_agree():
    chance = random.Random(7)
    mesh = row_board()
    ours, theirs = {}, {}
    for _ in range(600):
        group = {chance.choice([*movement.BOARD, "S10", "T20", "A21", "*10", "C"])}
        while len(group) < 5:
            group.add(chance.choice(sorted(movement.beside(group) - group)))
        mask = sum(mesh.bits[cell] for cell in group)
        assert has_shape(mask, mesh) is (movement.pentahexes(group) == [group])
        if has_shape(mask, mesh):
            shape, other = shape_of(mask, mesh), str(movement.shape(group))
            assert ours.setdefault(other, shape) == shape
            assert theirs.setdefault(shape, other) == other
    assert len(ours) == len(theirs) == 22


@seeds(QUICK, MANY)
@pytest.mark.parametrize("game", ["queens", "supply-line", "ring", "mini"])
def test_verdicts_on_solitaires_agree(game, seed):
    chance = random.Random(f"{game}{seed}")
    turns: list[str] = []
    stones: set[str] = set()
    if game == "queens":
        free = {*movement.BOARD}
        while free:
            turns.append(chance.choice(sorted(free)))
            free -= {turns[-1]} | movement.in_a_row(turns[-1])
    else:
        (stones,) = start_of(game)
        while can := movement.jumps(stones):
            turns.append(chance.choice(sorted(can)))
            start, to = turns[-1].split("-")
            stones = stones - {start, can[turns[-1]]} | {to}
    for length in {0, len(turns) // 2, len(turns) - 1, len(turns)}:
        assert judged(text_of(game, "10", turns[:length])) == judge_solitaire(game, turns[:length])
    after = judged(text_of(game, "10", [*turns, turns[-1]]))
    assert after == {"code": "after_end", "ply": len(turns) + 1}


def test_at_most_seventeen_queens_fit():
    """Check the counts in the proof of 2x + 3y <= 50 for x queens on rays and y others."""
    rays = {f"{letter}{ring % 10}0" for letter in "*STAR" for ring in range(1, 11)}
    rows = {movement.whole_row(cell, way) for cell in movement.BOARD
            for way in movement.rows_from(cell)}  # fmt: skip
    off_rays = [row for row in rows if "C" not in row]
    through = {cell: sum(cell in row for row in off_rays) for cell in movement.BOARD}

    # No other queen is in the rows through a queen, so 2x + 3y is at most the number of rows.
    assert len(off_rays) == 50
    assert {through[cell] for cell in rays} == {2}
    assert {through[cell] for cell in {*movement.BOARD} - rays - {"C"}} == {3}
    # Of three rays two are in a row over the centre, so x is at most 2.
    assert all(
        any(f"{one}50" in movement.in_a_row(f"{other}60") for one, other in combinations(three, 2))
        for three in combinations("*STAR", 3)
    )
    assert max(x + y for x in range(3) for y in range(26) if 2 * x + 3 * y <= 50) == 17
