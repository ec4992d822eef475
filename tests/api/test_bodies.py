"""Unreadable bodies at every address: always a problem, never a 500."""

import gzip
import itertools

import pytest
from django.test import Client

from games.core.formats import StrictJSONParser
from games.models import Game, JournalLine, Role
from tests.api.one_of_each import make_everything
from tests.api.operations import Operation, operations
from tests.api.role_matrix import LEVEL_OF, LEVELS
from tests.events import FIRST_WINS, Event, make_published
from tests.people import Person, problem_in

BROKEN = {
    "broken JSON": b'{"name": "Spring',
    "two values": b"{} {}",
    "a trailing comma": b'{"name": "x",}',
    "single quotes": b"{'name': 'x'}",
    "a raw NUL": b'{"name": "a\0b"}',
    "a written NUL": b'{"name": "a\\u0000b"}',
    "a NUL in a key": b'{"na\\u0000me": "a"}',
    "a NUL deep inside": b'{"record": {"tags": {"First": ["\\u0000"]}}}',
    "half of a surrogate pair": b'{"name": "a\\ud800b"}',
    "the other half": b'{"name": "\\udfff"}',
    "a surrogate in UTF-8": b'{"name": "\xed\xa0\x80"}',
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "latin-1": '{"name": "é"}'.encode("latin-1"),
    "UTF-16": '{"name": "x"}'.encode("utf-16"),
    "NaN": b'{"rounds": NaN}',
    "infinite": b'{"rounds": -Infinity}',
    "a number beyond floats": b'{"rounds": 1e400}',
    "ten thousand digits": b'{"rounds": ' + b"9" * 10_000 + b"}",
    "deep lists": b"[" * 100_000 + b"]" * 100_000,
    "deep objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a member twice": b'{"name": "a", "name": "b"}',
    "a member twice deep inside": b'{"record": {"tags": [{"a": 1, "b": 2, "\\u0061": 1}]}}',
    "a raw control character": b'{"name": "a\x1fb"}',
}


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    officer = organiser.account
    Role.objects.create(stream="pool/star", account=officer, role="rating_officer")
    return make_published(organiser, ada, ben)


@pytest.fixture
def game(event: Event) -> Game:
    (game,) = event.games()
    return game


WORDS = {
    b'{"name": "Spring': "line 1, column 10: the text that begins here has no end",
    b'{"name": ': "line 1, column 10: it ends too early",
    b'{"name":\n.5}': "line 2, column 1: '.5}' cannot stand here",
}


def test_where_json_is_broken(organiser: Person) -> None:
    for body, words in WORDS.items():
        problem = problem_in(organiser.post("players", body), 400, "parse_error")
        assert problem["detail"] == f"the JSON is broken at {words}"


def test_unreadable_json_is_400(organiser: Person) -> None:
    lines = JournalLine.objects.count()

    for name, body in BROKEN.items():
        response = organiser.post("players", body)
        assert (name, problem_in(response, 400)["code"]) == (name, "parse_error")

    assert JournalLine.objects.count() == lines


def test_a_body_that_is_unreadable_or_has_an_unknown_member_is_refused_everywhere(
    db: None,
) -> None:
    """Two of the unreadable bodies at each address, other ones at the next."""
    everything = make_everything(rounds=2)
    bodies = itertools.cycle(BROKEN.items())
    found, lines = {}, JournalLine.objects.count()
    for operation in operations():
        level = LEVELS[LEVEL_OF[str(operation).strip()]]
        if operation.is_read or operation.method == "DELETE" or takes_file(operation):
            continue
        role = "owner" if "owner" in level.allowed else level.allowed[0]
        path = everything.path(operation.address)
        for name, body in itertools.islice(bodies, 2):
            response = everything.people[role].send(operation.method, path, body)
            if response.status_code != 400 or response.json()["code"] != "parse_error":
                found[str(operation), name] = (response.status_code, response.content[:200])
        if operation.base == "players/import":  # a file, or JSON about one that was sent
            continue
        response = everything.people[role].send(operation.method, path, {"colour": "red"})
        first = next(iter(response.json().get("errors", ())), {})
        if (first.get("code"), first.get("pointer")) != ("unknown_member", "/colour"):
            found[str(operation), "colour"] = (response.status_code, response.content[:200])

    assert found == {}
    assert JournalLine.objects.count() == lines


def takes_file(operation: Operation) -> bool:
    """Return True if an operation takes no JSON."""
    return StrictJSONParser not in operation.view.parser_classes


