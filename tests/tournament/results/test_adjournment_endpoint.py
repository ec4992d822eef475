"""`POST /games/{id}/adjourn`: until its result, a draw in pairings, no points in standings."""

from typing import Any

import pytest

from games.models import Game, JournalLine
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_person, problem_in, statuses
from tests.tournament.actions import with_officials
from tests.tournament.imports import empty_tables
from tournament.core.crosstable import load_crosstable
from tournament.core.engine import load_request
from tournament.core.rankings import compute_table
from tournament.events.verification import verify_tournament
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Tournament
from tournament.rounds.queries import load_pairings
from tournament.rounds.tables import pairings_document

REASON = {"reason": "the hall closes at ten"}


@pytest.fixture
def start(organiser: Person) -> dict[str, Any]:
    """Four players in round 1 of two; board 1 is adjourned after one side has reported."""
    event = make_event(organiser, system="dutch", rounds=2)
    event.enter(*make_players(4))
    games = event.step("open", "start").publish()
    organiser.post(f"games/{games[0].pk}/adjourn", REASON)
    organiser.post(f"games/{games[1].pk}/rule", {"result": "11-10", "reason": "seen"})
    settle()
    return {"event": event, "game": games[0], "other": games[1]}


@pytest.fixture
def event(start: dict[str, Any]) -> Event:
    return start["event"]


@pytest.fixture
def game(start: dict[str, Any]) -> Game:
    return start["game"]


def names_and_values(person: Person, event: Event) -> dict[str, str]:
    rows = person.get(f"{event.path}/standings").json()["rows"]
    return {row["player"]["name"]: row["values"]["PTS"] for row in rows}


def test_an_adjourned_game(organiser: Person, anonymous: Person, event: Event, game: Game) -> None:
    body = anonymous.get(f"games/{game.pk}").json()
    assert (body["state"], body["adjourned"], body["winner"]) == ("open", True, None)
    kinds = JournalLine.objects.filter(stream=event.stream).values_list("kind", flat=True)
    assert "report.adjournment" in kinds
    assert "game.adjourned" in kinds

    problem_in(
        organiser.post(f"games/{game.pk}/adjourn", REASON | {"reason": "again"}),
        409,
        "nothing_to_do",
    )


def test_the_round_shows_it(anonymous: Person, event: Event, game: Game) -> None:
    path = f"{event.path}/rounds/1"
    for rows in (
        anonymous.get(f"{path}/pairings").json()["rows"],
        anonymous.get(f"{path}/results").json()["rows"],
    ):
        assert [row["adjourned"] for row in rows] == [True, False]
    missing = anonymous.get(f"{path}/results?missing=1").json()
    assert [row["game_id"] for row in missing["rows"]] == [game.pk]
    this_round = event.tournament.round_set.get(number=1)
    pairings = load_pairings(this_round)
    _, rows = pairings_document(this_round, pairings).select(("result_or_dash",))
    assert list(rows) == [("adjourned",), ("11-10",)]


def test_who_may_adjourn(everyone: dict[str, Person], event: Event, start: dict[str, Any]) -> None:
    game = start["other"]
    Game.objects.filter(pk=game.pk).update(state="open")
    people = with_officials(event.stream, {"owner": everyone["organiser"]} | everyone)
    assert statuses(people, "POST", f"games/{game.pk}/adjourn?dry_run=1", REASON) == {
        "owner": 200, "director": 200, "scorer": 200, "organiser": 200, "player": 403,
        "stranger": 403, "anonymous": 401,
    }  # fmt: skip
    problem_in(everyone["organiser"].post(f"games/{game.pk}/adjourn", {}), 422, "invalid")


def test_only_an_open_game_of_an_event_is_adjourned(
    organiser: Person, staff: Person, start: dict[str, Any]
) -> None:
    settled = start["other"]
    problem_in(organiser.post(f"games/{settled.pk}/adjourn", REASON), 409, "game_settled")
    casual = Game.objects.create(
        first_id=settled.first_id, second_id=settled.second_id, game="hex", board="5"
    )
    problem_in(staff.post(f"games/{casual.pk}/adjourn", REASON), 409, "casual_game")


