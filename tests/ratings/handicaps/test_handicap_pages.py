"""The pages of handicaps: recommended, the tables of values, and those of the officers."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games.models import Role
from ratings.core.conditions import TABLE_VALUES, load_table
from ratings.models import Analysis, Pool, Rating, TableVersion
from ratings.runs.services import advance_pool
from ratings.systems.handicap import COVERED_BOARDS, PRIOR, HandicapTable
from ratings.systems.research.calibration import CalibrationReport, Estimate
from tests.people import make_person
from tests.ratings.factories import add_second_table, day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db

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
    Role.objects.create(stream=star.stream, account=officer, role="rating-officer")
    return {"star": star, "ann": ann, "bo": bo, "cy": cy, "officer": officer}


@pytest.fixture
def officer(client: Client, start: dict[str, Any]) -> Client:
    client.force_login(start["officer"])
    return client


def words_of(page: Any) -> str:
    return " ".join(strip_tags(page.content.decode().replace("<", " <")).split())


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
    words = words_of(client.get("/handicap", query))
    assert "Player B sits second and begins with 3 stones" in words
    assert "Player B is rated 250 points below Player A." in words
    assert "worth 280 points, so 54 % are expected for Player B" in words
    assert "assumptions of this project, not measurements" in words
    by_number = query | {"first": str(start["ann"].pk), "kind": "first move"}
    words = words_of(client.get("/handicap", by_number))
    assert "Player B moves first, without the pie rule" in words


def test_a_name_of_several_players_becomes_a_choice(client: Client, start: dict[str, Any]) -> None:
    page = client.get("/handicap?pool=star&first=play&second=player+c")

    (_, first), (_, second) = page.context["choices"]
    assert [row[:2] for row in first.found] == [
        (start["ann"].pk, "Player A"),
        (start["bo"].pk, "Player B"),
    ]
    assert (second.found, second.chosen) == ([], None)
    assert "No player with this name has a rating in this pool: player c" in words_of(page)
    assert page.context["found"] is None


@pytest.mark.parametrize(
    ("query", "status", "reason"),
    [
        ({"second": "player a"}, 422, "first and second are the same person"),
        ({"second": "{cy}"}, 422, "has no rating in star"),
        ({"second": "9" * 40}, 422, "there is no player"),
        ({"kind": "points", "place": "star-y 10"}, 422, "no table has a value for points"),
        ({"place": ""}, 200, ""),
        ({"pool": "moon"}, 422, "valid are: star"),
    ],
)
def test_a_wrong_question_is_answered_with_the_reason(
    client: Client, start: dict[str, Any], query: dict[str, str], status: int, reason: str
) -> None:
    given = {name: text.format(cy=start["cy"].pk) for name, text in query.items()}
    page = client.get(
        "/handicap", {"pool": "star", "first": "player a", "second": "player b"} | given
    )

    assert page.status_code == status
    assert reason in words_of(page), words_of(page)


def test_every_version_has_a_page_that_marks_the_assumptions(
    client: Client, start: dict[str, Any], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(2):
        assert "v1" in words_of(client.get("/handicap-tables"))
    first = words_of(client.get("/handicap-tables/v1"))
    assert "The values of first move and stones are assumptions of this project" in first
    assert "So are those of points." in first
    assert first.count(" assumption ") == len(COVERED_BOARDS)

    current = words_of(client.get("/handicap-tables/v2"))
    assert "Those of points follow from a model of the margin" in current
    assert current.count(" assumption ") == len(COVERED_BOARDS)
    assert "4 130 264 406 742 (1923) – – – – – –" in current

    second = add_second_table(PRIOR)
    second.rows.filter(game="star-star").update(point=7)
    start["star"].handicap_table = "v3"
    start["star"].save()
    with django_assert_num_queries(2):
        page = client.get("/handicap-tables")
    assert [found.version for found, _ in page.context["versions"]] == ["v3", "v2", "v1"]
    assert [[pool.code for pool in pools] for _, pools in page.context["versions"]] == [
        ["star"],
        [],
        [],
    ]
    words = words_of(client.get("/handicap-tables/v3"))
    assert words.count(" assumption ") == len(COVERED_BOARDS) - 4
    assert words.count("set by officers") == 4
    assert "assumptions" not in words_of(client.get("/handicap?pool=star&first=yer+a&second=yer+b"))
    assert client.get("/handicap-tables/v4").status_code == 404
    assert 'href="/handicap-tables/v3"' in client.get("/pools/star").content.decode()


def test_officers_see_the_calibration_beside_the_table(
    officer: Client, start: dict[str, Any]
) -> None:
    assert officer.post(HANDICAPS, {"action": "analyse", "kind": "calibration"}).status_code == 303
    assert "is being computed" in words_of(officer.get(HANDICAPS))
    failed = {"code": "not_estimable", "detail": "more games are needed"}
    Analysis.objects.update(finished_at=timezone.now(), problem=failed)
    assert "more games are needed" in words_of(officer.get(HANDICAPS))

    add_calibration(start["star"])
    words = words_of(officer.get(HANDICAPS))
    assert "First stone 40 9 95.40 86.40 to 104.40" in words
    assert "Each point 40 9 too few games" in words
    assert "Its values are assumptions of this project, not measurements." in words


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
    same = officer.post(f"{HANDICAPS}?dry_run=1", form)
    assert "The same handicaps would be recommended." in words_of(same)

    index = COVERED_BOARDS.index(("star-star", "10"))
    page = officer.post(f"{HANDICAPS}?dry_run=1", form | {f"rows.{index}.further_stone": "185"})
    words = words_of(page)
    assert "*Star 10 stones 1 stone 2 stones → 1 stone 3 stones → 2 stones" in words
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
        ({"reason": ""}, "reason"),
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
