"""`/tournaments/{slug}/crosstable` of round robins with a withdrawal, in every format."""

import csv
import io
from html.parser import HTMLParser

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


class Cells(HTMLParser):
    """The cells of the table of a page, by row."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.is_cell = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        self.is_cell = tag in ("td", "th")
        if self.is_cell:
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.is_cell = False

    def handle_data(self, data: str) -> None:
        if self.is_cell:
            self.rows[-1][-1] += data


@pytest.mark.parametrize(
    ("players", "rounds", "absence", "withdrawn"),
    [
        (5, 5, "forfeit", "keep"),
        (5, 5, "bye", "keep"),
        (5, 5, "bye", "strike_under_half"),
        (3, 6, "forfeit", "keep"),
    ],
)
def test_all_formats_agree(
    organiser: Person, anonymous: Person, players: int, rounds: int, absence: str, withdrawn: str
) -> None:
    options = {"absence": absence, "withdrawn": withdrawn}
    event = play(organiser, players, rounds, system_options=options)
    shown = players if withdrawn == "keep" else players - 1

    for query in ("", "order=number", "shape=rounds"):
        compare_formats(anonymous, event, query, absence, shown)


def compare_formats(who: Person, event: Event, query: str, absence: str, players: int) -> None:
    """Compare every format of a crosstable with its JSON, which has so many players."""

    def text(suffix: str) -> str:
        answer = who.get(f"{event.path}/crosstable.{suffix}?{query}")
        assert answer.status_code == 200
        return answer.content.decode()

    body = who.get(f"{event.path}/crosstable?{query}").json()

    lines, columns = body["lines"], body["columns"]
    rounds = event.tournament.rounds
    assert len(lines) == players
    assert {len(line["cells"]) for line in lines} == {len(columns)}
    if query == "shape=rounds":
        assert columns == [str(number) for number in range(1, rounds + 1)]
    else:
        assert columns[:players] == [str(line["line"]) for line in lines]
        assert [line["cells"][index] for index, line in enumerate(lines)] == ["*"] * players
        has_byes = absence == "bye" and players == event.tournament.entries.count()
        assert columns[players:] == (["byes"] if has_byes else [])

    head, *page = Cells(text("html")).rows
    has_states = any(line["withdrawn"] for line in lines)
    assert head == ["Line", "No", "Name", *columns, "Points", "Rank", *["State"] * has_states]
    assert page == [
        [str(line["line"]), str(line["number"]), line["player"]["name"], *line["cells"],
         line["points"], str(line["rank"]),
         *["withdrawn" if line["withdrawn"] else ""] * has_states]
        for line in lines
    ]  # fmt: skip

    head, *rows = csv.reader(io.StringIO(text("csv")))
    assert head == [
        "line",
        "rank",
        "number",
        "name",
        *columns,
        "points",
        "withdrawn",
        "corrections",
    ]
    assert [[cell.removeprefix("'") for cell in row] for row in rows] == [
        [str(line["line"]), str(line["rank"]), str(line["number"]), line["player"]["name"],
         *line["cells"], line["points"], "yes" if line["withdrawn"] else "", ""]
        for line in lines
    ]  # fmt: skip
