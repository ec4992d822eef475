"""Players without an event: how many an account registers, and how they are removed."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import JournalLine, Player
from tests.events import make_event, make_players
from tests.games.core.test_account_administration import log_in, page_of
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.entries.applications import apply
from tournament.players.queries import unused_players
from tournament.tasks import delete_unused_players

pytestmark = pytest.mark.django_db
CSV = {"content_type": "text/csv"}


def register(person: Person, *names: str) -> list[Player]:
    answers = [person.post("players", {"name": name}) for name in names]
    return [Player.objects.get(pk=answer.json()["id"]) for answer in answers]


def names() -> list[str]:
    return [*Player.objects.order_by("pk").values_list("name", flat=True)]


def test_an_account_registers_so_many_players_a_day(
    organiser: Person, stranger: Person, staff: Person, settings: Any
) -> None:
    settings.QUOTAS = settings.QUOTAS | {"players_per_day": 3}
    register(organiser, "Ada", "Ben")
    for answer in (
        organiser.post("players/import", "name\nCleo\nDan\n", **CSV),
        organiser.post("players/import", "name\nCleo\nDan\nEva\n", **CSV),
    ):
        problem = problem_in(answer, 409, "quota_reached")
        assert problem["detail"].startswith("the limit is 3 players that one account registers in")
    assert names().count("Cleo") == 0
    register(organiser, "Cleo")
    problem_in(organiser.post("players", {"name": "Dan"}), 409, "quota_reached")
    register(stranger, "Dan")
    assert organiser.post("players/import", "name\nAda\nBen\n", **CSV).status_code == 201

    Player.objects.update(created_at=timezone.now() - timedelta(days=1))
    register(organiser, "Eva")
    register(staff, *"FGHI")


def test_staff_deletes_the_unused_players_of_an_account_with_one_act(
    organiser: Person, stranger: Person, staff: Person
) -> None:
    register(organiser, "Ada", "Ben", "Cleo")
    register(stranger, "Dan")
    event = make_event(organiser).step("open")
    event.enter(Player.objects.get(name="Ada"))
    claimed = Player.objects.get(name="Ben")
    stranger.post("claims", {"player_id": claimed.pk})
    client = log_in(staff.account)

    page = page_of(organiser.account)
    assert client.get(page).context["unused_players"] == 1
    before = names()
    assert client.post(page, {"action": "delete-players"}).status_code == 303

    assert set(before) - set(names()) == {"Cleo"}
    line = JournalLine.objects.latest("pk")
    assert (line.stream, line.kind) == ("site", "players.deleted")
    assert line.actor == f"account/{staff.account.pk}"
    assert "delete-players" not in client.get(page).content.decode()
    assert verify("site") == []
    assert log_in(stranger.account).post(page, {"action": "delete-players"}).status_code == 403


def test_unused_players_expire(organiser: Person, staff: Person, settings: Any) -> None:
    _, entered, applied = register(organiser, "Unused", "Entered", "Applied")
    register(staff, "Of a national list")
    event = make_event(organiser).step("open")
    event.enter(entered)
    apply(event.tournament, applied, by=organiser.account)
    before = names()
    assert delete_unused_players.run() == 0

    settings.UNUSED_PLAYER_DAYS = 0
    assert (delete_unused_players.run(), delete_unused_players.run()) == (1, 0)

    assert set(before) - set(names()) == {"Unused"}
    assert JournalLine.objects.latest("pk").actor == "system"
    assert verify("site") == []


def test_who_is_named_anywhere_is_used(organiser: Person) -> None:
    """Each relation of a player counts, also those that a later version adds."""
    kept, merged, free = make_players(3, by=organiser)
    Player.objects.filter(pk=merged.pk).update(merged_into=kept)
    assert [*unused_players().filter(registered_by=organiser.account)] == [free]
