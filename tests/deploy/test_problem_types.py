"""The table of problem codes: every code is documented, and every documented one is raised."""

import csv
import io

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from games.core.problems import problem_types
from tests.deploy.problem_codes import field_codes, other_codes, read_sources
from tests.processes import ROOT

PASS_ON = {
    "games/core/actions.py",
    "games/core/errors.py",
    "games/core/problems.py",
    "games/core/uploads/csv.py",
    "games/players/imports.py",
    "games/core/uploads/records.py",
    "games/play/outcomes.py",
    "games/study/views.py",
    "games/play/referee.py",
    "ratings/casual/imports.py",
    "tournament/exchange/bundle_file.py",
    "tournament/results/records.py",
    "tournament/exchange/trf_rounds.py",
    "tournament/entries/applications.py",
    "tournament/corrections/gathering.py",
    "tournament/corrections/changes.py",
    "tournament/core/handicaps.py",
    "tournament/players/forms.py",
    "tournament/results/services.py",
    "deploy/views.py",
}
"""Modules that raise an error with the code of another error, or of their caller."""


def test_every_code_is_documented_and_every_documented_code_is_raised() -> None:
    raised = read_sources()
    known = raised.codes.keys() | field_codes() | other_codes()

    undocumented = {code: raised.codes.get(code) for code in known - problem_types().keys()}
    assert undocumented == {}, "describe them in a file of `problems`"
    assert problem_types().keys() - known == set(), "remove them: nothing raises them"


def test_a_code_names_operations_that_exist_and_they_name_it() -> None:
    listed = (ROOT / "tests" / "api" / "data" / "operations.txt").read_text().splitlines()
    named = {name for found in problem_types().values() for name in found.operations}
    assert named - {line.split()[2] for line in listed} == set()

    schema = SchemaGenerator().get_schema(request=None, public=True)
    pair = schema["paths"]["/api/v1/tournaments/{slug}/rounds/{number}/pair"]["post"]
    own = pair["description"].partition("Codes of its own: ")[2]
    assert "`no_legal_pairing`" in own
    assert "`nothing_to_do`" not in own


def test_only_some_modules_pass_a_code_on() -> None:
    assert read_sources().passed_on == PASS_ON


def test_a_type_is_complete() -> None:
    for code, found in problem_types().items():
        assert all(400 <= status < 600 for status in found.statuses), code
        for text in (found.cause, found.remedy):
            assert text[:1] == text[:1].upper() or text[0] == "`", code
            assert text.endswith("."), code
            assert len(text) > 10, code


@pytest.mark.parametrize("path", ["problems", "problems/stale"])
def test_the_address_of_a_type_has_a_page(db: None, path: str) -> None:
    response = Client().get(f"/api/v1/{path}", headers={"Accept": "text/html"})

    assert (response.status_code, response["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert problem_types()["stale"].cause in response.content.decode()


def test_the_table_as_csv(db: None) -> None:
    rows = csv.DictReader(io.StringIO(Client().get("/api/v1/problems.csv").content.decode()))

    assert [row["code"] for row in rows] == list(problem_types())


def test_one_type(db: None) -> None:
    problem = Client().get("/api/v1/games/0").json()
    address = problem["type"].partition("//")[2].partition("/")[2]

    assert Client().get(f"/{address}").json() == {
        "code": "not_found",
        "statuses": [404],
        "cause": problem_types()["not_found"].cause,
        "remedy": problem_types()["not_found"].remedy,
    }
    assert Client().get("/api/v1/problems/none").json()["code"] == "not_found"
