"""Who keeps the registration of a player, and what nobody gains by entering one."""

import io
import json
import zipfile
from typing import Any

import pytest

from games.core.accounts.tokens import issue_personal_token
from games.models import Player, Role
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person
from tests.ratings.factories import day, file_event, make_game
from tests.tournament.actions import with_officials
from tests.tournament.conftest import login
from tournament.exchange.bundle_file import MEMBER
from tournament.players.custody import is_custodian, kept_players

SCOPES = ("tournament:read", "result:write", "record:write", "rating:admin", "webhook:write")


@pytest.fixture
def event(organiser: Person) -> Event:
    """An event of the organiser, who registered its players in it."""
    return make_event(organiser)


@pytest.fixture
def player(event: Event) -> Player:
    """A player without a login, who is entered."""
    (player,) = make_players(1, by=event.owner)
    values = {"registered_in": event.stream, "birth_year": 1990, "sex": "w"}
    Player.objects.filter(pk=player.pk).update(**values)
    player.refresh_from_db()
    event.enter(player)
    return player


def entered_elsewhere(person: Person, *players: Player, **fields: Any) -> Event:
    """Return a running event of a person in which these players are entered."""
    event = make_event(person, slug="autumn", **fields)
    event.enter(*players, *make_players(2, by=person))
    return event.step("open", "start")


@pytest.fixture
def people(
    event: Event, player: Player, everyone: dict[str, Person], staff: Person, officer: Person
) -> dict[str, Person]:
    """Everybody who may ask for the player, who is entered in the stranger's event too."""
    entered_elsewhere(everyone["stranger"], player)
    people = with_officials(event.stream, {"owner": event.owner})
    owner, elsewhere = people["owner"], make_person("Dana")
    Role.objects.create(stream="tournament/autumn", account=elsewhere.account, role="director")
    registrar = make_person("Reg")
    Player.objects.filter(pk=player.pk).update(registered_by=registrar.account)
    _, secret = issue_personal_token(player, event.stream, by=event.owner.account)
    return {
        "anonymous": everyone["anonymous"],
        "stranger who entered the player": everyone["stranger"],
        "director of another event": elsewhere,
        "another player": everyone["player"],
        "scorer": people["scorer"],
        "officer of a pool": officer,
        "link of the player": Person("link", secret=secret),
        "owner, other scopes": owner.with_token(*SCOPES),
        "owner, bound elsewhere": owner.with_token("tournament:write", stream="tournament/autumn"),
        "owner, bound to the event": owner.with_token("tournament:write", stream=event.stream),
        "owner": owner,
        "director": people["director"],
        "registrar": registrar,
        "staff": staff,
    }


CUSTODIANS = ("owner, bound to the event", "owner", "director", "registrar", "staff")


def test_the_custodians_see_and_correct_the_personal_data(
    people: dict[str, Person], player: Player
) -> None:
    address = f"players/{player.pk}"
    shown = {name: person.get(address).json() for name, person in people.items()}
    patched = {
        name: person.patch(f"{address}?dry_run=1", {"name": "Changed"}).status_code
        for name, person in people.items()
    }

    assert [name for name, body in shown.items() if {"birth_year", "sex"} & body.keys()] == [
        *CUSTODIANS
    ]
    assert [name for name, status in patched.items() if status == 200] == [*CUSTODIANS]
    assert {name: status for name, status in patched.items() if status != 200} == {
        name: 401 if name == "anonymous" else 403 for name in people if name not in CUSTODIANS
    }


def test_the_list_of_kept_players_agrees_with_the_single_answer(
    people: dict[str, Person], player: Player
) -> None:
    player.refresh_from_db()
    for name, person in people.items():
        if person.account is not None:
            kept = kept_players(person.account).filter(pk=player.pk).exists()
            assert kept == is_custodian(person.account, player), name


def test_the_officers_of_a_pool_keep_the_players_whom_it_rates(
    officer: Person, player: Player
) -> None:
    (other,) = make_players(1)
    assert officer.account is not None
    assert not is_custodian(officer.account, player)

    star = Pool.objects.get(code="star")
    file_event(star, "cup", day(1), [make_game(player, other)])
    advance_pool(star.pk)

    assert is_custodian(officer.account, player)
    assert list(kept_players(officer.account).order_by("pk")) == [player, other]
    assert officer.patch(f"players/{player.pk}", {"club": "Rooks"}).status_code == 200
    bound = officer.with_token("tournament:write", stream="pool/star")
    assert bound.patch(f"players/{player.pk}", {"club": "Kings"}).status_code == 200


