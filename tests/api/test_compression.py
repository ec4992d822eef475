"""Compressed responses: which ones, their tags, and that they are the same content."""

import gzip
from typing import Any

import pytest

from games.models import Player
from tests.events import make_event
from tests.people import Person, make_player

PLAYERS = 40


@pytest.fixture(autouse=True)
def players(db: None) -> None:
    Player.objects.bulk_create(Player(name=f"Player {number}") for number in range(PLAYERS))


def compressed(person: Person, path: str, accepted: str = "gzip, br", **headers: str) -> Any:
    return person.get(path, Accept_Encoding=accepted, **headers)


def test_a_large_read_is_compressed(anonymous: Person) -> None:
    plain, small = anonymous.get("players"), compressed(anonymous, "players")

    assert small["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.content) == plain.content
    assert int(small["Content-Length"]) == len(small.content) < len(plain.content) / 2
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]
    assert "Accept-Encoding" in small["Vary"]


@pytest.mark.parametrize("accepted", ["", "br", "gzip; q=0.0, br"])
def test_who_does_not_accept_it_gets_the_plain_content(anonymous: Person, accepted: str) -> None:
    response = compressed(anonymous, "players", accepted)

    assert "Content-Encoding" not in response
    assert len(response.json()["results"]) == PLAYERS


def test_the_tag_of_either_form_is_current(anonymous: Person) -> None:
    plain, small = anonymous.get("players")["ETag"], compressed(anonymous, "players")["ETag"]

    assert small == f"W/{plain}"
    for tag in (plain, small):
        response = compressed(anonymous, "players", If_None_Match=tag)
        assert (response.status_code, response.content) == (304, b"")
        assert "Accept-Encoding" in response["Vary"]
        assert anonymous.get("players", If_None_Match=tag).status_code == 304


def test_a_weak_tag_is_a_precondition(organiser: Person) -> None:
    event = make_event(organiser)
    read = compressed(organiser, event.path)
    tag = read["ETag"]

    assert (tag[:2], read["Content-Encoding"]) == ("W/", "gzip")
    statuses = [
        organiser.patch(event.path, {"place": place}, If_Match=tag).status_code
        for place in ("Lisbon", "Porto")
    ]
    assert statuses == [200, 412]


def test_a_small_read_is_not_compressed(anonymous: Person) -> None:
    assert "Content-Encoding" not in compressed(anonymous, "tournaments")


def test_what_a_cookie_of_a_session_reads_is_not_compressed(anonymous: Person) -> None:
    ada = make_player("Ada")
    assert ada.account is not None
    anonymous.client.force_login(ada.account)

    assert "Content-Encoding" not in compressed(anonymous, "players")
    assert compressed(ada, "players")["Content-Encoding"] == "gzip"


def test_the_response_to_a_write_is_not_compressed(organiser: Person) -> None:
    lines = "name\n" + "".join(f"Another {number}\n" for number in range(PLAYERS))
    response = organiser.post(
        "players/import?dry_run=1", lines, content_type="text/csv", Accept_Encoding="gzip"
    )

    assert len(response.content) > 1000
    assert "Content-Encoding" not in response
