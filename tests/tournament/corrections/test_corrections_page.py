"""The corrections of an event: preview, commit, undo, by round and board or pairing number."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.handicaps import publish_ten_points
from tournament.entries.byes import request_bye
from tournament.models import Bye, Correction

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/e/spring/run/corrections"
WHY = "the slip was read wrongly"


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A running event of seven; two rounds are complete, the third is drafted."""
    organiser, ada = make_person("Olga"), make_player("Ada", 2100)
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


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def preview(browser: Client, page: str = PAGE, **values: str) -> Any:
    action = "commit" if page.endswith("corrections") else "undo"
    body = {"action": action, "reason": WHY} | values
    return browser.post(f"{page}?dry_run=1", body)


def commit(browser: Client, previewed: Any, action: str = "commit", page: str = PAGE) -> Any:
    """Send the form of a preview."""
    digest = previewed.context["preview"]["digest"]
    return browser.post(
        page, dict(previewed.context["resent"]) | {"action": action, "digest": digest}
    )


def test_only_officials_see_them(client: Client, ada: Person, event: Event):
    client.force_login(ada.account)
    assert client.get(PAGE).status_code == 403


def test_a_game_is_annulled_in_the_language_of_the_page(director: Client, event: Event) -> None:
    german = {"headers": {"Accept-Language": "de"}}
    body = {"action": "commit", "reason": WHY, "results": "1 1 Annulliert"}
    previewed = director.post(f"{PAGE}?dry_run=1", body, **german)
    (change,) = previewed.context["preview"]["changes"]
    assert change["after"]["state"] == "annulled"


def test_a_correction_is_previewed_committed_and_undone(director: Client, event: Event):
    previewed = preview(director, results="1 1 7-14")
    assert previewed.status_code == 200
    text = " ".join(previewed.content.decode().split())
    assert "11-10 → <strong>7-14</strong>" in text
    assert "points: 1 → 2<br>Buchholz: 2 → 1</td>" in text
    due = text.partition("would be paired differently:")[2].partition("The round stays")[0]
    assert due == (
        " board 1: Player 3 (4) – Player 2 (3); board 2: Player 5 (6) – Player 4 (5); "
        "board 3: Player 6 (7) – Ada (1); bye: Player 1 (2). "
    )
    assert "The draft is withdrawn." in text
    assert Correction.objects.count() == 0

    done = commit(director, previewed)
    assert done.headers["Location"] == f"{PAGE}/1?done=commit"
    page = f"{PAGE}/1"
    assert "The correction is made." in director.get(done.headers["Location"]).content.decode()
    assert event.games(1)[0].score_first == 7

    undone = commit(director, preview(director, page, reason="it was right"), "undo", page)
    assert undone.headers["Location"] == f"{PAGE}/2?done=undo"
    assert event.games(1)[0].score_first == 11
    assert "Undo it" not in director.get(page).content.decode()
    rows = director.get(PAGE).context["corrections"]
    assert [(row["number"], row["name"], row["reason"]) for row in rows] == [
        (2, "Olga", "it was right"),
        (1, "Olga", WHY),
    ]


OTHERS = [
    (
        {"bye.number": "7", "bye.round": "1", "bye.bye": "half_bye"},
        "absent → <strong>half-point bye",
    ),
    ({"entry.number": "2", "entry.seed_rating": "1700"}, "Rating <strong>1700"),
    ({"results": "1 1 annulled\n1 2 -"}, "→ <strong>0-1 forfeit"),
    ({"entry.number": "2", "entry.clear[]": "seed_rating"}, "Rating <strong>–"),
    ({"entry.number": "2", "entry.clear[]": "category"}, "Category <strong>–"),
    (
        {"entry.number": "2", "entry.clear[]": "category", "entry.category": "C"},
        "Category <strong>C",
    ),
    ({"results": "1 1 0", "scope": "standings"}, "→ <strong>0-1"),
]


def test_every_kind_of_correction(director: Client, event: Event):
    for values, shown in OTHERS:
        previewed = preview(director, **values)
        assert shown in previewed.content.decode(), values
    everything = preview(director, **OTHERS[0][0] | OTHERS[1][0] | OTHERS[2][0])
    assert commit(director, everything).status_code == 303
    assert len(Correction.objects.get().changes) == 4


def test_what_is_corrected_is_chosen(director: Client, event: Event) -> None:
    """Games and byes of the two complete rounds; a choice stays if another field is wrong."""
    page = director.get(PAGE).content.decode()
    assert re.findall(r'href="/e/spring/run/rounds/(\d)/results">', page) == ["1", "2"]
    rounds = page.partition('name="bye.round"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\d)"', rounds) == ["1", "2"]
    rejected = preview(director, **{"bye.number": "99", "bye.round": "2", "bye.bye": "half_bye"})
    assert '<option value="2" selected>' in rejected.content.decode()


