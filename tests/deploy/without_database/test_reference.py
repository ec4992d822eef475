"""The reference names every setting, command, problem code, game and tie-break, and no other.

Its lists are computed from the code, except the settings; other pages name these things by hand.
"""

import re
from collections.abc import Iterable

import pytest
from django.urls import Resolver404, resolve

from deploy.docs.from_code import LISTS, own_commands
from deploy.health import PARTS
from deploy.views import unknown_address
from games.core.permissions import SCOPES
from games.core.problems import problem_types
from games.rules.registry import GAMES
from tests.deploy.documentation import DOCS, page, section
from tests.processes import ROOT
from tournament.messages.kinds import KINDS
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.tiebreaks import TIEBREAKS

READ = re.compile(r"\b(?:env(?:\.\w+)?|environ\.get)[(,]\s*\"([A-Z_]+)\"")
"""A variable that the settings read."""

EXAMPLES = {"slug": "x", "code": "star", "date": "2027-01-01", "game": "hex"}
DJANGO = {
    "changepassword",
    "check",
    "createsuperuser",
    "migrate",
    "collectstatic",
    "makemigrations",
    "sendtestemail",
}
TEXTS = {
    path: path.read_text(encoding="utf-8").partition("\n## What changed before v1")[0]
    for path in (ROOT / "README.md", ROOT / ".github" / "CONTRIBUTING.md", *DOCS.rglob("*.md"))
}
"""The pages, without the table that has old names."""


def found_in_pages(pattern: str) -> set[str]:
    """Return what a pattern finds in all pages."""
    return {name for text in TEXTS.values() for name in re.findall(pattern, text)}


def test_the_settings_are_those_that_are_read() -> None:
    read = {
        name
        for path in (ROOT / "deploy").glob("*.py")
        for name in READ.findall(path.read_text(encoding="utf-8"))
    }
    rows = re.findall(r"^\| (`[^|]*) \|", page("reference/settings.md"), re.MULTILINE)

    assert sorted(name for row in rows for name in re.findall(r"`(\w+)`", row)) == sorted(read)


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("games", GAMES),
        ("pairing-systems", PAIRING_SYSTEMS),
        ("tiebreaks", TIEBREAKS),
        ("problems", problem_types()),
        ("commands", own_commands()),
        ("scopes", SCOPES),
        ("kinds", KINDS),
    ],
)
def test_a_list_names_all_codes(name: str, codes: Iterable[str]) -> None:
    text = LISTS[name]()

    assert [code for code in codes if f"`{code}`" not in text] == []


def test_the_parts_of_health_are_those_that_are_checked() -> None:
    table = section(page("howto/run.md"), "Health")

    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(PARTS)


def test_every_list_is_on_one_page() -> None:
    used = re.findall(r"\{from-code\} ([\w-]+)", "".join(TEXTS.values()))

    assert sorted(used) == sorted(LISTS)


def test_pages_name_commands_that_exist() -> None:
    named = found_in_pages(r"manage\.py ([a-z_]+)")

    assert named - DJANGO - set(own_commands()) == set()


def test_pages_name_options_that_exist() -> None:
    sections = {text.split("`")[0]: text for text in LISTS["commands"]().split("## `")}
    lines = found_in_pages(r"manage\.py ([a-z_]+ [^`|\n]*)")
    named = {
        (line.split()[0], option) for line in lines for option in re.findall(" --[a-z-]+", line)
    }

    assert len(named) > 10
    assert [
        pair for pair in named if pair[0] in sections and pair[1] not in sections[pair[0]]
    ] == []


def test_pages_name_targets_of_make_that_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    assert found_in_pages(r"(?:`|^)make ([a-z-]+)") <= targets


def test_pages_name_operations_that_exist() -> None:
    text = (ROOT / "tests" / "api" / "data" / "operations.txt").read_text(encoding="utf-8")
    lines = re.sub(r"\{\w+\}", "{}", text).splitlines()
    operations = {f"{method} {path}" for method, path, _ in map(str.split, lines)}
    named = found_in_pages(r"`((?:GET|POST|PUT|PATCH|DELETE) [^`?\s]+)")

    def exists(operation: str) -> bool:
        method, path = re.sub(r"\{\w+\}", "{}", operation).split()
        ways = (path, f"/api/v1/{path}", f"/api/v1/tournaments/{{}}/{path}")
        return any(f"{method} {way}" in operations for way in ways)

    assert [operation for operation in named if not exists(operation)] == []


def test_pages_name_addresses_that_exist() -> None:
    named = found_in_pages(r"`(/?[\w.-]+/[\w./-]*\{\w+\}[^`?\s]*)")
    named |= found_in_pages(r"`(/[a-z][\w/.-]+)`")

    def exists(address: str) -> bool:
        path = re.sub(r"\{(\w+)\}", lambda found: EXAMPLES.get(found[1], "1"), address)
        ways = (path, f"/api/v1/{path}", f"/api/v1/tournaments/x/{path}", f"/e/x/run/{path}")
        return any(resolves(way) for way in (*ways, f"/e/x/{path}"))

    assert len(named) > 50
    assert [address for address in named if not exists(address)] == ["/usr/share/fonts"]


def resolves(path: str) -> bool:
    """Return True if the service has a view for an address."""
    try:
        return resolve(path).func is not unknown_address
    except Resolver404:
        return False


def test_pages_name_settings_that_exist() -> None:
    named = found_in_pages(r"`([A-Z]+_[A-Z_]+)`") | found_in_pages(r"`([A-Z_]{4,})=")
    known = set(re.findall(r"`([A-Z_]+)`", page("reference/settings.md")))

    codes_of_fide = {"FIDE_DUTCH", "FIDE_DUTCH_BAKU"}
    of_others = {"PAIRING_SYSTEMS", "PERIHELION_URL", "PERIHELION_TOKEN"}
    of_others |= {"SECURE_SSL_REDIRECT", "SECURE_HSTS_PRELOAD", "SECURE_HSTS_INCLUDE_SUBDOMAINS"}
    of_others |= {"PROMETHEUS_MULTIPROC_DIR", "STORM_KILLS", "ALL_WRONG"}  # two of tests
    assert named - known - codes_of_fide == {*of_others, "DJANGO_SUPERUSER_PASSWORD"}
