"""The terms and the privacy notice: drafts in three languages, and pages of what the site wrote."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from deploy.checks import check_errors, check_risks
from deploy.legal import FILLED
from tests.processes import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
DRAFTS = ROOT / "deploy" / "legal"


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    (tmp_path / "privacy.txt").write_text(
        "# Privacy\n\n# How long\n\n<b>{LINK_DAYS} days</b>, mail a@b.example.\nNext line.\n"
    )
    (tmp_path / "privacy.de.txt").write_text("# Datenschutz\n\nGr\u00fc\u00dfe", "utf-8-sig")
    settings.LEGAL_DIR, settings.LEGAL_PAGES = tmp_path, ["privacy"]
    return tmp_path


def test_a_text_is_a_page_and_a_link_in_the_footer(client: Client, folder: Path) -> None:
    page = client.get("/privacy").content.decode()

    assert "<h1>Privacy</h1>" in page
    assert "<h2>How long</h2>" in page
    assert "&lt;b&gt;30 days&lt;/b&gt;" in page
    assert 'href="mailto:a@b.example"' in page
    front = client.get("/").content.decode()
    assert '<a href="/privacy">Privacy</a>' in front
    assert "/terms" not in front
    assert client.get("/terms").status_code == 404


def test_a_text_is_in_the_language_of_the_reader_or_in_english(
    client: Client, folder: Path
) -> None:
    german = client.get("/privacy", headers={"Accept-Language": "de"}).content.decode()
    french = client.get("/privacy", headers={"Accept-Language": "fr"}).content.decode()

    assert "<h1>Datenschutz</h1>" in german
    assert "Gr\u00fc\u00dfe" in german
    assert "<h1>Privacy</h1>" in french


def test_a_site_without_texts_has_no_such_pages(client: Client) -> None:
    assert [client.get(f"/{name}").status_code for name in ("terms", "privacy")] == [404, 404]


@pytest.mark.parametrize("name", ["terms", "privacy"])
def test_the_drafts_say_the_same_in_three_languages_and_name_their_blanks(name: str) -> None:
    texts = [(DRAFTS / f"{name}{end}.txt").read_text() for end in ("", ".de", ".fr")]

    shapes = [
        (text.count("\n\n"), text.count("#"), text.count("["), re.findall(r"{\w+}", text))
        for text in texts
    ]

    assert shapes[1:] == shapes[:1] * 2
    assert {word.strip("{}") for word in shapes[0][3]} <= set(FILLED)


def test_blanks_and_a_folder_without_texts_are_named(folder: Path, settings: Any) -> None:
    (folder / "privacy.de.txt").write_text((DRAFTS / "privacy.de.txt").read_text())
    assert f"{folder}/privacy.de.txt has blanks" in {each.msg for each in check_risks(None)}

    settings.LEGAL_PAGES = []
    assert f"LEGAL_DIR: {folder} has no text" in {each.msg for each in check_errors(None)}
