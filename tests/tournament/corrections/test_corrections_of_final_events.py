"""Corrections of an event that is final or archived: ratings, permissions, bundles."""

import re
from typing import Any

import pytest
from django.test import Client

from games.models import Account, Game, JournalLine, Role
from ratings.models import Batch, Pool, Rating, Run
from ratings.runs.services import advance_pool
from ratings.runs.verification import verify_pool
from tests.events import Event, make_event, settle
from tests.people import URL, Person, make_person, problem_in, statuses
from tests.tournament.imports import empty_tables, final_event, without_ids
from tournament.corrections.effects import state_of
from tournament.events.verification import verify_tournament
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament

pytestmark = pytest.mark.django_db
WHY = "the slip was read wrongly"
UNDO = {"reason": "it was right"}


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> dict[str, Any]:
    """A final event that is rated, and a later one of two of its players."""
    organiser = make_person("Olga")
    event = final_event(organiser)
    ada = Person("Ada", Account.objects.get(name="Ada")).with_token("tournament:write")
    entries = event.tournament.entries.order_by("pairing_number")
    dates = {"starts_on": "2026-06-01", "ends_on": "2026-06-02"}
    later = make_event(organiser, slug="summer", name="Summer", pool="star", rounds=1, **dates)
    later.enter(entries[0].player, entries[1].player)
    later.step("open", "start").play(1)
    later.step("review", "finalise")
    advance_pool(Pool.objects.get(code="star").pk)
    return {"ada": ada, "event": event, "later": later}


@pytest.fixture
def start(db: None, played: dict[str, Any]) -> dict[str, Any]:
    again = {name: played[name].again() for name in ("event", "later")}
    return played | again


@pytest.fixture
def event(start: dict[str, Any]) -> Event:
    return start["event"]


@pytest.fixture
def ada(start: dict[str, Any]) -> Person:
    return start["ada"]


def body_of(game: Game, result: str = "0-1f") -> dict[str, Any]:
    return {"changes": [{"game_id": game.pk, "result": result}], "reason": WHY}


def commit(person: Person, event: Event, body: dict[str, Any]) -> Any:
    digest = person.post(f"{event.path}/corrections?dry_run=1", body).json()["digest"]
    return person.post(f"{event.path}/corrections", {**body, "digest": digest})


def ratings() -> dict[str, float]:
    """Rate the pool; return the rating of each player, as the API writes it."""
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    assert verify_pool(pool) == []
    rows = Rating.objects.filter(pool=pool).select_related("player")
    return {row.player.name: row.rating / 1000 for row in rows}


@pytest.mark.parametrize("result", ["10-11", "annulled"])
def test_the_preview_shows_the_ratings_of_the_next_run(
    organiser: Person, event: Event, result: str
) -> None:
    before = ratings()
    body = body_of(event.games(2)[0], result)
    shown = organiser.post(f"{event.path}/corrections?dry_run=1", body).json()
    assert ratings() == before
    runs = Run.objects.count()

    response = commit(organiser, event, body)

    assert response.status_code == 202
    assert response.json()["task"]["state"] == "waiting"
    assert response["Location"] == f"{URL}tasks/{response.json()['task']['id']}"
    after = ratings()
    assert Run.objects.count() == runs + 1
    (effect,) = shown["effect"]["ratings"]
    assert [row["name"] for row in effect["tournaments"]] == ["Spring Open", "Summer"]
    assert {row["player"]["name"]: (row["before"], row["after"]) for row in effect["players"]} == {
        name: (before[name], after.get(name)) for name in before if before[name] != after.get(name)
    }
    assert organiser.post(f"{event.path}/corrections/1/undo", UNDO).status_code == 202
    assert ratings() == before
    assert verify_tournament(event.stream) == []


def test_the_journal_has_the_digests_of_the_corrected_tables(
    organiser: Person, event: Event
) -> None:
    commit(organiser, event, body_of(event.games(2)[0], "10-11"))

    digest = organiser.get(f"{event.path}/crosstable?round=2").json()["digest"]
    line = JournalLine.objects.get(kind="correction.committed")
    assert line.payload.body["standings"] == {"2": digest}


def test_a_new_run_of_a_pool_makes_a_preview_of_another_event_stale(
    organiser: Person, event: Event, start: dict[str, Any]
) -> None:
    later = start["later"].tournament
    before = state_of(later)
    commit(organiser, event, body_of(event.games(2)[0], "10-11"))
    assert state_of(later) == before

    ratings()

    assert state_of(later) != before


def test_a_correction_for_the_rating_only(organiser: Person, event: Event) -> None:
    standings = organiser.get(f"{event.path}/standings").json()["rows"]
    before = ratings()
    body = body_of(event.games(1)[0], "10-11") | {"scope": "rating"}

    effect = commit(organiser, event, body).json()["effect"]

    assert (effect["standings"], effect["rounds"], effect["prizes"]) == ([], [], [])
    assert organiser.get(f"{event.path}/standings").json()["rows"] == standings
    assert ratings() != before


