"""Personal links: created, replaced, revoked, printed, and exchanged for a session."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.core.accounts.services import close_account, reopen_account
from games.core.accounts.tokens import MOST_SESSIONS
from games.models import JournalLine, Player, Token
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries import cards
from tournament.entries.links import create_links
from tournament.models import PersonalLink

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/links"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """Ada, who has a login, and two players without, before the first round."""
    event = make_event(organiser, system="dutch")
    event.enter(player_of(ada), *make_players(2))
    return event.step("open", "start")


@pytest.fixture
def path(event: Event) -> str:
    return f"{event.path}/links"


def links(organiser: Person, path: str) -> dict[str, dict[str, Any]]:
    """Return the links by the name of the player."""
    return {row["player"]["name"]: row for row in organiser.get(path).json()["results"]}


def secret_in(row: dict[str, Any]) -> str:
    return row["page_url"].partition("#")[2]


def open_session(path: str, row: dict[str, Any]) -> Any:
    return Person("nobody").post(f"{path}/session", {"link": row["page_url"]})


def session_of(path: str, row: dict[str, Any]) -> Person:
    """Return who holds the card of a player, with a session by its link."""
    return Person("the card", secret=open_session(path, row).json()["token"])


def test_every_accepted_entry_gets_one_link(organiser: Person, event: Event, path: str) -> None:
    withdrawn = event.tournament.entries.get(player__name="Player 2")
    organiser.post(f"{event.path}/entries/{withdrawn.pk}/withdraw")

    body = organiser.post(path, {}).json()

    shown = links(organiser, path)
    assert body["results"] == list(shown.values())
    assert list(shown) == ["Ada", "Player 1"]
    members = ("id", "number", "player")
    assert body["created"] == [{name: row[name] for name in members} for row in shown.values()]
    assert all("/e/spring/me#" in row["page_url"] for row in shown.values())
    assert organiser.post(path, {}).json() == {"created": [], "results": body["results"]}
    lines = JournalLine.objects.filter(kind="links.created")
    assert [line.payload.body["entries"] for line in lines] == [
        [row["id"] for row in shown.values()]
    ]
    organiser.post(f"{event.path}/entries/{withdrawn.pk}/return")
    created = organiser.post(path, {}).json()["created"]
    assert [row["id"] for row in created] == [withdrawn.pk]
    assert verify() == []


def test_a_link_opens_a_session_of_half_a_day(organiser: Person, event: Event, path: str) -> None:
    organiser.post(path, {})
    rows = links(organiser, path)
    row = rows["Player 1"]

    session = open_session(path, row).json()

    assert (session["id"], session["player"]) == (row["id"], row["player"])
    player = Person("the card", secret=session["token"])
    availability = f"{event.path}/entries/{row['id']}/availability"
    assert player.put(availability, {"2": "zero_bye"}).status_code == 200
    other = availability.replace(str(row["id"]), str(rows["Ada"]["id"]))
    problem_in(player.put(other, {}), 403)
    token = Token.objects.get(name="session")
    assert token.issued_by == organiser.account
    left = token.expiry - timezone.now()
    assert timedelta(hours=11.9) < left < timedelta(hours=12)
    issued = organiser.post(f"{event.path}/entries/{row['id']}/token").json()["token"]
    again = session_of(path, row)
    for person in (player, again, Person("the card", secret=issued)):
        assert person.get("me").status_code == 200


def test_a_link_has_so_many_sessions_at_once(organiser: Person, event: Event, path: str) -> None:
    organiser.post(path, {})
    row, other = links(organiser, path)["Ada"], links(organiser, path)["Player 1"]
    neighbour = session_of(path, other)
    sessions = [session_of(path, row) for _ in range(MOST_SESSIONS + 2)]

    found = [person.get("me").status_code for person in (*sessions, neighbour)]
    assert found == [401] * 2 + [200] * (MOST_SESSIONS + 1)


@pytest.mark.parametrize("action", ["revoke", "replace"])
def test_a_link_that_is_revoked_or_replaced_ends_with_its_sessions(
    organiser: Person, event: Event, path: str, action: str
) -> None:
    other = make_event(organiser, slug="other")
    player = Player.objects.get(name="Player 1")
    other.enter(player)
    for found in (path, f"{other.path}/links"):
        organiser.post(found, {})
    rows = links(organiser, path)
    row, unchanged = rows["Player 1"], rows["Player 2"]
    session, neighbour = session_of(path, row), session_of(path, unchanged)
    there = f"{other.path}/links"
    elsewhere = session_of(there, links(organiser, there)[player.name])
    issued = organiser.post(f"{event.path}/entries/{row['id']}/token").json()["token"]

    if action == "revoke":
        assert organiser.delete(f"{path}/{row['id']}").status_code == 204
        problem_in(organiser.delete(f"{path}/{row['id']}"), 409, "nothing_to_do")
        assert list(links(organiser, path)) == ["Ada", "Player 2"]
        problem_in(open_session(path, row), 422, "invalid_link")
        assert JournalLine.objects.latest("pk").kind == "link.revoked"
        assert session.get("me").status_code == 401
        created = organiser.post(path, {}).json()["created"]
    else:
        created = organiser.post(path, {"entry_ids": [row["id"]]}).json()["created"]

    assert [found["id"] for found in created] == [row["id"]]
    problem_in(open_session(path, row), 422, "invalid_link")
    assert session.get("me").status_code == 401
    for person in (neighbour, elsewhere, Person("the card", secret=issued)):
        assert person.get("me").status_code == 200
    new = links(organiser, path)
    assert [name for name in rows if new[name] != rows[name]] == ["Player 1"]
    assert open_session(path, new["Player 1"]).status_code == 201
    assert verify() == []


def test_who_creates_a_link_again_has_issued_it(
    organiser: Person, staff: Person, path: str
) -> None:
    organiser.post(path, {})
    entry = links(organiser, path)["Player 1"]["id"]
    before = PersonalLink.objects.get(entry=entry)

    staff.post(path, {"entry_ids": [entry]})

    link = PersonalLink.objects.get(entry=entry)
    assert (link.issued_by, link.version) == (staff.account, before.version + 1)
    assert link.issued_at > before.issued_at


def test_the_link_of_a_closed_account_does_not_work(
    director: Client, organiser: Person, ada: Person, path: str
) -> None:
    assert director.get(PAGE).context["without"] == 3
    organiser.post(path, {})
    rows = links(organiser, path)
    Player.objects.filter(name="Player 1").update(merged_into=player_of(ada))
    session = session_of(path, rows["Player 1"])
    assert ada.account is not None
    close_account(ada.account, by=ada.account)

    for name in ("Ada", "Player 1"):
        problem_in(open_session(path, rows[name]), 422, "invalid_link")
    assert list(links(organiser, path)) == ["Player 2"]
    assert session.get("me").status_code == 401
    assert director.get(PAGE).context["without"] == 0
    reopen_account(ada.account, by=ada.account)
    assert open_session(path, rows["Ada"]).status_code == 201


def test_the_session_of_a_merged_player_ends_too(organiser: Person, ada: Person, path: str) -> None:
    organiser.post(path, {})
    row = links(organiser, path)["Player 1"]
    Player.objects.filter(name="Player 1").update(merged_into=player_of(ada))
    session = session_of(path, row)
    organiser.delete(f"{path}/{row['id']}")
    assert session.get("me").status_code == 401


def test_the_link_of_an_erased_player_ends(organiser: Person, staff: Person, path: str) -> None:
    organiser.post(path, {})
    row = links(organiser, path)["Player 1"]
    staff.post(f"players/{row['player']['id']}/erase")
    problem_in(open_session(path, row), 422, "invalid_link")


def test_only_accepted_entries_of_the_event_have_links(
    organiser: Person, event: Event, path: str
) -> None:
    withdrawn = event.tournament.entries.get(player__name="Player 2").pk
    organiser.post(f"{event.path}/entries/{withdrawn}/withdraw")
    (other,) = make_event(organiser, slug="other").enter(*make_players(1))
    for entry in (withdrawn, other.pk, 999_999):
        problem = problem_in(organiser.post(path, {"entry_ids": [entry]}), 422, "unknown_entry")
        assert problem["errors"][0]["pointer"] == "/entry_ids/0"
    assert not PersonalLink.objects.exists()


def test_a_link_is_of_one_event_and_opens_it_if_it_is_private(
    organiser: Person, anonymous: Person, event: Event, path: str
) -> None:
    organiser.post(path, {})
    row = links(organiser, path)["Player 1"]
    for link in ("", "x", "WzEsMV0:x", secret_in(row)[:-1]):
        assert anonymous.post(f"{path}/session", {"link": link}).status_code == 422
    other = make_event(organiser, slug="other").step("open")
    problem_in(open_session(f"{other.path}/links", row), 422, "invalid_link")
    organiser.patch(event.path, {"public": False})
    problem_in(anonymous.post(f"{path}/session", {"link": "x"}), 404)

    assert session_of(path, row).get(event.path).status_code == 200


def test_files_and_cards_have_the_links(
    organiser: Person, event: Event, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.filter(name="Player 1").update(name="=cmd|'x'!A1", club="Rooks")
    organiser.post(path, {})
    rows = links(organiser, path)
    organiser.delete(f"{path}/{rows['Ada']['id']}")
    withdrawn = event.tournament.entries.get(player__name="Player 2").pk
    organiser.post(f"{event.path}/entries/{withdrawn}/withdraw")
    shown = [*links(organiser, path).values()]
    printed: list[Any] = []
    monkeypatch.setattr(cards, "print_sheet", lambda _, data: printed.append(data) or b"%PDF-")

    lines = list(csv.DictReader(io.StringIO(organiser.get(f"{path}.csv").content.decode())))
    assert organiser.get(f"{path}/cards.pdf").content == b"%PDF-"
    assert organiser.get(f"{event.path}/cards.pdf").content == b"%PDF-"

    assert [line["name"] for line in lines] == ["'=cmd|'x'!A1", "Player 2"]
    assert [line["page_url"] for line in lines] == [row["page_url"] for row in shown]
    of_links, of_players = printed
    assert [(card["name"], card["number"]) for card in of_links["cards"]] == [("=cmd|'x'!A1", "2")]
    assert of_links["cards"][0]["details"] == "POR · 1499 · Rooks"
    assert [code["address"] for code in of_links["codes"]] == [shown[0]["page_url"]]
    assert (of_links["rounds"], "It is secret" in of_links["note"]) == (0, True)
    assert [card["name"] for card in of_players["cards"]] == ["Ada", "=cmd|'x'!A1"]
    players = [code["address"].rpartition("/")[2] for code in of_players["codes"]]
    accepted = event.tournament.entries.filter(state="accepted").order_by("pairing_number")
    assert players == [str(entry.player_id) for entry in accepted]
    assert (of_players["rounds"], len(of_players["heads"])) == (3, 5)
    event.tournament.entries.filter(pairing_number=1).update(club="Guests")
    organiser.get(f"{event.path}/cards.pdf")
    assert printed[-1]["cards"][0]["details"] == "POR · 2100 · Guests"
    monkeypatch.setattr(cards, "MOST_SLIP_CODES", 2)
    assert organiser.get(f"{event.path}/cards.pdf").status_code == 200
    monkeypatch.setattr(cards, "MOST_SLIP_CODES", 1)
    problem_in(organiser.get(f"{event.path}/cards.pdf"), 422, "too_many_for_paper")


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_a_fixed_number_of_queries(
    organiser: Person, path: str, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    organiser.post(path, {})
    for row in list(links(organiser, path).values())[count:]:
        organiser.delete(f"{path}/{row['id']}")

    with django_assert_num_queries(4):  # the token, the event, the role, the links
        assert len(links(organiser, path)) == count


def test_the_page_creates_replaces_and_revokes(
    director: Client, organiser: Person, event: Event
) -> None:
    def send(action: str, **form: Any) -> None:
        done = director.post(PAGE, {"action": action, **form})
        assert (done.status_code, done["Location"]) == (303, f"{PAGE}?done={action}")

    def shown() -> tuple[list[str], int, bool]:
        context = director.get(PAGE).context
        names = [row["name"] for row in context["links"]]
        return names, context["without"], bool(context["application"]["key"])

    Player.objects.filter(name="Player 2").update(name="Ada", folded_name="ada", country="NED")
    assert shown() == ([], 3, False)
    send("create")
    assert shown() == (["Ada (POR)", "Player 1", "Ada (NED)"], 0, False)
    create_links(event.tournament, by=organiser.account)
    entry = event.tournament.entries.get(player__name="Player 1").pk
    send("replace", **{"entry_ids[]": entry})
    assert PersonalLink.objects.get(entry=entry).version == 2
    send("revoke", entry_id=entry)
    assert shown() == (["Ada (POR)", "Ada (NED)"], 1, False)
    send("open-application")
    assert shown()[2]
    send("close-application")
    assert not shown()[2]
