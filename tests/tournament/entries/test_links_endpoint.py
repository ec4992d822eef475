"""`/tournaments/{slug}/links`: create, list, print and revoke personal links, open a session."""

import csv
import io
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.core.accounts.services import close_account, reopen_account
from games.models import JournalLine, Player, Token
from tests.events import FIRST_WINS, Event, make_event, make_players
from tests.people import Person, player_of, problem_in, statuses
from tests.tournament.events.test_verify_state import verify
from tournament.entries import cards
from tournament.models import PersonalLink

pytestmark = pytest.mark.django_db


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
    return row["address"].partition("#")[2]


@pytest.mark.parametrize(
    ("method", "suffix", "status"),
    [("POST", "", 201), ("GET", "", 200), ("GET", ".csv", 200), ("GET", "/cards.pdf", 200)],
)
def test_permissions(
    everyone: dict[str, Person], path: str, method: str, suffix: str, status: int
) -> None:
    found = statuses(everyone, method, f"{path}{suffix}", {} if method == "POST" else None)
    assert found == {"organiser": status, "player": 403, "stranger": 403, "anonymous": 401}


def test_only_directors_revoke(everyone: dict[str, Person], event: Event, path: str) -> None:
    everyone["organiser"].post(path, {})
    entry = event.tournament.entries.get(player__name="Player 1").pk
    assert statuses(dict(reversed(everyone.items())), "DELETE", f"{path}/{entry}") == {
        "organiser": 204, "player": 403, "stranger": 403, "anonymous": 401,
    }  # fmt: skip


def test_every_accepted_entry_gets_one_link(organiser: Person, event: Event, path: str) -> None:
    withdrawn = event.tournament.entries.get(player__name="Player 2")
    organiser.post(f"{event.path}/entries/{withdrawn.pk}/withdraw")

    body = organiser.post(path, {}).json()

    shown = links(organiser, path)
    assert body["results"] == list(shown.values())
    assert list(shown) == ["Ada", "Player 1"]
    members = ("entry", "number", "player")
    assert body["created"] == [{name: row[name] for name in members} for row in shown.values()]
    assert all("/e/spring/me#" in row["address"] for row in shown.values())
    assert organiser.post(path, {}).json() == {"created": [], "results": body["results"]}
    kinds = JournalLine.objects.values_list("kind", flat=True)
    assert list(kinds).count("links.created") == 1
    assert verify() == []


def test_a_link_opens_a_session(
    organiser: Person, anonymous: Person, event: Event, path: str
) -> None:
    organiser.post(path, {})
    row = links(organiser, path)["Player 1"]

    session = anonymous.post(f"{path}/session", {"link": secret_in(row)}).json()

    player = Person("the card", secret=session["token"])
    assert (session["entry"], session["player"]) == (row["entry"], row["player"])
    (game,) = event.publish()
    response = player.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    assert response.status_code in (202, 403)  # the player may have the bye
    availability = f"{event.path}/entries/{row['entry']}/availability"
    assert player.put(availability, {"2": "zero-bye"}).status_code == 200
    other = links(organiser, path)["Ada"]["entry"]
    problem_in(player.put(availability.replace(str(row["entry"]), str(other)), {}), 403)
    problem_in(player.post(f"{event.path}/rounds/1/unpair", {"reason": "x"}), 403)
    token = Token.objects.get(name="session")
    assert token.issued_by == organiser.account
    assert 11 * 3600 < (token.expiry - token.created).total_seconds() <= 12 * 3600 + 1


def test_a_second_session_leaves_the_first(
    organiser: Person, anonymous: Person, event: Event, path: str
) -> None:
    organiser.post(path, {})
    row = links(organiser, path)["Player 1"]
    issued = organiser.post(f"{event.path}/entries/{row['entry']}/token").json()["token"]
    body = {"link": secret_in(row)}
    first, second = (anonymous.post(f"{path}/session", body).json()["token"] for _ in range(2))

    for secret in (issued, first, second):
        assert Person("the card", secret=secret).get("me").status_code == 200


def test_a_revoked_link_and_its_sessions_end(
    organiser: Person, anonymous: Person, event: Event, path: str
) -> None:
    organiser.post(path, {})
    row = links(organiser, path)["Player 1"]
    body = {"link": secret_in(row)}
    session = anonymous.post(f"{path}/session", body).json()["token"]

    assert organiser.delete(f"{path}/{row['entry']}").status_code == 204

    problem_in(anonymous.post(f"{path}/session", body), 422, "invalid_link")
    assert Person("the card", secret=session).get("me").status_code == 401
    problem_in(organiser.delete(f"{path}/{row['entry']}"), 409, "nothing_to_do")
    assert "Player 1" not in links(organiser, path)
    assert organiser.post(path, {}).json()["created"][0]["entry"] == row["entry"]
    new = secret_in(links(organiser, path)["Player 1"])
    assert new != body["link"]
    problem_in(anonymous.post(f"{path}/session", body), 422, "invalid_link")
    assert anonymous.post(f"{path}/session", {"link": new}).status_code == 201


