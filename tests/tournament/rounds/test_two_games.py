"""Events with two games in each pairing: rounds, results, sheets, records, journal, bundle."""

import csv
import io
import json
from typing import Any

import pytest

from games.models import Game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in
from tournament.events.verification import verify_tournament
from tournament.pairing.certificates import RoundCertificate
from tournament.rounds import paper
from tournament.rounds.queries import RoundCount, count_games_by_round, load_pairings
from tournament.rounds.tables import pairings_document

pytestmark = pytest.mark.django_db
POINTS = {"win": 2, "draw": 1, "loss": 0}


@pytest.fixture
def event(organiser: Person) -> Event:
    """Five players of a Dutch event, and its first round published."""
    event = make_event(
        organiser,
        game="star",
        board="4x5",
        system="dutch",
        games_per_pairing=2,
        points=POINTS,
        tiebreaks=["PTS", "GPTS"],
    )
    event.enter(*make_players(5))
    event.step("open", "start").publish(1)
    return event


def boards(person: Person, event: Event, number: int = 1) -> list[dict[str, Any]]:
    rows = person.get(f"{event.path}/rounds/{number}/pairings").json()["rows"]
    return [row for row in rows if row["kind"] == "game"]


def rule(event: Event, game: int, result: str, **members: str) -> None:
    body = {"result": result, "reason": "a slip", **members}
    assert event.owner.post(f"games/{game}/rule", body).status_code == 202


def play(event: Event, number: int, *results: tuple[str, str]) -> None:
    """Rule both games of each board and complete the round."""
    for board, (result, return_result) in zip(
        boards(event.owner, event, number), results, strict=True
    ):
        rule(event, board["game_id"], result)
        rule(event, board["return_game"]["id"], return_result)
    settle()
    assert event.owner.post(f"{event.path}/rounds/{number}/complete").status_code == 200


def test_the_return_game_has_exchanged_seats(anonymous: Person, event: Event) -> None:
    for board in boards(anonymous, event):
        game, return_game = (
            anonymous.get(f"games/{pk}").json()
            for pk in (board["game_id"], board["return_game"]["id"])
        )
        names = board["first"]["player"]["name"], board["second"]["player"]["name"]
        assert (game["first"]["player"]["name"], game["second"]["player"]["name"]) == names
        assert (
            return_game["second"]["player"]["name"],
            return_game["first"]["player"]["name"],
        ) == names
        assert (game["rated"], return_game["rated"]) == (True, True)


def test_a_round_is_open_until_both_games_have_a_result(event: Event) -> None:
    first, second = boards(event.owner, event)
    assert count_games_by_round(event.tournament)[1] == RoundCount(2, 4, 4, 0)
    for game in (first["game_id"], first["return_game"]["id"], second["game_id"]):
        rule(event, game, "1-0")
    settle()
    assert count_games_by_round(event.tournament)[1] == RoundCount(2, 4, 1, 0)
    event.owner.post(f"games/{second['return_game']['id']}/adjourn", {"reason": "late"})
    settle()
    assert count_games_by_round(event.tournament)[1] == RoundCount(2, 4, 0, 1)
    event.tournament.pairings.filter(game=second["game_id"]).update(game=None)
    assert count_games_by_round(event.tournament)[1].missing == 1
    event.tournament.pairings.filter(game=None, kind="game").update(game=second["game_id"])
    Game.objects.filter(adjourned=True).update(adjourned=False)

    refused = event.owner.post(f"{event.path}/rounds/1/complete")

    assert problem_in(refused, 409)["detail"] == "round 1 has open results; boards: 2"
    rule(event, second["return_game"]["id"], "1-0")
    settle()
    assert event.owner.post(f"{event.path}/rounds/1/complete").status_code == 200


