"""The table of problem codes: every code is documented, and every documented one is raised."""

import csv
import io

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from games.core.problems import problem_types
from tests.deploy.problem_codes import field_codes, is_mentioned, other_codes, raised_codes
from tests.processes import ROOT

pytestmark = pytest.mark.any_database


def test_every_code_is_documented_and_every_documented_code_is_raised() -> None:
    other = field_codes() | other_codes()

    undocumented = (raised_codes() | other) - problem_types().keys()
    assert undocumented == set(), "describe them in a file of `problems`"
    unused = {code for code in problem_types() if code not in other and not is_mentioned(code)}
    assert unused == set(), "remove them: nothing raises them"


def test_a_code_names_operations_that_exist_and_they_name_it() -> None:
    listed = (ROOT / "tests" / "api" / "data" / "operations.txt").read_text().splitlines()
    named = {name for found in problem_types().values() for name in found.operations}
    assert named - {line.split()[2] for line in listed} == set()

    schema = SchemaGenerator().get_schema(request=None, public=True)
    pair = schema["paths"]["/api/v1/tournaments/{slug}/rounds/{number}/pair"]["post"]
    own = pair["description"].partition("Codes of its own: ")[2]
    assert "`no_legal_pairing`" in own
    assert "`nothing_to_do`" not in own


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
        "url": problem["type"],
        "statuses": [404],
        "cause": problem_types()["not_found"].cause,
        "remedy": problem_types()["not_found"].remedy,
    }
    assert Client().get("/api/v1/problems/none").json()["code"] == "not_found"
