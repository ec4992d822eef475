"""The pages on which players are listed, registered, corrected, deleted and erased."""

import pytest
from django.http import HttpResponse
from django.test import Client

from games.models import Account, JournalLine, Player
from tests.events import Event, make_running
from tests.people import Person, make_person, player_of
from tests.tournament.conftest import login
from tournament.models import PersonalLink

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
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
    organiser: Person, ada: Person, staff: Client, event: Event
) -> None:
    expected = {
        player_of(ada): [403, 200, 200],
        Player.objects.get(name="Player 1"): [200, 403, 200],
    }
    people = (login(organiser), login(ada), staff)
    for player, statuses in expected.items():
        assert [browser.get(details_of(player)).status_code for browser in people] == statuses


def test_a_player_is_registered_after_a_preview(
    client: Client, ada: Person, stranger: Person
) -> None:
    assert client.get(NEW).status_code == 303
    browser = login(stranger)
    form = {"action": "register", "name": "Ada", **DETAILS, "external_ids": "fide: 1503014\r\n"}
    preview = send(browser, NEW, "?dry_run=1", **form)
    assert [player.name for player in preview.context["similar"]] == ["Ada"]
    assert not Player.objects.filter(club="Rooks").exists()

    asked = send(browser, NEW, **form)
    assert (asked.status_code, Player.objects.filter(club="Rooks").count()) == (200, 0)
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
    Player.objects.filter(pk=player.pk).update(
        club="Rooks", country="GBR", external_ids={"fide": "7"}
    )
    ids = "kgs:ada\nfide:8"
    form = {"name": "Ada, Lovelace", "country": "gbr", "club": "", "seed_rating": "",
            "external_ids": ids}  # fmt: skip
    preview = edit(staff, player, "?dry_run=1", **form)
    assert preview.status_code == 200
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
    assert 'value="Ada C"' in page


def test_a_rating_with_a_sign_after_the_thousands_is_read(staff: Client, ada: Person) -> None:
    player = player_of(ada)
    for written, rating in (("1.900", 1900), ("2,000", 2000), ("1 850", 1850), ("1700", 1700)):
        edit(staff, player, name="Ada", seed_rating=written)
        player.refresh_from_db()
        assert player.seed_rating == rating


WRONG = (
    ("name", ""),
    ("seed_rating", "1.9"),
    ("external_ids", "1503014"),
    ("external_ids", "fide:1\nfide:2"),
    ("external_ids", "FIDE ID:1"),
)


def test_a_wrong_detail_is_named_at_its_field(staff: Client, ada: Person) -> None:
    for field, value in WRONG:
        rejected = edit(staff, player_of(ada), **{"name": "Ada", "club": "Kept", field: value})
        wrong = [shown.name for shown in rejected.context["fields"] if shown.errors]
        assert (rejected.status_code, wrong) == (422, [field]), value
        assert 'value="Kept"' in rejected.content.decode()
    player = Player.objects.get(pk=player_of(ada).pk)
    assert (player.name, player.club) == ("Ada", "")


def test_the_staff_erase_a_player_after_a_preview(
    staff: Client, organiser: Person, ada: Person, event: Event
) -> None:
    player, account = player_of(ada), ada.account
    assert account is not None
    path = details_of(player)
    for person in (organiser, ada):
        assert send(login(person), path, action="erase").status_code == 403
    preview = send(staff, path, "?dry_run=1", action="erase")
    assert preview.status_code == 200
    assert Player.objects.get(pk=player.pk).name == "Ada"

    assert send(staff, path, action="erase").headers["Location"] == f"{path}?done=erase"
    player.refresh_from_db()
    assert (player.name, player.country) == (f"player {player.pk}", "")
    assert not Account.objects.get(pk=account.pk).is_active
    assert not PersonalLink.objects.filter(entry__player=player, revoked_at=None).exists()
    assert JournalLine.objects.filter(kind="player.erased").count() == 1


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
    answer = browser.get(f"{LIST}?birth_year=x")
    assert (answer.status_code, answer.context["players"]) == (200, [])
    assert any(field.errors for field in answer.context["fields"])
    Player.objects.create(name="Ivo", birth_year=1990, registered_by=stranger.account)
    own = browser.get(f"{LIST}?birth_year=1990").context["players"]
    assert [player["name"] for player in own] == ["Ivo"]
