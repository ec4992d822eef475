"""`/pools/{code}/officers` and `/pools/{code}/organisers`."""

import pytest

from games.models import JournalLine
from tests.people import problem_in

pytestmark = pytest.mark.django_db

REASON = {"reason": "the results were never played"}


def test_staff_appoint_and_remove_officers(star, officer, stranger, staff):
    body = {"account_id": stranger.account.pk}
    assert staff.post("pools/star/officers", body).status_code == 201
    problem_in(staff.post("pools/star/officers", body), 409, "officer_already")
    assert stranger.get("pools/star/officers").json()["results"] == [
        {"id": officer.account.pk, "name": "Otto"},
        {"id": stranger.account.pk, "name": "Stig"},
    ]
    path = f"pools/star/officers/{stranger.account.pk}"
    assert staff.delete(path).status_code == 204
    problem_in(staff.delete(path), 404)
    problem_in(stranger.get("pools/star/officers"), 403)
    kinds = JournalLine.objects.filter(stream="pool/star", kind__startswith="officer")
    assert list(kinds.order_by("sequence").values_list("kind", flat=True)) == [
        "officer.added",
        "officer.removed",
    ]


@pytest.mark.parametrize(("action", "approved"), [("approve", True), ("refuse", False)])
def test_officers_decide_about_organisers(star, organiser, officer, action, approved):
    organiser = organiser.account
    path = f"pools/star/organisers/{organiser.pk}/{action}"
    assert officer.post(path, REASON).status_code == 200
    (decision,) = officer.get("pools/star/organisers").json()["results"]
    assert {**decision, "decided_at": None} == {
        "organiser": {"id": organiser.pk, "name": "Olga"},
        "approved": approved,
        "decided_at": None,
        **REASON,
    }
    line = JournalLine.objects.filter(stream="pool/star").latest("sequence")
    assert line.kind == f"organiser.{'approved' if approved else 'refused'}"
    assert line.payload.body["account"] == organiser.pk


def test_the_last_decision_replaces_the_first(star, officer, organiser):
    path = f"pools/star/organisers/{organiser.account.pk}"
    problem_in(officer.post(f"{path}/refuse"), 422, "reason_needed")
    officer.post(f"{path}/refuse", REASON)
    (decision,) = officer.get("pools/star/organisers").json()["results"]
    assert not decision["approved"]
    officer.post(f"{path}/approve")
    (decision,) = officer.get("pools/star/organisers").json()["results"]
    assert decision["approved"]
