"""The pages of pools, lists, runs, players, officers and staff."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games.models import Player, Role
from ratings.lists.services import publish_list
from ratings.models import Analysis, Pool, PublishedList
from ratings.runs.services import advance_pool
from tests.people import make_person
from tests.ratings.factories import day, file_event, make_game, make_players

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
OFFICERS = "/officers/pools/star"


@pytest.fixture
def start(db: None) -> dict[str, Any]:
    """Ann, who beat Bo and drew with Cy at the cup."""
    star = Pool.objects.get(code="star")
    ann, bo, cy = make_players(3)
    games = [
        make_game(ann, bo, event="Cup", round="1", played_on="2026-03-01"),
        make_game(cy, ann, "1/2", event="Cup", round="2", swap=False),
    ]
    file_event(star, "cup", day(3), games)
    advance_pool(star.pk)
    return {"ann": ann}


@pytest.fixture
def cup(start: dict[str, Any]) -> Player:
    found: Player = start["ann"]
    return found


@pytest.fixture
def officer(client: Client, star: Pool) -> Client:
    """A browser in which an officer of the pool is logged in."""
    person = make_person("Otto")
    Role.objects.create(stream=star.stream, account=person.account, role="rating_officer")
    client.force_login(person.account)
    return client


def text_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def test_the_lists_and_runs_of_a_pool(client: Client, cup: Player, star: Pool) -> None:
    officer = make_person("Otto")
    publish_list(star, now=timezone.now(), by=officer.account)
    published = PublishedList.objects.get()

    assert 'href="/pools/star"' in text_of(client, "/pools")
    page = text_of(client, "/pools/star?provisional=1&inactive=1")
    assert f'href="/players/{cup.pk}"' in page
    assert not re.findall(r'<td class="right">\d+–\d+</td>', page)  # two games are few
    assert "/officers/" not in page
    assert f"/pools/star/lists/{published.published_on}" in page
    assert text_of(client, f"/pools/star/lists/{published.published_on}")
    assert text_of(client, "/pools/star/runs/1").count("Cup") == 4


def test_a_list_of_provisional_players_shows_them_and_says_so(
    client: Client, cup: Player, star: Pool
) -> None:
    page = strip_tags(text_of(client, "/pools/star?inactive=1"))
    assert all(f"Player {letter}" in page for letter in "ABC")  # nobody has played more

    star.ratings.filter(player=cup).update(games=10)
    page = text_of(client, "/pools/star?inactive=1")
    assert 'href="?provisional=1&amp;inactive=1"' in page
    assert "Player B" not in page
    assert "Player B" in text_of(client, "/pools/star?provisional=1&inactive=1")


def test_a_player_is_compared_with_one_found_by_name(client: Client, cup: Player) -> None:
    path = f"/players/{cup.pk}/versus"
    bo, cy = Player.objects.exclude(pk=cup.pk).order_by("pk")
    page = text_of(client, f"/players/{cup.pk}")
    assert f'action="{path}"' in page
    assert f'href="/players/{cup.pk}/what-if?pool=star"' in page
    assert f"/players/{cup.pk}/ratings.svg?pool=star" in page
    several = text_of(client, f"{path}?q=player")
    for other, is_listed in ((bo, True), (cy, True), (cup, False)):
        assert (f'href="{path}/{other.pk}"' in several) == is_listed
    found = client.get(f"{path}?q=yer+c")
    assert (found.status_code, found["Location"]) == (303, f"{path}/{cy.pk}")
    assert client.get(f"{path}?q=%00x%00").status_code == 200
    assert "won 1, lost 0, drew 0" in text_of(client, f"{path}/{bo.pk}")


def test_all_runs_and_lists_are_found_page_by_page(
    client: Client, star: Pool, django_assert_num_queries: Any
) -> None:
    ann, bo = make_players(2)
    officer = make_person("Otto").account
    for number in range(1, 4):
        file_event(star, f"cup-{number}", day(number), [make_game(ann, bo)])
        advance_pool(star.pk)
        star.refresh_from_db()
        publish_list(star, now=day(number), by=officer)
    page = text_of(client, "/pools/star")
    for name, addresses in (
        ("runs", [f"/pools/star/runs/{number}" for number in range(1, 4)]),
        ("lists", [f"/pools/star/lists/2026-03-0{number}" for number in range(1, 4)]),
    ):
        assert f'href="/pools/star/{name}"' in page
        with django_assert_num_queries(2):
            found = text_of(client, f"/pools/star/{name}")
        assert [f'href="{address}"' in found for address in addresses] == [True] * 3
        last = text_of(client, f"/pools/star/{name}?limit=1")
        assert [f'href="{address}"' in last for address in addresses] == [False, False, True]
        assert 'rel="next"' in last


@pytest.mark.parametrize("rows", [1, 3])
def test_the_queries_are_constant(
    client: Client, star: Pool, rows: int, django_assert_num_queries: Any
) -> None:
    players = make_players(rows + 1)
    games = [make_game(players[0], other, event="Cup") for other in players[1:]]
    file_event(star, "cup", day(3), games)
    advance_pool(star.pk)

    with django_assert_num_queries(6):
        client.get("/pools/star?provisional=1&inactive=1")
    with django_assert_num_queries(7):
        client.get(f"/players/{players[0].pk}")


def test_officers_publish_analyse_and_edit(officer: Client, cup: Player, star: Pool) -> None:
    assert officer.post(OFFICERS, {"action": "publish"}).status_code == 303
    assert PublishedList.objects.count() == 1
    again = officer.post(OFFICERS, {"action": "publish"})
    assert again.status_code == 409
    assert officer.post(OFFICERS, {"action": "analyse", "kind": "fair_play"}).status_code == 303
    analysis = Analysis.objects.get()
    assert analysis.kind == "fair_play"
    page = text_of(officer, OFFICERS)
    for name in (f"analyses/{analysis.pk}", "batches", "handicaps"):
        assert f'href="{OFFICERS}/{name}"' in page
    tag = officer.get(OFFICERS).context["if_match"]
    edit = {"action": "edit", "if_match": tag, "least_expected": "7"}
    assert officer.post(OFFICERS, edit).status_code == 303
    assert officer.post(OFFICERS, edit).status_code == 412
    star.refresh_from_db()
    assert star.least_expected == 7


@pytest.mark.parametrize(
    ("ticked", "boards", "games"),
    [
        (["star-star"], {"hex": "11, 13"}, {"hex": ["11", "13"], "star-star": []}),
        ([], {"hex": "11"}, {"hex": ["11"]}),
    ],
)
def test_officers_say_which_games_are_rated(
    officer: Client,
    star: Pool,
    ticked: list[str],
    boards: dict[str, str],
    games: dict[str, list[str]],
) -> None:
    Pool.objects.update(rated_games={"twixt": ["24"]})
    page = officer.get(OFFICERS)
    assert 'name="rated_rulesets.twixt" value="24"' in page.content.decode()
    form = {
        f"rated_rulesets.{code}": boards.get(code, "") for code in ("hex", "star-star", "twixt")
    }
    form |= {"action": "edit", "if_match": page.context["if_match"]}
    assert officer.post(OFFICERS, form | {"rated_games[]": ["", *ticked]}).status_code == 303
    star.refresh_from_db()
    assert star.rated_games == games
    rows = {
        row["code"]: row for row in officer.get(OFFICERS).context["fields"]["rated_rulesets"].rows
    }
    assert [code for code, row in rows.items() if row["is_ticked"]] == [
        code for code in rows if code in games
    ]
    assert {code: rows[code]["boards"].split() for code in games} == games


def test_staff_add_an_officer_by_their_address(client: Client, star: Pool) -> None:
    staff = make_person("Root", is_staff=True)
    client.force_login(staff.account)
    person = make_person("Otto")
    form = {"action": "add-officer", "account": "nobody@example.org"}
    wrong = client.post(OFFICERS, form)
    assert wrong.status_code == 422
    assert 'value="nobody@example.org"' in wrong.content.decode()
    email = person.account.email.upper()
    assert client.post(OFFICERS, form | {"account": email}).status_code == 303
    assert person.account in [*client.get(OFFICERS).context["officers"]]
    client.force_login(person.account)
    assert client.post(OFFICERS, form).status_code == 403


def test_officers_say_which_time_classes_are_rated(officer: Client, star: Pool) -> None:
    for sent, stored in ((["rapid", "blitz"], ["blitz", "rapid"]), ([""], [])):
        form = {"action": "edit", "if_match": officer.get(OFFICERS).context["if_match"]}
        assert officer.post(OFFICERS, form | {"time_classes[]": sent}).status_code == 303
        star.refresh_from_db()
        assert star.time_classes == stored
        shown = officer.get(OFFICERS).content.decode()
        assert shown.count(' checked> <label for="field-edit-time_classes') == len(stored)
