"""The texts of the pages by language: complete, compiled, and with the same placeholders.

The English catalogue has only the texts in which the API names members and codes.
"""

import ast
import gettext
import re
from ast import literal_eval
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation.template import templatize

from tests.processes import ROOT

ENGLISH, *CATALOGUES = [
    ROOT / f"deploy/locale/{language}/LC_MESSAGES/django.po" for language in ("en", "de", "fr")
]
UPDATE = "run `make messages`, translate what deploy/locale lacks, run `make messages` again"
APPS = ("deploy", "games", "ratings", "tournament")
MARKS = ("_", "gettext", "gettext_lazy", "gettext_noop")
STRING = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
CALL = re.compile(rf"\b(n?gettext|pgettext|_)\(({STRING})(?:, ({STRING}))?")
PLACEHOLDER = r"\{\w+\}|%(?:\(\w+\))?[sd%]|</?[a-z][^>]*>"
COMPLETE = "de"

Message = tuple[str | None, str]
"""The context and the text of a message."""
Forms = tuple[list[str], list[str]]
"""The forms of a message, singular and plural, and those of its translation."""


@cache
def read_catalogue(path: Path) -> dict[Message, Forms]:
    """Return the messages of a catalogue, without its header."""
    messages: dict[Message, Forms] = {}
    for block in path.read_text().split("\n\n")[1:]:
        fields: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            if line and not line.startswith("#"):
                start, text = line.split('"', 1)
                name = start.strip() or name
                fields[name] = fields.get(name, "") + literal_eval(f'"{text}')
        texts = [fields[name] for name in ("msgid", "msgid_plural") if name in fields]
        forms = [text for name, text in fields.items() if name.startswith("msgstr")]
        messages[fields.get("msgctxt"), fields["msgid"]] = texts, forms
    return messages


def test_an_english_text_replaces_one_that_is_in_use() -> None:
    assert sorted({*read_catalogue(ENGLISH)} - {*read_catalogue(CATALOGUES[0])}) == []


def test_a_page_in_english_names_no_member_of_the_api() -> None:
    names = re.compile(r"`|[a-z]_[a-z]")
    texts = [form for _, forms in read_catalogue(ENGLISH).values() for form in forms]
    found = [text for text in texts if names.search(re.sub(PLACEHOLDER, "", text))]
    assert found == []


@pytest.mark.parametrize("path", [ENGLISH, *CATALOGUES], ids=lambda path: path.parts[-3])
def test_the_compiled_catalogue_is_that_of_the_texts(path: Path) -> None:
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    differing = [
        text
        for (context, text), (texts, forms) in read_catalogue(path).items()
        if any(forms) and _compiled_forms(compiled, context, texts) != forms
    ]
    assert differing == [], "run manage.py compilemessages"


def _compiled_forms(
    compiled: gettext.GNUTranslations, context: str | None, texts: list[str]
) -> list[str]:
    if len(texts) == 2:
        return [compiled.ngettext(*texts, n=number) for number in (1, 2)]
    return [compiled.pgettext(context, texts[0]) if context else compiled.gettext(texts[0])]


@pytest.mark.parametrize("path", [ENGLISH, *CATALOGUES], ids=lambda path: path.parts[-3])
def test_a_translation_has_the_placeholders_of_its_message(path: Path) -> None:
    wrong = [
        (text, form)
        for texts, forms in read_catalogue(path).values()
        for text, form in zip(texts, forms, strict=True)
        if form and sorted(re.findall(PLACEHOLDER, text)) != sorted(re.findall(PLACEHOLDER, form))
    ]
    assert wrong == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_no_translation_is_a_guess(path: Path) -> None:
    """The command marks texts as fuzzy that it has taken from a similar message."""
    assert [line for line in path.read_text().splitlines() if line.startswith("#, fuzzy")] == []


def test_german_is_complete() -> None:
    (path,) = (path for path in CATALOGUES if path.parts[-3] == COMPLETE)
    missing = [texts[0] for texts, forms in read_catalogue(path).values() if not all(forms)]
    assert missing == [], UPDATE


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_the_catalogue_has_the_texts_of_the_templates(path: Path) -> None:
    texts = {text for _, text in read_catalogue(path)}
    used = texts_of_templates()
    assert len(used) > 500
    assert sorted(used - texts) == [], UPDATE


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
def test_the_catalogue_has_the_texts_of_the_modules(path: Path) -> None:
    texts = {text for _, text in read_catalogue(path)}
    used = texts_of_modules()
    assert len(used) > 200
    assert sorted(used - texts) == [], UPDATE


@cache
def texts_of_templates() -> frozenset[str]:
    """Return the texts that the templates mark for translation."""
    files = (file for app in APPS for file in (ROOT / app).glob("templates/**/*.html"))
    return frozenset(text for file in files for text in texts_of_template(file.read_text()))


@cache
def texts_of_modules() -> frozenset[str]:
    """Return the texts that the modules mark for translation."""
    sources = [file.read_text() for app in APPS for file in (ROOT / app).rglob("*.py")]
    return frozenset(
        text for source in sources if "gettext" in source for text in texts_of_module(source)
    )


def texts_of_template(source: str) -> list[str]:
    """Return the texts that a template marks for translation, in the singular."""
    calls = CALL.findall(templatize(source))
    return [literal_eval(second if first == "pgettext" else text) for first, text, second in calls]


def texts_of_module(source: str) -> list[str]:
    """Return the texts that a module marks for translation."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id in MARKS
        and isinstance(call.args[0], ast.Constant)
    ]
