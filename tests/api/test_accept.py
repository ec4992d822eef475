"""`Accept` chooses the format of every read; a suffix of the address wins over it."""

from typing import Any

import pytest

from tests.api.one_of_each import make_everything
from tests.api.operations import operations
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in

pytestmark = pytest.mark.any_database

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
JSON, CSV, HTML = "application/json", "text/csv", "text/html"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
STANDINGS = "tournaments/spring/standings"


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_event(organiser)
    event.enter(*make_players(3))
    return event.step("open", "start")


def type_of(person: Person, path: str, accept: str) -> str:
    response = person.get(path, Accept=accept)
    assert response.status_code == 200, response.content
    return str(response["Content-Type"]).partition("; charset")[0]


CHOICES = [
    ("*/*", JSON),
    ("", JSON),
    (CSV, CSV),
    ("text/csv;q=0.5, application/json", JSON),
    ("text/csv;q=0.2, text/html;q=0.9", HTML),
    ("text/*", CSV),
    ("*/*, application/json;q=0", CSV),
    ("text/csv;q=0, */*;q=0.1", JSON),
    ("application/x-ndjson", "application/x-ndjson"),
    ("text/plain", "text/plain"),
    ("text/plain; version=26", "text/plain; version=26"),
    ("application/xml, application/json;q=0.1", JSON),
    (BROWSER, HTML),
]


@pytest.mark.usefixtures("event")
@pytest.mark.parametrize(("accept", "media_type"), CHOICES)
def test_accept_chooses_by_its_qualities(anonymous: Person, accept: str, media_type: str) -> None:
    assert type_of(anonymous, STANDINGS, accept) == media_type


@pytest.mark.usefixtures("event")
@pytest.mark.parametrize("accept", ["application/xml", "image/*;q=x", "*/*;q=0"])
def test_an_accept_that_cannot_be_satisfied_is_406(anonymous: Person, accept: str) -> None:
    body = problem_in(anonymous.get(STANDINGS, Accept=accept), 406, "not_acceptable")

    assert body["valid"] == [
        JSON, CSV, XLSX, "application/x-ndjson", HTML, "application/pdf", "text/plain",
        "text/plain; version=26",
    ]  # fmt: skip
    problem = problem_in(anonymous.get("tournaments", Accept=accept), 406, "not_acceptable")
    assert problem["valid"] == [JSON]


def test_a_write_that_accepts_no_json_changes_nothing(organiser: Person) -> None:
    problem_in(organiser.post("players", {"name": "Zoe"}, Accept=CSV), 406, "not_acceptable")

    assert organiser.get("players?name=zoe").json()["results"] == []


@pytest.mark.usefixtures("event")
def test_a_suffix_wins_over_accept(anonymous: Person) -> None:
    assert type_of(anonymous, f"{STANDINGS}.csv", "application/xml") == CSV
    assert type_of(anonymous, f"{STANDINGS}.json", BROWSER) == JSON
    for path in (f"{STANDINGS}.xml", f"{STANDINGS}.", "players.csv.csv"):
        problem_in(anonymous.get(path), 404, "not_found")


def test_a_browser_gets_a_list_in_pages_unless_it_names_the_suffix(anonymous: Person) -> None:
    assert type_of(anonymous, "pools/star/ratings", BROWSER) == JSON
    assert type_of(anonymous, "pools/star/ratings", HTML) == HTML
    assert type_of(anonymous, "pools/star/ratings.html", BROWSER) == HTML


@pytest.mark.long
@pytest.mark.django_db
def test_every_format_is_chosen_by_its_media_type_as_by_its_suffix() -> None:
    """Ask for each format of each read both ways: the content is the same."""
    everything = make_everything()
    owner, differences = everything.people["owner"], dict[str, Any]()
    for operation in operations():
        if operation.suffix in ("", ".trf16") or not operation.is_read:
            continue
        code = everything.code_of(operation.base)
        path = operation.base.format(**everything.values | {"code": code})
        path += "?pool=star&board=5" if operation.suffix in (".svg", ".pdf") else ""
        formats = {f".{each.format}": each.media_type for each in operation.view.renderer_classes}
        base, _, query = path.partition("?")
        by_suffix = owner.get(f"{base}{operation.suffix}?{query}")
        by_type = owner.get(path, Accept=formats[operation.suffix])
        found = [(each.status_code, each.get("Content-Type")) for each in (by_suffix, by_type)]
        if found[0] != found[1]:
            differences[operation.address] = found
    assert differences == {}
