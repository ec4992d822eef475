"""The director's overview: what is next, the transitions of the event, and who may see it."""

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

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and three others, and two rounds that are not paired."""
    event = make_running(organiser, 3, rounds=2)
    event.enter(player_of(ada))
    return event


def fields(page: Any, **values: str) -> dict[str, str]:
    return {"if_match": page.context["if_match"], **values}


def test_only_officials_see_it(client: Client, ada: Person, stranger: Person, event: Event):
    assert client.get(PAGE).headers["Location"] == "/login?next=%2Fe%2Fspring%2Frun"
    for person in (ada, stranger):
        client.force_login(person.account)
        assert client.get(PAGE).status_code == 403
        assert client.post(PAGE, {"action": "cancel", "reason": "x"}).status_code == 403


def test_a_private_event_does_not_exist_for_a_stranger(
    client: Client, stranger: Person, event: Event
):
    Tournament.objects.update(public=False)
    client.force_login(stranger.account)

    assert client.get(PAGE).status_code == client.post(PAGE, {}).status_code == 404


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


def test_an_event_is_cancelled_with_a_reason_and_resumed(director: Client, event: Event):
    page = director.get(PAGE)
    rejected = director.post(PAGE, fields(page, action="cancel"))

    assert rejected.status_code == 422
    assert "This field is required" in rejected.content.decode()

    done = director.post(PAGE, fields(page, action="cancel", reason="flood"))
    assert (done.status_code, done.headers["Location"]) == (303, f"{PAGE}?done=cancel")
    page = director.get(done.headers["Location"])
    assert "The event is cancelled." in page.content.decode()
    assert page.context["main"] == "resume"

    director.post(PAGE, fields(page, action="resume"))
    event.tournament.refresh_from_db()
    assert event.tournament.state == "running"


def test_a_stale_page_says_who_changed_what(director: Client, event: Event):
    page = director.get(PAGE)
    event.step("cancel")

    stale = director.post(PAGE, fields(page, action="cancel", reason="flood"))

    assert stale.status_code == 412
    text = stale.content.decode()
    assert "Somebody else has changed this meanwhile" in text
    assert ": Event cancelled (Olga)" in text


def test_forbidden_transitions_are_disabled_with_their_reason(director: Client, event: Event):
    event.publish(1)

    text = " ".join(director.get(PAGE).content.decode().split())

    assert 'disabled>Begin the review</button> <span class="about">Rounds 1, 2 are not' in text
    assert 'value="cancel"' in text


@pytest.mark.parametrize("body", [{}, {"action": "burn"}, {"action": "cancel", "reason": "a\0b"}])
def test_bad_forms_are_rejected(director: Client, event: Event, body: dict[str, str]):
    response = director.post(PAGE, {"if_match": "*", **body})

    assert response.status_code in (400, 422)


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


@pytest.mark.parametrize(
    ("language", "why", "required"),
    [
        (
            "de",
            "Spring Open: läuft; nötig ist: Anmeldung offen",
            "Diese Angabe fehlt.",
        ),
        (
            "fr",
            "Spring Open : en cours ; il faut : ouvert aux inscriptions",
            "Cette indication manque.",
        ),
    ],
)
def test_refusals_are_in_the_language_of_the_reader(
    director: Client, event: Event, language: str, why: str, required: str
) -> None:
    headers = {"Accept-Language": language}
    page = director.get("/e/spring/run", headers=headers)
    text = page.content.decode().replace("\u00a0", " ")
    assert why in text
    refused = director.post("/e/spring/run", {"action": "start", "if_match": "*"}, headers=headers)
    assert refused.status_code == 409
    assert why in refused.content.decode().replace("\u00a0", " ")
    empty = director.post("/e/spring/run", {"action": "cancel", "if_match": "*"}, headers=headers)
    assert empty.status_code == 422
    assert required in empty.content.decode()


def test_each_name_of_a_game_has_the_stone_of_its_seat(director: Client, organiser: Person):
    event = make_running(organiser, 4, slug="stones", rounds=2)
    by_hand = director.get("/e/stones/run/rounds/1").content.decode()
    game, other = event.publish(1)
    own = [f"/e/stones/{page}" for page in ("", "run/rounds/1", "run/rounds/1/results")]
    shown = [f"/games/{game.pk}", f"/games/{game.pk}/reports", f"/e/stones/run/games/{game.pk}"]
    pages = (*own, "/e/stones/rounds/1", "/e/stones/rounds/1/boards/1", "/e/stones/games", *shown)

    for text in (
        by_hand,
        *(director.get(page.removesuffix("/")).content.decode() for page in pages),
    ):
        for seat in ("first", "second"):
            assert f'<span class="stone {seat}"></span>&nbsp;' in text
            assert f'<span class="stone {seat}"></span> ' not in text
    card = director.get(f"/e/stones/players/{other.second.name[-1]}").content.decode()
    opponent = '<span class="stone first"></span>&nbsp;<a href="/e/stones/players/'
    assert opponent in " ".join(card.split())


def test_a_player_without_an_opponent_has_no_stone(client: Client, organiser: Person):
    make_running(organiser, 3, slug="odd", rounds=2).publish(1)

    page = client.get("/e/odd/rounds/1").content.decode()

    assert page.count("stone first") == page.count("stone second") == 1


def test_a_rated_event_names_its_pool(director: Client, organiser: Person):
    make_event(organiser, slug="autumn", pool="star", rated=True)

    page = director.get("/e/autumn/run").content.decode()

    assert '<a href="/pools/star">*Star</a>' in page
    setup = director.get("/e/autumn/run/setup").content.decode()
    assert '<a href="/e/autumn/run">Next step</a></p>' in setup


def test_the_start_asks_first_if_somebody_is_missing(
    client: Client, organiser: Person, ada: Person
) -> None:
    event = make_event(organiser, check_in="tournament")
    event.enter(*make_players(3))
    event.step("open")
    apply(event.tournament, player_of(ada), by=ada.account)
    client.force_login(organiser.account)

    page = client.get(PAGE).content.decode()
    assert "3 of 3 players have not checked in." in page
    assert "1 application waits for an answer." in page
    assert 'name="action" value="start"' not in page
    assert f'href="{PAGE}?confirm=start"' in page

    asked = client.get(f"{PAGE}?confirm=start")
    assert "Start the event nevertheless?" in asked.content.decode()
    assert client.post(PAGE, fields(asked, action="start")).status_code == 303


def test_nobody_is_checked_in_before_the_first_day(client: Client, organiser: Person) -> None:
    event = make_event(organiser, check_in="tournament")
    event.enter(*make_players(3))
    event.step("open")
    client.force_login(organiser.account)
    pages = [PAGE, PAGE.removesuffix("/run")]

    assert all("Check in all 3 missing" in client.get(page).content.decode() for page in pages)
    assert (
        '<a class="button" href="/e/spring/run/entries">Add players</a>'
        in client.get(PAGE).content.decode()
    )
    tomorrow = timezone.localdate() + timedelta(days=2)
    Tournament.objects.update(starts_on=tomorrow, ends_on=tomorrow)
    assert not any("Check in all" in client.get(page).content.decode() for page in pages)


def test_the_start_is_one_press_without_a_concern(client: Client, organiser: Person) -> None:
    event = make_event(organiser)
    event.enter(*make_players(3))
    event.step("open")
    client.force_login(organiser.account)
    assert 'name="action" value="start"' in client.get(PAGE).content.decode()


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
    assert "An archived event is closed" in asked.content.decode()
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
    assert "The event is final. Its rating waits:" in page
    assert 'class="button main" href="/e/rated/run?confirm' not in page
    asked = client.get("/e/rated/run?confirm=archive").content.decode()
    assert "Its rating still waits for a decision." in asked
    assert 'name="action" value="archive"' in asked
