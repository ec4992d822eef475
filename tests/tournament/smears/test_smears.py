"""Reports of names, and names and events that the site's staff hides."""

from typing import Any

import pytest
from django.test import Client

from games.models import HiddenName, JournalLine
from tests.events import Event, make_event, make_players
from tests.people import URL, Person, make_person, player_of, problem_in
from tournament.events.verification import verify_stream

REASON = {"reason": "names a member"}
NAME = "Ben is a thief"


@pytest.fixture
def start(organiser: Person, ada: Person, ben: Person) -> dict[str, Any]:
    """A running event whose name is a smear, with a game that is over."""
    event = make_event(organiser, name=NAME, slug="smear", rounds=1)
    event.enter(player_of(ada), player_of(ben))
    event.step("open", "start").play(1, "1-0")
    return {"event": event}


def last_line() -> tuple[str, dict[str, Any]]:
    line = JournalLine.objects.filter(stream="site").select_related("payload").last()
    assert line is not None
    body = {name: value for name, value in line.payload.body.items() if name != "salt"}
    return line.kind, body


def test_staff_sees_who_has_reported_what_until_it_is_decided(
    stranger: Person, staff: Person, event: Event
) -> None:
    (player,) = make_players(1)
    for about in ({"player_id": player.pk}, {"tournament_slug": "smear"}):
        assert stranger.post("name-reports", {**about, **REASON}).status_code == 201
        problem_in(stranger.post("name-reports", {**about, **REASON}), 409, "nothing_to_do")

    first, second = staff.get("name-reports?waiting=true").json()["results"]
    assert (first["player"]["id"], first["tournament"], first["reason"]) == (
        player.pk, None, "names a member",
    )  # fmt: skip
    assert second["tournament"] == {"slug": "smear", "name": NAME}
    assert second["account"]["id"] == stranger.account.pk

    staff.post(f"name-reports/{first['id']}/refuse")
    problem_in(staff.post(f"name-reports/{first['id']}/refuse"), 409, "nothing_to_do")
    staff.post("tournaments/smear/hide", REASON)
    assert staff.get("name-reports?waiting=true").json()["results"] == []


def hidden_errors() -> list[str]:
    """Return what the journal of the site does not say about hidden names."""
    return [error for error in verify_stream("site") if "hiddenname" in error]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"player_id": 17, "tournament_slug": "smear"}, "invalid"),
        ({"player_id": 10**9}, "unknown_player"),
        ({"tournament_slug": "draft"}, "unknown_tournament"),
    ],
)
def test_a_report_names_one_thing_that_its_account_sees(
    organiser: Person, stranger: Person, body: dict[str, Any], code: str
) -> None:
    make_event(organiser, slug="draft")

    problem_in(stranger.post("name-reports", {**body, **REASON}), 422, code)


def test_an_account_has_a_few_reports_that_wait(stranger: Person, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"name_reports": 1}
    for player, status in zip(make_players(2), (201, 409), strict=True):
        answer = stranger.post("name-reports", {"player_id": player.pk, **REASON})
        assert answer.status_code == status


def test_only_staff_names_a_player_whose_name_is_hidden(ada: Person, staff: Person) -> None:
    player = player_of(ada)
    path = f"players/{player.pk}"
    ada.patch(path, {"name": NAME, "club": "The thieves", "country": "POR"})

    hidden = staff.post(f"{path}/hide-name", REASON).json()

    assert (hidden["name"], hidden["club"], hidden["country"]) == (
        f"Player {player.pk}", None, "POR",
    )  # fmt: skip
    assert last_line() == ("player.hidden", {"player": player.pk, **REASON})
    problem_in(staff.post(f"{path}/hide-name", REASON), 409, "nothing_to_do")
    ids = {"external_ids": {"note": NAME}}
    for change in ({"name": NAME}, {"club": "The thieves"}, ids):
        assert "staff" in problem_in(ada.patch(path, change), 403, "name_hidden")["detail"]
    assert ada.patch(path, {"country": "ESP"}).status_code == 200
    assert hidden_errors() == []

    assert staff.patch(path, {"name": "Ada Moon"}).status_code == 200
    assert ada.patch(path, {"club": "Rooks"}).status_code == 200
    assert hidden_errors() == []


def test_erasing_a_player_erases_what_was_reported(
    stranger: Person, staff: Person, ada: Person
) -> None:
    path = f"players/{player_of(ada).pk}"
    stranger.post("name-reports", {"player_id": player_of(ada).pk, **REASON})
    staff.post(f"{path}/hide-name", REASON)

    staff.post(f"{path}/erase")

    assert not HiddenName.objects.exists()
    assert staff.get("name-reports").json()["results"] == []
    assert hidden_errors() == []


