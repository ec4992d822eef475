"""Whether a pool accepts an event: its policy and the decisions about event and organiser."""

import pytest

from games.models import Account, Role
from ratings.batches.decisions import (
    RatingRequest,
    find_filing,
    find_filings,
    load_officers,
    load_organisers,
    reason_of,
)
from ratings.models import Decision, Pool

pytestmark = pytest.mark.django_db
NONE, APPROVED, REFUSED = None, True, False
FILED = {
    # event, organiser, the organiser is an officer: by an open, an approved, a closed pool
    (NONE, NONE, False): ("filed", "waiting", "waiting"),
    (APPROVED, NONE, False): ("filed!", "filed!", "filed!"),
    (NONE, APPROVED, False): ("filed!", "filed!", "waiting"),
    (NONE, NONE, True): ("filed!", "filed!", "filed!"),
    (REFUSED, NONE, False): ("refused", "refused", "refused"),
    (NONE, REFUSED, False): ("refused", "refused", "refused"),
    (REFUSED, APPROVED, True): ("refused", "refused", "refused"),
    (APPROVED, REFUSED, False): ("filed!", "filed!", "filed!"),
}
"""`!` marks what is approved."""


@pytest.mark.parametrize(("case", "expected"), FILED.items(), ids=map(str, FILED))
def test_what_policy_and_decisions_give(star, organiser, stranger, case, expected):
    event, of_organiser, is_officer = case
    other = Pool.objects.create(code="club", name="Club", preset="decay")
    Decision.objects.create(pool=other, stream="tournament/cup", approved=not event)
    Decision.objects.create(pool=star, organiser=stranger.account, approved=event is REFUSED)
    for approved, about in (
        (event, {"stream": "tournament/cup"}),
        (of_organiser, {"organiser": organiser.account}),
    ):
        if approved is not None:
            Decision.objects.create(pool=star, approved=approved, reason="why", **about)
    Role.objects.create(stream="tournament/cup", account=organiser.account, role="owner")
    if is_officer:
        role = {"account": organiser.account, "role": "rating_officer"}
        Role.objects.create(stream=star.stream, **role)
    request = RatingRequest("tournament/cup", organiser.account.pk)
    imported = RatingRequest("tournament/imported", None)
    found = []
    for policy in ("open", "approved", "closed"):
        star.policy = policy
        filings = find_filings(star, [request, imported])
        filing = filings[request.stream]
        assert filing.reason == ("why" if filing.state == "refused" else "")
        found.append(f"{filing.state}{'!' if filing.approved else ''}")
        assert filings[imported.stream] == (("filed" if policy == "open" else "waiting"), False, "")
    assert tuple(found) == expected


@pytest.mark.parametrize("owns", [True, False])
@pytest.mark.parametrize("is_officer", [True, False], ids=["officer", "approved"])
def test_the_trust_in_an_organiser_ends_when_another_owns_the_event(
    star, organiser, stranger, owns, is_officer
):
    account = organiser.account
    if is_officer:
        Role.objects.create(stream=star.stream, account=account, role="rating_officer")
    else:
        Decision.objects.create(pool=star, organiser=account, approved=True)
    owner = account if owns else stranger.account
    Role.objects.create(stream="tournament/cup", account=owner, role="owner")
    Role.objects.create(stream="tournament/cup", account=account, role="director")
    filing = find_filing(star, RatingRequest("tournament/cup", account.pk))
    assert filing.state == ("filed" if owns else "waiting")


def test_only_its_own_officers_decide_for_a_pool(star, officer, organiser, stranger):
    Role.objects.create(stream=star.stream, account=stranger.account, role="director")
    Role.objects.create(stream="pool/club", account=organiser.account, role="rating_officer")
    assert list(load_officers(star)) == [officer.account]
    Decision.objects.create(pool=star, stream="tournament/cup", approved=True)
    decision = Decision.objects.create(pool=star, organiser=organiser.account, approved=True)
    assert list(load_organisers(star)) == [decision]


def test_a_waiting_batch_says_whom_it_waits_for(star):
    assert reason_of(star, "waiting", "x") == "waits for approval by an officer of the pool *Star"
    assert reason_of(star, "refused", "x") == "x"
    assert not Account.objects.exists()
