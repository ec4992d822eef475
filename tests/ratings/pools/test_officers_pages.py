"""The pages of a pool's officers: its batches and an analysis."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games.models import Role
from ratings.models import Analysis, Batch, Pool
from ratings.runs.services import advance_pool
from ratings.systems.elo import MILLI
from ratings.systems.research.fair_play import (
    FairPlayFinding,
    FairPlayReport,
    FindingKind,
    PlayedGame,
    StreamTest,
    report_as_json,
)
from tests.events import make_event
from tests.people import make_person
from tests.ratings.factories import day, file_event, make_analysis, make_game, make_players

pytestmark = pytest.mark.django_db

OFFICERS = "/officers/pools/star"
BATCHES = f"{OFFICERS}/batches"
LISTS = ("events", "organisers", "analyses")


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """Three events of two players, of which one waits for an officer; and an officer."""
    star = Pool.objects.get(code="star")
    ann, bo = make_players(2)
    games = [make_game(ann, bo) for _ in range(3)]
    batches = [
        file_event(star, name, day(number), [game])
        for number, (name, game) in enumerate(zip(("one", "two", "three"), games, strict=True), 1)
    ]
    advance_pool(star.pk)
    Batch.objects.filter(pk=batches[2].pk).update(state="waiting")
    officer = make_person("Otto").account
    Role.objects.create(stream=star.stream, account=officer, role="rating-officer")
    return {
        "star": star,
        "ann": ann,
        "bo": bo,
        "games": games,
        "officer": officer,
        "batches": batches,
    }


@pytest.fixture
def officer(client: Client, start: dict[str, Any]) -> Client:
    client.force_login(start["officer"])
    return client


def words_of(page: Any) -> str:
    assert page.status_code == 200
    return " ".join(strip_tags(page.content.decode().replace("<", " <")).split())


def names(page: Any) -> list[str]:
    return [row["name"] for row in page.context["batches"]]


@pytest.mark.parametrize(
    "path",
    [BATCHES, *(f"{OFFICERS}/{name}" for name in ("analyses/1", *LISTS))],
)
def test_only_officers_see_these_pages(client: Client, start: dict[str, Any], path: str) -> None:
    make_analysis(start["star"], pk=1)
    assert client.get(path).status_code == 303
    client.force_login(make_person("Stig").account)
    assert client.get(path).status_code == 403
    assert client.post(BATCHES, {"action": "withdraw", "batch_id": "1"}).status_code == 403


def test_the_batches_are_shown_by_state_and_page_by_page(
    officer: Client, start: dict[str, Any], django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(6):
        page = officer.get(BATCHES)
    assert names(page) == ["three", "two", "one"]
    assert page.content.decode().count('value="withdraw"') == 2
    with django_assert_num_queries(6):
        assert names(officer.get(f"{BATCHES}?state=waiting")) == ["three"]
    assert names(officer.get(f"{BATCHES}?state=withdrawn")) == []
    first = officer.get(f"{BATCHES}?limit=2")
    assert names(first) == ["three", "two"]
    assert names(officer.get(first.context["next"])) == ["one"]
    assert officer.get(f"{BATCHES}?state=lost").status_code == 422


def test_officers_withdraw_and_restore_a_batch(officer: Client, start: dict[str, Any]) -> None:
    batch = start["batches"][0]
    form = {"action": "withdraw", "batch_id": str(batch.pk)}
    assert officer.post(BATCHES, form).status_code == 422
    assert officer.post(BATCHES, form | {"reason": "a joke"}).status_code == 303
    batch.refresh_from_db()
    assert batch.state == "withdrawn"
    assert "a joke" in words_of(officer.get(f"{BATCHES}?state=withdrawn"))
    assert officer.post(BATCHES, form | {"reason": "again"}).status_code == 409
    assert officer.post(BATCHES, form | {"action": "restore", "reason": "no"}).status_code == 303
    batch.refresh_from_db()
    assert batch.state == "filed"
    unknown = form | {"batch_id": "9" * 17, "reason": "none"}
    assert officer.post(BATCHES, unknown).status_code == 404
    assert officer.post(BATCHES, form | {"batch_id": "x"}).status_code == 400


def test_officers_set_when_a_batch_takes_effect(officer: Client, start: dict[str, Any]) -> None:
    batch = start["batches"][1]
    assert 'value="2026-03-02T00:00"' in officer.get(BATCHES).content.decode()
    form = {"action": "backdate", "batch_id": str(batch.pk), "reason": "the real day"}
    for wrong in ("2999-01-01T00:00", "yesterday", ""):
        page = officer.post(BATCHES, form | {"effective_at": wrong})
        assert page.status_code == 422
        assert f'value="{wrong}"' in page.content.decode()
    assert officer.post(BATCHES, form | {"effective_at": "2026-02-01T12:30"}).status_code == 303
    batch.refresh_from_db()
    assert (batch.effective_at.isoformat(), batch.reason) == (
        "2026-02-01T12:30:00+00:00",
        "the real day",
    )


@pytest.mark.parametrize("kind", LISTS)
def test_a_list_of_the_officers_is_read_page_by_page(
    officer: Client, start: dict[str, Any], kind: str, django_assert_num_queries: Any
) -> None:
    for number in range(3):
        organiser = make_person(f"Organiser{number}")
        make_event(organiser, slug=f"event-{number}", pool="star").step("open")
        make_analysis(start["star"], finished_at=timezone.now())
    for limit in (1, 3):
        with django_assert_num_queries({"events": 8, "organisers": 5, "analyses": 5}[kind]):
            page = officer.get(f"{OFFICERS}/{kind}?limit={limit}")
        assert len(page.context[kind]) == limit
    older = officer.get(officer.get(f"{OFFICERS}/{kind}?limit=2").context["next"])
    assert older.context[kind] == page.context[kind][2:]
    assert f'href="{OFFICERS}/{kind}"' not in officer.get(OFFICERS).content.decode()
    assert officer.get(f"{OFFICERS}/{kind}?cursor=x").status_code == 422


def test_events_and_organisers_are_decided_on_their_lists(
    officer: Client, start: dict[str, Any]
) -> None:
    organiser = make_person("Olga")
    event = make_event(organiser, pool="star").step("open")
    form = {"slug": event.tournament.slug, "reason": "no clocks"}
    assert officer.post(f"{OFFICERS}/events", form | {"action": "refuse"}).status_code == 303
    assert "no clocks" in words_of(officer.get(f"{OFFICERS}/events"))
    person = {"account_id": str(organiser.account.pk), "action": "refuse-organiser"}
    assert officer.post(f"{OFFICERS}/organisers", person).status_code == 422
    assert officer.post(f"{OFFICERS}/organisers", person | {"reason": "why"}).status_code == 303
    assert "refused (why)" in words_of(officer.get(f"{OFFICERS}/organisers"))


def test_a_finding_has_its_games_and_proves_nothing(
    officer: Client, start: dict[str, Any], django_assert_num_queries: Any
) -> None:
    ann, bo, game, batch = (start[name] for name in ("ann", "bo", "games", "batches"))
    played = PlayedGame(
        game[0].pk, batch[0].pk, bo.pk, 1600 * MILLI, 50 * MILLI, 1500 * MILLI, 40 * MILLI, 0, 0
    )
    test = StreamTest(1e-6, FindingKind.PAIR, ann.pk, opponent=bo.pk)
    below = StreamTest(1e-5, FindingKind.BELOW, bo.pk, event=batch[0].pk)
    findings = (FairPlayFinding(test, 0.00012, (played,)), FairPlayFinding(below, 0.002, (played,)))
    report = report_as_json(FairPlayReport(0.01, 120, findings))
    found = Analysis.objects.create(
        pool=start["star"], kind="fair-play", result=report, finished_at=timezone.now()
    )
    with django_assert_num_queries(6):
        words = words_of(officer.get(f"/officers/pools/star/analyses/{found.pk}"))
    assert "proves nothing" in words
    assert "120 tests, corrected together by the rule of Holm" in words
    assert "Player A : more points from one opponent than expected ( Player B )" in words
    assert "Probability of such results: 1e-06" in words
    assert "Player B : fewer points than expected" in words
    assert f"{game[0].pk} Player B (1500) 1600 0 64" in words


def test_an_analysis_that_has_no_result(officer: Client, start: dict[str, Any]) -> None:
    path = "/officers/pools/star/analyses"
    waiting = make_analysis(start["star"])
    assert "It is being computed" in words_of(officer.get(f"{path}/{waiting.pk}"))
    problem = {"code": "not_estimable", "detail": "more games are needed"}
    Analysis.objects.update(finished_at=timezone.now(), problem=problem)
    assert "more games are needed" in words_of(officer.get(f"{path}/{waiting.pk}"))
    empty = make_analysis(start["star"], finished_at=timezone.now())
    assert "By 0 games, beside table v1" in words_of(officer.get(f"{path}/{empty.pk}"))
    assert officer.get(f"{path}/{10**17}").status_code == 404