def test_the_state_decides_who_corrects(
    event: Event, staff: Person, everyone: dict[str, Person]
) -> None:
    director = make_person("Dora")
    Role.objects.create(stream=event.stream, account=director.account, role=Role.Name.DIRECTOR)
    people = everyone | {"director": director, "staff": staff}
    body, path = body_of(event.games(2)[0]), f"{event.path}/corrections?dry_run=1"
    refused = {"player": 403, "stranger": 403, "anonymous": 401, "director": 403}

    assert statuses(people, "POST", path, body) == refused | {"organiser": 200, "staff": 200}
    event.step("archive")
    assert statuses(people, "POST", path, body) == refused | {"organiser": 403, "staff": 200}
    assert commit(staff, event, body).status_code == 202


def test_an_event_that_is_not_running_has_nothing_to_correct(organiser: Person) -> None:
    event = make_event(organiser, slug="draft")
    body = {"changes": [{"game_id": 1, "result": "1-0"}], "reason": WHY}

    problem_in(organiser.post(f"{event.path}/corrections?dry_run=1", body), 409, "wrong_state")


def test_an_imported_bundle_has_the_corrections(
    organiser: Person, staff: Person, event: Event, anonymous: Person
) -> None:
    body = body_of(event.games(1)[0], "10-11") | {"scope": "standings"}
    assert commit(organiser, event, body).status_code == 202
    shown = anonymous.get(f"{event.path}/corrections/1").json()
    standings = anonymous.get(f"{event.path}/standings").json()["rows"]
    content = write_bundle(event.tournament)
    empty_tables()

    address = "tournaments/import/bundle"
    answer = staff.post(address, content, content_type="application/zip")

    assert answer.status_code == 201, answer.content
    imported = anonymous.get(f"{event.path}/corrections/1").json()
    shown["effect"]["ratings"] = []  # they are of the pools of the other installation
    assert without_ids(imported) == without_ids({**shown, "actor": "system"})
    found = anonymous.get(f"{event.path}/standings").json()["rows"]
    assert without_ids(found) == without_ids(standings)
    assert write_bundle(Tournament.objects.get()) == content
    assert staff.post(f"{event.path}/corrections/1/undo", UNDO).status_code == 202
    assert verify_tournament(event.stream) == []


def test_a_batch_that_waits_for_its_pool_is_not_rated(organiser: Person, event: Event) -> None:
    Batch.objects.filter(stream=event.stream).update(state=Batch.State.WITHDRAWN)

    body = body_of(event.games(1)[0], "10-11")
    shown = organiser.post(f"{event.path}/corrections?dry_run=1", body).json()

    assert settle() == 0
    assert JournalLine.objects.filter(kind="correction.committed").count() == 0
    assert shown["effect"]["standings"]


def test_everybody_sees_what_a_correction_changed_when_and_why(
    client: Client, organiser: Person, event: Event
) -> None:
    pages = [f"/e/{event.tournament.slug}/{path}" for path in ("standings", "crosstable")]
    game = event.games(1)[0]
    board = f"/e/{event.tournament.slug}/rounds/1/boards/{game.pairings.get().board_number}"
    listed = f"/e/{event.tournament.slug}/corrections"
    assert WHY not in client.get(pages[0]).content.decode()
    assert "No result of this event was corrected" in client.get(listed).content.decode()

    assert commit(organiser, event, body_of(game)).status_code == 202

    entry = event.tournament.entries.get(player=game.first)
    pages += [
        f"/e/{event.tournament.slug}/ratings", f"/players/{game.first_id}/games", "/games",
        f"/games/{game.pk}", f"/e/{event.tournament.slug}/games",
        f"/e/{event.tournament.slug}/players/{entry.pairing_number}",
    ]  # fmt: skip
    for page in (*pages, board):
        text = client.get(page).content.decode()
        assert f'href="{listed}#correction-1">Corrected on ' in text, page
        assert WHY in text, page
    crosstable = client.get(f"/e/{event.tournament.slug}/crosstable").content.decode()
    assert len(re.findall(r"[01+-]†</span></td>", crosstable)) == 2
    assert "† marks a result that was corrected." in crosstable
    by_name = client.get(f"/e/{event.tournament.slug}/rounds/1?by=name").content.decode()
    assert f"† Board {game.pairings.get().board_number}: corrected on " in by_name
    assert by_name.count(" †</a>") == 2
    for table in ("standings", "crosstable", "prizes", "clubs"):
        file = client.get(f"/api/v1/{event.path}/{table}.html").content.decode()
        assert f": {WHY}" in file, table
    paired = client.get(f"/e/{event.tournament.slug}/rounds/1").content.decode()
    number = game.pairings.get().board_number
    assert f"† Board {number}: corrected on " in paired
    assert "forfeit †</a></td>" in paired
    text = client.get(listed).content.decode()
    assert game.first.name in text
    assert WHY in text
    assert f'href="{listed}" aria-current="page"' in text

    organiser.post(f"{event.path}/corrections/1/undo", UNDO)
    assert "Undone by correction 2" in client.get(listed).content.decode()
    for page in (*pages, f"/e/{event.tournament.slug}/rounds/1"):
        assert WHY not in client.get(page).content.decode(), page
