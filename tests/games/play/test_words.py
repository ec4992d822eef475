"""What the rules say about turns and cells, in German and French."""

import ast
import re

import pytest
from django.utils.translation import gettext, override

from games.play.boards import say
from games.rules.descriptions.cells import ABOUT_CELLS, describe_cells
from games.rules.descriptions.turns import describe_turn
from games.rules.records.claims import without_ending
from games.rules.registry import GAMES
from games.rules.samples import find_sample
from tests.processes import ROOT

VALUE = re.compile(r"\{\w+\}")
SAME = {"pentahex", "first", "second", "Solitaires", "passes", "points"}
"""Texts that may be the same in another language."""


def patterns_of(source: str) -> list[str]:
    """Return the patterns that a module marks for translation."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        ast.literal_eval(call.args[0])
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "gettext_noop"
    ]


PATTERNS = {
    pattern
    for folder in ("", "descriptions", "families")
    for path in (ROOT / "games/rules" / folder).glob("*.py")
    for pattern in patterns_of(path.read_text())
}


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_pattern_has_a_translation_with_its_values(language: str) -> None:
    assert len(PATTERNS) > 60
    with override(language):
        translated = {pattern: gettext(pattern) for pattern in PATTERNS}

    assert {pattern for pattern, text in translated.items() if text == pattern} - SAME == set()
    assert [
        pattern
        for pattern, text in translated.items()
        if sorted(VALUE.findall(pattern)) != sorted(VALUE.findall(text))
    ] == []


@pytest.mark.parametrize("code", GAMES)
def test_a_game_is_described_in_german(code: str) -> None:
    """No English word is left in the turns of the sample game, its cells and the answers."""
    english = re.compile(
        r"\b(chains?|stones?|edge|cells?|sides?|wins|moves|row|left|none|now|no)\b"
    )
    record = find_sample(code)
    position = GAMES[code].start(record.conditions)
    with override("de"):
        texts = []
        positions = [position]
        for turn in without_ending(record.moves):
            positions.append(positions[-1].play(turn))
            texts.append(describe_turn(positions[-2], turn, positions[-1], say))
        texts += describe_cells(positions[-1], say).values()
        cell = next(iter(positions[-1].board.index.values()))
        texts += [about(positions[-1], cell, say) for about in ABOUT_CELLS.values()]

    assert [text for text in texts if english.search(text)] == []
