"""`?player=&limit=&fields=` of the tables of an event: some rows, some members of each."""

from typing import Any

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, problem_in

TABLES = ("standings", "crosstable", "rounds/1/pairings", "rounds/1/results")
WORST = "PTS,DE,WIN,BH,SB,PS,KS,ARO,TPR,PTP"
"""More tie-breaks than an event has."""


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """A round by five players, of whom the last has the bye."""
    event = make_event(make_person("Olga"))
    event.enter(*make_players(5))
    event.step("open", "start").play(1)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def read(anonymous: Person, event: Event, path: str) -> Any:
    return anonymous.get(f"{event.path}/{path}").json()


@pytest.mark.parametrize("table", TABLES)
def test_the_rows_of_a_player_the_first_ones_and_some_members(
    anonymous: Person, event: Event, table: str
) -> None:
    whole = read(anonymous, event, table)
    rows = whole["rows"]
    one, bye = (event.tournament.entries.get(ordinal=n).player_id for n in (1, 5))
    own = [row for row in rows if f"'id': {one}, 'name'" in repr(row)]
    assert len(own) == 1

    def chosen(query: str) -> Any:
        return read(anonymous, event, f"{table}?{query}")

    assert chosen(f"player={one}") == {**whole, "rows": own}
    assert len(chosen(f"player={bye}")["rows"]) == (table != "rounds/1/results")
    unknown = anonymous.get(f"{event.path}/{table}?player=999999")
    assert problem_in(unknown, 422, "invalid_parameter")["parameter"] == "player"
    assert chosen("limit=2")["rows"] == rows[:2]
    members = list(rows[0])[2:4]
    some = [{name: row[name] for name in members} for row in rows]
    for query in (f"fields={','.join(members)}", "&".join(f"fields={name}" for name in members)):
        assert chosen(query)["rows"] == some
    assert chosen(f"player={one}&limit=1&fields={members[0]}")["rows"] == [
        {members[0]: own[0][members[0]]}
    ]


@pytest.mark.parametrize("table", TABLES)
def test_another_member_is_refused_with_those_of_a_row(
    anonymous: Person, event: Event, table: str
) -> None:
    (row, *_) = read(anonymous, event, table)["rows"]

    problem = problem_in(anonymous.get(f"{event.path}/{table}?fields=id,colour"), 422)

    assert problem["errors"][0]["parameter"] == "fields"
    assert {*row} <= {*problem["valid"]}
    problem_in(anonymous.get(f"{event.path}/{table}.csv?limit=1"), 422, "invalid_parameter")


@pytest.mark.parametrize("table", [f"standings?tiebreaks={WORST}&", *(f"{t}?" for t in TABLES)])
def test_the_place_of_a_player_is_small_in_an_event_of_any_size(
    anonymous: Person, event: Event, table: str
) -> None:
    player = event.tournament.entries.get(ordinal=1).player_id

    answer = anonymous.get(f"{event.path}/{table}player={player}")

    assert len(answer.json()["rows"]) == 1
    assert len(answer.content) <= 2000
