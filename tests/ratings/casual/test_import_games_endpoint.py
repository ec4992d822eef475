"""`POST /games/import`: officers import casual games from a file of records, all or none."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from games.core.references import player_reference
from games.models import Game, Player, Upload
from games.rules.records.streams import judge_records
from ratings.models import Batch, BatchGame, Pool
from ratings.runs.services import advance_pool
from ratings.tasks import import_games
from tests.people import Person, player_of, problem_in
from tournament.events.verification import verify_stream

CASUAL = Path(__file__).parents[2] / "games" / "rules" / "data" / "casual.rec"
TAGS = {
    "Game": "star-star", "Board": "4", "First": "Ada", "FirstCountry": "POR", "Second": "Ben",
    "Date": "2026.03.02",
}  # fmt: skip


def written(moves: str = "S10 T10 agreed 11-10", **tags: str) -> str:
    """A record, by default of Ada's game against Ben; an empty tag is left out."""
    lines = [f'[{name} "{value}"]' for name, value in (TAGS | tags).items() if value]
    return "\n".join([*lines, "", moves, "", ""])


TWO = written() + written("S10 A10 agreed 10-11", Date="2026.03.01", Second="Cleo")


def send(person: Person, text: str, query: str = "?pool=star", **headers: str) -> Any:
    return person.post(f"games/import{query}", text.encode(), content_type="text/plain", **headers)


def actions(response: Any) -> list[tuple[str, str, str]]:
    rows = response.json()["rows"]
    return [(row["action"], row["first"]["action"], row["second"]["action"]) for row in rows]


def test_the_games_are_rated_in_the_order_of_their_days(
    officer: Person, ada: Person, anonymous: Person
) -> None:
    Player.objects.filter(pk=player_of(ada).pk).update(seed_rating=1900)
    response = send(officer, TWO)
    assert response.status_code == 201, response.content
    assert actions(response) == [("created", "known", "created")] * 2

    numbers = [row["game_id"] for row in response.json()["rows"]]
    body = anonymous.get(f"games/{numbers[0]}").json()
    assert {name: body[name] for name in ("state", "basis", "winner", "rated", "pool")} == {
        "state": "confirmed", "basis": "ruling", "winner": "first", "rated": True, "pool": "star"
    }  # fmt: skip
    assert (body["first"]["player"]["id"], body["played_on"]) == (player_of(ada).pk, "2026-03-02")
    assert anonymous.get(f"games/{numbers[0]}/record.txt").status_code == 200
    batches = Batch.objects.order_by("effective_at")
    assert [batch.stream for batch in batches] == [f"game/{pk}" for pk in reversed(numbers)]
    assert batches[0].effective_at == datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC)
    assert set(BatchGame.objects.values_list("exclusion", flat=True)) == {""}
    advance_pool(Pool.objects.get().pk)
    assert (
        anonymous.get(f"games/{numbers[1]}/rating-changes").json()["results"][0]["state"] == "rated"
    )
    for number in numbers:
        assert verify_stream(f"game/{number}") == []


def test_the_effect_is_shown_first(officer: Person, ada: Person) -> None:
    body = send(officer, TWO, "?pool=star&dry_run=1").json()

    assert [row["line"] for row in body["rows"]] == [1, 10]
    seats = [body["rows"][0][seat] for seat in ("first", "second")]
    assert seats == [
        {"player": player_reference(player_of(ada)), "action": "known", "same_as_line": None},
        {
            "player": {"id": None, "name": "Ben", "country": None, "club": None},
            "action": "created",
            "same_as_line": None,
        },
    ]
    assert body["rows"][0]["outcome"]["score"] == {"first": 11, "second": 10}


def test_a_name_without_a_country_means_the_only_player_of_this_name(
    officer: Person, ada: Person
) -> None:
    Player.objects.filter(pk=player_of(ada).pk).update(country="POR", club="Rooks")
    response = send(officer, written(FirstCountry=""))
    assert actions(response) == [("created", "known", "created")]
    assert Player.objects.get(name="Ada").pk == player_of(ada).pk


@pytest.mark.parametrize("tags", [{"FirstClub": "Pawns"}, {}])
def test_a_name_of_several_players_is_ambiguous(
    officer: Person, ada: Person, tags: dict[str, str]
) -> None:
    Player.objects.filter(pk=player_of(ada).pk).update(country="POR", club="Rooks")
    if not tags:
        Player.objects.create(name="Ada", country="CAN")
    problem = problem_in(send(officer, written(FirstCountry="", **tags)), 422)
    assert problem["errors"][0]["code"] == "ambiguous_player"


