"""Imports of entries from CSV: which lines enter whom, how many, and errors with their line."""

import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.http import HttpResponse

from games.models import JournalLine, Player
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries.imports import COLUMNS
from tournament.entries.queries import EntryDetails
from tournament.entries.serializers import VALUES
from tournament.messages.feed import last_number, load_feed
from tournament.models import Entry

pytestmark = pytest.mark.django_db
LINES = (
    "name,country,club,seed_rating,birth_year,sex,category\n"
    "Ada,por,Lisbon,1900,1990,W,open\nBen,,,,,,\n"
)


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


def post(person: Person, event: Event, content: bytes | str, query: str = "") -> HttpResponse:
    body = content.encode() if isinstance(content, str) else content
    return person.post(f"{event.path}/entries/import{query}", body, content_type="text/csv")


def test_a_line_becomes_an_entry(organiser: Person, event: Event) -> None:
    ben = Player.objects.create(name="Ben", seed_rating=1700)

    answer = post(organiser, event, LINES)

    assert answer.status_code == 201
    assert [line["action"] for line in answer.json()["rows"]] == ["created", "known"]
    ada, second = event.tournament.entries.order_by("pk")
    values = (ada.seed_rating, ada.birth_year, ada.sex, ada.category, ada.player.country)
    assert values == (1900, 1990, "w", "open", "POR")
    assert (second.player, second.seed_rating) == (ben, 1700)
    assert [entry.kind for entry in load_feed(event.stream, after=0, limit=100)] == [
        "tournament.opened", "entry.accepted", "entry.accepted",
    ]  # fmt: skip


@pytest.mark.parametrize("is_running", [False, True])
def test_each_entry_of_a_file_is_announced(
    organiser: Person, event: Event, is_running: bool
) -> None:
    if is_running:
        event.enter(*make_players(2))
        event.step("start")
    end = last_number(event.stream)

    post(organiser, event, LINES)

    found = [(line.kind, line.data) for line in load_feed(event.stream, after=end, limit=100)]
    entries = {
        entry["id"]: entry for entry in organiser.get(f"{event.path}/entries").json()["results"]
    }
    assert [kind for kind, _ in found] == ["entry.accepted"] * 2
    for (_, data), person in zip(found, ("Ada", "Ben"), strict=True):
        entry = entries[data["entry"]["id"]]
        assert data["entry"] == {name: entry[name] for name in ("id", "number", "player")}
        assert (entry["player"]["name"], entry["number"] is not None) == (person, is_running)
        assert data["url"] == entry["url"]
    call_command("verify_state", event.stream)


def test_a_rating_with_decimals_is_rounded_a_half_up(organiser: Person, event: Event) -> None:
    content = "name;Elo\nAda;1887,5\nBen;1887.4\nCleo;0\nDan;\n"
    Player.objects.create(name="Dan", seed_rating=1500)
    Player.objects.create(name="Cleo", seed_rating=1600)
    assert post(organiser, event, content).status_code == 201

    ratings = event.tournament.entries.order_by("pk").values_list("seed_rating", flat=True)
    assert list(ratings) == [1888, 1887, 0, 1500]


def test_several_columns_of_numbers_are_ignored(organiser: Person, event: Event) -> None:
    assert post(organiser, event, "SNo;n;Name\n1;9;Ada\n").status_code == 201
    assert event.tournament.entries.get().player.name == "Ada"


def test_an_existing_entry_stays_unchanged(organiser: Person, event: Event) -> None:
    post(organiser, event, LINES)

    answer = post(organiser, event, LINES)

    assert [line["action"] for line in answer.json()["rows"]] == ["entered", "entered"]
    assert event.tournament.entries.count() == 2


def test_an_ambiguous_line_is_refused_and_named_by_an_id(organiser: Person, event: Event) -> None:
    _, second = (Player.objects.create(name="Ada", country="POR", club=club) for club in "AB")

    problem = problem_in(post(organiser, event, "name;Land\nADA;por\n"), 422, "invalid_lines")
    (error,) = problem["errors"]
    assert error["code"] == "ambiguous_player"
    assert error["detail"].endswith("; name the player by id (or `new`) in the column `player`")
    answer = post(organiser, event, f"name;Land;player_id\nADA;por;{second.pk}\n").json()

    assert answer["columns"] == {"name": "name", "Land": "country", "player_id": "player"}
    assert event.tournament.entries.get().player == second


def test_a_dry_run_changes_nothing(organiser: Person, event: Event) -> None:
    answer = post(organiser, event, LINES, "?dry_run=1")

    assert answer.status_code == 200
    assert [line["player"]["id"] for line in answer.json()["rows"]] == [None, None]
    assert (Entry.objects.count(), Player.objects.count()) == (0, 0)


