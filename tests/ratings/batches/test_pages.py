"""The page of a pool's batches for its officers: its list, and a form for each act."""

from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from ratings.models import Batch, Pool
from ratings.runs.services import advance_pool
from tests.people import Person
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BATCHES = "/officers/pools/star/batches"


@pytest.fixture
def batches(star: Pool) -> list[Batch]:
    """Three events of two players, of which the last waits for an officer."""
    ann, bo = make_players(2)
    found = [
        file_event(star, name, day(number), [make_game(ann, bo)])
        for number, name in enumerate(("one", "two", "three"), 1)
    ]
    advance_pool(star.pk)
    Batch.objects.filter(pk=found[2].pk).update(state="waiting")
    return found


@pytest.fixture
def pages(officer: Person, batches: list[Batch]) -> Client:
    officer.client.force_login(officer.account)
    return officer.client


def names(page: Any) -> list[str]:
    return [row["tournament"]["name"] for row in page.context["batches"]]


def test_the_batches_are_shown_by_state_and_page_by_page(
    pages: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(6):
        page = pages.get(BATCHES)
    assert names(page) == ["three", "two", "one"]
    assert page.content.decode().count('value="cancel"') == 2
    with django_assert_num_queries(6):
        assert names(pages.get(f"{BATCHES}?state=waiting")) == ["three"]
    assert names(pages.get(f"{BATCHES}?state=withdrawn")) == []
    first = pages.get(f"{BATCHES}?limit=2")
    assert names(first) == ["three", "two"]
    assert names(pages.get(first.context["next"])) == ["one"]
    assert pages.get(f"{BATCHES}?state=lost").status_code == 422


def test_officers_cancel_a_batch_and_undo_it(pages: Client, batches: list[Batch]) -> None:
    form = {"action": "cancel", "batch_id": str(batches[0].pk)}
    assert pages.post(BATCHES, form).status_code == 422
    assert pages.post(BATCHES, form | {"reason": "a joke"}).status_code == 303
    assert Batch.objects.get(pk=batches[0].pk).state == "withdrawn"
    shown = pages.get(f"{BATCHES}?state=withdrawn").content.decode()
    assert "a joke" in strip_tags(shown)
    assert 'value="undo"' in shown
    assert pages.post(BATCHES, form | {"reason": "again"}).status_code == 409
    assert pages.post(BATCHES, form | {"action": "undo", "reason": "no"}).status_code == 303
    assert Batch.objects.get(pk=batches[0].pk).state == "filed"
    unknown = form | {"batch_id": "9" * 17, "reason": "none"}
    assert pages.post(BATCHES, unknown).status_code == 404
    assert pages.post(BATCHES, form | {"batch_id": "x"}).status_code == 400


def test_officers_set_when_a_batch_takes_effect(pages: Client, batches: list[Batch]) -> None:
    assert 'value="2026-03-02T00:00"' in pages.get(BATCHES).content.decode()
    form = {"action": "backdate", "batch_id": str(batches[1].pk), "reason": "the real day"}
    for wrong in ("2999-01-01T00:00", "yesterday", ""):
        page = pages.post(BATCHES, form | {"effective_at": wrong})
        assert page.status_code == 422
        assert f'value="{wrong}"' in page.content.decode()
    assert pages.post(BATCHES, form | {"effective_at": "2026-02-01T12:30"}).status_code == 303
    assert Batch.objects.get(pk=batches[1].pk).effective_at.isoformat() == (
        "2026-02-01T12:30:00+00:00"
    )
