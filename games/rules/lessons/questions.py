"""The questions of lessons: what the rules can be asked about a position, in words."""

from __future__ import annotations

from games.rules.lessons.lesson import Step
from games.rules.messages import Say, gettext_noop

QUESTIONS = {
    "owner": gettext_noop("Whose is the peri of {one}?"),
    "corner": gettext_noop("Whose is the corner {one}?"),
    "joined": gettext_noop("Are {one} and {other} in one chain?"),
    "edges": gettext_noop("How many edge cells does the chain on {one} have?"),
    "hexes": gettext_noop("How many border hexes does the chain on {one} touch?"),
    "sides": gettext_noop("How many sides does the chain on {one} touch?"),
    "size": gettext_noop("How many stones has the chain on {one}?"),
    "stars": gettext_noop("How many stars does {one} have?"),
    "peries": gettext_noop("How many peries does {one} own?"),
    "quarks": gettext_noop("How many quarks does {one} own?"),
    "corners": gettext_noop("How many corners does {one} own?"),
    "links": gettext_noop("How many links does {one} have?"),
    "pentahexes": gettext_noop("How many pentahexes does {one} have?"),
    "stones": gettext_noop("How many stones are on the board?"),
    "score": gettext_noop("What is the score?"),
    "winner": gettext_noop("Who wins?"),
    "turn": gettext_noop("Whose turn is it?"),
    "legal": gettext_noop("May the turn {one} be played now?"),
    "legal swap": gettext_noop("May the player whose turn it is swap now?"),
    "legal pass": gettext_noop("May the player whose turn it is pass now?"),
    "wins": gettext_noop("Does the turn {one} win?"),
    "ends": gettext_noop("Is the puzzle over?"),
}
"""Patterns by question or by its kind, after which it names `one` and `other`."""

WORDS = {
    "first": gettext_noop("the first player"),
    "second": gettext_noop("the second player"),
    "nobody": gettext_noop("nobody"),
    "yes": gettext_noop("yes"),
    "no": gettext_noop("no"),
}
"""What stands for a player or an answer in statements."""


def statements(states: str) -> list[tuple[str, str]]:
    """Return the questions of statements with their answers."""
    pairs = (statement.split(" = ") for statement in states.split("; ") if statement)
    return [(question, answer) for question, answer in pairs]


def describe_question(step: Step, say: Say) -> tuple[str, str]:
    """Return the question that a step asks and its answer, in words."""
    ((question, answer),) = statements(step.asks)
    kind, *about = question.split()
    names = zip(("one", "other"), about, strict=False)
    values = {name: say(WORDS[word]) if word in WORDS else word for name, word in names}
    asked = say(QUESTIONS.get(question) or QUESTIONS[kind], **values)
    return asked, say(WORDS[answer]) if answer in WORDS else answer
