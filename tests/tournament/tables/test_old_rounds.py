"""The tables after an earlier round, from the results as they are now."""

from typing import Any

import pytest
from django.db.models import F

from games.models import Player
from tests.events import Event, make_event, make_players
from tests.people import Person, problem_in
from tournament.models import Tournament

PRIZES = [
    {"name": "all", "amounts": [500, 300, 100]},
    {"name": "lower half", "amounts": [200], "rating_to": 1497},
]
PATHS = [
    "standings.json?terms=1",
    "standings.json?tiebreaks=PTS,BH/C1,WIN,DE,TPR",
    "standings.csv",
    "standings.trf",
    "standings.trf26",
    "crosstable.json?order=number&tiebreaks=SB",
    "crosstable.json?shape=square",
    "prizes.json",
    "prizes.csv?tiebreaks=PTS,ARO",
    "clubs.json",
]


@pytest.fixture
def event(organiser: Person) -> Event:
    """One of four rounds by six players; the first seats have won."""
    event = make_event(organiser, rounds=4, tiebreaks=["PTS", "BH", "SB"], prizes=PRIZES)
    players = make_players(6)
    Player.objects.update(club=F("name"))
    event.enter(*players)
    event.step("open", "start").play(1)
    return event


def get_content(person: Person, event: Event, path: str, query: str = "") -> Any:
    joined = f"{path}{'&' if '?' in path else '?'}{query}"
    answer = person.get(f"{event.path}/{joined}")
    assert answer.status_code == 200, answer.content
    return answer.content


def test_a_table_stays_while_later_rounds_are_played_and_changes_by_a_correction(
    organiser: Person, event: Event
) -> None:
    before = {path: get_content(organiser, event, path) for path in PATHS}
    event.play(2)
    event.play(3)

    assert {path: get_content(organiser, event, path, "round=1") for path in PATHS} == before

    event.correct(event.games(1)[0], "10-11")
    after = {path: get_content(organiser, event, path, "round=1") for path in PATHS}
    assert [path for path in PATHS if after[path] == before[path]] == []


def test_a_table_names_the_corrections_that_it_counts(
    organiser: Person, anonymous: Person, event: Event
) -> None:
    event.play(2)
    for number, scope in ((1, "standings"), (2, "standings"), (1, "rating")):
        game = event.games(number)[0 if scope == "standings" else 1]
        body = {
            "changes": [{"game_id": game.pk, "result": "10-11"}],
            "scope": scope,
            "reason": f"{scope} {number}",
        }
        digest = organiser.post(f"{event.path}/corrections?dry_run=1", body).json()["digest"]
        answer = organiser.post(f"{event.path}/corrections", body | {"digest": digest})
        assert answer.status_code == 201, answer.content

    def named(path: str) -> list[str]:
        page = anonymous.get(path).content.decode()
        return [each for each in ("standings 1", "standings 2", "rating 1") if each in page]

    for path in (f"{event.path}/standings.html", "/e/spring/standings"):
        assert named(f"{path}?round=1") == ["standings 1"]
        assert named(f"{path}?round=2") == ["standings 1", "standings 2"]


def test_the_last_round_has_the_table_without_a_round(organiser: Person, event: Event) -> None:
    event.publish(2)

    for path in PATHS:
        assert get_content(organiser, event, path, "round=1") == get_content(organiser, event, path)


def test_the_journal_has_the_digest_of_each_round(organiser: Person, event: Event) -> None:
    event.play(2)
    trf = organiser.get(f"{event.path}/standings.trf").content
    address = "tournaments/import?ruleset=star-star&board_size=4&slug=again"
    answer = organiser.post(address, trf, content_type="text/plain")
    assert answer.status_code == 201, answer.content
    again = Event(Tournament.objects.get(slug="again"), organiser)

    digests = [
        organiser.get(f"{event.path}/crosstable?round={number}").json()["digest"]
        for number in (1, 2)
    ]
    lines = {
        slug: organiser.get(f"{slug}/journal").json()["results"]
        for slug in (event.path, again.path)
    }
    completed = [line for line in lines[event.path] if line["kind"] == "round.complete"]
    (imported,) = [line for line in lines[again.path] if line["kind"] == "tournament.imported"]
    assert [line["payload"]["standings"] for line in completed] == digests
    assert imported["payload"]["standings"] == digests
    assert digests[0] != digests[1]


def test_invalid_codes_and_rounds_are_rejected(anonymous: Person, event: Event) -> None:
    for query in ("tiebreaks=XYZ", "tiebreaks=PTS,PTS", "round=2", "round=-1"):
        answer = anonymous.get(f"{event.path}/standings?{query}")
        problem = problem_in(answer, 422, "invalid_parameter")
        assert ("min" in problem["errors"][0]) == query.startswith("round")


def test_a_table_before_the_first_round_has_no_points(anonymous: Person, event: Event) -> None:
    table = anonymous.get(f"{event.path}/standings?round=0").json()

    assert [row["values"]["PTS"] for row in table["rows"]] == ["0"] * 6
