"""The pages on which players are listed, registered, corrected, deleted and erased."""

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Account, JournalLine, Player
from tests.events import Event, make_running
from tests.people import Person, make_person, player_of
from tests.tournament.conftest import login
from tournament.models import PersonalLink

pytestmark = pytest.mark.django_db
LIST, NEW = "/players", "/players/new"
DETAILS = {"country": "POR", "club": "Rooks", "seed_rating": "1900", "sex": "w"}


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A running event with Ada and two others."""
    event = make_running(organiser, 2)
    event.enter(player_of(ada))
    return event


@pytest.fixture
def staff(event: Event) -> Client:
    return login(make_person("Site", is_staff=True))


def details_of(player: Player) -> str:
    return f"/players/{player.pk}/edit"


def send(browser: Client, path: str, query: str = "", **form: object) -> HttpResponse:
    return browser.post(path + query, form)


def edit(browser: Client, player: Player, query: str = "", **form: object) -> HttpResponse:
    """Send the form of a player's details with the tag that the page shows."""
    tag = browser.get(details_of(player)).context["if_match"]
    return send(browser, details_of(player), query, **{"action": "edit", "if_match": tag} | form)


def test_who_may_open_the_details(
    client: Client, organiser: Person, ada: Person, stranger: Person, staff: Client, event: Event
) -> None:
    own, other = player_of(ada), Player.objects.get(name="Player 1")
    expected = {own: (403, 200, 403, 200), other: (200, 403, 403, 200)}
    people = (*map(login, (organiser, ada, stranger)), staff)
    for player, statuses in expected.items():
        path = details_of(player)
        assert client.get(path).headers["Location"] == f"/login?next={path.replace('/', '%2F')}"
        assert tuple(browser.get(path).status_code for browser in people) == statuses
        linked = [path in page.get(f"/players/{player.pk}").content.decode() for page in people]
        assert linked == [status == 200 for status in statuses]
        assert path not in client.get(f"/players/{player.pk}").content.decode()
    assert "Erase the personal data" in staff.get(details_of(own)).content.decode()
    assert "Erase the personal data" not in people[1].get(details_of(own)).content.decode()
    assert staff.get("/players/99999/edit").status_code == 404


def test_a_player_is_registered_after_a_preview(
    client: Client, ada: Person, stranger: Person
) -> None:
    assert client.get(NEW).status_code == 303
    browser = login(stranger)
    form = {"action": "register", "name": "Ada", **DETAILS, "external_ids": "fide: 1503014\r\n"}
    preview = send(browser, NEW, "?dry_run=1", **form)
    assert [player.name for player in preview.context["similar"]] == ["Ada"]
    assert 'value="Rooks"' in preview.content.decode()
    assert not Player.objects.filter(club="Rooks").exists()

    assert "It is another person: register them" in preview.content.decode()
    done = send(browser, NEW, "?another=1", **form)
    player = Player.objects.get(club="Rooks")
    assert done.headers["Location"] == f"{NEW}?done=register&id={player.pk}"
    assert f"/players/{player.pk}" in browser.get(done.headers["Location"]).content.decode()
    values = (player.name, player.country, player.seed_rating, player.birth_year, player.sex)
    assert values == ("Ada", "POR", 1900, None, "w")
    assert player.external_ids == {"fide": "1503014"}
    taken = send(browser, NEW, "?another=1", **form)
    assert taken.status_code == 409
    assert f"player {player.pk}" in taken.content.decode()


def test_details_are_corrected_and_emptied(staff: Client, ada: Person) -> None:
    player = player_of(ada)
    Player.objects.filter(pk=player.pk).update(club="Rooks", external_ids={"fide": "7"})
    ids = "kgs:ada\nfide:8"
    form = {"name": "Ada, Lovelace", "country": "gbr", "club": "", "seed_rating": "",
            "external_ids": ids}  # fmt: skip
    preview = edit(staff, player, "?dry_run=1", **form)
    assert "Ada, Lovelace, GBR" in preview.content.decode()
    player.refresh_from_db()
    assert player.name == "Ada"

    assert edit(staff, player, **form).headers["Location"] == f"{details_of(player)}?done=edit"
    player.refresh_from_db()
    assert (player.name, player.country, player.club) == ("Ada, Lovelace", "GBR", "")
    assert (player.seed_rating, player.external_ids) == (None, {"kgs": "ada", "fide": "8"})


def test_a_stale_form_keeps_what_was_typed(staff: Client, ada: Person) -> None:
    player = player_of(ada)
    tag = staff.get(details_of(player)).context["if_match"]
    edit(staff, player, name="Ada B")
    stale = send(staff, details_of(player), action="edit", if_match=tag, name="Ada C")
    page = stale.content.decode()
    assert stale.status_code == 412
    assert "Somebody else has changed this meanwhile" in page
    assert 'value="Ada C"' in page


def test_a_rating_with_a_sign_after_the_thousands_is_read(staff: Client, ada: Person) -> None:
    player = player_of(ada)
    for written, rating in (("1.900", 1900), ("2,000", 2000), ("1 850", 1850), ("1700", 1700)):
        edit(staff, player, name="Ada", seed_rating=written)
        player.refresh_from_db()
        assert player.seed_rating == rating


