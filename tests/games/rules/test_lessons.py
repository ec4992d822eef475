"""The lessons: positions are legal, and the rules confirm every statement."""

import re
from dataclasses import replace
from itertools import product

import pytest

from games.rules.boards.chains import chain_at
from games.rules.lessons import LESSONS
from games.rules.lessons.lesson import SOURCES
from games.rules.lessons.questions import describe_question, statements
from games.rules.lessons.theory import GLOSSARY, SECTIONS
from games.rules.messages import say_in_english
from games.rules.registry import GAMES
from games.rules.seat import Seat

CELL = re.compile(r"(?<![\w*])(?:[*STAR]\d\d|[A-J]\d{1,2}|[a-h]\d{1,2})(?![\w-])")


def ask(position, question: str) -> str:
    """Return the answer of the rules to a question of a lesson."""
    kind, *about = question.split()
    outcome = position.outcome()
    if kind in ("owner", "corner"):
        owned = position.highlights(0).owned
        found = (
            seat.value
            for seat, its in zip(Seat, owned, strict=True)
            if its >> position.cell(about[0]) & 1
        )
        return next(found, "nobody")
    if kind in ("joined", "edges", "hexes", "sides", "size"):
        cell, connected = position.cell(about[0]), position.connections()
        seat = Seat.FIRST if position.first >> cell & 1 else Seat.SECOND
        assert position.stones(seat) >> cell & 1
        chain = chain_at(1 << cell, position.stones(seat), connected.neighbours)
        if kind == "joined":
            return "yes" if chain >> position.cell(about[1]) & 1 else "no"
        return str(chain.bit_count() if kind == "size" else next(position.touched(chain, seat))[0])
    if kind in ("stars", "peries", "quarks", "touches"):
        return str(outcome.detail[about[0]][kind])
    if kind in ("corners", "links", "pentahexes"):
        seat, shown = Seat(about[0]), position.highlights(0)
        number = list(Seat).index(seat)
        counts = {"links": len(shown.links[number]), "pentahexes": len(shown.groups[number])}
        return str(counts.get(kind, position.holdings(seat).get("corners")))
    if kind == "least":  # what a seat scores with one of each of some pairs and nothing more
        number, bits = list(Seat).index(Seat(about[0])), position.board.bits
        scores = []
        for cells in product(*(pair.split("/") for pair in about[1:])):
            own = position.stones(Seat(about[0])) | sum(bits[cell] for cell in cells)
            rest = sum(bits[cell] for cell in position.board.names) & ~own
            first, second = (own, rest) if number == 0 else (rest, own)
            scores.append(replace(position, first=first, second=second).outcome().score[number])
        return str(min(scores))
    after = position.play(about[0]).outcome() if kind == "wins" else None
    is_true = {
        "legal": lambda: position.is_legal(about[0]),
        "wins": lambda: after.winner is position.to_move,
        "ends": lambda: position.is_over,
    }
    if kind in is_true:
        return "yes" if is_true[kind]() else "no"
    return {
        "score": lambda: "{}-{}".format(*outcome.score),
        "possible": lambda: "{}-{}".format(*outcome.bounds[0]),
        "winner": lambda: outcome.winner.value if outcome.winner else "nobody",
        "ending": lambda: str(outcome.termination),
        "turn": lambda: position.to_move.value,
        "stones": lambda: str(position.filled.bit_count()),
    }[kind]()  # fmt: skip


def has_reached(position, seat: Seat, goal: str) -> bool:
    """Return True if a chain of the seat joins cells, or one to the edge.

    For `apart` it is a chain of the opponent.
    """
    kind, cell, *other = goal.split()
    stones = position.stones(seat.other if kind == "apart" else seat)
    connected = position.connections()
    chain = chain_at(position.board.bits[cell], stones, connected.neighbours)
    if kind == "edge":
        return bool(chain & connected.edge)
    return all(chain & position.board.bits[one] for one in other)


def can_reach(position, seat: Seat, goal: str, cells: frozenset[str], known) -> bool:
    """Return True if a seat reaches a goal by play on some cells, whatever the other does there."""
    key = position.first, position.second
    if key not in known:
        is_avoided = goal.startswith("apart")
        is_mine = position.to_move is seat
        if has_reached(position, seat, goal):
            known[key] = not is_avoided
        elif not cells:
            known[key] = is_avoided
        else:
            after = (
                can_reach(position.play(one), seat, goal, cells - {one}, known) for one in cells
            )
            known[key] = any(after) if is_mine else all(after)
    return known[key]


STEPS = [
    pytest.param(code, chapter, step, id=f"{code} {chapter.title} {number}")
    for code, chapters in LESSONS.items()
    for chapter in chapters
    for number, step in enumerate(chapter.steps, 1)
]


@pytest.mark.parametrize(("code", "chapter", "step"), STEPS)
def test_the_rules_confirm_a_step(code, chapter, step):
    record = chapter.record(code, step)
    position = GAMES[code].start(record.conditions)
    for turn in record.moves:
        assert position.is_legal(turn), turn
        position = position.play(turn)
    said = f"{step.text} {step.answer}"

    stated = statements(f"{step.states}; {step.asks}" if step.states else step.asks)
    assert [(asked, ask(position, asked)) for asked, _ in stated] == stated
    lit = {*step.lit.split(), *step.among.split()}
    assert lit <= {*position.board.names}
    assert bool(step.text) is not bool(step.asks)
    named = {cell for cell in CELL.findall(said) if cell in position.board.names}
    shown = lit | {
        name for cell, name in enumerate(position.board.names) if position.filled >> cell & 1
    }
    assert named <= shown


@pytest.mark.parametrize(
    ("code", "chapter", "step"), [one for one in STEPS if one.values[2].goal or one.values[2].sure]
)
def test_play_confirms_a_tactic(code, chapter, step):
    record = chapter.record(code, step)
    position = GAMES[code].start(record.conditions)
    for turn in record.moves:
        position = position.play(turn)
    seat, names = position.to_move, [*step.lit.split(), *step.among.split()]
    cells = frozenset(name for name in names if position.is_legal(name))

    if step.sure:
        assert can_reach(position, seat.other, step.sure, cells, {})
        return
    known = {}
    assert [
        name
        for name in step.lit.split()
        if can_reach(position.play(name), seat, step.goal, cells - {name}, known)
    ] == [step.best]


def test_every_game_has_a_lesson_with_ten_questions():
    assert LESSONS.keys() == GAMES.keys()
    for code, chapters in LESSONS.items():
        asked = [step for chapter in chapters for step in chapter.steps if step.asks]
        questions = {
            (step.turns, step.sample, describe_question(step, say_in_english)[0]) for step in asked
        }
        assert len(asked) == len(questions) == 10, code


def test_sources_are_known():
    chapters = [chapter.source for chapters in LESSONS.values() for chapter in chapters]
    sources = [*chapters, *(one.source for one in (*SECTIONS, *GLOSSARY))]

    assert {part.split()[0] for source in sources for part in source.split(", ")} == {*SOURCES}
