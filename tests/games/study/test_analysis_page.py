"""The analysis board: stones by clicks and by name, what they count, what is saved."""

import pytest
from django.test import Client

from games.rules.records.record import Record
from games.rules.registry import GAMES
from tests.games.study.test_rules_pages import open_page

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

STAR = "/analysis/star-star?board_size=4"


def address_of(page: str, cell: str) -> str:
    """Return where a click on a cell leads."""
    link = page.split(f'" data-cell="{cell}"')[0].rsplit('href="', 1)[1]
    return "/analysis/star-star" + link.replace("&amp;", "&")


def test_clicks_place_and_remove_stones(client: Client) -> None:
    page = open_page(client, STAR)
    for cell in ("S40", "A10", "S41"):
        page = open_page(client, address_of(page, cell))

    assert "S40, first, chain of 2, 2 edge cells, star of 2 peries" in page
    assert "A10, second, single stone" in page
    assert "counted so far: 2 peries" in page
    assert "S40, first" not in open_page(client, address_of(page, "S40"))


def test_wrong_stones_stay_to_be_corrected(client: Client) -> None:
    page = open_page(client, f"{STAR}&first=S40+zz&second=A10", 422)

    assert "ZZ is not a cell of this board" in page
    assert 'value="S40 zz"' in page
    assert 'value="A10"' in page
    assert 'data-cell="A10"' in page


@pytest.mark.parametrize(
    ("address", "option"),
    [("hex?board_size=5", "<option selected>5<"), ("hex", '<option value="11" selected>')],
)
def test_the_form_keeps_the_board(client: Client, address: str, option: str) -> None:
    page = open_page(client, f"/analysis/{address}")

    assert option in page
    assert page.count(" selected>") == 1


def test_keys_ask_about_the_stones(client: Client) -> None:
    page = open_page(client, f"{STAR}&first=S40+S41")
    address = page.split('data-about="')[1].split('"')[0].replace("&amp;", "&")

    assert "Chain of 2" in open_page(client, f"{address}about=chain&cell=S40")


def test_a_peg_goes_only_where_its_seat_may_place_one(client: Client) -> None:
    page = open_page(client, "/analysis/twixt?board_size=8")

    assert 'data-cell="c1"' in page
    assert 'data-cell="a3"' not in page


@pytest.mark.parametrize(
    ("address", "is_over"),
    [("mini?first=", False), ("mini?first=S20", True), ("penta-hex?first=S40", False)],
)
def test_nobody_is_blocked_before_their_first_stone(
    client: Client, address: str, is_over: bool
) -> None:
    page = open_page(client, f"/analysis/{address}")

    assert (("Solved" in page) or ("No legal turn" in page)) is is_over


@pytest.mark.parametrize("code", GAMES)
def test_every_turn_of_every_game_can_be_analysed(client: Client, code: str) -> None:
    page = open_page(client, f"/rules/{code}/9")
    address = page.split(f'href="/analysis/{code}?')[1].split('"')[0].replace("&amp;", "&")
    analysed = open_page(client, f"/analysis/{code}?{address}")

    stones = [line for line in page.split('aria-label="')[1:] if ", first" in line.split('"')[0]]
    assert len(stones) == analysed.count(", first") - analysed.count("player, first")


def test_stones_are_saved_as_picture_and_record(client: Client) -> None:
    query = "board_size=4&first=S40+s41&second=A10"
    picture = client.get(f"/analysis/star-star/position.svg?{query}&names=1")
    record = client.get(f"/analysis/star-star/position.txt?{query}")
    text = client.get("/analysis/star-star/position.txt?board_size=4&first=&second=A10+A20")

    assert picture.headers["Content-Type"].startswith("image/svg+xml")
    assert b"A10" in picture.content
    assert Record.parse(record.content.decode()).moves == ("S40", "A10", "S41")
    assert "star-star.rec" in record.headers["Content-Disposition"]
    assert text.content.decode().splitlines()[-4:-2] == [" 1 . . . o .", " 2 .. .. .. o. .."]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/analysis/chess", 404),
        ("/analysis/star-star?board_size=5", 422),
        ("/analysis/hex?options=x", 422),
        (f"{STAR}&first=S99", 422),
        (f"{STAR}&first=S40+S40", 422),
        ("/analysis/star-star/position.svg?board_size=4&first=S40&second=S40", 422),
        ("/analysis/star-star/position.txt?board_size=4&first=%00", 422),
        ("/analysis/twixt?first=a3", 422),
        (f"{STAR}&first=S40".replace("?", "/about?about=x&cell=S40&"), 422),
    ],
)
def test_what_is_no_position_is_refused(client: Client, path: str, status: int) -> None:
    open_page(client, path, status)
