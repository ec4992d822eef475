"""Quotas: how much of something an account may store, to the unit; staff has none."""

from typing import Any

import pytest

from games.core.limits import QuotaReached, check_quota
from tests.people import Person, add_second_factor

pytestmark = pytest.mark.django_db
TOKEN = {"name": "laptop", "scopes": ["tournament:read"]}


def test_a_quota_is_what_may_be_reached(settings: Any, stranger: Person) -> None:
    settings.QUOTAS = settings.QUOTAS | {"claims": 2}
    check_quota("claims", 2, by=stranger.account)
    with pytest.raises(QuotaReached) as caught:
        check_quota("claims", 3, by=stranger.account)
    assert caught.value.extra == {"quota": "claims", "limit": 2, "setting": "QUOTA_CLAIMS"}


def test_site_staff_have_no_quotas(settings: Any, organiser: Person) -> None:
    organiser.account.is_staff = True
    organiser.account.save()
    settings.QUOTAS = settings.QUOTAS | {"tokens": 1}
    with pytest.raises(QuotaReached):  # they are staff with a second factor only
        check_quota("tokens", 2, by=organiser.account)
    add_second_factor(organiser.account)
    assert organiser.post("tokens", TOKEN).status_code == 201