def test_a_link_is_replaced(organiser: Person, anonymous: Person, path: str) -> None:
    organiser.post(path, {})
    before = links(organiser, path)
    entry = before["Player 1"]["entry"]

    body = organiser.post(path, {"entries": [entry]}).json()

    after = links(organiser, path)
    assert [row["entry"] for row in body["created"]] == [entry]
    assert [name for name in after if after[name] != before[name]] == ["Player 1"]
    old = {"link": secret_in(before["Player 1"])}
    problem_in(anonymous.post(f"{path}/session", old), 422, "invalid_link")


def test_the_link_of_an_erased_player_ends(
    organiser: Person, anonymous: Person, staff: Person, path: str
) -> None:
    organiser.post(path, {})
    row = links(organiser, path)["Player 1"]

    staff.post(f"players/{row['player']['id']}/erase")

    response = anonymous.post(f"{path}/session", {"link": secret_in(row)})
    problem_in(response, 422, "invalid_link")


def test_the_link_of_a_closed_account_does_not_work(
    organiser: Person, ada: Person, anonymous: Person, path: str
) -> None:
    organiser.post(path, {})
    rows = links(organiser, path)
    Player.objects.filter(name="Player 1").update(merged_into=player_of(ada))
    assert ada.account is not None
    close_account(ada.account, by=ada.account)

    for name in ("Ada", "Player 1"):
        response = anonymous.post(f"{path}/session", {"link": secret_in(rows[name])})
        problem_in(response, 422, "invalid_link")
    assert list(links(organiser, path)) == ["Player 2"]
    assert not Token.objects.filter(user=ada.account).exists()

    reopen_account(ada.account, by=ada.account)
    body = {"link": secret_in(rows["Ada"])}
    assert anonymous.post(f"{path}/session", body).status_code == 201


@pytest.mark.parametrize("entries", [[999], [0], ["one"], "all", [None], [10**30]])
def test_unknown_entries(organiser: Person, path: str, entries: Any) -> None:
    problem_in(organiser.post(path, {"entries": entries}), 422)
    assert not PersonalLink.objects.exists()


@pytest.mark.parametrize("link", ["", "x", "WzEsMV0:x", "a" * 201, None, 7, ["x"], "\0"])
def test_a_wrong_link(anonymous: Person, path: str, link: Any) -> None:
    assert anonymous.post(f"{path}/session", {"link": link}).status_code in (400, 422)


def test_a_link_is_of_one_event(organiser: Person, anonymous: Person, path: str) -> None:
    organiser.post(path, {})
    secret = secret_in(links(organiser, path)["Player 1"])
    other = make_event(organiser, slug="other").step("open")
    problem_in(anonymous.post(f"{other.path}/links/session", {"link": secret}), 422, "invalid_link")


def test_a_link_opens_a_private_event(
    organiser: Person, anonymous: Person, event: Event, path: str
) -> None:
    organiser.post(path, {})
    organiser.patch(event.path, {"public": False})
    row = links(organiser, path)["Player 1"]
    problem_in(anonymous.post(f"{path}/session", {"link": "x"}), 404)

    token = anonymous.post(f"{path}/session", {"link": secret_in(row)}).json()["token"]

    assert Person("the card", secret=token).get(event.path).status_code == 200


def test_the_file(organiser: Person, path: str) -> None:
    Player.objects.filter(name="Player 1").update(name="=cmd|'x'!A1")
    organiser.post(path, {})
    shown = links(organiser, path)

    lines = list(csv.DictReader(io.StringIO(organiser.get(f"{path}.csv").content.decode())))

    assert [line["name"] for line in lines] == ["Ada", "'=cmd|'x'!A1", "Player 2"]
    assert [line["address"] for line in lines] == [row["address"] for row in shown.values()]


def test_the_codes_on_the_cards_are_the_links(
    organiser: Person, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    organiser.post(path, {})
    entry = links(organiser, path)["Ada"]["entry"]
    organiser.delete(f"{path}/{entry}")
    printed: list[Any] = []
    monkeypatch.setattr(cards, "print_sheet", lambda _, data: printed.append(data) or b"%PDF-")

    assert organiser.get(f"{path}/cards.pdf").content == b"%PDF-"

    (data,) = printed
    assert [card["name"] for card in data["cards"]] == ["Player 1", "Player 2"]
    assert (data["subtitle"], data["rounds"]) == ("Link cards", 0)
    assert "It is secret" in data["note"]
    addresses = [row["address"] for row in links(organiser, path).values()]
    assert [code["address"] for code in data["codes"]] == addresses


def test_a_dry_run(organiser: Person, path: str) -> None:
    body = organiser.post(f"{path}?dry_run=1", {}).json()
    assert len(body["created"]) == 3
    assert not PersonalLink.objects.exists()


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_a_fixed_number_of_queries(
    organiser: Person, path: str, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    organiser.post(path, {})
    for row in list(links(organiser, path).values())[count:]:
        organiser.delete(f"{path}/{row['entry']}")

    with django_assert_num_queries(4):  # the token, the event, the role, the links
        assert len(links(organiser, path)) == count
