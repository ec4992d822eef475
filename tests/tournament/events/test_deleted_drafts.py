"""A draft is deleted with what gives access to it; a cancelled draft is in no list of strangers."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from games.core.accounts.mail import open_links
from games.core.broker import clear
from games.core.journal.lines import find_head, find_stored_errors, load_lines
from games.models import EmailLink, JournalHead, JournalLine, Player, Role, Token, Upload
from tests.events import SET_UP, Event, make_event, make_players
from tests.games.core.oauth import make_program
from tests.people import Person, make_person, player_of, problem_in
from tournament.events.verification import verify_stream
from tournament.models import Entry, Tournament, Webhook

pytestmark = pytest.mark.django_db
STREAM = "tournament/spring"
HOOK = {"tournament_slug": "spring", "receiver_url": "https://hooks.example.org/x", "kinds": []}


@pytest.fixture
def start(organiser: Person, ada: Person) -> dict[str, Any]:
    """A draft with two entries, one of them Ada's."""
    event = make_event(organiser)
    event.enter(player_of(ada), *make_players(1, by=organiser))
    return {"event": event}


def recreate(person: Person) -> None:
    assert person.post("tournaments", SET_UP | {"slug": "spring"}).status_code == 201


def make_director(event: Event) -> Person:
    person = make_person("Dan")
    assert person.account is not None
    person.account.roles.create(stream=event.stream, role="director")
    return person


def test_the_journal_of_the_site_keeps_its_head(organiser: Person, event: Event) -> None:
    head, players = find_head(STREAM), Player.objects.count()

    organiser.delete("tournaments/spring")

    line = JournalLine.objects.select_related("payload").get(stream="site")
    assert (line.kind, line.actor) == ("tournament.deleted", f"account/{organiser.account.pk}")
    kept = {name: value for name, value in line.payload.body.items() if name != "salt"}
    assert kept == {"tournament": "spring", "line": head.sequence, "digest": head.digest}
    assert not JournalLine.objects.filter(stream=STREAM).exists()
    assert not JournalHead.objects.filter(stream=STREAM).exists()
    assert not Entry.objects.exists()
    assert Player.objects.count() == players
    assert find_stored_errors("site", list(load_lines("site"))) == []
    assert verify_stream(STREAM) == []


def test_a_freed_address_gives_nobody_access(
    organiser: Person, ada: Person, stranger: Person, event: Event
) -> None:
    director = make_director(event)
    bound = organiser.with_token("tournament:write", stream=STREAM)
    invited = {"email": "guest@example.org", "role": "owner"}
    assert organiser.post("tournaments/spring/roles", invited).status_code == 201
    assert organiser.post("webhooks", HOOK).status_code == 201
    Upload.objects.create(
        task="tournament.tasks.import_entries", action="entries.edit", stream=STREAM,
        content=b"", by=organiser.account,
    )  # fmt: skip
    program, other = make_program(ada), make_program(ada, name="Other")
    scope = "tournament:write tournament:spring"
    code = program.code(organiser.account, scope)
    tokens = other.tokens(organiser.account, scope)
    free = other.tokens(organiser.account, "tournament:write")
    app = replace(organiser, secret=tokens["access_token"])
    assert app.get("tournaments/spring").status_code == 200

    assert organiser.delete("tournaments/spring").status_code == 204
    recreate(stranger)

    for model in (EmailLink, Token, Upload, Webhook):
        assert not model.objects.filter(stream=STREAM).exists()
    assert not open_links(EmailLink.Kind.INVITATION).exists()
    assert list(Role.objects.filter(stream=STREAM).values_list("account", flat=True)) == [
        stranger.account.pk
    ]
    for person in (bound, app):
        problem_in(person.get("tournaments/spring"), 401, "authentication_failed")
    for person in (organiser, director, ada):
        problem_in(person.get("tournaments/spring"), 404, "not_found")
    assert program.exchange(code).status_code == 400
    assert other.renew(tokens["refresh_token"]).status_code == 400
    unlimited = replace(organiser, secret=free["access_token"])
    assert unlimited.get("me").status_code == 200
    assert other.renew(free["refresh_token"]).status_code == 200
    assert verify_stream(STREAM) == []


