"""A list on the page of entries: its lines with their problems, and what is right of it entered."""

import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from games.models import Player
from tests.events import Event, make_event
from tests.people import Person
from tests.tournament.conftest import login

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ENTRIES = "/e/spring/run/entries"
LIST = """Name;Land;Verein;Elo;Jahrgang
Ada;POR;Rooks;1900;1990
Ben;Atlantis;Moons;19;1890
Cleo;FRA;Rooks;1700;
Dan;ESP;Rooks
Eva;ESP;Rooks;;2001
"""


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser, system="dutch").step("open")


@pytest.fixture
def director(event: Event, organiser: Person) -> Client:
    return login(organiser)


def send(director: Client, query: str = "", **form: Any) -> HttpResponse:
    return director.post(ENTRIES + query, {"action": "import"} | form)


def names(event: Event) -> list[str]:
    return sorted(event.tournament.entries.values_list("player__name", flat=True))


@pytest.mark.parametrize("query", ["?dry_run=1", ""])
def test_every_problem_stands_in_its_cell(director: Client, event: Event, query: str) -> None:
    page = send(director, query, file=LIST)
    assert page.status_code == 422
    checked = page.context["checked"]
    assert checked.headings == ["Name", "Land", "Verein", "Elo", "Jahrgang"]
    problems = {line.number: [bool(found) for _, found in line.cells] for line in checked.lines}
    right = [False] * 5
    assert problems == {
        2: right,
        3: [False, True, False, True, True],
        4: right,
        5: [False] * 3,
        6: right,
    }
    text = page.content.decode()
    assert "seed_rating" not in text.split("<textarea")[0].split('id="preview"')[1]
    assert page.context["text"] == LIST
    assert names(event) == []


def test_what_is_right_is_entered_and_the_rest_stays(director: Client, event: Event) -> None:
    page = send(director, file=LIST, part="1")
    rest = "Name;Land;Verein;Elo;Jahrgang\nBen;Atlantis;Moons;19;1890\nDan;ESP;Rooks\n"
    assert page.context["text"] == rest
    assert names(event) == ["Ada", "Cleo", "Eva"]
    mended = (
        rest.replace("Atlantis", "POR")
        .replace(";19;1890", ";1900;1990")
        .replace("Rooks\n", "Rooks;;\n")
    )
    assert send(director, file=mended).status_code == 303
    assert names(event) == ["Ada", "Ben", "Cleo", "Dan", "Eva"]


def test_a_form_that_is_sent_again_enters_nobody_twice(organiser: Person, event: Event) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(organiser.account)
    token = browser.get(ENTRIES).context["csrf_token"]
    form = {"csrfmiddlewaretoken": str(token), "file": LIST, "part": "1"}
    first, second = send(browser, **form), send(browser, **form)
    assert (first.status_code, second.content) == (200, first.content)
    assert names(event) == ["Ada", "Cleo", "Eva"]


def test_the_last_place_is_taken_and_the_rest_is_still_shown(
    director: Client, event: Event, organiser: Person
) -> None:
    organiser.patch(event.path, {"places": 1}, HTTP_IF_MATCH="*")
    page = send(director, file="name;country\nAda;POR\nBen;Atlantis\n", part="1")
    assert (page.status_code, names(event)) == (200, ["Ada"])
    assert page.context["text"] == "name;country\nBen;Atlantis\n"


def test_a_long_list_is_checked_before_its_task(director: Client, event: Event) -> None:
    text = "name,country\n" + "".join(f"Player {number},POR\n" for number in range(560))
    page = send(director, file=text + "Ben,Atlantis\n")
    assert (page.status_code, page.context["checked"].wrong) == (422, [562])
    part = send(director, file=text + "Ben,Atlantis\n", part="1")
    assert part.context["checked"].task["id"] in part.content.decode()
    assert part.context["text"] == "name,country\nBen,Atlantis\n"
    assert "?task=import-" in send(director, file=text).headers["Location"]


@pytest.mark.parametrize("text", ["", "Ada\0", 'name\n"Ada', "colour\nred\n"])
def test_what_is_no_list_stays_in_the_form(director: Client, event: Event, text: str) -> None:
    for query in ("", "?dry_run=1"):
        for part in ({}, {"part": "1"}):
            page = send(director, query, file=text, **part)
            assert page.status_code in (400, 422)
            assert page.context["text"] == text.replace("\0", "\N{SYMBOL FOR NULL}")
            assert page.context["form"].detail
    assert names(event) == []


def test_a_namesake_from_elsewhere_is_pointed_out(director: Client, event: Event) -> None:
    known = Player.objects.create(name="Jan Novák", country="CZE", club="Rooks")
    text = "name,country\nJan Novak,POL\nEva,POL\nEVA,GER\n"
    page = send(director, "?dry_run=1", file=text)
    assert page.status_code == 200
    novak, first, second = page.context["checked"].lines
    assert list(novak.namesakes) == [known]
    assert (first.twin, second.twin) == (None, 3)
    send(director, file=text, **{"choose.2": str(known.pk)})
    assert event.tournament.entries.filter(player=known).exists()
    assert Player.objects.filter(name="Jan Novak").count() == 0