def test_a_pairing_has_one_result_and_the_points_of_both_games(
    anonymous: Person, event: Event
) -> None:
    play(event, 1, ("1-0", "1/2"), ("1-0", "1-0"))

    found = [
        (board["result"], board["return_game"]["result"], board["points"])
        for board in boards(anonymous, event)
    ]
    standings = anonymous.get(f"{event.path}/standings.csv").content.decode().splitlines()
    crosstable = anonymous.get(f"{event.path}/crosstable?order=number").json()["rows"]

    assert found == [("1-0", "1/2", "1.5-0.5"), ("1-0", "1-0", "1-1")]
    assert standings == [
        "rank,number,name,PTS,GPTS,withdrawn,corrections",
        "1,5,Player 5,2,2,,",
        "2,1,Player 1,2,1.5,,",
        "3,2,Player 2,1,1,,",
        "3,4,Player 4,1,1,,",
        "5,3,Player 3,0,0.5,,",
    ]
    assert [line["cells"] for line in crosstable] == [
        ["3f1:1="], ["4s=:01"], ["1s0:0="], ["2f=:10"], ["U"]
    ]  # fmt: skip


def test_a_game_won_and_a_return_game_lost_by_forfeit_is_no_played_game(
    anonymous: Person, event: Event
) -> None:
    first, second = boards(event.owner, event)
    for board in (first, second):
        for game in (board["game_id"], board["return_game"]["id"]):
            rule(event, game, "1-0", termination="forfeit")
    settle()
    event.owner.post(f"{event.path}/rounds/1/complete")

    lines = anonymous.get(f"{event.path}/crosstable?order=number").json()["rows"]

    assert [(line["cells"], line["points"]) for line in lines] == [
        (["3f-(1):+-"], "1"),
        (["4s-(1):-+"], "1"),
        (["1s-(1):-+"], "1"),
        (["2f-(1):+-"], "1"),
        (["U"], "2"),
    ]


def test_seats_do_not_decide_the_pairings_of_later_rounds(event: Event) -> None:
    play(event, 1, ("1-0", "1/2"), ("1-0", "1-0"))
    event.publish(2)
    (certificate,) = event.tournament.certificates.filter(round__number=2)
    assert json.loads(certificate.text)["balance_seats"] is False
    assert RoundCertificate.parse(certificate.text).find_faults() == ()
    play(event, 2, ("0-1", "1/2"), ("1-0", "1-0"))
    assert verify_tournament(event.stream) == []


def test_sheets_and_files_have_both_games(anonymous: Person, event: Event) -> None:
    first, second = boards(anonymous, event)
    rule(event, first["game_id"], "13-12")
    rule(event, first["return_game"]["id"], "14-11")
    rule(event, second["return_game"]["id"], "0-1", termination="forfeit")
    settle()

    address = f"{event.path}/rounds/1/pairings"
    rows = list(csv.DictReader(io.StringIO(anonymous.get(f"{address}.csv").content.decode())))
    columns = ("result", "return_result", "return_termination", "return_state", "points")
    assert [tuple(row[name] for name in columns) for row in rows] == [
        ("13-12", "14-11", "ruled", "confirmed", "1-1"),
        ("", "0-1f", "forfeit", "confirmed", ""),
        ("", "", "", "", ""),
    ]
    this_round = event.tournament.round_set.get(number=1)
    document = pairings_document(this_round, load_pairings(this_round))
    _, cells = document.select(("result_or_dash",))
    assert [*cells] == [("13-12, 11-14",), ("–, 1-0 forfeit",), ("",)]
    assert anonymous.get(f"{address}.pdf").status_code == 200


def test_each_game_has_a_slip(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[dict[str, Any]] = []
    monkeypatch.setattr(paper, "print_sheet", lambda _, data: printed.append(data) or b"")
    (board, _) = boards(event.owner, event)

    event.owner.get(f"{event.path}/rounds/1/slips.pdf")

    game, return_game = printed[0]["slips"][:2]
    assert (game["place"], game["game"]) == ("Round 1, board 1", f"game {board['game_id']}")
    assert (return_game["place"], return_game["game"]) == (
        "Round 1, board 1, return game",
        f"game {board['return_game']['id']}",
    )
    assert (return_game["first"], return_game["second"]) == (game["second"], game["first"])