def test_a_hidden_event_is_seen_by_its_officials_and_staff_only(
    organiser: Person, staff: Person, ada: Person, stranger: Person, anonymous: Client, event: Event
) -> None:
    (game,) = event.games(1)
    number = player_of(ada).pk
    games = f"/games/{game.pk}"
    shown = ["/api/v1/tournaments/smear", "/e/smear", f"/api/v1{games}", games]
    lists = [
        "/api/v1/tournaments", "/", "/search?q=thief", "/api/v1/games", f"/players/{number}",
        f"/players/{number}/games", f"/api/v1/players/{number}/calendar.ics", "/games",
    ]  # fmt: skip
    assert [anonymous.get(path).status_code for path in shown] == [200] * 4
    naming = [path for path in lists if NAME in anonymous.get(path).content.decode()]
    assert len(naming) > 4
    apply = "tournaments/smear/entries/apply"
    key = organiser.post("tournaments/smear/application-link").json()["key"]
    by_link = {"key": key, "name": "Zoe"}
    role = {"email": "zoe@example.org", "role": "scorer"}
    offer = organiser.post("tournaments/smear/roles", role).json()["id"]
    assert NAME in problem_in(stranger.post(apply, by_link), 409)["detail"]

    answer = staff.post("tournaments/smear/hide", REASON)

    url = f"{URL}tournaments/smear"
    assert answer.json() == {"slug": "smear", "name": NAME, "hidden": True, "url": url}
    assert last_line() == ("tournament.hidden", {"tournament": "smear", **REASON})
    assert [anonymous.get(path).status_code for path in shown] == [404] * 4
    assert [path for path in lists if NAME in anonymous.get(path).content.decode()] == []
    seen = {
        person.name: person.get("tournaments/smear").status_code
        for person in (organiser, staff, stranger, ada)
    }
    assert seen == {organiser.name: 200, staff.name: 200, stranger.name: 404, ada.name: 404}
    problem_in(stranger.post(apply, by_link), 404, "not_found")
    for path in ("roles", f"invitations/{offer}/resend"):
        body = role if path == "roles" else None
        problem_in(organiser.post(f"tournaments/smear/{path}", body), 403, "name_hidden")
    problem_in(staff.post("tournaments/smear/hide", REASON), 409, "nothing_to_do")
    assert hidden_errors() == []

    staff.post("tournaments/smear/show", REASON)

    assert last_line()[0] == "tournament.shown"
    assert [anonymous.get(path).status_code for path in shown] == [200] * 4
    problem_in(staff.post("tournaments/smear/show", REASON), 409, "nothing_to_do")
    assert hidden_errors() == []


def test_names_are_reported_and_hidden_on_pages(
    stranger: Person, staff: Person, organiser: Person, event: Event
) -> None:
    (player,) = make_players(1)
    reader, admin = Client(), Client()
    reader.force_login(stranger.account)
    admin.force_login(staff.account)
    assert (
        f"/report-name?player_id={player.pk}"
        in reader.get(f"/players/{player.pk}").content.decode()
    )
    assert "/report-name?tournament_slug=smear" in reader.get("/e/smear").content.decode()
    for about in ({"player_id": player.pk}, {"tournament_slug": "smear"}):
        sent = {"action": "report", **about, **REASON}
        assert reader.get("/report-name", about).status_code == 200
        done = reader.post("/report-name", sent).headers["Location"]
        assert "Thank you" in reader.get(done).content.decode()
    assert reader.get("/report-name?player_id=x").status_code == 400
    assert reader.get("/staff/names").status_code == 403

    assert REASON["reason"] in admin.get("/staff/names").content.decode()
    for action, field, value in (
        ("hide-name", "player_id", player.pk),
        ("hide-event", "slug", "smear"),
    ):
        admin.post("/staff/names", {"action": action, field: value, **REASON})
    assert HiddenName.objects.count() == 2
    official = Client()
    official.force_login(organiser.account)
    assert "has hidden this event" in official.get("/e/smear").content.decode()

    admin.post("/staff/names", {"action": "show-event", "slug": "smear", **REASON})
    assert "has hidden this event" not in official.get("/e/smear").content.decode()


def test_reports_of_one_name_by_two_accounts_are_decided_together(
    stranger: Person, staff: Person
) -> None:
    (player,) = make_players(1)
    for person in (stranger, make_person("Zoe")):
        person.post("name-reports", {"player_id": player.pk, **REASON})

    staff.post(f"players/{player.pk}/hide-name", REASON)

    reports = staff.get("name-reports").json()["results"]
    assert [report["decided_at"] is not None for report in reports] == [True, True]
