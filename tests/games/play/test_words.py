"""What the rules say about turns and cells, in German and French."""

import ast
import re

import pytest
from django.utils.translation import gettext, override

from tests.processes import ROOT

VALUE = re.compile(r"\{\w+\}")
SAME = {
    "pentahex", "first", "second", "Solitaires", "passes", "points", "handicap", "{number} peri",
    "{number} pentahexes", "{number} point", "{number} points", "{number} quark",
    "{number} quarks", ";",
}  # fmt: skip
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
