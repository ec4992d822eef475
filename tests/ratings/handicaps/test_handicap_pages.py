"""The pages of handicaps: recommended, the tables of values, and those of the officers."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Role
from ratings.core.conditions import TABLE_VALUES, load_table
from ratings.models import Analysis, Pool, Rating, TableVersion
from ratings.runs.services import advance_pool
from ratings.systems.handicap import COVERED_BOARDS, PRIOR, HandicapTable
from ratings.systems.research.calibration import CalibrationReport, Estimate
from tests.people import make_person
from tests.ratings.factories import add_second_table, day, file_event, make_game, make_players

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HANDICAPS = "/officers/pools/star/handicaps"
ESTIMATES = {"first_stone": 95.4, "further_stone": 80.6, "point": None, "first_move": 31.0}


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """Ann with 1750 and 40 games, Bo with 1500 and 90, Cy without one; an officer."""
    star = Pool.objects.get(code="star")
    Pool.objects.update(handicap_table="v1")
    star.refresh_from_db()
    ann, bo, cy = make_players(3)
    file_event(star, "cup", day(1), [make_game(ann, bo)])
    advance_pool(star.pk)
    for player, (rating, games) in zip((ann, bo), [(1_750_000, 40), (1_500_000, 90)], strict=True):
        Rating.objects.filter(player=player).update(rating=rating, games=games)
    officer = make_person("Otto").account
    Role.objects.create(stream=star.stream, account=officer, role="rating_officer")
    return {"star": star, "ann": ann, "bo": bo, "cy": cy, "officer": officer}


@pytest.fixture
def officer(client: Client, start: dict[str, Any]) -> Client:
    client.force_login(start["officer"])
    return client


def add_calibration(pool: Pool) -> Analysis:
    """Return a finished calibration with `ESTIMATES`."""
    values = tuple(
        (PRIOR.point, Estimate(name, 40, value, value and value - 9, value and value + 9))
        for name, value in ESTIMATES.items()
    )
    slope = Estimate("slope", 500, 0.9, 0.8, 1.0)
    report = CalibrationReport("v1", 500, slope, values).as_json()
    return Analysis.objects.create(
        pool=pool, kind="calibration", result=report, finished_at=timezone.now()
    )


def test_a_handicap_is_recommended_for_two_names(client: Client, start: dict[str, Any]) -> None:
    empty = client.get("/handicap")
    assert (empty.status_code, empty.context["found"]) == (200, None)

    query = {"pool": "star", "first": "player a", "second": "Yer B", "kind": "stones"}
    found = client.get("/handicap", query).context["found"]
    assert (found["player"], found["handicap_text"], found["percent"]) == (
        start["bo"], "second 3 stones", 54,
    )  # fmt: skip
    by_number = query | {"first": str(start["ann"].pk), "kind": "first_move"}
    assert client.get("/handicap", by_number).context["found"]["is_first_move"]


def test_a_name_of_several_players_becomes_a_choice(client: Client, start: dict[str, Any]) -> None:
    page = client.get("/handicap?pool=star&first=play&second=player+c")

    (_, first), (_, second) = page.context["choices"]
    assert [row[:2] for row in first.found] == [
        (start["ann"].pk, "Player A"),
        (start["bo"].pk, "Player B"),
    ]
    assert (second.found, second.chosen) == ([], None)  # who has no rating in the pool
    assert page.context["found"] is None


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"second": "player a"}, 422),
        ({"second": "9" * 40}, 422),
        ({"kind": "points", "place": "star-y 10"}, 422),
        ({"place": ""}, 200),
        ({"pool": "moon"}, 422),
    ],
)
def test_a_wrong_question_is_answered_with_the_reason(
    client: Client, start: dict[str, Any], query: dict[str, str], status: int
) -> None:
    page = client.get(
        "/handicap", {"pool": "star", "first": "player a", "second": "player b"} | query
    )

    assert page.status_code == status


def test_every_version_has_a_page_that_marks_the_assumptions(
    client: Client, start: dict[str, Any], django_assert_num_queries: Any
) -> None:
    def shown(version: str) -> Any:
        context = client.get(f"/handicap-tables/{version}").context
        return context["is_of_code"], context["is_margin"], sum(row[3] for row in context["rows"])

    assert shown("v1") == (True, False, len(COVERED_BOARDS))
    assert shown("v2") == (True, True, len(COVERED_BOARDS))
    points = dict(client.get("/handicap-tables/v2").context["values_of_points"])["4"]
    assert points[3:6] == [(742, True), (1923, False), (None, False)]

    second = add_second_table(PRIOR)
    second.rows.filter(game="star-star").update(point=7)
    start["star"].handicap_table = "v3"
    start["star"].save()
    with django_assert_num_queries(2):
        page = client.get("/handicap-tables")
    assert [
        (found.version, [pool.code for pool in pools]) for found, pools in page.context["versions"]
    ] == [("v3", ["star"]), ("v2", []), ("v1", [])]
    assert shown("v3") == (False, False, len(COVERED_BOARDS) - 4)
    asked = client.get("/handicap?pool=star&first=yer+a&second=yer+b")
    assert not asked.context["found"]["has_priors"]
    assert client.get("/handicap-tables/v4").status_code == 404


def test_officers_see_the_calibration_beside_the_table(
    officer: Client, start: dict[str, Any]
) -> None:
    assert officer.post(HANDICAPS, {"action": "analyse", "kind": "calibration"}).status_code == 303
    assert officer.get(HANDICAPS).context["last"]["state"] == "waiting"
    failed = {"code": "not_estimable", "detail": "more games are needed"}
    Analysis.objects.update(finished_at=timezone.now(), problem=failed)
    page = officer.get(HANDICAPS)
    assert (page.context["problem"], page.context["estimated"]) == (failed, [])

    add_calibration(start["star"])
    rows = officer.get(HANDICAPS).context["estimated"]
    assert [row["estimate"] for _, row in rows] == [0.9, *ESTIMATES.values()]


def test_a_version_becomes_active_only_when_an_officer_says_so(
    officer: Client, start: dict[str, Any]
) -> None:
    add_calibration(start["star"])
    page = officer.get(f"{HANDICAPS}?estimates=1")
    form = {"action": "add", "reason": "the calibration of May"}
    for row in page.context["rows"]:
        form |= {f"rows.{row['index']}.{name}": row[name] for name in ("ruleset", "board_size")}
        form |= {field: value for field, _, value, _ in row["cells"]}
    last = len(COVERED_BOARDS) - 1
    assert officer.post(HANDICAPS, form).status_code == 303

    expected = HandicapTable(first_move=31, first_stone=95, further_stone=81, point=9)
    assert load_table("v3") == dict.fromkeys(COVERED_BOARDS, expected)
    assert Pool.objects.get().handicap_table == "v1"
    page = officer.get(HANDICAPS)
    assert page.context["rows"][last]["cells"][3][2] == 9
    use = {"action": "activate", "if_match": page.context["if_match"], "handicap_table": "v3"}
    assert officer.post(HANDICAPS, use).status_code == 303
    assert Pool.objects.get().handicap_table == "v3"
    assert officer.post(HANDICAPS, use | {"handicap_table": "v1"}).status_code == 412


def test_the_preview_of_a_version_says_which_recommendations_it_would_change(
    officer: Client, start: dict[str, Any]
) -> None:
    form = {"action": "add", "reason": "a try"}
    for row in officer.get(HANDICAPS).context["rows"]:
        form |= {f"rows.{row['index']}.{name}": row[name] for name in ("ruleset", "board_size")}
        form |= {field: value for field, _, value, _ in row["cells"]}
    assert officer.post(f"{HANDICAPS}?dry_run=1", form).context["changes"] == []

    index = COVERED_BOARDS.index(("star-star", "10"))
    page = officer.post(f"{HANDICAPS}?dry_run=1", form | {f"rows.{index}.further_stone": "185"})
    assert len(page.context["changes"]) == 1
    assert (f"rows.{index}.further_stone", "185") in [
        (field, value) for row in page.context["rows"] for field, _, value, _ in row["cells"]
    ]
    assert not TableVersion.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"rows.3.point": "x"}, "rows.3.point"),
        ({"rows.23.first_stone": "2001"}, "rows.23.first_stone"),
        ({"rows.0.ruleset": "hex"}, "rows.0.board_size"),
        ({"rows.0.board_size": "6"}, "rows"),
        ({"rows": "x"}, "rows"),
    ],
)
def test_a_wrong_value_is_named_and_nothing_is_stored(
    officer: Client, start: dict[str, Any], wrong: dict[str, str], field: str
) -> None:
    form = {"action": "add", "reason": "a try"}
    for index, (game, board) in enumerate(COVERED_BOARDS):
        row = {"ruleset": game, "board_size": board} | dict.fromkeys(TABLE_VALUES, 7)
        form |= {f"rows.{index}.{name}": value for name, value in row.items()}
    page = officer.post(HANDICAPS, form | wrong)

    assert page.status_code == 422
    assert field in page.context["form"].errors
    assert not TableVersion.objects.exists()
    assert page.context["rows"][1]["cells"][1][2] == "7"
