"""`/pools/{code}/officers` and `/pools/{code}/organisers`."""

import pytest

from games.models import Account, JournalLine
from tests.people import make_person, problem_in, statuses

pytestmark = pytest.mark.django_db

REASON = {"reason": "the results were never played"}


@pytest.fixture
def people(everyone, officer, staff):
    return everyone | {"officer": officer, "staff": staff}


def test_staff_appoint_and_remove_officers(star, people, stranger, staff):
    body = {"account": stranger.account.pk}
    assert statuses(people, "POST", "pools/star/officers", body) == {
        "organiser": 403,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
        "officer": 403,
        "staff": 201,
    }
    problem_in(staff.post("pools/star/officers", body), 409, "officer_already")
    assert stranger.get("pools/star/officers").json()["results"] == [
        {"id": stranger.account.pk, "name": "Stig"},
        {"id": people["officer"].account.pk, "name": "Otto"},
    ]
    path = f"pools/star/officers/{stranger.account.pk}"
    assert statuses(people, "DELETE", path) == {
        "organiser": 403,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
        "officer": 403,
        "staff": 204,
    }
    problem_in(staff.delete(path), 404)
    problem_in(stranger.get("pools/star/officers"), 403)
    kinds = JournalLine.objects.filter(stream="pool/star").order_by("sequence")
    assert list(kinds.values_list("kind", flat=True)) == ["officer.added", "officer.removed"]


@pytest.mark.parametrize("path", ["officers", "organisers", "batches", "tournaments"])
def test_only_officers_and_staff_read_what_officers_decide(star, people, path):
    assert statuses(people, "GET", f"pools/star/{path}") == {
        "organiser": 403,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
        "officer": 200,
        "staff": 200,
    }
    problem_in(people["staff"].get(f"pools/moon/{path}"), 404)


def test_a_token_needs_the_scope(star, officer):
    problem_in(officer.with_token("tournament:write").get("pools/star/officers"), 403)


def test_a_dry_run_appoints_nobody(star, staff, stranger):
    body = {"account": stranger.account.pk}
    assert staff.post("pools/star/officers?dry_run=1", body).status_code == 200
    problem_in(stranger.get("pools/star/officers"), 403)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"account": "Otto"}, "invalid"),
        ({"account": 0}, "invalid"),
        ({"account": 10**30}, "invalid"),
        ({"account": 2**63 - 1}, "unknown_account"),
    ],
)
def test_an_unknown_account_is_rejected(star, staff, body, code):
    problem_in(staff.post("pools/star/officers", body), 422, code)


@pytest.mark.parametrize(("action", "approved"), [("approve", True), ("refuse", False)])
def test_officers_decide_about_organisers(star, people, officer, action, approved):
    organiser = people["organiser"].account
    path = f"pools/star/organisers/{organiser.pk}/{action}"
    assert statuses(people, "POST", path, REASON) == {
        "organiser": 403,
        "player": 403,
        "stranger": 403,
        "anonymous": 401,
        "officer": 200,
        "staff": 200,
    }
    (decision,) = officer.get("pools/star/organisers").json()["results"]
    assert {**decision, "decided_at": None} == {
        "organiser": {"id": organiser.pk, "name": "Olga"},
        "approved": approved,
        "decided_at": None,
        **REASON,
    }
    line = JournalLine.objects.filter(stream="pool/star").order_by("sequence")[0]
    assert line.kind == f"organiser.{'approved' if approved else 'refused'}"
    assert line.payload.body["account"] == organiser.pk


def test_the_last_decision_replaces_the_first(star, officer, organiser):
    path = f"pools/star/organisers/{organiser.account.pk}"
    problem_in(officer.post(f"{path}/refuse"), 422, "reason_needed")
    officer.post(f"{path}/refuse", REASON)
    officer.post(f"{path}/approve?dry_run=1")
    assert [row["approved"] for row in officer.get("pools/star/organisers").json()["results"]] == [
        False
    ]
    officer.post(f"{path}/approve")
    assert [row["approved"] for row in officer.get("pools/star/organisers").json()["results"]] == [
        True
    ]


@pytest.mark.parametrize("number", ["0", "9" * 18, "9" * 40, "x"])
def test_an_account_that_does_not_exist_is_not_found(star, staff, number):
    problem_in(staff.post(f"pools/star/organisers/{number}/approve"), 404)
    problem_in(staff.delete(f"pools/star/officers/{number}"), 404)


@pytest.mark.parametrize("count", [1, 3])
def test_organisers_are_listed_in_a_fixed_number_of_queries(
    star, officer, count, django_assert_num_queries
):
    for number in range(count):
        account = make_person(f"Organiser{number}").account
        officer.post(f"pools/star/organisers/{account.pk}/approve")
    with django_assert_num_queries(4):
        results = officer.get("pools/star/organisers").json()["results"]
    assert len(results) == count
    assert Account.objects.count() == count + 1
