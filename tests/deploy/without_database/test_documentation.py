"""The documentation names only files and folders that exist."""

import re
from pathlib import Path

import pytest

from tests.deploy.documentation import DOCS, payload_members
from tests.processes import ROOT
from tournament.core.texts import KIND_TEXTS

PATH = re.compile(r"`((?:games|ratings|tournament|deploy|tests)/[\w./-]*)`")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


PAGES = [
    ROOT / "README.md",
    ROOT / ".github" / "CONTRIBUTING.md",
    *sorted(DOCS.rglob("*.md")),
]
NAMES = [str(path.relative_to(ROOT)) for path in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_path_exists(page: Path) -> None:
    paths = set(PATH.findall(page.read_text(encoding="utf-8")))

    assert sorted(path for path in paths if not (ROOT / path).exists()) == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_linked_page_exists(page: Path) -> None:
    targets = LINK.findall(page.read_text(encoding="utf-8"))

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 900


def test_the_reference_of_the_journal_has_every_kind_once() -> None:
    assert sorted(payload_members()) == sorted({*KIND_TEXTS, "record.repeated"})
