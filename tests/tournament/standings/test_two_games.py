"""Two games in each pairing: the result of a pairing, its game points, tie-breaks and cells."""

from fractions import Fraction

import pytest

from games.rules.seat import Seat
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult, combine_games
from tournament.standings.crosstable_json import crosstable_as_json
from tournament.standings.crosstable_rows import SYMBOLS, CrosstableOrder, crosstable_rows
from tournament.standings.errors import CrosstableError
from tournament.standings.points import PointSystem
from tournament.standings.table import rank
from tournament.trf import TrfEdition, TrfFile, read_trf, write_trf
from tournament.trf.errors import TrfError

PAIRINGS = """
    games of both sides   result
    11  00                1  0
    1=  0=                1  0
    10  01                =  =
    ==  ==                =  =
    =0  =0                =  =
    00  00                0  0
    +1  -0                1  0
    +0  -1                =  =
    -0  -1                0  1
    ++  --                +  -
    --  --                -  -
    +-  -+                -  -
    """


def kinds(symbols: str) -> tuple[Kind, ...]:
    by_symbol = {symbol: kind for kind, symbol in SYMBOLS.items()}
    return tuple(by_symbol[symbol] for symbol in symbols)


@pytest.mark.parametrize("line", PAIRINGS.splitlines()[2:-1])
def test_the_games_decide_the_pairing(line: str) -> None:
    own, others, *results = line.split()
    combined = (
        combine_games(kinds(own), kinds(others)),
        combine_games(kinds(others), kinds(own)),
    )
    assert [SYMBOLS[kind] for kind in combined] == results


def paired(opponent: int, seat: Seat, own: str, others: str) -> RoundResult:
    games = kinds(own)
    return RoundResult(combine_games(games, kinds(others)), opponent, seat, games=games)


def event() -> Crosstable:
    """Return three players: 1 beats 2 by 1½, then draws with 3 by forfeit; 2 and 3 have a bye."""
    rows = {
        1: (paired(2, Seat.FIRST, "1=", "0="), paired(3, Seat.SECOND, "-1", "+0")),
        2: (paired(1, Seat.SECOND, "0=", "1="), RoundResult(Kind.PAIRING_BYE)),
        3: (RoundResult(Kind.PAIRING_BYE), paired(1, Seat.FIRST, "+0", "-1")),
    }
    return Crosstable(
        players=tuple(
            Competitor(number=number, name=f"Player {number}", rating=1500, results=results)
            for number, results in rows.items()
        ),
        rounds=2,
        points=PointSystem.from_points(win=2, draw=1, pairing_bye=1),
        games_per_pairing=2,
    )


def test_standings_count_pairings_and_games() -> None:
    codes = ("PTS", "GPTS", "WIN", "WON", "BPG", "BWG")
    found = [(row.rank, row.number, *row.values.values()) for row in rank(event(), codes)]
    assert found == [
        (1, 1, 3, Fraction(5, 2), 1, 2, 1, 0),
        (2, 3, 2, 2, 0, 0, 1, 0),
        (3, 2, 1, Fraction(3, 2), 0, 0, 1, 0),
    ]


def test_the_performance_counts_each_played_game() -> None:
    values = {row.number: row.values["TPR"] for row in rank(event(), "TPR")}
    assert values == {1: 1500 + 273, 2: 1500 - 193, 3: 1500 - 800}


def test_a_crosstable_shows_both_games() -> None:
    rows = crosstable_rows(event(), rank(event(), "PTS"), CrosstableOrder.NUMBER)
    assert [row.cells for row in rows] == [
        ("2f1:1=", "3s=:-1"),
        ("1s0:0=", "U"),
        ("U", "1f=:+0"),
    ]


def test_the_json_form_has_the_games() -> None:
    body = crosstable_as_json(event())

    assert body["games_per_pairing"] == 2
    assert [player[-1] for player in body["players"]] == ["2f1&1= 3s=&-1", "1s0&0= U", "U 1f=&+0"]


def test_games_that_contradict_the_result_are_rejected() -> None:
    players = (
        Competitor(number=1, results=(RoundResult(Kind.WIN, 2, Seat.FIRST, games=kinds("10")),)),
        Competitor(number=2, results=(RoundResult(Kind.LOSS, 1, Seat.SECOND, games=kinds("01")),)),
    )
    with pytest.raises(CrosstableError, match="the games do not give a win against player 2"):
        Crosstable(players=players, rounds=1, games_per_pairing=2)


@pytest.mark.parametrize("edition", list(TrfEdition))
def test_a_trf_has_the_games_in_records_xxg(edition: TrfEdition) -> None:
    text = write_trf(TrfFile(crosstable=event()), edition=edition)

    assert [line for line in text.splitlines() if line.startswith("XXG")] == [
        "XXG 2",
        "XXG   1    1    2 1= 0=",
        "XXG   2    3    1 +0 -1",
    ]
    read = read_trf(text)
    assert (read.crosstable, read.unknown_lines) == (event(), ())
    assert write_trf(read, edition=edition) == text


@pytest.mark.parametrize(
    ("record", "detail"),
    [
        ("XXG 3", "column 5: 3 games in a pairing"),
        ("XXG   1    1    2 1x 0=", "column 19: '1x' are not the results of two games"),
        ("XXG   2    1    2 1= 0=", "games of player 1 in round 2, which has no result"),
        ("XXG   1    1    3 1= 0=", "games of 1 and 3, who were not paired in the round"),
        ("XXG   1    1    2 10 01", "the games do not give a win against player 2"),
        ("XXG  11    1    2 1=0=", "column 21: .1=0=. is not in its columns"),
    ],
)
def test_contradicting_records_are_rejected(record: str, detail: str) -> None:
    text = write_trf(TrfFile(crosstable=event().after(1)))
    with pytest.raises(TrfError, match=detail):
        read_trf(text.replace("XXG 2\n", "").replace("XXG   1    1    2 1= 0=", record))
