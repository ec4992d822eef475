"""`/tournaments/{slug}/crosstable` of round robins with a withdrawal, by round and by opponent."""

import csv
import io

import pytest

from tests.events import Event, make_event, make_players
from tests.people import Person

pytestmark = pytest.mark.django_db


def play(organiser: Person, players: int, rounds: int, **fields: object) -> Event:
    """Play all rounds of a round robin; Player 1 withdraws after the second."""
    event = make_event(organiser, system="round-robin", rounds=rounds, tiebreaks=["PTS"], **fields)
    first, *_ = event.enter(*make_players(players))
    event.step("open", "start")
    for number in range(1, rounds + 1):
        if number == 3:
            organiser.post(f"{event.path}/entries/{first.pk}/withdraw")
        event.play(number)
    return event


@pytest.mark.parametrize(
    ("players", "rounds", "absence", "withdrawn"),
    [
        (5, 5, "bye", "keep"),
        (5, 5, "bye", "strike_under_half"),
        (3, 6, "forfeit", "keep"),
    ],
)
def test_a_square_and_a_line_of_rounds(
    organiser: Person, anonymous: Person, players: int, rounds: int, absence: str, withdrawn: str
) -> None:
    options = {"absence": absence, "withdrawn": withdrawn}
    event = play(organiser, players, rounds, system_options=options)
    shown = players if withdrawn == "keep" else players - 1
    byes = ["byes"] if (absence, withdrawn) == ("bye", "keep") else []

    for query in ("", "order=number"):
        body = anonymous.get(f"{event.path}/crosstable?{query}").json()
        lines, columns = body["rows"], body["columns"]
        assert columns == [*(str(line["line"]) for line in lines), *byes]
        assert [line["cells"][index] for index, line in enumerate(lines)] == ["*"] * shown
        assert {len(line["cells"]) for line in lines} == {len(columns)}
    body = anonymous.get(f"{event.path}/crosstable?shape=rounds").json()
    assert body["columns"] == [str(number) for number in range(1, rounds + 1)]
    assert {len(line["cells"]) for line in body["rows"]} == {rounds}


def test_the_columns_of_the_file(organiser: Person, anonymous: Person) -> None:
    event = play(organiser, 3, 3)
    body = anonymous.get(f"{event.path}/crosstable").json()

    text = anonymous.get(f"{event.path}/crosstable.csv").content.decode()

    head, *rows = csv.reader(io.StringIO(text))
    columns = ["line", "rank", "number", "name", "1", "2", "3", "points", "withdrawn"]
    assert head == [*columns, "corrections"]
    assert [[cell.removeprefix("'") for cell in row] for row in rows] == [
        [str(line["line"]), str(line["rank"]), str(line["number"]), line["player"]["name"],
         *line["cells"], line["points"], "yes" if line["withdrawn"] else "", ""]
        for line in body["rows"]
    ]  # fmt: skip
