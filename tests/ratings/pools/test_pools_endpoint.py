"""`/pools`, `/pools/{code}`."""

from dataclasses import replace

import pytest
from django.conf import settings

from games.models import JournalLine, Role
from ratings.models import Pool
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool_rows
from ratings.systems.handicap import PRIOR
from tests.people import add_second_factor, problem_in
from tests.ratings.factories import add_second_table, day, file_event, make_game, make_players

pytestmark = pytest.mark.django_db

HEX = {
    "code": "hex",
    "name": "Hex",
    "preset": "fixed",
    "parameters": {"k0": 30, "kmin": 30},
    "casual_rulesets": ["hex"],
    "rated_rulesets": {"hex": ["11"]},
}


def test_staff_create_pools_with_a_second_factor(star, stranger):
    stranger.account.is_staff = True
    stranger.account.save()
    problem_in(stranger.post("pools", HEX), 403, "second_factor_needed")
    add_second_factor(stranger.account)
    assert stranger.post("pools", HEX).status_code == 201


def test_an_installation_starts_with_one_pool(star, anonymous, django_assert_num_queries):
    with django_assert_num_queries(1):
        pools = anonymous.get("pools").json()["results"]
    assert pools == [
        {
            "code": "star",
            "url": f"{settings.PUBLIC_URL}/api/v1/pools/star",
            "page_url": f"{settings.PUBLIC_URL}/pools/star",
            "name": "*Star",
            "preset": "decay",
            "parameters": {},
            "handicap_table": "v2",
            "casual_rulesets": ["star-star"],
            "policy": "approved",
            "rated_rulesets": {"star-star": [], "double-star-star": [], "nobridge-star-star": []},
            "time_classes": [],
            "least_expected": 5,
            "grace_days": 30,
            "casual_games_per_day": 3,
            "casual_games_per_month": 6,
            "run": None,
        }
    ]


def test_a_rating_officer_may_create_their_pool_and_no_other(star, ada):
    Role.objects.create(stream="pool/hex", account=ada.account, role="rating_officer")
    problem_in(ada.post("pools", {**HEX, "code": "moon"}), 403, "role_missing")
    assert ada.post("pools", HEX).status_code == 201


def test_a_new_pool_is_returned_and_journalled(star, staff):
    answer = staff.post("pools", HEX)
    created = answer.json()
    assert {name: created[name] for name in HEX} == HEX
    assert (created["policy"], created["handicap_table"], created["run"]) == (
        "approved",
        "v2",
        None,
    )
    assert staff.get(answer["Location"]).json() == answer.json()
    line = JournalLine.objects.get(stream="pool/hex")
    journalled = dict(HEX)
    for games in ("casual", "rated"):
        journalled[f"{games}_games"] = journalled.pop(f"{games}_rulesets")
    assert (line.kind, line.payload.body | journalled) == ("pool.created", line.payload.body)


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"code": "star"}, 422, "invalid"),
        ({"preset": "glicko"}, 422, "unknown_preset"),
        ({"parameters": {"tau": 1}}, 422, "bad_parameter"),
        ({"preset": "fide-2024"}, 422, "bad_parameter"),
        ({"casual_rulesets": ["chess"]}, 422, "unknown_ruleset"),
        ({"casual_rulesets": [], "rated_rulesets": {"queens": []}}, 422, "solitaire"),
        ({"casual_rulesets": ["star-star"]}, 422, "ruleset_not_rated"),
        ({"casual_rulesets": [], "rated_rulesets": {"chess": []}}, 422, "unknown_ruleset"),
        ({"rated_rulesets": {}}, 422, "rulesets_needed"),
        ({"rated_rulesets": {"hex": ["10x"]}}, 422, "unknown_board_size"),
    ],
)
def test_an_invalid_pool_is_rejected(star, staff, wrong, status, code):
    problem_in(staff.post("pools", {**HEX, **wrong}), status, code)
    assert Pool.objects.count() == 1


def test_a_pool_without_a_system_has_that_of_new_pools(star, staff):
    created = staff.post("pools", {"code": "hex", "name": "Hex", "rated_rulesets": {"hex": []}})
    assert (created.status_code, created.json()["preset"]) == (201, "floor"), created.content