REJECTED = [
    ({}, "correct at least one result, bye or entry"),
    ({"results": "nonsense"}, "is not a round, a board and a result"),
    ({"results": "1 1r 1-0"}, "round 1 has no game at board 1r"),
    ({"results": "1 1 14-7\n" * 101}, "at most 100 changes"),
    ({"results": "1 1 14-7\n" * 100}, "is of the same"),
    ({"results": "1 1 x\0"}, "a result of this game is a score"),
    (
        {"bye.number": "99", "bye.round": "1", "bye.bye": "half_bye"},
        ">99 is no player of the event",
    ),
    ({"entry.number": "2", "entry.clear[]": "colour"}, "colour"),
]


def test_a_wrong_correction_stays_in_the_form(director: Client, event: Event):
    for values, detail in REJECTED:
        rejected = preview(director, **values)

        assert rejected.status_code == 422, values
        assert detail in rejected.content.decode().replace("&#x27;", "'")
        assert values.get("results", "") in rejected.content.decode()


def test_all_that_cannot_be_read_is_said_at_once(director: Client, event: Event):
    results = "1 1 20-20\nnonsense\n1 9 1-0"

    rejected = preview(director, results=results, reason="", **{"bye.number": "99"})

    errors = rejected.context["form"].errors
    assert {name: len(messages) for name, messages in errors.items()} == {
        "results": 2, "bye.number": 1,
    }  # fmt: skip
    assert [message.partition(":")[0] for message in errors["results"]] == ["line 2", "line 3"]


def test_a_stale_preview_is_not_committed(director: Client, event: Event):
    previewed = preview(director, results="1 1 7-14")
    other = preview(director, results="1 2 7-14")
    commit(director, other)

    stale = commit(director, previewed)

    assert stale.status_code == 412
    assert "preview it again" in stale.content.decode()
    assert "1 1 7-14</textarea>" in stale.content.decode()
    assert "digest" not in dict(stale.context["resent"])


def test_a_link_names_the_round_and_the_board(director: Client, event: Event):
    assert ">2 3 </textarea>" in director.get(f"{PAGE}?round=2&board=3").content.decode()
    assert "<script" not in director.get(f"{PAGE}?round=<script>").context["results"]


def test_an_unknown_correction_is_not_found(director: Client, event: Event):
    assert director.get(f"{PAGE}/9").status_code == 404
    assert director.post(f"{PAGE}/9", {"action": "undo", "reason": "x"}).status_code == 404
    assert director.post(f"{PAGE}/9", {"action": "commit", "reason": "x"}).status_code == 404


def test_who_was_first_and_won_which_prize_before_and_after(
    client: Client, organiser: Person
) -> None:
    prizes = [{"name": "Cup", "amounts": [300]}]
    event = make_event(organiser, slug="duel", system="knockout", rounds=1, prizes=prizes)
    event.enter(*make_players(2))
    event.step("open", "start").play(1)
    (game,) = event.games(1)
    client.force_login(organiser.account)
    page = "/e/duel/run/corrections"
    form = {"action": "commit", "reason": WHY, "results": "1 1 10-11"}
    assert commit(client, client.post(f"{page}?dry_run=1", form), page=page).status_code == 303

    page = client.get("/e/duel/corrections").content.decode()

    text = " ".join(re.sub(r"<[^>]*>", "", page).split())
    numbers = {entry.player_id: entry.pairing_number for entry in event.tournament.entries.all()}
    before, after = (
        f"{player.name} ({numbers[player.pk]})" for player in (game.first, game.second)
    )
    assert f"First in the standings: before: {before} {after}" in text
    assert f"Cup: {before}: before: place 1, 3.00 no prize" in text
    assert f"Cup: {after}: before: no prize place 1, 3.00" in text


def test_the_overview_of_an_event_that_is_over_names_the_corrections(
    client: Client, director: Client, event: Event
):
    commit(director, preview(director, results="1 1 7-14"))
    assert WHY not in client.get("/e/spring").content.decode()

    event.play(3)
    event.step("review")

    page = client.get("/e/spring").content.decode()
    assert '<a href="/e/spring/corrections#correction-1">Corrected on ' in page
    assert WHY in page


def test_a_correction_takes_the_count_of_the_board(organiser: Person, client: Client) -> None:
    """The second player has ten points."""
    event = publish_ten_points(organiser, slug="two")
    page = PAGE.replace("spring", "two")
    event.finish(1, "10-21")
    client.force_login(organiser.account)

    previewed = preview(client, page, results="1 1 19-12")

    (change,) = previewed.context["preview"]["changes"]
    assert (change["before"]["result"], change["after"]["result"]) == ("10-21", "9-22")
    assert "(19-12 on the board)" in previewed.content.decode()
    assert commit(client, previewed, page=page).status_code == 303
    assert event.games(1)[0].score_first == 9