def test_the_same_record_is_flagged_and_not_doubled(officer: Person) -> None:
    first = send(officer, written() + written())
    assert [row["action"] for row in first.json()["rows"]] == ["created", "repeated"]
    again = send(officer, TWO).json()["rows"]
    assert [row["action"] for row in again] == ["repeated", "created"]
    assert again[0]["game_id"] == first.json()["rows"][0]["game_id"]
    assert (Game.objects.count(), Batch.objects.count()) == (2, 2)
    # the same moves of other players are another game
    assert actions(send(officer, written(First="Dora")))[0][0] == "created"


def test_who_may_import(
    everyone: dict[str, Person], officer: Person, staff: Person, ada: Person
) -> None:
    people = everyone | {"officer": officer, "staff": staff}
    for query, of_officer, of_staff in (
        ("", 403, 200),
        ("pool=x", 403, 422),
    ):
        found = {
            name: send(person, TWO, f"?dry_run=1&{query}").status_code
            for name, person in people.items()
        }
        assert (query, found) == (query, {
            "organiser": 403, "player": 403, "stranger": 403, "anonymous": 401,
            "officer": of_officer, "staff": of_staff,
        })  # fmt: skip


def test_the_same_record_on_another_day_is_another_game_and_is_named(officer: Person) -> None:
    """Two short games may be the same move by move; nothing forbids it, but it is rare."""
    text = written() + written(Date="2026.03.03")
    first, second = send(officer, text).json()["rows"]

    assert (first["action"], second["action"]) == ("created", "created")
    assert second["same_record"] == {
        "game_id": first["game_id"], "line": 1, "played_on": "2026-03-02"
    }  # fmt: skip
    (third,) = send(officer, written(Date="2026.03.04")).json()["rows"]
    assert third["same_record"] == {
        "game_id": second["game_id"], "line": None, "played_on": "2026-03-03"
    }  # fmt: skip
    again = send(officer, text).json()["rows"]
    assert [(row["action"], row["game_id"]) for row in again] == [
        ("repeated", first["game_id"]), ("repeated", second["game_id"])
    ]  # fmt: skip
    assert Game.objects.count() == 3
    Game.objects.filter(pk=first["game_id"]).update(played_on=None)  # as in an event without days
    (row,) = send(officer, written(Date="2026.03.05")).json()["rows"]
    assert (row["action"], row["game_id"]) == ("repeated", first["game_id"])


def test_lines_that_lack_a_country_mean_the_player_of_an_earlier_one(officer: Person) -> None:
    text = written() + written(FirstCountry="", Date="2026.03.03")
    first, second = send(officer, text).json()["rows"]
    assert (first["first"]["action"], first["first"]["same_as_line"]) == ("created", None)
    assert (second["first"]["player"]["id"], second["first"]["same_as_line"]) == (
        first["first"]["player"]["id"],
        1,
    )
    assert Player.objects.filter(name="Ada").count() == 1

    reverse = written(First="Eva", FirstCountry="") + written(First="Eva", Date="2026.03.03")
    problem_in(send(officer, reverse), 422, "invalid_lines")


@pytest.mark.parametrize(
    ("seeds", "exclusion"),
    [((2200, 1500), "expected_out_of_band"), ((2000, 1500), "")],
)
def test_the_least_expected_score_is_that_of_seeds_before_the_first_run(
    officer: Person, seeds: tuple[int, int], exclusion: str
) -> None:
    for name, seed in zip(("Ada", "Ben"), seeds, strict=True):
        Player.objects.create(name=name, country="POR", seed_rating=seed)
    response = send(officer, written(SecondCountry="POR"))
    assert actions(response) == [("created", "known", "known")]
    assert BatchGame.objects.get().exclusion == exclusion
    advance_pool(Pool.objects.get().pk)
    assert verify_stream(f"game/{Game.objects.get().pk}") == []


def test_games_without_a_pool_are_not_rated(staff: Person) -> None:
    hex_record = (
        '[Game "hex"]\n[Board "3"]\n[First "A"]\n[Second "B"]\n[Date "2026.01.01"]\n\na1 resign\n'
    )
    assert send(staff, hex_record, "").json()["rows"][0]["rated"] is False
    unrated = send(staff, written(Rated="no"))
    assert unrated.json()["rows"][0]["rated"] is False
    assert not Batch.objects.exists()


