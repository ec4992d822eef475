"""Unreadable bodies at every address: always a problem, never a 500."""

import gzip
import itertools
import json
from collections.abc import Callable

import pytest

from games.core.formats import StrictJSONParser
from games.models import Game, JournalLine, Role
from tests.api.one_of_each import make_everything
from tests.api.operations import Operation, operations
from tests.api.role_matrix import LEVEL_OF, LEVELS
from tests.events import FIRST_WINS, Event, make_published
from tests.people import Person, problem_in

MEBIBYTE = 1024 * 1024

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
ADDRESSES = [
    ("POST", "players"),
    ("POST", "tokens"),
    ("POST", "rules/referee"),
    ("POST", "tournaments"),
    ("PATCH", "tournaments/spring"),
    ("POST", "tournaments/spring/entries"),
    ("POST", "tournaments/spring/byes"),
    ("PUT", "tournaments/spring/rounds/1/pairings"),
    ("POST", "tournaments/spring/rounds/1/pair"),
    ("POST", "games"),
    ("POST", "games/{game}/accept"),
    ("POST", "games/{game}/reports"),
    ("POST", "games/{game}/confirm"),
    ("POST", "games/{game}/dispute"),
    ("POST", "games/{game}/rule"),
    ("POST", "games/{game}/annul"),
    ("POST", "pools"),
    ("PATCH", "pools/star"),
    ("POST", "pools/star/tournaments/spring/approve"),
    ("POST", "pools/star/batches/1/withdraw"),
]
SENT_BY_PLAYERS = ("games", "accept", "reports", "confirm", "dispute")


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    officer = organiser.account
    Role.objects.create(stream="pool/star", account=officer, role="rating-officer")
    return make_published(organiser, ada, ben)


@pytest.fixture
def game(event: Event) -> Game:
    (game,) = event.games()
    return game


@pytest.mark.parametrize(("method", "path"), ADDRESSES)
def test_unreadable_json_is_400(
    organiser: Person, ada: Person, game: Game, method: str, path: str
) -> None:
    person = ada if path.endswith(SENT_BY_PLAYERS) else organiser
    lines = JournalLine.objects.count()

    for name, body in BROKEN.items():
        response = person.send(method, path.format(game=game.pk), body)
        assert (name, problem_in(response, 400)["code"]) == (name, "parse_error")

    assert JournalLine.objects.count() == lines


def test_an_unreadable_body_at_every_address(db: None) -> None:
    """Two of the bodies at each address, other ones at the next."""
    everything = make_everything(rounds=2)
    bodies = itertools.cycle(BROKEN.items())
    found = {}
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

    assert found == {}


def takes_file(operation: Operation) -> bool:
    """Return True if an operation takes no JSON."""
    return StrictJSONParser not in operation.view.parser_classes


@pytest.mark.parametrize(
    "body",
    [b"\0", b"\xff", FIRST_WINS.encode("utf-16"), FIRST_WINS.encode() + b"\0"],
    ids=["NUL", "not UTF-8", "UTF-16", "a NUL at the end"],
)
def test_unreadable_text_is_400(ada: Person, game: Game, body: bytes) -> None:
    for path in (f"games/{game.pk}/reports", "rules/referee"):
        problem_in(ada.post(path, body, content_type="text/plain"), 400, "parse_error")


LARGE: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "JSON": ("application/json", lambda size: json.dumps({"record": "x" * size}).encode()),
    "text": ("text/plain", lambda size: b"x" * size),
}


@pytest.mark.parametrize(("content_type", "make"), LARGE.values(), ids=LARGE)
@pytest.mark.parametrize("path", ["rules/referee", "games/{game}/reports"])
def test_two_mebibytes_are_413(
    ada: Person, game: Game, path: str, content_type: str, make: Callable[[int], bytes]
) -> None:
    body = make(2 * MEBIBYTE)

    response = ada.post(path.format(game=game.pk), body, content_type=content_type)

    problem_in(response, 413, "body_too_large")


def test_a_file_of_two_mebibytes_is_413(ada: Person) -> None:
    body = b"name\n" + b"Bo\n" * MEBIBYTE

    problem_in(ada.post("players/import", body, content_type="text/csv"), 413, "body_too_large")


def test_a_chunked_body_is_rejected(organiser: Person, event: Event) -> None:
    response = organiser.patch(event.path, Transfer_Encoding="chunked")

    problem_in(response, 411, "length_required")


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate, gzip"])
def test_a_compressed_body_is_415(organiser: Person, encoding: str) -> None:
    body = gzip.compress(b'{"name": "Bo"}')

    response = organiser.send("POST", "players", body, Content_Encoding=encoding)

    assert problem_in(response, 415, "unsupported_encoding")["valid"] == ["identity"]
    assert response["Accept-Encoding"] == "identity"


def test_an_identical_encoding_is_none(organiser: Person) -> None:
    body = {"name": "Bo"}
    assert organiser.post("players", body, Content_Encoding="identity").status_code == 201


@pytest.mark.parametrize("length", ["-1", "one", "1e3", "²", "9" * 5000, "1 1"])
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
    for path in ("players", "tournaments", "tokens", "rules/referee"):
        response = organiser.post(path, b"name=Bo", content_type=content_type)
        problem = problem_in(response, 415, "unsupported_media_type")
        assert "application/json" in problem["valid"]
        assert all(name in problem["detail"] for name in problem["valid"])


@pytest.mark.parametrize(
    "body",
    [
        b"--x\r\n",
        b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nname\nBo\r\n--x--\r\n',
        b"--x\r\nContent-Disposition: form-data\r\n\r\n\0\r\n--x--\r\n",
        b"",
    ],
)
@pytest.mark.parametrize("boundary", ["x", "", "\u00e9" * 80, "x" * 500])
def test_a_broken_form_is_rejected(organiser: Person, body: bytes, boundary: str) -> None:
    form = f"multipart/form-data; boundary={boundary}"

    assert 400 <= organiser.post("players/import", body, content_type=form).status_code < 423


def test_a_form_can_contain_the_file(organiser: Person) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="p.csv"\r\n\r\n'
    body = head + b"name\nBo\r\n--x--\r\n"

    response = organiser.post(
        "players/import", body, content_type="multipart/form-data; boundary=x"
    )

    assert [line["player"]["name"] for line in response.json()["lines"]] == ["Bo"]