@pytest.mark.parametrize(
    ("form", "field"),
    [
        ({"name": ""}, "name"),
        ({"seed_rating": "1.9"}, "seed_rating"),
        ({"external_ids": "1503014"}, "external_ids"),
        ({"external_ids": "fide:1\nfide:2"}, "external_ids"),
        ({"external_ids": "FIDE ID:1"}, "external_ids"),
    ],
)
def test_a_wrong_detail_is_named_at_its_field(
    staff: Client, ada: Person, form: dict[str, str], field: str
) -> None:
    rejected = edit(staff, player_of(ada), **{"name": "Ada", "club": "Kept"} | form)
    wrong = [shown.name for shown in rejected.context["fields"] if shown.errors]
    assert (rejected.status_code, wrong) == (422, [field])
    assert 'value="Kept"' in rejected.content.decode()
    player = player_of(ada)
    player.refresh_from_db()
    assert (player.name, player.club) == ("Ada", "")


def test_a_player_who_has_played_is_not_deleted(staff: Client, ada: Person) -> None:
    path = details_of(player_of(ada))
    assert "was entered in an event or has played" in staff.get(path).content.decode()
    assert send(staff, path, action="delete").status_code == 409


def test_the_staff_erase_a_player_after_a_preview(
    staff: Client, organiser: Person, ada: Person, event: Event
) -> None:
    player, account = player_of(ada), ada.account
    assert account is not None
    path = details_of(player)
    for person in (organiser, ada):
        assert send(login(person), path, action="erase").status_code == 403
    preview = send(staff, path, "?dry_run=1", action="erase")
    page = preview.content.decode()
    for text in (f"Ada would be player {player.pk}", "1 entry, with", "it is closed", "for ever"):
        assert text in page
    assert Player.objects.get(pk=player.pk).name == "Ada"

    assert send(staff, path, action="erase").headers["Location"] == f"{path}?done=erase"
    player.refresh_from_db()
    assert (player.name, player.country) == (f"player {player.pk}", "")
    assert not Account.objects.get(pk=account.pk).is_active
    assert not PersonalLink.objects.filter(entry__player=player, revoked_at=None).exists()
    assert JournalLine.objects.filter(kind="player.erased").count() == 1


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("name=zak", ["Żak"]),
        ("country=GER&club=", ["Müller"]),
        ("external_id=fide:7", ["Müller"]),
        ("birth_year=1990", ["Żak"]),
        ("name=nobody", []),
    ],
)
def test_players_are_found_by_the_filters(stranger: Person, query: str, names: list[str]) -> None:
    by = stranger.account
    Player.objects.create(name="Żak", birth_year=1990, registered_by=by)
    Player.objects.create(name="Müller", country="GER", external_ids={"fide": "7"})
    Player.objects.create(name="Ivo", birth_year=1990)  # whom somebody else keeps
    page = login(stranger).get(f"{LIST}?{query}")
    assert [player["name"] for player in page.context["players"]] == names


def test_a_new_player_with_a_registered_name_asks_whether_it_is_the_same_person(
    organiser: Person,
) -> None:
    registered = Player.objects.create(name="Żak, Łucja", country="POL")
    browser, form = login(organiser), {"action": "register", "name": "Zak, Lucja", "club": "Rooks"}
    asked = browser.post(NEW, form)
    text = asked.content.decode()
    assert asked.status_code == 200
    assert "is one of them the same person?" in text
    assert f'href="/players/{registered.pk}"' in text
    assert 'value="Rooks"' in text
    assert not Player.objects.filter(club="Rooks").exists()
    assert browser.post(f"{NEW}?another=1", form).status_code == 303
    assert Player.objects.filter(name="Zak, Lucja", club="Rooks").exists()


def test_the_list_hides_what_is_private_and_survives_bad_filters(
    client: Client, stranger: Person
) -> None:
    Player.objects.create(name="Żak", birth_year=1990, sex="m")
    page = client.get(LIST).content.decode()
    assert "Żak" in page
    assert "1990" not in page
    assert "/players/new" not in page
    assert client.get(f"{LIST}?birth_year=1990").status_code == 303
    browser = login(stranger)
    for query in ("external_id=7", "birth_year=x", "name=a%00b", f"name={'x' * 300}"):
        answer = browser.get(f"{LIST}?{query}")
        assert (answer.status_code, answer.context["players"]) == (200, []), query
        assert any(field.errors for field in answer.context["fields"]), query
    assert browser.get(f"{LIST}?cursor=after_x").status_code == 422
    assert browser.post(LIST, {"action": "delete", "player_id": "1"}).status_code in (403, 404)


def test_the_queries_do_not_grow_with_the_players(
    client: Client, staff: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Player.objects.filter(entries=None).delete()
    for count in (1, 3):
        while Player.objects.filter(entries=None).count() < count:
            one = Player.objects.create(name="Kay")
        with django_assert_num_queries(1):
            client.get(LIST)
        staff.get(details_of(one))
        with django_assert_num_queries(9):
            staff.get(details_of(one))
