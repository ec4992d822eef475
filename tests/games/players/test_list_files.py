"""Lists of players as people send them: CSV in any encoding and workbooks, under any type."""

import io
import zipfile

import pytest

from games.models import Player
from tests.events import make_event
from tests.games.core.workbooks import open_document, workbook
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
XLS = "application/vnd.ms-excel"
OCTETS = "application/octet-stream"
ROWS: list[list[object]] = [["Name", "Elo"], ["Zoë Šķ", 1900], ["Ben", ""]]
TEXT = "Name;Elo\r\nZoë Šķ;1900\r\nBen;\r\n"
FILES = {
    "UTF-8": TEXT.encode(),
    "UTF-16": TEXT.encode("utf-16"),
    "xlsx": workbook(ROWS),
    "ods": open_document(ROWS),
}
OWN_TYPES = {"xlsx": XLSX, "ods": ODS}
IMPORTS = ("players/import", "tournaments/spring/entries/import")


@pytest.fixture(autouse=True)
def spring(organiser: Person) -> None:
    make_event(organiser, slug="spring").step("open")


@pytest.mark.parametrize(
    ("path", "kind"), [*((IMPORTS[0], kind) for kind in FILES), (IMPORTS[1], "ods")]
)
def test_a_list_is_read_under_any_of_its_types(organiser: Person, path: str, kind: str) -> None:
    for media_type in (OCTETS, XLS):
        read = organiser.post(f"{path}?dry_run=1", FILES[kind], content_type=media_type)
        assert read.status_code == 200, (media_type, read.content)

    response = organiser.post(path, FILES[kind], content_type=OWN_TYPES.get(kind, "text/csv"))
    assert response.status_code == 201, response.content
    assert [line["player"]["name"] for line in response.json()["rows"]] == ["Zoë Šķ", "Ben"]
    assert Player.objects.get(name="Zoë Šķ").seed_rating == 1900


def zipped(**files: str) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return output.getvalue()


def repeated_cell(rows: int, columns: int) -> bytes:
    """A small .ods whose only value is in so many cells."""
    with zipfile.ZipFile(io.BytesIO(open_document([["name"]]))) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    files["content.xml"] = (
        files["content.xml"]
        .replace("<table:table-row>", f'<table:table-row table:number-rows-repeated="{rows}">')
        .replace(
            "<table:table-cell ", f'<table:table-cell table:number-columns-repeated="{columns}" ', 1
        )
    )
    return zipped(**files)


def test_what_cannot_be_read_is_refused(organiser: Person) -> None:
    large = zipped(**{"mimetype": ODS, "content.xml": "<a>" + " " * 300_000_000})
    for kind, content, status, code in (
        ("an empty sheet", workbook([]), 422, "no_lines"),
        ("a zip archive of a text", zipped(readme="name\nZoë\n"), 400, "unreadable_workbook"),
        ("a text that unpacks to 300 MB", large, 400, "unreadable_workbook"),
        ("a repeated cell", repeated_cell(1_000_000, 16_000), 400, "unreadable_workbook"),
        ("UTF-16 that ends within a character", TEXT.encode("utf-16")[:-1], 400, "nul_byte"),
    ):
        refused = organiser.post(f"{IMPORTS[0]}?dry_run=1", content, content_type=ODS)
        assert problem_in(refused, status)["code"] == code, kind


NAMES = {"cp1252": "Müller", "cp850": "Müller", "cp1250": "Łątka", "mac-roman": "Müller"}


@pytest.mark.parametrize("encoding", NAMES)
def test_an_encoding_is_named_or_chosen_by_the_names(organiser: Person, encoding: str) -> None:
    content = f"Name;Elo\n{NAMES[encoding]}, Ada;1900\n".encode(encoding)
    for path in IMPORTS:
        answer = organiser.post(f"{path}?dry_run=1", content, content_type="text/csv")
        problem = problem_in(answer, 422, "encoding_needed")
        assert (problem["parameter"], "line 2" in problem["detail"]) == ("encoding", True)
        readings = {one["encoding"]: one["names"] for one in problem["readings"]}
        assert (list(readings), encoding in readings) == (problem["valid"], True)
        assert readings[encoding] == [f"{NAMES[encoding]}, Ada"]

        named = f"{path}?dry_run=1&encoding={encoding}"
        for sent in (
            content,
            content.decode(encoding).encode(),
            content.decode(encoding).encode("utf-16"),
        ):
            lines = organiser.post(named, sent, content_type="text/csv").json()["rows"]
            assert lines[0]["player"]["name"] == f"{NAMES[encoding]}, Ada"


def test_an_encoding_without_a_byte_of_the_file_is_refused(organiser: Person) -> None:
    content = b"name\nM\x81ller\n"
    for encoding, code in (("cp1252", "encoding_needed"), ("utf-7", "invalid_parameter")):
        path = f"{IMPORTS[0]}?encoding={encoding}"
        problem_in(organiser.post(path, content, content_type="text/csv"), 422, code)
