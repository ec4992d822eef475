"""The referee's page, and the check of a record while it is entered."""

import re

import pytest
from django.test import Client

from games.play.record_entry import LONGEST_TEXT, LONGEST_WORDS

pytestmark = pytest.mark.any_database

HEAD = '[Game "star-star"]\n[Board "4"]\n\n'
PAGE = "/rules/referee"


def check(client: Client, **fields: str):
    return client.post("/rules/check", {"record": HEAD, **fields})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 200),
        ("?ruleset=twixt&board_size=5", 200),
        ("?ruleset=chess", 422),
        ("?ruleset=hex&board_size=99", 422),
    ],
)
def test_the_page_has_the_board_of_the_game(client: Client, query: str, status: int) -> None:
    response = client.get(PAGE + query)
    assert response.status_code == status
    assert ('role="grid"' in response.content.decode()) == (status == 200)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("code", "state", "is_duel"),
    [("star-star", "Turn 1: first to move.", True), ("queens", "Turn 1.", False)],
)
def test_a_solitaire_is_no_duel(client: Client, code: str, state: str, is_duel: bool) -> None:
    page = client.get(f"{PAGE}?ruleset={code}").content.decode()
    sample = client.get(f"/rules/{code}").content.decode()

    assert f'<p class="state-of-game">{state}</p>' in page
    assert ('data-word="resign"' in page, "resign, time" in page) == (is_duel, is_duel)
    assert ("to move</span>" in sample, "<strong>First</strong>" in sample) == (is_duel, is_duel)
    assert ("[Swap " in page.replace("&quot;", '"')) == is_duel
    keys = "the bounds of the score" if is_duel else "the number of stones"
    assert all(f"the last cell, {keys}" in shown for shown in (page, sample))
    assert bool(re.search(r"below the tags: 1\. \S+ \S+ 2\.", page)) == is_duel


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("record", "status"),
    [
        (HEAD + "S40 A40", 200),
        (HEAD + "S40 *\n" + HEAD + "S40 S40", 422),
        ("nonsense", 422),
        ("", 422),
        ("a\0b", 400),
        ("[Game " * 20_000, 422),
    ],
    ids=["valid", "two", "nonsense", "empty", "nul", "long"],
)
def test_a_record_is_judged(client: Client, record: str, status: int):
    response = client.post(PAGE, {"record": record})
    page = response.content.decode()

    assert response.status_code == status
    typed = page.partition("</textarea>")[0].rpartition(">")[2]
    assert record.strip().split("\n")[-1][:40] in typed.replace("&quot;", '"')


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("turns", "lines"),
    [
        ("1. S40 A40", ["<li>First: 2 to 19 possible; counted so far: nothing", "from −17 to +17"]),
        ("1. S40 agreed 11-10", ["<li>First: agreed; counted so far: ", "+1, agreed; counted"]),
        ("1. S40 resign", ["<li>First: counted so far: nothing", "<li>Second: counted so far"]),
    ],
)
def test_the_counts_of_a_record_are_shown(client: Client, turns: str, lines: list[str]) -> None:
    page = client.post(PAGE, {"record": HEAD + turns}).content.decode()
    verdict = page.partition("The record is valid")[2].partition("digest")[0]
    assert verdict.count("<li>") == (2 if "resign" in turns else 3)
    assert [line for line in lines if line not in verdict] == []


@pytest.mark.django_db
def test_a_pasted_solitaire_is_no_duel(client: Client) -> None:
    record = '[Game "queens"]\n[Board "10"]\n\n'
    page = client.post(PAGE, {"record": record}).content.decode()
    assert "The record is valid" in page
    assert 'data-word="resign"' not in page


@pytest.mark.django_db
def test_a_cell_is_checked(client: Client):
    answer = check(client, cell="S40").json()

    assert answer.pop("svg").startswith('<svg class="board"')
    assert answer == {
        "record": '[Game "star-star"]\n[Board "4"]\n[Swap "yes"]\n\n1. S40\n',
        "begun": "",
        "message": "S40: a new chain, 1 edge cell, now a spark.",
        "state": "Turn 2: second to move.",
        "words": ["swap", "resign"],
        "error": "",
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"record": HEAD + "S40", "undo": "1"}, {"state": "Turn 1: first to move."}),
        ({"record": HEAD + "S40", "cell": "S40"}, {"error": "Turn 2: S40 was filled at ply 1."}),
        ({"cell": "\0"}, {"error": "Line 5: '\\x00' has no meaning here."}),
        ({"words": "S40 A40 resign"}, {"state": "The game is over.", "words": []}),
        ({"record": ""}, {"svg": None, "words": []}),
        ({"record": HEAD.replace("\n", "\r\n")}, {"record": HEAD}),
        ({"cell": "S40", "about": "chain"}, {"message": "S40 is empty."}),
        (
            {"record": '[Game "penta-line"]\n[Board "10"]\n\n', "cell": "S01"},
            {"begun": "S01-", "message": "S01-: select the next cell."},
        ),
    ],
)
def test_what_a_check_answers(client: Client, fields: dict[str, str], expected: dict[str, object]):
    response = check(client, **fields)

    assert response.status_code == 200
    answer = response.json()
    assert {name: answer[name] for name in expected} == expected


@pytest.mark.django_db
def test_the_text_that_is_entered_is_limited(client: Client) -> None:
    """Exactly as much as the limit is read, whatever the rules say about it."""
    words = "x" * LONGEST_WORDS
    assert check(client, words=words).status_code == 200
    assert check(client, words=f"{words}x").status_code == 422
    record = HEAD + "x" * (LONGEST_TEXT - len(HEAD))
    assert check(client, record=record).status_code == 200
    assert check(client, record=f"{record}x").status_code == 422
    assert check(client, record=record.replace("\n", "\r\n")).status_code == 200


@pytest.mark.django_db
def test_a_question_about_an_unknown_cell_is_refused(client: Client) -> None:
    assert check(client, cell="S99", about="chain").status_code == 422