def test_only_lines_of_accepted_players_enter_somebody(organiser: Person, event: Event) -> None:
    """Others register nobody either, and may name somebody twice."""
    states = ["accepted", "Accepted ", "", "withdrawn", "refused", "waiting", "applied"]
    lines = "".join(f"P{number},{state}\n" for number, state in enumerate(states))

    answer = post(organiser, event, f"name,state\n{lines}P0,withdrawn\n")

    assert answer.status_code == 201, answer.content
    actions = [line["action"] for line in answer.json()["rows"]]
    assert actions == ["created"] * 3 + ["left_out"] * 5
    assert sorted(event.tournament.entries.values_list("player__name", flat=True)) == [
        "P0", "P1", "P2",
    ]  # fmt: skip
    assert not Player.objects.filter(name="P3").exists()


def test_a_column_about_another_state_is_ignored_on_request(
    organiser: Person, event: Event
) -> None:
    content = "name,state\nAda,NY\n"
    problem = problem_in(post(organiser, event, content), 422, "invalid_lines")

    assert "applied, accepted, refused, waiting, withdrawn" in problem["detail"]
    assert "ignore this column" in problem["detail"]
    assert post(organiser, event, content, "?columns=state:ignore").status_code == 201


WRONG = {
    "a year too early": ("name,birth_year\nAda,1990\nBen,19\n", "invalid_lines", 3),
    "an unknown code of sex": ("name,sex\nAda,W\nBen,x\n", "invalid_lines", 3),
    "a long category": (f"name,category\nAda,{'x' * 40}\nBen,{'x' * 41}\n", "invalid_lines", 3),
    "no rating": ("name,seed_rating\nAda,100\nBen,99\n", "invalid_lines", 3),
    "a name twice": ("name\nAda\nAda\n", "invalid_lines", 3),
    "no name": ("country,club\nPOR,Lisbon\n", "wrong_columns", None),
}


@pytest.mark.parametrize(("content", "code", "line"), WRONG.values(), ids=WRONG)
def test_an_invalid_file_is_rejected(
    organiser: Person, event: Event, content: str, code: str, line: int | None
) -> None:
    problem = problem_in(post(organiser, event, content), 422, code)

    assert line is None or [error["line"] for error in problem["errors"]] == [line]
    assert (Entry.objects.count(), Player.objects.count()) == (0, 0)


def test_there_are_as_many_places_rounds_and_entries_as_there_may_be(
    organiser: Person, event: Event, settings: LazySettings
) -> None:
    organiser.patch(event.path, {"places": 3})
    event.enter(*make_players(1))
    three = "name,country\nAda,\nBen,\nPlayer 1,POR\nCleo,\n"
    assert problem_in(post(organiser, event, three), 409, "no_place_left")["places"] == 3
    settings.QUOTAS = settings.QUOTAS | {"entries": 2}
    problem_in(post(organiser, event, LINES), 409, "quota_reached")
    settings.QUOTAS = settings.QUOTAS | {"entries": 3}
    assert post(organiser, event, LINES).status_code == 201  # the last places
    problem_in(post(organiser, event, LINES), 409, "no_place_left")
    problem_in(post(organiser, event, LINES, "?dry_run=1"), 409, "no_place_left")
    again = post(organiser, event, LINES, "?waiting=1").json()["rows"]
    assert [line["action"] for line in again] == ["entered", "entered"]
    late = make_event(organiser, slug="late", rounds=1)
    late.enter(*make_players(2))
    late.step("open", "start").publish(1)
    problem_in(post(organiser, late, LINES), 409, "no_round_left")


@pytest.mark.parametrize("is_running", [False, True])
def test_lines_beyond_the_places_go_on_the_waiting_list(
    organiser: Person, event: Event, is_running: bool
) -> None:
    organiser.patch(event.path, {"places": 3})
    event.enter(*make_players(2))
    if is_running:
        event.step("start")
    text = "name,country,Elo\nAnn,,1500\nPlayer 1,POR,\nBen,,1400\nCem,,1300\n"
    dry, real = (
        post(organiser, event, text, f"?waiting=1{more}").json() for more in ("&dry_run=1", "")
    )
    for body in (dry, real):
        actions = [line["action"] for line in body["rows"]]
        assert actions == ["created", "entered", "waiting", "waiting"]
    numbers = [
        [(card["number"], card["printed_number"]) for card in body["outdated"]["cards"]]
        for body in (dry, real)
    ]
    assert numbers == [[(1, None), (2, 1), (3, 2)] if is_running else []] * 2
    rows = event.tournament.entries.order_by("ordinal").values_list(
        "player__name", "state", "pairing_number"
    )
    number = 1 if is_running else None
    assert list(rows)[2:] == [
        ("Ann", "accepted", number), ("Ben", "waiting", None), ("Cem", "waiting", None),
    ]  # fmt: skip
    kinds = JournalLine.objects.filter(kind__startswith="entry.").order_by("sequence")
    assert [line.kind for line in kinds][2:] == ["entry.accepted", *["entry.waiting"] * 2]
    assert verify() == []


def test_each_value_of_an_entry_is_a_column_of_a_file_and_in_the_response() -> None:
    assert set(VALUES) <= set(COLUMNS)
    assert set(VALUES) <= EntryDetails.__annotations__.keys()