def test_officers_change_which_games_are_rated(star, officer):
    games = {"star-star": ["10"], "hex": []}
    assert officer.patch("pools/star", {"rated_rulesets": games}).json()["rated_rulesets"] == games
    line = JournalLine.objects.filter(stream="pool/star").last()
    assert (line.kind, line.payload.body["rated_games"]) == ("pool.edited", games)
    wrong = officer.patch("pools/star", {"rated_rulesets": {"hex": ["0"]}})
    problem_in(wrong, 422, "unknown_board_size")
    problem_in(officer.patch("pools/star", {"rated_rulesets": {}}), 422, "rulesets_needed")


def test_a_pool_of_an_earlier_version_rates_every_game_until_its_officers_name_some(star, officer):
    Pool.objects.update(rated_games={})
    assert officer.patch("pools/star", {"rated_rulesets": {}}).json()["rated_rulesets"] == {}
    named = officer.patch("pools/star", {"rated_rulesets": {"hex": []}}).json()
    assert (named["rated_rulesets"], named["casual_rulesets"]) == ({"hex": []}, [])


def test_officers_change_the_time_classes(star, officer):
    sent = {"time_classes": ["standard", "blitz", "blitz"]}
    assert officer.patch("pools/star", sent).json()["time_classes"] == ["blitz", "standard"]
    line = JournalLine.objects.filter(stream="pool/star").last()
    assert line.payload.body["time_classes"] == ["blitz", "standard"]
    officer.patch("pools/star", sent)
    assert JournalLine.objects.filter(stream="pool/star").last() == line


def test_officers_change_the_least_expected_score(star, officer):
    answer = officer.patch("pools/star", {"least_expected": 10})
    assert (answer.json()["least_expected"], answer.json()["policy"]) == (10, "approved")
    lines = JournalLine.objects.filter(stream="pool/star")
    line, before = lines.latest("sequence"), lines.count()
    body = line.payload.body
    assert (line.kind, body["least_expected"], "policy" in body) == ("pool.edited", 10, False)
    officer.patch("pools/star", {"least_expected": 10, "policy": "approved"})
    assert lines.count() == before


def test_officers_activate_a_table_of_handicaps(star, officer):
    add_second_table(replace(PRIOR, point=7))
    Pool.objects.filter(pk=star.pk).update(handicap_table="v1")
    star.refresh_from_db()
    ann, bo = make_players(2)
    points = {"handicap": {"seat": "first", "points": 2}}
    filed = file_event(star, "cup", day(1), [make_game(ann, bo, **points)])
    run = advance_pool(star.pk)

    officer.patch("pools/star", {"handicap_table": "v3"})

    assert officer.get("pools/star").json()["handicap_table"] == "v3"
    line = JournalLine.objects.filter(stream="pool/star").latest("sequence")
    assert (line.kind, line.payload.body["handicap_table"]) == ("pool.edited", "v3")
    # What is filed does not change, even when it is filed again; later games have the new values.
    assert advance_pool(star.pk) is None
    star.refresh_from_db()
    assert star.current_run == run
    later = file_event(star, "cup 2", day(2), [make_game(ann, bo, **points)])
    file_event(star, "cup", day(1), [row.game for row in filed.games.all()])
    assert [batch.games.get().handicap_part for batch in (filed, later)] == [18_000, 14_000]


def test_an_unknown_table_is_rejected(star, officer):
    problem = problem_in(
        officer.patch("pools/star", {"handicap_table": "v9"}), 422, "unknown_handicap_table"
    )
    assert problem["valid"] == ["v1", "v2"]


def test_the_last_officer_stays(star, officer, staff, stranger):
    path = f"pools/star/officers/{officer.account.pk}"
    (own,) = officer.get("me").json()["roles"]
    problem_in(staff.delete(path), 409, "last_officer")
    problem_in(officer.delete(f"me/roles/{own['id']}"), 409, "last_officer")

    staff.post("pools/star/officers", {"account_id": stranger.account.pk})
    problem_in(stranger.delete(f"me/roles/{own['id']}"), 404, "not_found")
    assert officer.delete(f"me/roles/{own['id']}").status_code == 204
    assert officer.patch("pools/star", {"policy": "open"}).status_code == 403
    line = JournalLine.objects.filter(stream="pool/star").last()
    assert (line.kind, line.payload.body["account"]) == ("officer.removed", officer.account.pk)
    assert "role" not in str(verify_pool_rows(star.stream))