def test_a_name_in_the_other_order_is_pointed_out(director: Client, event: Event) -> None:
    known = Player.objects.create(name="Łukasz Wierzbicki", country="POL")
    text = 'name,country\n"WIERZBICKI, Lukasz",POL\n"de Vries, Jan",NED\nJan de Vries,BEL\n'
    page = send(director, "?dry_run=1", file=text)
    first, second, third = page.context["checked"].lines
    assert list(first.namesakes) == [known]
    assert (second.twin, third.twin) == (None, 3)
    form = {"action": "register", "name": "Wierzbicki, Łukasz"}
    namesakes = director.post(ENTRIES, form).context["namesakes"]
    assert [row["player"] for row in namesakes] == [known]
    found = director.get(ENTRIES, {"q": "wierzbicki, lukasz"}).context["found"]
    assert [row["player"] for row in found] == [known]


def test_what_the_columns_are_is_chosen(director: Client, event: Event) -> None:
    text = "Mitglied;Land;Tel, privat\nAda;POR;555\n"
    page = send(director, "?dry_run=1", file=text)
    assert page.status_code == 422
    found = [(one.heading, one.column, one.sample) for one in page.context["columns"]]
    assert found == [
        ("Mitglied", "", ["Ada"]), ("Land", "country", ["POR"]), ("Tel, privat", "", ["555"]),
    ]  # fmt: skip
    assert '<select id="field-column-1" name="column.1"' in page.content.decode()
    assert page.context["text"] == text
    chosen = {"column.1": "name", "column.2": "country", "column.3": "ignore"}
    preview = send(director, "?dry_run=1", file=text, **chosen)
    assert preview.status_code == 200
    again = preview.content.decode()
    assert re.findall(r'value="(\w+)" selected', again) == ["name", "country", "ignore"]
    assert send(director, file=text, **chosen).status_code == 303
    assert names(event) == ["Ada"]
    wrong = send(director, file=text, **{"column.1": "colour"})
    assert (wrong.status_code, wrong.context["text"]) == (422, text)


def test_a_column_that_is_left_out_is_shown_and_can_be_chosen(
    director: Client, event: Event
) -> None:
    text = "Open\nNo.;;Name;Liga\n1;GM;Ada;Rooks\n"
    page = send(director, "?dry_run=1", file=text)
    assert page.status_code == 200
    shown = page.content.decode()
    assert re.findall(r'name="column.(\d)"', shown) == ["2", "4"]
    assert [note["text"] for note in page.context["checked"].table.skipped] == ["Open"]
    assert send(director, file=text, **{"column.4": "club"}).status_code == 303
    assert event.tournament.entries.get().player.club == "Rooks"


def test_equal_twins_are_entered_when_the_director_says_so(director: Client, event: Event) -> None:
    text = "Name;Land\nAda;POR\nAda;POR\n"
    page = send(director, file=text)
    assert page.status_code == 422
    assert 'name="choose.3" value="new"' in page.content.decode()
    assert send(director, file=text, **{"choose.3": "new"}).status_code == 303
    assert names(event) == ["Ada", "Ada"]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("cp1252", "Müller"), ("cp850", "Müller"), ("cp1250", "Łątka"), ("mac-roman", "Müller")],
)
def test_the_director_chooses_the_encoding_by_the_names(
    director: Client, event: Event, encoding: str, name: str
) -> None:
    content = f"Name;Land\n{name}, Ada;POR\n".encode(encoding)
    page = send(director, upload=SimpleUploadedFile("list.csv", content))
    assert (page.status_code, names(event)) == (422, [])
    choice = page.context["encodings"]
    right = [one for one in choice["readings"] if one["names"] == (f"{name}, Ada",)]
    assert len(right) == 1
    form = {"original": choice["original"], "encoding": right[0]["encoding"]}
    assert send(director, original=choice["original"]).context["encodings"] == choice
    assert send(director, "?dry_run=1", **form).context["text"] == content.decode(encoding)
    assert send(director, **form).status_code == 303
    assert names(event) == [f"{name}, Ada"]


def test_the_waiting_list_is_offered_with_its_numbers_where_it_is_needed(
    director: Client, event: Event, organiser: Person
) -> None:
    organiser.patch(event.path, {"places": 2}, HTTP_IF_MATCH="*")
    text = "name;country\nAda;POR\nBen;Atlantis\nCleo;FRA\nDan;ESP\n"
    page = send(director, "?dry_run=1", file=text)
    counts = page.context["checked"].counts
    assert (page.status_code, counts["entering"], counts["waiting"]) == (409, 2, 1)
    assert "Enter the 3 lines that are right" in page.content.decode()
    assert "on the waiting list<" not in page.content.decode()
    page = send(director, file=text.replace("Atlantis", "GER"))
    assert "Enter 2 players, put 2 on the waiting list" in page.content.decode()
    assert send(director, file=text, part="1", waiting="1").status_code == 200
    states = event.tournament.entries.order_by("ordinal").values_list("player__name", "state")
    assert list(states) == [("Ada", "accepted"), ("Cleo", "accepted"), ("Dan", "waiting")]