def test_the_sender_names_the_encoding_of_the_file(officer: Person) -> None:
    content = written(First="José").encode("cp1252")
    address = "games/import?pool=star&encoding=cp1252&dry_run=1"
    response = officer.post(address, content, content_type="text/plain")
    assert response.json()["rows"][0]["first"]["player"]["name"] == "José"


def test_a_record_can_state_the_time(officer: Person, anonymous: Person) -> None:
    Pool.objects.update(time_classes=["rapid"])
    row = send(officer, written(TimeControl="900+10")).json()["rows"][0]
    body = anonymous.get(f"games/{row['game_id']}").json()
    assert (body["main_minutes"], body["increment_seconds"]) == (15, 10)
    assert body["time_class"] == "rapid"
    assert BatchGame.objects.get().exclusion == ""

    for tags, code in (
        ({}, "time_class_not_rated"),
        ({"TimeControl": "180+2"}, "time_class_not_rated"),
        ({"TimeControl": "90"}, "senseless_time"),
        ({"TimeControl": "40/9000"}, "senseless_time"),
        ({"TimeControl": "999960"}, "senseless_time"),
    ):
        problem = problem_in(send(officer, written(**tags)), 422)
        assert (problem["errors"][0]["code"], problem["errors"][0]["line"]) == (code, 1)
    assert Game.objects.count() == 1


def test_a_closed_pool_takes_games_from_its_officers(officer: Person) -> None:
    Pool.objects.update(policy=Pool.Policy.CLOSED)

    send(officer, written())

    assert Batch.objects.get().state == "filed"


WRONG = [
    ({"Second": "x" * 121}, "", "player_needed"),
    ({"FirstId": "one"}, "", "player_needed"),
    ({"FirstId": "99999"}, "", "unknown_player"),
    ({"First": "Twin", "FirstCountry": ""}, "", "ambiguous_player"),
    ({"Second": "Ada", "SecondCountry": "POR"}, "", "same_player"),
    ({"Date": "2026.02.30"}, "", "date_needed"),
    ({"Date": "2126.01.01"}, "", "in_future"),
    ({"Game": "hex"}, "a1 resign", "ruleset_not_rated"),
    ({"Game": "chess"}, "", "unknown_game"),
    ({}, "S10 T10", "record_unfinished"),
]


@pytest.mark.parametrize(("tags", "moves", "code"), WRONG)
def test_every_wrong_record_is_listed_and_nothing_is_imported(
    officer: Person, tags: dict[str, str], moves: str, code: str
) -> None:
    make_twins()
    wrong = written(*([moves] if moves else []), **tags)
    problem = problem_in(send(officer, written() + wrong), 422, "invalid_lines")
    assert [error["code"] for error in problem["errors"]] == [code]
    assert 10 <= problem["errors"][0]["line"] <= 18
    assert not Game.objects.exists()


def make_twins() -> list[Player]:
    return [Player.objects.create(name="Twin", country=country) for country in ("POR", "ESP")]


def test_a_tag_resolves_an_ambiguous_name(officer: Person) -> None:
    twins = make_twins()
    problem = problem_in(
        send(officer, written(First="Twin", FirstCountry="")), 422, "invalid_lines"
    )
    candidates = problem["errors"][0]["candidates"]
    assert [candidate["id"] for candidate in candidates] == [twin.pk for twin in twins]

    body = send(officer, written(First="Twin", FirstId=str(twins[1].pk))).json()

    assert body["rows"][0]["first"]["player"]["id"] == twins[1].pk


def test_a_large_file_is_imported_by_a_task(officer: Person) -> None:
    """The file has 40 games of 24 people, with handicaps that no rating explains."""
    Pool.objects.update(least_expected=0)
    text = CASUAL.read_text()
    records = len(list(judge_records(text)))
    accepted = send(officer, text)
    assert accepted.status_code == 202, accepted.content

    import_games.run(Upload.objects.get().pk)

    task = officer.get(accepted["Location"]).json()
    assert task["state"] == "done", task
    assert len(task["response"]["rows"]) == Game.objects.count() == records
    order = Batch.objects.order_by("effective_at", "pk").values_list("effective_at", flat=True)
    assert list(order) == sorted(order)
    assert set(BatchGame.objects.values_list("exclusion", flat=True)) == {""}
