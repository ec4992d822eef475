"""Lessons as data: positions in the notation of records, with a sentence and what is true in them.

A statement is a question and its answer, as `owner S41 = first`; the tests ask the rules. The kinds
of questions are in `questions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import TypeAlias

from games.rules.messages import Say, gettext_noop
from games.rules.records.record import Record
from games.rules.records.tags import read_conditions
from games.rules.samples import find_sample

GAME = gettext_noop("The game")

SOURCES = {
    "booklet": gettext_noop("the *Star booklet"),
    "inventor": gettext_noop("the inventor's page"),
    "encyclopedia": gettext_noop("the encyclopedia's article on Star"),
    "public": gettext_noop("standard public rules"),
    "ours": gettext_noop("worked out for these lessons"),
}
"""Where facts come from, by the words with which sources begin: `booklet 4-8`, with its pages."""

_PAGES = gettext_noop("p. {pages}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A position, after `turns`; before them come the first `sample` turns of the sample game.

    - `text` is what it shows; `lit` are the cells that it speaks of.
    - `states` are statements, separated by semicolons.
    - `asks` is the statement that the reader is asked for in place of a text; the cells that it
      names are lit.
    - A text may set a task: `best` is the cell of those that are `lit` that solves it, and
      `answer` says why. It alone of them reaches `goal`, a statement that is true then.
    - `sure` is a statement that the side that is not to move can make true in any case. It and
      `goal` are meant for play on the cells that are `lit`, and on the empty ones `among`, which
      are marked too.
    """

    text: str = ""
    turns: str = ""
    sample: int = 0
    setup: str = ""
    lit: str = ""
    states: str = ""
    asks: str = ""
    best: str = ""
    goal: str = ""
    sure: str = ""
    among: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Steps on one board, with the sources of what they state.

    `after` is the code of a game whose lesson comes before; `turns` are those of each step that
    has none.
    """

    title: str
    board: str
    options: str = ""
    after: str = ""
    turns: str = ""
    source: str
    steps: tuple[Step, ...]

    def record(self, game: str, step: Step) -> Record:
        """Return the record of the position of a step."""
        tags = {"Game": game, "Board": self.board, "Options": self.options}
        tags |= {"Setup": step.setup} if step.setup else {}
        sample = find_sample(game).moves[: step.sample] if step.sample else ()
        turns = step.turns or self.turns
        return Record(conditions=read_conditions(tags), moves=(*sample, *turns.split()))


def ten_questions(board: str, *steps: Step) -> Chapter:
    """Return the chapter that asks what the lesson told."""
    return Chapter(title=gettext_noop("Ten questions"), board=board, source="ours", steps=steps)


Lessons: TypeAlias = dict[str, tuple[Chapter, ...]]
"""The chapters of lessons, by the code of the game."""


def alternate(first: str, second: str) -> str:
    """Return turns that put stones of both players on cells; they take turns."""
    cells = zip_longest(first.split(), second.split(), fillvalue="")
    return " ".join(filter(None, chain.from_iterable(cells)))


def describe_source(source: str, say: Say) -> str:
    """Return sources in words: `the *Star booklet, 4-8; the inventor's page`."""
    found = []
    for part in source.split(", "):
        name, _, pages = part.partition(" ")
        words = say(SOURCES[name])
        pages = pages.replace(" ", ", ")
        found.append(f"{words}, {say(_PAGES, pages=pages)}" if pages else words)
    return f"{say(gettext_noop(';'))} ".join(found)