@pytest.mark.parametrize(
    "body",
    [b"\0", FIRST_WINS.encode() + b"\0"],
    ids=["NUL", "a NUL at the end"],
)
def test_unreadable_text_is_400(ada: Person, game: Game, body: bytes) -> None:
    for path in (f"games/{game.pk}/reports", "rules/referee"):
        problem_in(ada.post(path, body, content_type="text/plain"), 400, "nul_byte")


def test_the_encoding_of_a_record_is_recognised_or_named(ada: Person, game: Game) -> None:
    record = f'[Event "Köln"]\n{FIRST_WINS}'
    for path in ("rules/referee", f"games/{game.pk}/reports?dry_run=1"):
        sent = record.encode("mac-roman")
        refused = problem_in(ada.post(path, sent, content_type="text/plain"), 422)
        assert refused["code"] == "encoding_needed"
        assert {"encoding": "mac-roman", "names": ["Köln"]} in refused["readings"]
        named = f"{path}{'&' if '?' in path else '?'}encoding=mac-roman"
        for address, body in ((named, sent), (path, record.encode("utf-16"))):
            assert ada.post(address, body, content_type="text/plain").status_code in (200, 202)


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("rules/referee", "application/json"),
        ("rules/referee", "text/plain"),
        ("players/import", "text/csv"),
    ],
)
def test_two_mebibytes_are_413(ada: Person, path: str, content_type: str) -> None:
    body = b'"%b"' % (b"x" * (2 << 20))

    problem_in(ada.post(path, body, content_type=content_type), 413, "body_too_large")


def test_a_form_that_is_too_large_is_refused_on_a_page(client: Client) -> None:
    form = {"file": "x" * (2 << 20)}
    page = client.post("/e/spring/run/entries", form, headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["Content-Type"]) == (413, "text/html; charset=utf-8")
    assert "larger than 1024 KiB" in page.content.decode()


def test_a_chunked_body_is_rejected(organiser: Person, event: Event) -> None:
    response = organiser.patch(event.path, Transfer_Encoding="chunked")

    problem_in(response, 411, "length_required")


def test_a_compressed_body_is_415(organiser: Person) -> None:
    body = gzip.compress(b'{"name": "Bo"}')

    response = organiser.send("POST", "players", body, Content_Encoding="gzip")

    assert problem_in(response, 415, "unsupported_encoding")["valid"] == ["identity"]
    assert response["Accept-Encoding"] == "identity"


def test_an_identical_encoding_is_none(organiser: Person) -> None:
    body = {"name": "Bo"}
    assert organiser.post("players", body, Content_Encoding="identity").status_code == 201


@pytest.mark.parametrize("length", ["-1", "one", "9" * 5000])
def test_an_invalid_length_is_rejected(ada: Person, length: str) -> None:
    response = ada.client.generic(
        "POST", "/api/v1/rules/referee", b"{}", "application/json", CONTENT_LENGTH=length
    )

    assert response.status_code in (400, 413)
    problem_in(response, response.status_code)


@pytest.mark.parametrize(
    "content_type",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "image/png",
        "a",
        "application/json; charset=utf-16",
    ],
)
def test_another_content_type_is_415(organiser: Person, content_type: str) -> None:
    response = organiser.post("rules/referee", b"name=Bo", content_type=content_type)

    problem = problem_in(response, 415, "unsupported_media_type")
    assert problem["valid"] == ["application/json", "text/plain", "application/octet-stream"]


@pytest.mark.parametrize(
    "body",
    [
        b"--x\r\n",
        b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nname\nBo\r\n--x--\r\n',
        b"--x\r\nContent-Disposition: form-data\r\n\r\n\0\r\n--x--\r\n",
        b"",
    ],
)
@pytest.mark.parametrize("boundary", ["x", "", "\u00e9" * 80])
def test_a_broken_form_is_rejected(organiser: Person, body: bytes, boundary: str) -> None:
    form = f"multipart/form-data; boundary={boundary}"

    assert 400 <= organiser.post("players/import", body, content_type=form).status_code < 423


def test_a_form_can_contain_the_file(organiser: Person) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="p.csv"\r\n\r\n'
    body = head + b"name\nBo\r\n--x--\r\n"

    response = organiser.post(
        "players/import", body, content_type="multipart/form-data; boundary=x"
    )

    assert [line["player"]["name"] for line in response.json()["rows"]] == ["Bo"]
