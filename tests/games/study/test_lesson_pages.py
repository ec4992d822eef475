"""The pages of the lessons: their steps, their questions, their texts in other languages."""

import re
from itertools import accumulate

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext
from pytest_django import DjangoAssertNumQueries

from games.rules.lessons import LESSONS
from games.rules.registry import GAMES
from games.templatetags.game_names import with_terms
from tests.games.study.test_rules_pages import open_page

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

NAMES = re.compile(r"(?<!\w)(?:[*STAR]\d\d|[A-J]\d{1,2}|[a-h]\d{1,2}|\d+|C)(?![\w’])")


@pytest.mark.parametrize("code", GAMES)
def test_a_lesson_leads_from_step_to_step(
    client: Client, code: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    *_, questions = accumulate(len(chapter.steps) for chapter in LESSONS[code][:2])
    last = sum(len(chapter.steps) for chapter in LESSONS[code])
    with django_assert_num_queries(0):
        first, asked, end = (
            open_page(client, f"/learn/{code}?step={step}") for step in (1, questions, last)
        )

    assert 'rel="next" href="?step=2"' in first
    assert 'rel="prev"' not in first
    assert f'rel="prev" href="?step={last - 1}"' in end
    assert 'rel="next"' not in end
    assert "<summary>Answer</summary>" in asked
    assert "10 of 10" in asked
    assert "<summary>Answer</summary>" not in first


def test_the_board_does_not_answer_a_question(client: Client) -> None:
    shown, asked = (open_page(client, f"/learn/star-star?step={step}") for step in (8, 24))

    assert "url(#hatch1)" in shown
    assert "url(#hatch1)" not in asked
    assert "for a star fewer = 12" in asked.split("<summary>Answer</summary>")[1]


def test_the_cells_of_a_question_are_marked(client: Client) -> None:
    assert "Marked cells: R10" in open_page(client, "/learn/star-y?step=14")
    assert "Marked cells: S06 T61 T72 *05" in open_page(client, "/learn/penta-hex?step=12")


def test_a_task_says_whether_a_cell_is_right(client: Client) -> None:
    steps = [step for chapter in LESSONS["hex"] for step in chapter.steps]
    task = next(number for number, step in enumerate(steps, 1) if step.best)
    page, wrong, right = (
        open_page(client, f"/learn/hex?step={task}{tried}") for tried in ("", "&try=b3", "&try=d2")
    )

    assert f'href="?step={task}&amp;try=b3"' in page
    assert "<kbd>Enter</kbd></dt><dd>enter the cell" in page
    assert "<kbd>End</kbd>" in page
    assert "Not b3. Try another cell." in wrong
    assert "That is it." in right
    assert steps[task - 1].answer in right
    open_page(client, f"/learn/hex?step={task}&try=e5", 422)


def test_cells_of_a_large_board_are_shown_large_for_a_phone(client: Client) -> None:
    small, large = (
        open_page(client, path) for path in ("/learn/hex?step=3", "/learn/queens?step=2")
    )

    assert '<use href="#picture"' not in small
    assert '<use href="#picture"' in large
    assert 'id="picture" class="board"' in large


def test_addresses_of_a_lesson(client: Client) -> None:
    assert "Chain of 3" in open_page(client, "/learn/star-star/4/about?about=chain&cell=S30")
    for path in ("?step=0", "?step=99", "?step=x", "?try=S40", "/99/about?about=chain&cell=S30"):
        open_page(client, f"/learn/star-star{path}", 422)
    open_page(client, "/learn/chess", 404)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_lesson_names_the_same_cells_and_numbers_in_every_language(language: str) -> None:
    texts = {text for chapters in LESSONS.values() for chapter in chapters
             for step in chapter.steps for text in (step.text, step.answer) if text}  # fmt: skip
    with translation.override(language):
        differing = [
            text
            for text in texts
            if sorted(NAMES.findall(text)) != sorted(NAMES.findall(gettext(text)))
        ]

    assert differing == []


@pytest.mark.parametrize(
    ("language", "word"), [("en", "sparks"), ("de", "Funken"), ("fr", "étincelles")]
)
def test_a_word_leads_to_the_glossary_in_every_language(
    client: Client, language: str, word: str
) -> None:
    page = client.get("/learn", headers={"Accept-Language": language}).content.decode()
    with translation.override(language):
        linked = with_terms(f"*Star, {word}, {word}, {word}-x & co")

    assert 'id="spark"' in page
    assert "&amp;#" not in page
    assert linked == (
        f'*Star, <a class="term" href="/learn#spark">{word}</a>, {word}, {word}-x &amp; co'
    )
