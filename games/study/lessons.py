"""The lesson of a game: one position after the other, each with what it shows or asks."""

import re
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

from django.http.response import HttpResponseBase
from django.utils.safestring import mark_safe
from django.utils.text import capfirst
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.errors import invalid_parameter, unknown_value
from games.core.pages import PageView
from games.core.text import labelled
from games.play.boards import analysis_query, answer_about, say, stones_in_order, view_board
from games.play.diagrams import find_rules
from games.rules.diagram.choices import Choice
from games.rules.diagram.drawing import draw_detail
from games.rules.diagram.scene import Scene, scene_of_record
from games.rules.highlights import Highlights
from games.rules.lessons import LESSONS
from games.rules.lessons.lesson import Chapter, Step, describe_source
from games.rules.lessons.questions import describe_question
from games.rules.lessons.theory import GLOSSARY, REFERENCES, SECTIONS
from games.rules.registry import GAMES
from games.rules.text import Text

LARGE_BOARD: Final = 150
"""Cells of a board whose names cannot be read on a phone."""

COUNTED: Final = re.compile("score =|pentahexes")
"""Statements that what the seats hold explains."""


class LearnPage(PageView):
    public_read = "site"
    template = "games/study/learn.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return what is said about all the games."""
        return {
            "games": GAMES.values(),
            "sections": [(section, _source(section.source)) for section in SECTIONS],
            "references": REFERENCES,
            "terms": [(term, _source(term.source)) for term in GLOSSARY],
        }


class LessonPage(PageView):
    template = "games/study/lesson.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return a step of the lesson, with links to the others, and what the reader tried."""
        rules = find_rules(address["code"])
        number, chapter, step = find_step(rules.code, request.query_params.get("step") or "1")
        scene, last = scene_of_step(rules.code, chapter, step), len(steps_of(rules.code))
        question, answer = describe_question(step, say) if step.asks else ("", "")
        tried = request.query_params.get("try", "")
        tries = step.lit.split() if step.best else []
        marked = [*tries, *scene.lit]
        start = next(start for one, start in _numbered(LESSONS[rules.code]) if one is chapter)
        if tried and tried not in tries:
            raise unknown_value("try", tried, tries)
        choices = [Choice(cell, f"?step={number}&try={quote(cell)}", cell, cell) for cell in tries]
        return {
            "rules": rules,
            "chapter": chapter,
            "chapters": _numbered(LESSONS[rules.code]),
            "step": step,
            "number": number,
            "place": number - start + 1,
            "last": last,
            "marked": " ".join(marked),
            "previous": number - 1,
            "following": number + 1 if number < last else 0,
            "question": question,
            "answer": capfirst(answer) if answer else gettext(step.answer) if step.answer else "",
            "choices": choices,
            "tried": tried,
            "view": view_board(scene, choices=choices, name="picture"),
            "detail": _detail(scene, marked),
            "is_counted": bool(COUNTED.search(f"{step.states} {step.asks}")),
            "position": analysis_query(scene.conditions, stones_in_order(scene)),
            "source": _source(chapter.source),
        }


class LessonAbout(PageView):
    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Answer a question about a cell of the position of a step."""
        code = find_rules(address["code"]).code
        _, chapter, step = find_step(code, address["step"])
        return answer_about(request, scene_of_step(code, chapter, step))


def steps_of(code: str) -> list[tuple[Chapter, Step]]:
    """Return the steps of all chapters of a lesson."""
    return [(chapter, step) for chapter in LESSONS[code] for step in chapter.steps]


def find_step(code: str, text: str) -> tuple[int, Chapter, Step]:
    """Return a step with its number; raises Unprocessable for one that the lesson does not have."""
    steps = steps_of(code)
    number = int(text) if text.isdecimal() and len(text) < 4 else 0
    if not 0 < number <= len(steps):
        detail = Text("this lesson has the steps 1 to %(last)s", last=len(steps))
        raise invalid_parameter("step", detail, min=1, max=len(steps))
    return number, *steps[number - 1]


def scene_of_step(code: str, chapter: Chapter, step: Step) -> Scene:
    """Return the position of a step; nothing in it answers what the reader is asked."""
    scene = scene_of_record(chapter.record(code, step))
    shown = Highlights(links=scene.highlights.links) if step.asks else scene.highlights
    asked = [word for word in re.findall(r"[*\w]+", step.asks) if word in scene.board.index]
    lit = step.among.split() if step.best else step.lit.split() or asked
    return replace(scene, highlights=shown, arrived=(), lit=tuple(lit))


def _source(source: str) -> str:
    return labelled(gettext("Source"), describe_source(source, say))


def _detail(scene: Scene, cells: list[str]) -> str:
    """Return the cells of a step again, large, for a phone; "" if the board is small."""
    is_small = len(scene.board.names) < LARGE_BOARD
    return "" if is_small or not cells else mark_safe(draw_detail(scene, cells, "picture"))


def _numbered(chapters: tuple[Chapter, ...]) -> list[tuple[Chapter, int]]:
    """Return chapters with the number of their first step."""
    numbered, number = [], 1
    for chapter in chapters:
        numbered.append((chapter, number))
        number += len(chapter.steps)
    return numbered
