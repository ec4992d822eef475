"""`/players`: the list, one player, registration, import."""

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine, Player
from tests.events import make_event, make_players
from tests.people import Person, player_of, problem_in

CSV = {"content_type": "text/csv"}


def test_a_registered_player_is_returned_and_journalled(organiser: Person) -> None:
    response = organiser.post("players", {"name": "Cleo", "country": "por", "seed_rating": 1800})

    created = response.json()
    expected = {"name": "Cleo", "country": "POR", "club": None, "seed_rating": 1800}
    assert created == {
        **{"id": created["id"], "external_ids": {}, "birth_year": None, "sex": None},
        **{"seed_games": 0, "seed_reached_2400": False},
        "look_alikes": [],
        "url": f"http://localhost:8000/api/v1/players/{created['id']}",
        "page_url": f"http://localhost:8000/players/{created['id']}",
        **expected,
        **{name: created[name] for name in ("created_at", "updated_at")},
    }
    assert created["created_at"] <= created["updated_at"]
    assert JournalLine.objects.get(stream="site").kind == "player.registered"


@pytest.mark.parametrize(
    ("sent", "detail"),
    [
        ("PRT", "'PRT' is no country of FIDE; did you mean POR?"),  # of ISO 3166
        ("gbr", "'gbr' is no country of FIDE; did you mean ENG?"),
        ("Portugal", "'Portugal' is no country of FIDE; did you mean POR?"),
        ("POX", "'POX' is no country of FIDE; did you mean POR?"),
        ("QQQ", "'QQQ' is no country of FIDE, such as POR, GER or ENG"),
    ],
)
def test_a_country_is_one_of_fide(organiser: Person, sent: str, detail: str) -> None:
    body = {"name": "Cleo", "country": sent}
    (error,) = problem_in(organiser.post("players", body), 422, "invalid")["errors"]
    assert (error["pointer"], error["detail"]) == ("/country", detail)
    assert error.get("nearest", "") in detail
    assert ("nearest" in error) == ("did you mean" in detail)


def test_the_country_of_a_file_stays_until_it_is_changed(organiser: Person) -> None:
    response = organiser.post("players/import", "name,country\nCleo,DEU\n", **CSV)
    player = Player.objects.get(name="Cleo")
    path = f"players/{player.pk}"
    assert (response.status_code, player.country) == (201, "DEU")

    assert organiser.patch(path, {"club": "Rooks"}).json()["country"] == "DEU"
    problem_in(organiser.patch(path, {"country": "DEU"}), 422, "invalid")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"name": "Cleo", "seed_rating": 4001}, "/seed_rating"),
        ({"name": "Cleo", "birth_year": 1899}, "/birth_year"),
        ({"name": "Cleo", "birth_year": timezone.localdate().year + 1}, "/birth_year"),
        ({"name": "Cleo", "external_ids": {"FIDE id": "1"}}, "/external_ids/FIDE id"),
        ({"name": "Cleo", "external_ids": {"fide": "0"}}, "/external_ids/fide"),
        ({"name": "Cleo", "external_ids": {"fide": "١٢٣"}}, "/external_ids/fide"),
        ({"name": "Cleo", "external_ids": {f"a{n}": "1" for n in range(9)}}, "/external_ids"),
    ],
)
def test_an_invalid_body_is_rejected_with_its_pointer(
    organiser: Person, body: object, pointer: str
) -> None:
    problem = problem_in(organiser.post("players", body), 422, "invalid")

    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert not Player.objects.exists()


def test_a_merged_player_is_shown_as_the_other(anonymous: Person, ada: Person) -> None:
    remaining, merged = make_players(2)
    Player.objects.filter(pk=merged.pk).update(merged_into=remaining)

    assert anonymous.get(f"players/{merged.pk}").json()["id"] == remaining.pk
    assert merged.pk not in [row["id"] for row in anonymous.get("players").json()["results"]]


