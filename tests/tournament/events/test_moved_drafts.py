"""The slug of a draft changes: everything of the event has the new address, nothing the old one."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from games.core.journal.lines import find_head
from games.models import EmailLink, JournalHead, JournalLine, Player, Role, Token, Upload
from tests.events import SET_UP, Event, make_event, make_players
from tests.games.core.oauth import make_program
from tests.people import Person, make_person, player_of, problem_in
from tests.tournament.imports import empty_tables
from tournament.events.verification import find_streams, verify_stream
from tournament.models import Tournament, Webhook, WebhookDelivery
from tournament.webhooks.deliveries import queue_entries

pytestmark = pytest.mark.django_db
OLD, NEW = "tournament/spring", "tournament/autumn-open"
HOOK = {"tournament_slug": "spring", "receiver_url": "https://hooks.example.org/x", "kinds": []}
ADDRESS = "tournaments/autumn-open"


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """A draft with three entries, a bye and links; one of the players was registered in it."""
    event = make_event(organiser, ends_on="2026-05-09")
    entry, *_ = event.enter(player_of(ada), *make_players(1, by=organiser))
    bye = {"entry_id": entry.pk, "round": 1, "kind": "half_bye"}
    assert organiser.post(f"{event.path}/byes", bye).status_code == 201
    line = "name,birth_year\nCleo,1990\n"
    path = f"{event.path}/entries/import"
    assert organiser.post(path, line, content_type="text/csv").status_code == 201
    assert organiser.post(f"{event.path}/links", {}).status_code in (200, 201)
    return event


def verify() -> list[str]:
    """Return the errors of the journals, and the differences of the rows from them.

    The other players were registered without a line in the journal of the site.
    """
    cleo = Player.objects.get(name="Cleo").key
    errors = [error for stream in sorted(find_streams()) for error in verify_stream(stream)]
    return [error for error in errors if not error.startswith("player ") or cleo in error]


def move(person: Person, slug: Any = "autumn-open", **changes: Any) -> Any:
    return person.patch("tournaments/spring", {"slug": slug, **changes})


def test_the_event_is_at_the_new_address_only(organiser: Person, ada: Person, event: Event) -> None:
    entries = organiser.get("tournaments/spring/entries").json()["results"]

    tag = organiser.get("tournaments/spring")["ETag"]
    changes = {"slug": "autumn-open", "name": "Autumn"}

    answer = organiser.patch("tournaments/spring", changes, If_Match=tag)

    assert answer.status_code == 200, answer.content
    assert (answer.json()["slug"], answer.json()["name"]) == ("autumn-open", "Autumn")
    moved = organiser.get(f"{ADDRESS}/entries").json()["results"]
    assert moved == [
        row | {"url": row["url"].replace("/spring/", "/autumn-open/")} for row in entries
    ]
    problem_in(organiser.get("tournaments/spring"), 404, "not_found")
    problem_in(ada.get(ADDRESS), 404, "not_found")
    assert answer["ETag"] != tag
    place = {"place": "Porto"}
    assert organiser.patch(ADDRESS, place, If_Match=answer["ETag"]).status_code == 200


def test_its_journal_begins_again_and_holds(organiser: Person, event: Event) -> None:
    head = find_head(OLD)

    assert move(organiser).status_code == 200

    assert not JournalHead.objects.filter(stream=OLD).exists()
    assert not JournalLine.objects.filter(stream=OLD).exists()
    (line,) = JournalLine.objects.filter(stream=NEW)
    assert (line.sequence, line.kind) == (1, "tournament.moved")
    kept = JournalLine.objects.select_related("payload").filter(stream="site").last()
    assert kept is not None
    assert kept.kind == "tournament.moved"
    assert {name: value for name, value in kept.payload.body.items() if name != "salt"} == {
        "tournament": "spring",
        "slug": "autumn-open",
        "line": head.sequence,
        "digest": head.digest,
    }
    assert verify() == []
    moved = replace(event, tournament=Tournament.objects.get(slug="autumn-open"))
    moved.step("open", "start").play(1)
    assert verify() == []


def test_a_moved_event_enters_another_installation(organiser: Person, event: Event) -> None:
    move(organiser)
    moved = replace(event, tournament=Tournament.objects.get(slug="autumn-open"))
    moved.step("open", "start").play(1)
    bundle, head = organiser.get(f"{ADDRESS}/bundle.zip").content, find_head(NEW)
    empty_tables()

    staff = make_person("Stella", is_staff=True)
    address = "tournaments/import/bundle"
    response = staff.post(address, bundle, content_type="application/zip")

    assert response.status_code == 201, response.content
    assert find_head(NEW) == head
    assert verify_stream(NEW) == []


def test_what_gives_access_moves(organiser: Person, ada: Person, event: Event) -> None:
    bound = organiser.with_token("tournament:write", stream=OLD)
    director = make_person("Dan")
    director.account.roles.create(stream=OLD, role="director")
    invited = {"email": "guest@example.org", "role": "owner"}
    assert organiser.post("tournaments/spring/roles", invited).status_code == 201
    assert organiser.post("webhooks", HOOK).status_code == 201
    hook = Webhook.objects.get()
    Upload.objects.create(
        task="tournament.tasks.import_entries", action="entries.edit", stream=OLD,
        content=b"", by=organiser.account,
    )  # fmt: skip
    program = make_program(ada)
    tokens = program.tokens(organiser.account, "tournament:write tournament:spring")
    app = replace(organiser, secret=tokens["access_token"])
    assert app.get("tournaments/spring").status_code == 200

    assert move(organiser).status_code == 200

    for model in (EmailLink, Role, Token, Upload, Webhook):
        assert not model._default_manager.filter(stream=OLD).exists(), model
        assert model._default_manager.filter(stream=NEW).exists(), model
    for person in (bound, director):
        assert person.get(ADDRESS).status_code == 200
    problem_in(app.get(ADDRESS), 401, "authentication_failed")
    assert program.renew(tokens["refresh_token"]).status_code == 400
    replace(event, tournament=Tournament.objects.get(slug="autumn-open")).step("open")
    queue_entries(hook.pk)
    kinds = WebhookDelivery.objects.filter(webhook=hook).values_list("kind", flat=True)
    assert "tournament.opened" in kinds
    cleo = Player.objects.get(name="Cleo")
    assert cleo.registered_in == NEW
    assert director.patch(f"players/{cleo.pk}", {"club": "Rooks"}).status_code == 200
    assert verify() == []


def test_a_freed_address_gives_nobody_access(
    organiser: Person, stranger: Person, event: Event
) -> None:
    move(organiser)
    assert stranger.post("tournaments", SET_UP | {"slug": "spring"}).status_code == 201

    problem_in(organiser.get("tournaments/spring"), 404, "not_found")
    problem_in(stranger.get(ADDRESS), 404, "not_found")
    cleo = Player.objects.get(name="Cleo")
    problem_in(stranger.patch(f"players/{cleo.pk}", {"club": "x"}), 403)
    assert verify() == []


@pytest.mark.parametrize(
    ("slug", "status", "code"),
    [
        ("TAKEN", 409, "slug_taken"),
        ("import", 422, "slug_needed"),
        ("a b", 422, "invalid"),
    ],
)
def test_a_slug_that_is_no_free_address(
    organiser: Person, stranger: Person, event: Event, slug: Any, status: int, code: str
) -> None:
    make_event(stranger, slug="taken")
    head = find_head(OLD)
    problem = problem_in(move(organiser, slug), status, code)

    assert [error["pointer"] for error in problem["errors"]] == ["/slug"]
    assert find_head(OLD) == head


def test_the_same_slug_changes_nothing_and_case_may_change(organiser: Person, event: Event) -> None:
    head = find_head(OLD)
    assert move(organiser, "spring").status_code == 200
    assert find_head(OLD) == head
    assert move(organiser, "Spring").json()["slug"] == "Spring"
    assert verify() == []


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        (("open",), "was_public"),
        (("open", "cancel"), "wrong_state"),
    ],
)
def test_an_event_that_was_public_keeps_its_slug(
    organiser: Person, event: Event, steps: tuple[str, ...], code: str
) -> None:
    event.step(*steps)
    problem_in(move(organiser), 409, code)
    assert organiser.get("tournaments/spring").status_code == 200


def test_a_draft_that_was_resumed_moves(organiser: Person, event: Event) -> None:
    event.step("cancel", "resume")
    assert move(organiser).status_code == 200
    assert verify() == []


def test_it_moves_on_its_page(client: Client, organiser: Person, event: Event) -> None:
    client.force_login(organiser.account)
    page = "/e/spring/run/setup"
    form = {
        "action": "edit", "if_match": "*", "name": "Spring",
        "starts_on": "2026-05-09", "ends_on": "2026-05-09", "time_zone": "UTC", "public": "true",
    }  # fmt: skip
    make_event(organiser, slug="taken")
    assert client.post(page, form | {"slug": "taken"}).status_code == 409

    sent = client.post(page, form | {"slug": "autumn-open"})

    moved = "/e/autumn-open/run/setup"
    assert (sent.status_code, sent["Location"]) == (303, f"{moved}?done=edit")
    assert client.get(page).status_code == 404
    event = replace(event, tournament=Tournament.objects.get(slug="autumn-open"))
    for is_draft in (True, False):
        assert ('id="field-slug"' in client.get(moved).content.decode()) == is_draft
        event.step(*["open"] * is_draft)
    assert verify() == []