def test_a_player_with_a_login_keeps_themselves(people: dict[str, Person], player: Player) -> None:
    account = make_person("Pia")
    Player.objects.filter(pk=player.pk).update(account=account.account)
    people |= {"player": account}

    patched = {
        name: person.patch(f"players/{player.pk}?dry_run=1", {"name": "Changed"}).status_code
        for name, person in people.items()
    }

    assert [name for name, status in patched.items() if status == 200] == ["staff", "player"]


def test_an_entry_shows_what_the_event_was_told(people: dict[str, Person], player: Player) -> None:
    """The directors of another event see what they state themselves, not what is registered."""
    director = people["director of another event"]
    path = "tournaments/autumn/entries"
    rows = director.get(path).json()["results"]
    (row,) = [row for row in rows if row["player"]["id"] == player.pk]
    assert (row["birth_year"], row["sex"]) == (None, None)

    tag = director.get(f"{path}/{row['id']}")["ETag"]
    body = {"birth_year": 1985, "reason": "told at the desk"}
    answer = director.patch(f"{path}/{row['id']}", body, if_match=tag)
    assert answer.json()["birth_year"] == 1985
    player.refresh_from_db()
    assert player.birth_year == 1990


def test_the_page_of_an_entry_hides_the_person_whom_others_keep(
    people: dict[str, Person], player: Player
) -> None:
    for name, slug, is_shown in (
        ("owner", "spring", True),
        ("director", "spring", True),
        ("scorer", "spring", False),
        ("director of another event", "autumn", False),
    ):
        entry = player.entries.get(tournament__slug=slug)
        browser = login(people[name])
        page = browser.get(f"/e/{slug}/run/entries/{entry.pk}").content.decode()
        assert ("1990" in page, 'value="person"' in page) == (is_shown, is_shown), name


def test_a_bundle_has_the_personal_data_of_the_kept_players(
    people: dict[str, Person], player: Player, organiser: Person, staff: Person
) -> None:
    def years(person: Person, slug: str) -> list[tuple[int | None, str]]:
        content = person.get(f"tournaments/{slug}/bundle.zip").content
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            lines = [json.loads(line) for line in archive.read(MEMBER).splitlines()]
        return [
            (line["row"]["birth_year"], line["row"]["sex"])
            for line in lines
            if line["kind"] == "player" and line["row"]["key"] == player.key
        ]

    assert years(people["director of another event"], "autumn") == [(None, "")]
    assert years(staff, "autumn") == [(1990, "w")]
    assert years(organiser, "spring") == [(1990, "w")]


def test_imports_and_applications_register_in_the_event(
    organiser: Person, event: Event, anonymous: Person
) -> None:
    """Whoever sends the file, the owner of the event keeps the registrations."""
    director = with_officials(event.stream, {"owner": organiser})["director"]
    sent = director.send(
        "POST",
        f"{event.path}/entries/import",
        b"name,birth_year\nIda,1980\n",
        content_type="text/csv",
    )
    assert sent.status_code == 201, sent.content
    page = f"/e/{event.tournament.slug}/run/entries"
    login(director).post(page, {"action": "register", "name": "Jon"})
    event.step("open")
    key = organiser.post(f"{event.path}/application-link").json()["key"]
    applied = anonymous.post(f"{event.path}/entries/apply", {"name": "Kay", "key": key})
    assert applied.status_code == 201, applied.content

    registered = dict(Player.objects.values_list("name", "registered_in"))
    assert registered == dict.fromkeys(("Ida", "Jon", "Kay"), event.stream)
    for player in Player.objects.all():
        assert organiser.get(f"players/{player.pk}").json().keys() >= {"birth_year", "sex"}


def test_an_applicant_learns_no_year(event: Event, player: Player, anonymous: Person) -> None:
    """The link of an event answers the same for a right and a wrong year of birth."""
    Player.objects.filter(pk=player.pk).update(name="Ida", country="POR", club="Rooks")
    event.step("open")
    key = event.owner.post(f"{event.path}/application-link").json()["key"]
    who = {"name": "Ida", "country": "POR", "club": "Rooks", "key": key}

    answers = [
        anonymous.post(f"{event.path}/entries/apply?dry_run=1", who | {"birth_year": year}).json()
        for year in (1990, 1991)
    ]

    for answer in answers:
        answer.pop("request_id", None)
        answer.pop("entry", None)  # of a row that is not stored; PostgreSQL counts it all the same
    assert answers[0] == answers[1]
