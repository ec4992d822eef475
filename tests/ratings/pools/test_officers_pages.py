"""The pages of a pool's officers: its events, organisers and analyses."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Role
from ratings.models import Analysis, Pool
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

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OFFICERS = "/officers/pools/star"
BATCHES = f"{OFFICERS}/batches"
LISTS = ("events", "organisers", "analyses")


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """Three events of two players, and an officer."""
    star = Pool.objects.get(code="star")
    ann, bo = make_players(2)
    games = [make_game(ann, bo) for _ in range(3)]
    batches = [
        file_event(star, name, day(number), [game])
        for number, (name, game) in enumerate(zip(("one", "two", "three"), games, strict=True), 1)
    ]
    advance_pool(star.pk)
    officer = make_person("Otto").account
    Role.objects.create(stream=star.stream, account=officer, role="rating_officer")
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


def test_only_officers_see_these_pages(client: Client, start: dict[str, Any]) -> None:
    make_analysis(start["star"], pk=1)
    pages = ("", "/batches", "/handicaps", "/analyses/1", *(f"/{name}" for name in LISTS))
    paths = [*(f"{OFFICERS}{page}" for page in pages), "/officers/new-pool"]
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 303)
    client.force_login(make_person("Stig").account)
    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 403)
    assert client.post(BATCHES, {"action": "cancel", "batch_id": "1"}).status_code == 403


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


def test_events_and_organisers_are_decided_on_their_lists(
    officer: Client, start: dict[str, Any]
) -> None:
    organiser = make_person("Olga")
    event = make_event(organiser, pool="star").step("open")
    form = {"slug": event.tournament.slug, "reason": "no clocks"}
    assert officer.post(f"{OFFICERS}/events", form | {"action": "refuse"}).status_code == 303
    assert "no clocks" in officer.get(f"{OFFICERS}/events").content.decode()
    person = {"account_id": str(organiser.account.pk), "action": "refuse-organiser"}
    assert officer.post(f"{OFFICERS}/organisers", person).status_code == 422
    assert officer.post(f"{OFFICERS}/organisers", person | {"reason": "why"}).status_code == 303
    assert "(why)" in officer.get(f"{OFFICERS}/organisers").content.decode()


def test_a_finding_has_its_games(
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
        pool=start["star"], kind="fair_play", result=report, finished_at=timezone.now()
    )
    with django_assert_num_queries(6):
        page = officer.get(f"{OFFICERS}/analyses/{found.pk}")
    rows = page.context["findings"]
    assert [(row["kind"], row["player"]["name"]) for row in rows] == [
        ("pair", "Player A"), ("below", "Player B"),
    ]  # fmt: skip
    assert page.content.decode().count(f'href="/games/{game[0].pk}"') == 2


def test_an_analysis_that_has_no_result(officer: Client, start: dict[str, Any]) -> None:
    path = f"{OFFICERS}/analyses"
    waiting = make_analysis(start["star"])
    assert officer.get(f"{path}/{waiting.pk}").context["report"] == {}
    problem = {"code": "not_estimable", "detail": "more games are needed"}
    Analysis.objects.update(finished_at=timezone.now(), problem=problem)
    assert "more games are needed" in officer.get(f"{path}/{waiting.pk}").content.decode()
    empty = make_analysis(start["star"], finished_at=timezone.now())
    page = officer.get(f"{path}/{empty.pk}")
    assert [row["games"] for _, row in page.context["estimated"]] == [0]
    assert officer.get(f"{path}/{10**17}").status_code == 404