def test_the_list_takes_one_query(
    anonymous: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_players(3)

    with django_assert_num_queries(1):
        assert len(anonymous.get("players").json()["results"]) == 3


def test_a_file_registers_new_players(organiser: Person) -> None:
    known = Player.objects.create(name="Ada", country="POR")
    content = "country;NAME;seed_rating\npor;Ada;2000\n\nPOR;Bo;\nPOR;Bo;1700\n"

    response = organiser.post("players/import", content, **CSV)

    assert response.status_code == 201
    bo = Player.objects.get(name="Bo")
    ada = {"id": known.pk, "name": "Ada", "country": "POR", "club": None}
    known_line = {"action": "known", "player": ada, "look_alikes": [], "same_as_line": None}
    bo_named = {"id": bo.pk, "name": "Bo", "country": "POR", "club": None}
    new = {"action": "created", "player": bo_named, "look_alikes": [], "same_as_line": None}
    assert response.json() == {
        "dry_run": False,
        "columns": {"country": "country", "NAME": "name", "seed_rating": "seed_rating"},
        "left_out": [],
        "skipped": [],
        "rows": [
            {"line": 2} | known_line,
            {"line": 4} | new,
            {"line": 5} | new | {"action": "known", "same_as_line": 4},
        ],
    }
    assert JournalLine.objects.get().kind == "players.imported"


TWO_LINES = [
    # the lines after `name,country,club,birth_year,fide`, and what the second one is
    ("Ada,POR,,,", "Ada,POR,,,", "same"),
    ("Ada,POR,,,", "Ada,,,,", "same"),
    ("Ada,POR,,,", "Ada,POR,,1990,", "same"),
    ("Ada,POR,,,17", "Ada,,,,17", "same"),
    ("Ada,,,,", "Ada,POR,,,", "ambiguous"),
    ("Ada,POR,,,", "Ada,CAN,,,", "another"),
    ("Ada,POR,,1990,", "Ada,POR,,1991,", "another"),
    ("Ada,POR,Rooks,,", "Ada,POR,Pawns,,", "another"),
    ("Ada,POR,,,17", "Ada,POR,,,18", "another"),
]
COLUMNS = "name,country,club,birth_year,fide"


def test_a_wrong_fide_id_of_a_file_is_named_at_its_cell(organiser: Person) -> None:
    content = "name,fide\nAda,1503014\nBen,15 03\nCleo,abc\nDan,0\nEva,\n"
    problem = problem_in(organiser.post("players/import", content, **CSV), 422, "invalid_lines")
    assert [error["pointer"] for error in problem["errors"]] == ["/3/fide", "/4/fide"]
    assert not Player.objects.exists()
    right = content.replace("15 03", "").replace("abc", "")
    assert organiser.post("players/import", right, **CSV).status_code == 201
    ids = {player.name: player.external_ids for player in Player.objects.all()}
    assert ids == {"Ada": {"fide": "1503014"}, "Ben": {}, "Cleo": {}, "Dan": {}, "Eva": {}}


def test_a_wrong_fide_id_from_before_is_read_and_can_be_replaced(organiser: Person) -> None:
    Player.objects.create(name="Ada", external_ids={"fide": "x17"}, registered_by=organiser.account)
    player = Player.objects.get()
    assert organiser.get(f"players/{player.pk}").json()["external_ids"] == {"fide": "x17"}
    assert organiser.patch(f"players/{player.pk}", {"club": "Rooks"}).status_code == 200
    body = {"external_ids": {"fide": "17"}}
    assert organiser.patch(f"players/{player.pk}", body).json()["external_ids"] == {"fide": "17"}


@pytest.mark.parametrize(("first", "second", "expected"), TWO_LINES)
def test_lines_of_one_file_are_compared(
    organiser: Person, first: str, second: str, expected: str
) -> None:
    response = organiser.post("players/import", f"{COLUMNS}\n{first}\n{second}\n", **CSV)
    if expected == "ambiguous":
        problem = problem_in(response, 422, "invalid_lines")
        assert [error["code"] for error in problem["errors"]] == ["ambiguous_player"]
        assert "perhaps the same person as in line 2" in problem["detail"]
        assert not Player.objects.exists()
    else:
        lines = response.json()["rows"]
        is_same = expected == "same"
        assert [(line["action"], line["same_as_line"]) for line in lines] == [
            ("created", None), ("known", 2) if is_same else ("created", None)
        ]  # fmt: skip
        assert Player.objects.count() == (1 if is_same else 2)


@pytest.mark.parametrize(("first", "second", "expected"), TWO_LINES[-3:] + TWO_LINES[:1])
def test_an_event_refuses_lines_that_may_be_one_person(
    organiser: Person, first: str, second: str, expected: str
) -> None:
    event = make_event(organiser, slug="spring").step("open")
    path = f"{event.path}/entries/import"
    response = organiser.post(path, f"{COLUMNS}\n{first}\n{second}\n", **CSV)
    if expected == "another":
        assert response.status_code == 201, response.content
        assert Player.objects.count() == 2
        return
    problem = problem_in(response, 422, "invalid_lines")
    assert "as in line 2" in problem["detail"]
    assert not Player.objects.exists()
    new = f"player,{COLUMNS}\n,{first}\nnew,{second}\n"
    assert organiser.post(path, new, **CSV).status_code == 201
    assert Player.objects.count() == 2


def test_the_games_that_led_to_a_rating_are_imported(organiser: Person) -> None:
    """`cases/fide-2024-established-player.txt`, as a file for a pool's players."""
    content = "name;rating;games;reached_2400\nA;1800;200;no\nB;2000;200;\nC;2390;9;yes\n"

    found = organiser.post("players/import", content, **CSV)

    assert found.json()["columns"] == {
        "name": "name", "rating": "seed_rating", "games": "seed_games",
        "reached_2400": "seed_reached_2400",
    }  # fmt: skip
    rows = Player.objects.values_list("name", "seed_rating", "seed_games", "seed_reached_2400")
    assert list(rows.order_by("name")) == [
        ("A", 1800, 200, False), ("B", 2000, 200, False), ("C", 2390, 9, True),
    ]  # fmt: skip
    first = organiser.get("players").json()["results"][0]
    assert (first["seed_games"], first["seed_reached_2400"]) == (200, False)


@pytest.mark.parametrize(
    ("values", "pointer"),
    [
        ({"seed_rating": 1800, "seed_games": 10**9}, "/seed_games"),
        ({"seed_games": 30}, "/seed_games"),
        ({"seed_rating": None, "seed_games": 30}, "/seed_games"),
        ({"seed_rating": None, "seed_reached_2400": True}, "/seed_reached_2400"),
    ],
)
def test_games_before_need_a_rating_and_a_number(
    organiser: Person, values: dict[str, object], pointer: str
) -> None:
    new = {"name": "Cleo", "country": "POR"}
    problem = problem_in(organiser.post("players", {**new, **values}), 422)
    assert problem["errors"][0]["pointer"] == pointer
    assert not Player.objects.exists()

    number = organiser.post("players", {**new, "seed_rating": 1900, "seed_games": 5}).json()["id"]
    if "seed_rating" in values:
        problem_in(organiser.patch(f"players/{number}", values), 422)
    problem_in(organiser.patch(f"players/{number}", {"seed_rating": None}), 422, "no_seed_rating")
    emptied = organiser.patch(f"players/{number}", {"seed_rating": None, "seed_games": 0})
    assert (emptied.json()["seed_rating"], emptied.json()["seed_games"]) == (None, 0)


def test_who_stated_a_seed_is_kept(staff: Person, ada: Person) -> None:
    number = staff.post("players", {"name": "Dora", "country": "POR"}).json()["id"]
    assert Player.objects.get(pk=number).seed_by is None
    assert staff.patch(f"players/{number}", {"seed_rating": 1900}).status_code == 200
    assert Player.objects.get(pk=number).seed_by == staff.account
    Player.objects.filter(pk=number).update(seed_by=None)
    assert staff.patch(f"players/{number}", {"seed_games": 40}).status_code == 200
    assert Player.objects.get(pk=number).seed_by == staff.account
    assert ada.patch(f"players/{player_of(ada).pk}", {"seed_rating": 3900}).status_code == 200
    assert Player.objects.get(pk=player_of(ada).pk).seed_by == ada.account
