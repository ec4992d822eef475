"""`/handicap-tables`: versions of the values of handicaps."""

from dataclasses import asdict
from typing import Any

import pytest

from games.models import JournalLine
from ratings.core.conditions import load_table
from ratings.models import Pool, TableVersion
from ratings.systems.handicap import CODE_TABLES, COVERED_BOARDS, PRIOR, HandicapTable, MarginTable
from tests.people import Person, cursor_of, problem_in
from tests.ratings.factories import add_second_table

pytestmark = pytest.mark.django_db

PATH = "handicap-tables"
NEWEST = f"{PATH}?order=newest"
ROW = {
    "ruleset": "star-star", "board_size": "10", "first_move": 30, "first_stone": 120,
    "further_stone": 90, "point": 8,
}  # fmt: skip
BODY = {"pool": "star", "reason": "the calibration of May", "rows": [ROW]}


def test_the_first_version_has_the_priors(star: Pool, anonymous: Person) -> None:
    first, second = anonymous.get("handicap-tables").json()["results"]
    assert (first["version"], first["reason"]) == ("v1", "the project's priors, not measurements")
    assert (first["model"], second["version"], second["model"]) == ("linear", "v2", "margin")
    assert first["rows"] == [
        {"ruleset": game, "board_size": board, **asdict(PRIOR)}
        for game, board in sorted(COVERED_BOARDS)
    ]


def test_a_new_version_has_no_gaps(star: Pool, officer: Person, anonymous: Person) -> None:
    Pool.objects.update(handicap_table="v1")
    answer = officer.post(PATH, BODY)

    added = answer.json()
    assert (answer.status_code, added["version"]) == (201, "v3")
    assert anonymous.get("handicap-tables").json()["results"][2] == added
    table = load_table("v3")
    assert table.keys() == set(COVERED_BOARDS)
    changed = {place: values for place, values in table.items() if values != PRIOR}
    assert changed == {("star-star", "10"): HandicapTable(30, 120, 90, 8)}
    line = JournalLine.objects.filter(stream="pool/star").latest("sequence")
    assert (line.kind, line.payload.body["version"]) == ("table.added", "v3")
    assert len(line.payload.body["rows"]) == len(COVERED_BOARDS)
    assert officer.get("pools/star").json()["handicap_table"] == "v1"


def test_a_version_has_the_model_of_the_table_of_the_pool(star: Pool, officer: Person) -> None:
    added = officer.post(PATH, BODY).json()
    assert (added["version"], added["model"]) == ("v3", "margin")
    table = load_table("v3")
    assert table["star-star", "10"] == MarginTable(30, 120, 90, 8)
    assert table["star-star", "4"] == CODE_TABLES["v2"]["star-star", "4"]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"rows": [ROW, ROW]}, "invalid"),
        ({"rows": [ROW | {"ruleset": "hex", "board_size": "11"}]}, "unknown_row"),
        ({"rows": [ROW | {"board_size": "5"}]}, "unknown_row"),
    ],
)
def test_an_invalid_table_is_rejected(star: Pool, officer: Person, wrong: Any, code: str) -> None:
    problem_in(officer.post(PATH, BODY | wrong), 422, code)


def test_the_officers_of_another_pool_add_none(star: Pool, officer: Person, staff: Person) -> None:
    Pool.objects.create(code="other", name="Other", preset="fixed")
    for pool in ("other", "moon", 7):
        problem_in(officer.post(PATH, BODY | {"pool": pool}), 403, "role_missing")
    problem_in(staff.post(PATH, BODY | {"pool": "moon"}), 422, "unknown_pool")
    assert staff.post(PATH, BODY | {"pool": "other"}).status_code == 201


def test_the_versions_are_listed_page_by_page(
    star: Pool, officer: Person, anonymous: Person
) -> None:
    for _ in range(2):
        officer.post(PATH, BODY)

    def read(query: str) -> tuple[list[str], bool, bool]:
        body = anonymous.get(f"handicap-tables{query}").json()
        versions = [row["version"] for row in body["results"]]
        return versions, body["previous"] is not None, body["next"] is not None

    third, fourth = TableVersion.objects.order_by("pk").values_list("pk", flat=True)
    assert read("") == (["v1", "v2", "v3", "v4"], False, False)
    assert read("?limit=1") == (["v1"], False, True)
    assert read(f"?limit=1&cursor={cursor_of(PATH, [-1])}") == (["v2"], True, True)
    assert read(f"?limit=1&cursor={cursor_of(PATH, [0])}") == (["v3"], True, True)
    assert read(f"?limit=2&cursor={cursor_of(PATH, [third])}") == (["v4"], True, False)
    assert read(f"?limit=2&cursor={cursor_of(PATH, [third], 1)}") == (["v1", "v2"], False, True)
    assert read(f"?limit=1&cursor={cursor_of(PATH, [fourth], 1)}") == (["v3"], True, True)
    assert read("?order=newest&limit=2") == (["v4", "v3"], False, True)
    assert read(f"?order=newest&cursor={cursor_of(NEWEST, [0])}") == (["v1"], True, False)


def test_tables_are_listed_in_two_queries(
    star: Pool, anonymous: Person, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):
        assert len(anonymous.get("handicap-tables").json()["results"]) == 2
    add_second_table(PRIOR)
    with django_assert_num_queries(2):
        assert len(anonymous.get("handicap-tables").json()["results"]) == 3
