"""The corrections of an event: preview, commit, undo, by round and board or pairing number."""

from typing import Any

import pytest
from django.test import Client

from tests.events import Event, make_event, make_players
from tests.people import Person, player_of
from tournament.entries.byes import request_bye
from tournament.models import Bye, Correction, Tournament

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/corrections"
WHY = "the slip was read wrongly"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event of seven; two rounds are complete, the third is drafted."""
    event = make_event(
        organiser, system="dutch", rounds=3, prizes=[{"name": "Open", "amounts": [9]}]
    )
    entries = event.enter(player_of(ada), *make_players(6))
    event.tournament.entries.update(category="B", birth_year=1990)
    event.step("open", "start")
    request_bye(entries[6], 1, Bye.Kind.ZERO, by=organiser.account)
    event.play(1)
    event.play(2)
    event.draft(3)
    return event


def preview(browser: Client, page: str = PAGE, **values: str) -> Any:
    action = "commit" if page == PAGE else "undo"
    body = {"action": action, "reason": WHY} | values
    return browser.post(f"{page}?dry_run=1", body)


def commit(browser: Client, previewed: Any, action: str = "commit", page: str = PAGE) -> Any:
    """Send the form of a preview."""
    digest = previewed.context["preview"]["digest"]
    return browser.post(
        page, dict(previewed.context["resent"]) | {"action": action, "digest": digest}
    )


def test_only_officials_see_them(client: Client, ada: Person, stranger: Person, event: Event):
    assert client.get(PAGE).status_code == 303
    for person in (ada, stranger):
        client.force_login(person.account)
        assert client.get(PAGE).status_code == 403
        assert preview(client, results="1 1 0-1").status_code == 403
    Tournament.objects.update(public=False)
    client.force_login(stranger.account)
    assert preview(client, results="1 99 0-1").status_code == 404


def test_a_correction_is_previewed_committed_and_undone(director: Client, event: Event):
    previewed = preview(director, results="1 1 7-14")
    assert previewed.status_code == 200
    text = " ".join(previewed.content.decode().split())
    assert "11-10 → <strong>7-14</strong>" in text
    assert "The draft is withdrawn." in text
    assert previewed.context["preview"]["effect"]["standings"]
    assert Correction.objects.count() == 0

    done = commit(director, previewed)
    assert done.headers["Location"] == f"{PAGE}/1?done=commit"
    page = f"{PAGE}/1"
    assert "The correction is committed." in director.get(done.headers["Location"]).content.decode()
    assert event.games(1)[0].score_first == 7

    undone = commit(director, preview(director, page, reason="it was right"), "undo", page)
    assert undone.headers["Location"] == f"{PAGE}/2?done=undo"
    assert "The correction is undone." in director.get(undone.headers["Location"]).content.decode()
    assert event.games(1)[0].score_first == 11
    assert "Undo it" not in director.get(page).content.decode()
    rows = director.get(PAGE).context["corrections"]
    assert [(row["number"], row["name"], row["reason"]) for row in rows] == [
        (2, "Olga", "it was right"),
        (1, "Olga", WHY),
    ]


OTHERS = [
    (
        {"bye.number": "7", "bye.round": "1", "bye.bye": "half-bye"},
        "absent → <strong>half-point bye",
    ),
    ({"entry.number": "2", "entry.seed_rating": "1700"}, "Rating <strong>1700"),
    ({"results": "1 1 annulled\n1 2 0-1f"}, "→ <strong>annulled"),
    ({"entry.number": "2", "entry.clear[]": "category"}, "Category <strong>–"),
    ({"entry.number": "2", "entry.clear[]": "birth_year"}, "Year of birth <strong>–"),
    ({"results": "1 1 0", "scope": "standings"}, "→ <strong>0-1"),
]


@pytest.mark.parametrize(("values", "shown"), OTHERS)
def test_every_kind_of_correction(
    director: Client, event: Event, values: dict[str, str], shown: str
):
    previewed = preview(director, **values)

    assert shown in previewed.content.decode()
    assert commit(director, previewed).status_code == 303


REJECTED = [
    ({}, 422, "correct at least one result, bye or entry"),
    ({"results": "nonsense"}, 422, "is not a round, a board and a result"),
    ({"results": "1 9 1-0"}, 422, "round 1 has no game at board 9"),
    ({"results": "1 1r 1-0"}, 422, "round 1 has no game at board 1r"),
    ({"results": "1 1 20-20"}, 422, "20-20"),
    ({"results": "1 1 14-7", "reason": ""}, 422, "This field is required"),
    ({"results": "1 1 14-7", "scope": "all"}, 422, "is not a valid choice"),
    ({"results": "1 1 14-7\n" * 101}, 422, "at most 100 changes"),
    ({"results": "1 1 x\0"}, 422, "Null characters"),
    ({"bye.number": "99", "bye.round": "1", "bye.bye": "half-bye"}, 422, "pairing number 99"),
    ({"bye.number": "x" * 900}, 422, "pairing number"),
    ({"entry.number": "2", "entry.birth_year": "1"}, 422, "1"),
    ({"entry.number": "2", "entry.clear[]": "colour"}, 422, "colour"),
    ({"entry.number": "2", "entry.clear[]": "seed_rating"}, 422, "valid integer"),
]


@pytest.mark.parametrize(("values", "status", "detail"), REJECTED)
def test_a_wrong_correction_stays_in_the_form(
    director: Client, event: Event, values: dict[str, str], status: int, detail: str
):
    rejected = preview(director, **values)

    assert rejected.status_code == status
    assert detail in rejected.content.decode().replace("&#x27;", "'")
    assert values.get("results", "") in rejected.content.decode()


def test_a_stale_preview_is_not_committed(director: Client, event: Event):
    previewed = preview(director, results="1 1 7-14")
    other = preview(director, results="1 2 7-14")
    commit(director, other)

    stale = commit(director, previewed)

    assert stale.status_code == 412
    assert "preview it again" in stale.content.decode()
    assert "1 1 7-14</textarea>" in stale.content.decode()


def test_a_link_names_the_round_and_the_board(director: Client, event: Event):
    assert ">2 3 </textarea>" in director.get(f"{PAGE}?round=2&board=3").content.decode()
    assert "<script" not in director.get(f"{PAGE}?round=<script>").context["results"]


def test_an_unknown_correction_is_not_found(director: Client, event: Event):
    assert director.get(f"{PAGE}/9").status_code == 404
    assert director.post(f"{PAGE}/9", {"action": "undo", "reason": "x"}).status_code == 404
    assert director.post(f"{PAGE}/9", {"action": "commit", "reason": "x"}).status_code == 404


def test_the_queries_do_not_grow_with_the_corrections(
    director: Client, event: Event, django_assert_num_queries: Any
):
    for board in (1, 2):
        commit(director, preview(director, results=f"1 {board} 7-14"))
        with django_assert_num_queries(13):
            director.get(PAGE)
