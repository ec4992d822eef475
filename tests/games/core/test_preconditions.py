"""`If-Match`: of two directors who act on the same object at once, one is notified."""

import pytest

from games.core.accounts.tokens import issue_token
from games.core.permissions import SCOPES
from games.models import Account, JournalLine, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, problem_in


def careful(person: Person) -> Person:
    """Return the person with a token that requires `If-Match`, as tokens do by default."""
    token, secret = issue_token(person.account, list(SCOPES))
    return Person(person.name, person.account, token, secret)


@pytest.fixture
def olga(organiser: Person) -> Person:
    return careful(organiser)


@pytest.fixture
def dina(event: Event) -> Person:
    """Another director."""
    person = careful(make_person("Dina"))
    Role.objects.create(stream=event.stream, account=person.account, role="director")
    return person


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(4))
    return event.step("open", "start")


def tag(person: Person, path: str) -> str:
    return person.get(path)["ETag"]


def reads(event: Event) -> list[str]:
    """Return the objects that directors write to."""
    entry = event.tournament.entries.order_by("pk")[0].pk
    one = f"{event.path}/rounds/1"
    game = event.games()[0].pk
    return [event.path, one, f"{one}/pairings", f"{event.path}/entries/{entry}", f"games/{game}"]


def test_a_stale_write_lists_what_changed(olga: Person, dina: Person, event: Event) -> None:
    path = f"{event.path}/rounds/1"
    event.draft(1)
    seen = tag(olga, path)
    assert dina.post(f"{path}/publish", {}, If_Match=tag(dina, path)).status_code == 200

    problem = problem_in(olga.post(f"{path}/unpair", {}, If_Match=seen), 412, "stale")

    (line,) = problem["changed"]
    assert (line["kind"], line["name"]) == ("round.published", "Dina")
    assert line["actor"] == f"account/{dina.account.pk}"
    assert problem["current"].split(".")[1].strip('"') in tag(olga, path)


def test_who_has_no_name_has_null_in_what_changed(olga: Person, dina: Person, event: Event) -> None:
    seen = tag(olga, event.path)
    assert dina.patch(event.path, {"place": "Lisbon"}, If_Match="*").status_code == 200
    Account.objects.filter(pk=dina.account.pk).update(name="")

    problem = problem_in(olga.patch(event.path, {"place": "Porto"}, If_Match=seen), 412, "stale")

    assert [line["name"] for line in problem["changed"]] == [None]


def test_writes_to_other_objects_do_not_disturb(olga: Person, dina: Person, event: Event) -> None:
    first, second = event.publish()
    seen = tag(olga, f"games/{first.pk}")
    body = {"result": "1-0", "reason": "seen"}

    other = tag(dina, f"games/{second.pk}")
    assert dina.post(f"games/{second.pk}/rule", body, If_Match=other).status_code == 202
    assert olga.post(f"games/{first.pk}/rule", body, If_Match=seen).status_code == 202
    problem = problem_in(dina.post(f"games/{first.pk}/rule", body, If_Match=seen), 412, "stale")
    assert [line["name"] for line in problem["changed"]] == ["Olga"]


def test_an_overwrite_is_journalled(olga: Person, event: Event) -> None:
    assert olga.patch(event.path, {"place": "Lisbon"}, If_Match="*").status_code == 200

    lines = JournalLine.objects.filter(stream=event.stream).order_by("sequence")
    assert [line.kind for line in lines][-2:] == ["write.forced", "tournament.edited"]
    assert lines.get(kind="write.forced").payload.body["address"] == f"PATCH /api/v1/{event.path}"


def test_a_rejected_overwrite_leaves_no_line(olga: Person, event: Event) -> None:
    problem_in(olga.post(f"{event.path}/finalise", If_Match="*"), 409)

    assert not JournalLine.objects.filter(kind="write.forced").exists()


def test_others_get_no_version(anonymous: Person, olga: Person, event: Event) -> None:
    event.publish()
    for path in reads(event):
        assert ("." in tag(anonymous, path), "." in tag(olga, path)) == (False, True), path
