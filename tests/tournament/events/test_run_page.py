"""The director's overview: what is next, the transitions of the event, and who may see it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import Decision
from tests.events import Event, make_event, make_players, make_running
from tests.people import Person, player_of
from tournament.entries.applications import apply
from tournament.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/e/spring/run"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and three others, and two rounds that are not paired."""
    event = make_running(organiser, 3, rounds=2)
    event.enter(player_of(ada))
    return event


def fields(page: Any, **values: str) -> dict[str, str]:
    return {"if_match": page.context["if_match"], **values}


def test_the_next_step_follows_the_rounds(director: Client, event: Event):
    def label() -> str:
        step = director.get(PAGE).context["step"]
        return step and step.label

    assert label() == "Pair round 1"
    event.draft(1)
    assert label() == "Publish round 1"
    event.publish(1)
    assert label() == "Enter the results of round 1"
    event.finish(1)
    assert label() == "Pair round 2"
    event.play(2)
    assert label() is None
    assert director.get(PAGE).context["main"] == "review"


def test_the_checklist_says_what_is_done_and_what_is_missing(
    director: Client, event: Event
) -> None:
    def items() -> list[tuple[str, str]]:
        page = director.get(PAGE).content.decode()
        found = re.findall(r"<li(?: class=\"(\w+)\")?>(.*?)</li>", page.partition("todo")[2])
        shown = [
            (kind, re.sub(r"<span class=.hidden.*?</span>|<[^>]*>", "", text))
            for kind, text in found
        ]
        return [
            (kind, text)
            for kind, text in shown
            if "ound" in text or "result" in text or "entr" in text
        ]

    assert items() == [("", "Round 1: not paired yetPairings"), ("checked", "4 entriesPlayers")]
    (game, _other) = event.publish(1)
    event.rule(game)
    assert items() == [
        ("checked", "Round 1 is paired and publishedPrint"),
        ("", "1 of 2 resultsResults"),
        ("checked", "4 entriesPlayers"),
    ]


def test_an_event_is_cancelled_with_a_reason_and_resumed(director: Client, event: Event):
    page = director.get(PAGE)
    rejected = director.post(PAGE, fields(page, action="cancel"))

    assert rejected.status_code == 422

    done = director.post(PAGE, fields(page, action="cancel", reason="flood"))
    assert (done.status_code, done.headers["Location"]) == (303, f"{PAGE}?done=cancel")
    assert director.post(PAGE, fields(page, action="cancel", reason="flood")).status_code == 412
    page = director.get(done.headers["Location"])
    assert page.context["main"] == "resume"

    director.post(PAGE, fields(page, action="resume"))
    event.tournament.refresh_from_db()
    assert event.tournament.state == "running"


def test_the_queries_do_not_grow_with_the_games(
    director: Client, event: Event, django_assert_num_queries: Any
):
    for number in (1, 2):
        event.publish(number)
        with django_assert_num_queries(20):
            director.get(PAGE)
        event.finish(number)
        if number == 1:
            event.enter(*make_players(2, first_rating=900))


def test_the_start_asks_first_if_somebody_is_missing(
    client: Client, organiser: Person, ada: Person
) -> None:
    event = make_event(organiser, check_in="tournament")
    event.enter(*make_players(3))
    event.step("open")
    apply(event.tournament, player_of(ada), by=ada.account)
    client.force_login(organiser.account)

    page = client.get(PAGE).content.decode()
    assert 'name="action" value="start"' not in page
    assert f'href="{PAGE}?confirm=start"' in page

    asked = client.get(f"{PAGE}?confirm=start")
    assert client.post(PAGE, fields(asked, action="start")).status_code == 303


def test_nobody_is_checked_in_before_the_first_day(client: Client, organiser: Person) -> None:
    event = make_event(organiser, check_in="tournament")
    event.enter(*make_players(3))
    event.step("open")
    client.force_login(organiser.account)
    pages = [PAGE, PAGE.removesuffix("/run")]

    assert all("Check in all 3 missing" in client.get(page).content.decode() for page in pages)
    tomorrow = timezone.localdate() + timedelta(days=2)
    Tournament.objects.update(starts_on=tomorrow, ends_on=tomorrow)
    assert not any("Check in all" in client.get(page).content.decode() for page in pages)


def test_a_draft_without_boards_is_paired_again(director: Client, event: Event) -> None:
    event.tournament.check_in = "round"
    event.tournament.save()
    event.tournament.entries.filter(pairing_number=1).update(checked_in_round=1)
    event.draft(1)
    step = director.get(PAGE).context["step"]
    assert (step.label, step.detail) == (
        "Pair round 1 again", "The draft has no board: nobody plays."
    )  # fmt: skip


def test_a_final_event_is_archived_after_a_question(director: Client, event: Event) -> None:
    for number in (1, 2):
        event.play(number)
    event.step("review", "finalise")

    page = director.get(PAGE).content.decode()
    assert 'name="action" value="archive"' not in page
    assert f'href="{PAGE}?confirm=archive"' in page
    asked = director.get(f"{PAGE}?confirm=archive")
    assert director.post(PAGE, fields(asked, action="archive")).status_code == 303


def test_a_final_event_whose_rating_waits_is_not_archived_next(
    client: Client, organiser: Person, stranger: Person
) -> None:
    event = make_running(stranger, 2, slug="rated", rounds=1, rated=True, pool="star")
    Decision.objects.all().delete()
    event.play(1)
    event.step("review", "finalise")
    client.force_login(stranger.account)

    page = client.get("/e/rated/run").content.decode()
    assert 'class="button main" href="/e/rated/run?confirm' not in page
    asked = client.get("/e/rated/run?confirm=archive").content.decode()
    assert 'name="action" value="archive"' in asked


def test_each_name_of_a_game_has_the_stone_of_its_seat(client: Client, organiser: Person) -> None:
    game = make_running(organiser, 4, slug="stones", rounds=2).publish(1)[1]

    card = client.get(f"/e/stones/players/{game.second.name[-1]}").content.decode()

    opponent = '<span class="stone first"></span>&nbsp;<a href="/e/stones/players/'
    assert opponent in " ".join(card.split())
