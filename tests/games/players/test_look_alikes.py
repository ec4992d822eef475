"""Names that look like those of others are pointed out, and refused nowhere."""

from typing import Any

import pytest

from games.models import Player
from games.names import skeleton_of
from tests.events import make_event
from tests.people import Person
from tests.tournament.conftest import login

A, E, O, P = "\u0410", "\u0435", "\u043e", "\u0420"  # noqa: E741 - the Cyrillic letters
ALIKE = [
    ("Ada", f"{A}da"),
    ("Peter", f"{P}{E}ter"),
    ("Oscar", "0scar"),
    ("Ian", "lan"),
    ("Marnie", "Mamie"),
    ("Müller", "MULLER"),
    ("John", "\uff2a\uff4fhn"),  # full width
    ("Anna", "\U0001d400nna"),  # a mathematical letter
    ("Al", "A\u0661"),  # an Arabic digit
    ("Olga Holm", f"Olga H{O}lm"),
]
DIFFERENT = [("Ada", "Eva"), ("Carl", "Cari"), ("Anna", "Hanna"), ("Jon", "John"), ("山田", "山本")]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_look_alike(one: str, other: str) -> None:
    assert skeleton_of(one) == skeleton_of(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_do_not_look_alike(one: str, other: str) -> None:
    assert skeleton_of(one) != skeleton_of(other)


@pytest.fixture
def registered(db: None) -> Player:
    return Player.objects.create(name="Ada Holm")


def named(player: Player) -> list[dict[str, Any]]:
    return [{"id": player.pk, "name": player.name, "country": None, "club": None}]


def test_a_registration_names_the_look_alikes(organiser: Person, registered: Player) -> None:
    Player.objects.create(name="Ada Holms")
    for path, status in (("players?dry_run=1", 200), ("players", 201)):
        answer = organiser.post(path, {"name": f"{A}da H{O}lm"})
        assert (answer.status_code, answer.json()["look_alikes"]) == (status, named(registered))

    namesake = organiser.post("players?dry_run=1", {"name": "Ada Holm"}).json()
    assert [one["name"] for one in namesake["look_alikes"]] == [f"{A}da H{O}lm"]


def test_a_corrected_name_is_compared_anew(organiser: Person, staff: Person) -> None:
    player = Player.objects.create(name="Eva")
    staff.patch(f"players/{player.pk}", {"name": f"{A}da"})

    answer = organiser.post("players?dry_run=1", {"name": "Ada"}).json()

    assert [one["id"] for one in answer["look_alikes"]] == [player.pk]


def test_a_file_names_the_look_alikes_of_new_players(organiser: Person, registered: Player) -> None:
    event = make_event(organiser)
    content = f"name\n{A}da Holm\nAda Holm\nEva\n".encode()
    for path in ("players/import", f"{event.path}/entries/import"):
        answer = organiser.send("POST", f"{path}?dry_run=1", content, content_type="text/csv")
        found = [line["look_alikes"] for line in answer.json()["rows"]]
        assert found == [named(registered), [], []], answer.content


def test_pages_show_the_look_alikes(organiser: Person, registered: Player) -> None:
    event = make_event(organiser)
    other = Player.objects.create(name=f"{A}da Holm")
    browser = login(organiser)
    form = {"action": "register", "name": f"{A}da H{O}lm"}
    page = browser.post("/players/new?dry_run=1", form).content.decode()
    assert f"/players/{registered.pk}" in page

    entries = f"/e/{event.tournament.slug}/run/entries"
    event.enter(registered)
    assert "look alike" not in browser.get(entries).content.decode()
    event.enter(other)
    assert "These names look alike" in browser.get(entries).content.decode()