def test_it_is_a_draw_in_pairings_only(organiser: Person, anonymous: Person, event: Event) -> None:
    completed = organiser.post(f"{event.path}/rounds/1/complete")
    assert completed.status_code == 200, completed.content

    assert names_and_values(anonymous, event) == {
        "Player 1": "0", "Player 2": "0", "Player 3": "0", "Player 4": "1"
    }  # fmt: skip
    body = anonymous.get(f"{event.path}/crosstable?order=number").json()
    assert [line["cells"] for line in body["rows"]] == [["3f?"], ["4s0"], ["1s?"], ["2f1"]]
    for table in ("crosstable", "standings"):
        body = anonymous.get(f"{event.path}/{table}").json()
        (adjourned,) = body["adjourned"]
        seats = [adjourned[seat] for seat in ("first", "second")]
        assert (adjourned["round"], [seat["number"] for seat in seats]) == (1, [1, 3])
        assert [seat["player"]["name"] for seat in seats] == ["Player 1", "Player 3"]
        for row in body["rows"]:
            own = anonymous.get(f"{event.path}/{table}?player={row['player']['id']}").json()
            assert own["adjourned"] == [adjourned] * (row["number"] in (1, 3))
        page = anonymous.get(f"{event.path}/{table}.html").content.decode()
        assert "Adjourned, without points so far: Player 1 – Player 3 (round 1)." in page
    for suffix in ("trf", "trf26"):
        lines = anonymous.get(f"{event.path}/standings.{suffix}").content.decode().splitlines()
        assert "162  X 0.0" in lines
        players = [line[80:].split() for line in lines if line.startswith("001")]
        assert [cells[:1] + cells[2:] for cells in players] == [
            ["0.0", "3", "w"], ["0.0", "4", "b", "0"], ["0.0", "1", "b"], ["1.0", "2", "w", "1"],
        ]  # fmt: skip
        assert not any(line.startswith("299") for line in lines)

    paired = load_request(event.tournament, 2).crosstable
    assert [paired.points_of(player.number) for player in paired.players] == [1, 0, 1, 2]
    organiser.post(f"{event.path}/rounds/2/pair")
    pairings = organiser.get(f"{event.path}/rounds/2/pairings").json()["rows"]
    assert [{row["first"]["number"], row["second"]["number"]} for row in pairings] == [
        {3, 4},
        {1, 2},
    ]


def test_the_event_is_final_only_with_the_result(
    organiser: Person, anonymous: Person, event: Event, game: Game
) -> None:
    organiser.post(f"{event.path}/rounds/1/complete")
    event.play(2)
    organiser.post(f"{event.path}/review")

    problem = problem_in(organiser.post(f"{event.path}/finalise"), 409, "games_adjourned")
    named = {"pointer": "", "code": "game_adjourned", "round": 1, "board": 1}
    assert problem["errors"] == [{**named, "detail": problem["detail"]}]

    ruling = {"result": "10-11", "reason": "played on Sunday"}
    assert organiser.post(f"games/{game.pk}/rule", ruling).status_code == 202
    settle()
    game.refresh_from_db()
    assert (game.state, game.adjourned, game.winner) == ("confirmed", False, "second")
    assert organiser.post(f"{event.path}/finalise").status_code == 200
    assert names_and_values(anonymous, event)["Player 3"] >= "1"
    assert anonymous.get(f"{event.path}/standings").json()["adjourned"] == []
    assert verify_tournament(event.stream) == []


def test_a_result_by_board_continues_the_game(organiser: Person, event: Event, game: Game) -> None:
    organiser.post(f"{event.path}/rounds/1/complete")
    body = {"results": [{"board": 1, "result": "11-10"}], "basis": "slip"}

    assert organiser.post(f"{event.path}/rounds/1/results", body).status_code == 200

    game.refresh_from_db()
    assert (game.state, game.basis, game.adjourned) == ("confirmed", "slip", False)


def test_a_bundle_contains_the_adjournment(organiser: Person, event: Event, staff: Person) -> None:
    organiser.post(f"{event.path}/rounds/1/complete")
    bundle = write_bundle(event.tournament)
    before = compute_table(event.tournament, through=1).crosstable
    empty_tables()

    import_bundle(bundle, by=make_person("Ines").account)

    tournament = Tournament.objects.get(slug="spring")
    assert compute_table(tournament, through=1).crosstable == before
    assert Game.objects.filter(adjourned=True).count() == 1
    assert verify_tournament(tournament.stream) == []


def test_one_of_two_games_of_a_pairing(organiser: Person) -> None:
    event = make_event(organiser, slug="double", games_per_pairing=2, system="dutch")
    event.enter(*make_players(2))
    (game,) = event.step("open", "start").publish()
    (row,) = organiser.get(f"{event.path}/rounds/1/pairings").json()["rows"]
    organiser.post(f"games/{game.pk}/rule", {"result": "11-10", "reason": "seen"})
    organiser.post(f"games/{row['return_game']['id']}/adjourn", REASON)
    settle()
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200

    cells = organiser.get(f"{event.path}/crosstable?order=number").json()["rows"]
    assert [line["cells"] for line in cells] == [["2f?"], ["1s?"]]
    assert set(names_and_values(organiser, event).values()) == {"0"}
    paired = load_crosstable(event.tournament, for_pairing=True)
    assert [str(player.results[0].kind) for player in paired.players] == ["win", "loss"]