def test_a_freed_address_gives_nobody_the_registrations(
    organiser: Person, stranger: Person, event: Event
) -> None:
    director = make_director(event)
    details = {"name": "Nell", "birth_year": 1990, "sex": "w"}
    csv = "name,birth_year,sex\nNell,1990,w\n"
    path = "tournaments/spring/entries/import"
    assert organiser.send("POST", path, csv.encode(), content_type="text/csv").status_code == 201
    player = Player.objects.get(name="Nell")
    seen = f"players/{player.pk}"
    assert details.items() <= director.get(seen).json().items()
    of_others = verify_stream("site")

    assert organiser.delete("tournaments/spring").status_code == 204
    recreate(stranger)

    assert details.items() <= organiser.get(seen).json().items()
    for person in (stranger, director):
        assert "birth_year" not in person.get(seen).json()
        problem_in(person.patch(seen, {"name": "Mine"}), 403, "role_missing")
    assert verify_stream("site") == of_others


def test_a_deleted_draft_counts_in_the_quotas_of_the_day(
    organiser: Person, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    clear()
    settings.QUOTAS = settings.QUOTAS | {"events_per_day": 2, "invitations_by_sender": 2}
    for number in range(2):
        recreate(organiser)
        invited = {"email": f"guest{number}@example.org", "role": "owner"}
        assert organiser.post("tournaments/spring/roles", invited).status_code == 201
        if number:
            refused = organiser.post("tournaments/spring/roles", invited | {"email": "x@y.org"})
            assert problem_in(refused, 409, "quota_reached")["quota"] == "invitations_by_sender"
        with django_capture_on_commit_callbacks(execute=True):
            assert organiser.delete("tournaments/spring?dry_run=1").status_code == 200
            assert organiser.delete("tournaments/spring").status_code == 204

    refused = organiser.post("tournaments", SET_UP | {"slug": "spring"})
    assert problem_in(refused, 409, "quota_reached")["quota"] == "events_per_day"
    clear()


@pytest.mark.parametrize("steps", [("open",), ("open", "cancel")])
def test_an_event_that_was_public_is_not_deleted(
    organiser: Person, event: Event, steps: tuple[str, ...]
) -> None:
    event.step(*steps)

    problem = problem_in(organiser.delete("tournaments/spring"), 409, "was_public")

    assert "cancelled" in problem["detail"]
    levels = {action["operation"]: action["level"] for action in problem["allowed_actions"]}
    assert levels["delete_tournament"] == "forbidden"
    assert Tournament.objects.filter(slug="spring").exists()


def test_a_cancelled_draft_is_in_no_list(
    client: Client, everyone: dict[str, Person], ada: Person, stranger: Person, event: Event
) -> None:
    event.step("cancel")

    for person in (ada, stranger, everyone["anonymous"]):
        assert person.get("tournaments").json()["results"] == []
        problem_in(person.get("tournaments/spring"), 404, "not_found")
        heads = b"".join(person.get("heads").streaming_content)
        assert b"spring" not in heads
    for person in (None, ada, stranger):
        if person:
            client.force_login(person.account)
        for page in ("/", "/events", "/search?q=Spring", f"/players/{player_of(ada).pk}"):
            assert "/e/spring" not in client.get(page).content.decode(), page
        assert client.get("/e/spring").status_code == 404
    organiser = everyone["organiser"]
    assert [row["slug"] for row in organiser.get("tournaments").json()["results"]] == ["spring"]
    assert organiser.delete("tournaments/spring").status_code == 204


def test_an_event_that_was_cancelled_after_it_was_public_is_listed(
    anonymous: Person, organiser: Person, event: Event
) -> None:
    event.step("open", "cancel")
    assert [row["slug"] for row in anonymous.get("tournaments").json()["results"]] == ["spring"]


def test_it_is_deleted_on_its_page(client: Client, organiser: Person, event: Event) -> None:
    client.force_login(organiser.account)
    asked = client.post("/e/spring/run/setup?dry_run=1", {"action": "delete"})
    assert asked.status_code == 200
    assert Tournament.objects.filter(slug="spring").exists()

    sent = client.post("/e/spring/run/setup", {"action": "delete"})
    assert (sent.status_code, sent["Location"]) == (303, "/events?done=delete")
    said = "The event is deleted."
    for browser, is_told in ((client, True), (client, True), (Client(), False)):
        assert (said in browser.get(sent["Location"]).content.decode()) == is_told
    assert not Tournament.objects.exists()
