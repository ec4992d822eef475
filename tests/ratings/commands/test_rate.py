"""`manage.py rate`: input files, output files, exit status."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.games.core.workbooks import open_document, workbook

HEADER = "date,event,first,second,result"


@pytest.fixture
def rate(tmp_path, capsys):
    """Run the command on the text of a games file; return what it printed."""

    def run(games, *options, seeds=None):
        (tmp_path / "games.csv").write_bytes(games if isinstance(games, bytes) else games.encode())
        arguments = [str(tmp_path / "games.csv"), *options]
        if seeds is not None:
            (tmp_path / "seeds.csv").write_text(seeds)
            arguments += ["--seeds", str(tmp_path / "seeds.csv")]
        call_command("rate", *arguments)
        return capsys.readouterr().out

    return run


@pytest.fixture
def error_of(rate):
    """Run the command on invalid input; check the exit status and return the message."""

    def run(games, *options, seeds=None):
        with pytest.raises(CommandError) as caught:
            rate(games, *options, seeds=seeds)
        assert caught.value.returncode == 2
        return str(caught.value)

    return run


SHEET = [["date", "event", "first", "second", "result"], ["2026-03-01", "", "Ann", "Bo", "½"]]
LINES = "".join(f"{';'.join(row)}\r\n" for row in SHEET)


@pytest.mark.parametrize(
    "content",
    [
        LINES.encode(),
        f"sep=;\r\n{LINES}".encode(),
        f"\ufeff{LINES}".encode(),
        LINES.replace(";", "\t").encode("utf-16"),
        workbook(SHEET),
        open_document(SHEET),
    ],
    ids=["semicolons", "sep=;", "a byte order mark", "UTF-16", "xlsx", "ods"],
)
def test_spreadsheets_are_read(rate, content):
    assert rate(content) == "player,rating,games\nAnn,1500.000,1\nBo,1500.000,1\n"


def test_a_workbook_that_cannot_be_read_is_refused(error_of):
    assert "line 1: the workbook cannot be read" in error_of(workbook(SHEET)[:-40])


def test_the_history_has_two_rows_per_game(rate, tmp_path):
    history = tmp_path / "history.csv"
    games = f"{HEADER}\n2026-03-01,Cup,Ann,Bo,1\n2026-03-02,Cup,Bo,Cy,0.5\n2026-03-02,,Cy,Ann,0\n"
    out = rate(
        games,
        "--preset",
        "decay",
        "--history",
        str(history),
        "--ratings",
        str(tmp_path / "list.csv"),
    )
    assert out == "3 games, 2 batches, 3 players\n"
    # The single game comes first on 2 March; then the cup, placed at its last date.
    # Ann, 1550 after one game, plays the new player Bo: D = 50, E = .571463; Bo plays Cy: D = 50.
    # K is 100 at first, 92 after one game
    assert history.read_bytes().decode() == (
        "date,event,player,opponent,seat,result,expected,k,change,before,after\n"
        "2026-03-02,,Cy,Ann,first,0,0.500000,100.000,-50.000000000,1500.000,1450.000\n"
        "2026-03-02,,Ann,Cy,second,1,0.500000,100.000,50.000000000,1500.000,1550.000\n"
        "2026-03-01,Cup,Ann,Bo,first,1,0.571463,92.000,39.425404000,1550.000,1589.425\n"
        "2026-03-01,Cup,Bo,Ann,second,0,0.428537,100.000,-42.853700000,1500.000,1450.000\n"
        "2026-03-02,Cup,Bo,Cy,first,0.5,0.571463,100.000,-7.146300000,1500.000,1450.000\n"
        "2026-03-02,Cup,Cy,Bo,second,0.5,0.428537,92.000,6.574596000,1450.000,1456.575\n"
    )
    assert (tmp_path / "list.csv").read_bytes() == (
        b"player,rating,games\nAnn,1589.425,2\nCy,1456.575,2\nBo,1450.000,2\n"
    )


def test_batch_by_game_rates_each_game_on_the_state_after_the_previous_one(rate):
    games = f"{HEADER}\n2026-03-01,Cup,Ann,Bo,1\n2026-03-01,Cup,Ann,Bo,1\n"
    assert rate(games, "--preset", "fixed") == (
        "player,rating,games\nAnn,1524.000,2\nBo,1476.000,2\n"
    )
    # after 1512 to 1488: D = 24, E = .534483, 24 x .465517 = 11.172408
    assert rate(games, "--preset", "fixed", "--batch", "game") == (
        "player,rating,games\nAnn,1523.172,2\nBo,1476.828,2\n"
    )


def test_players_start_from_their_seeds(rate):
    games = f"{HEADER}\n2026-03-01,,Ann,Bo,1\n"
    seeds = "rating,player\n1900.0,Ann\n2000,Idle\n"
    assert rate(games, "--preset", "fixed", seeds=seeds) == (
        "player,rating,games\nAnn,1902.182,1\nBo,1497.818,1\n"
    )


def test_the_conditions_of_a_game_are_rated(rate):
    games = (
        "second,first,result,date,event,swap,board,handicap\n"
        "Bo,Ann,1,2026-03-01,x,no,10,\n"  # 40 for the first seat: E = .557312
        "Di,Cy,1,2026-03-01,x,,10,second 3 stones\n"  # 280 for the second: E = .166339
        "Fa,Eve,1,2026-03-01,x,yes,4,first 2 points\n"  # 45 for the first: E = .564400
    )
    assert rate(games, "--preset", "fixed") == (
        "player,rating,games\n"
        "Cy,1520.008,1\nAnn,1510.625,1\nEve,1510.454,1\n"
        "Fa,1489.546,1\nBo,1489.375,1\nDi,1479.992,1\n"
    )


def test_the_values_of_handicaps_are_those_of_the_table_named(rate):
    game = "date,event,first,second,result,board,handicap\n2026-03-01,x,Cy,Di,1,4,{}\n"
    # 180, 1923 and 203 (9 x 22.5) points for the first seat.
    for handicap, options, rating in (
        ("first 8 points", (), "1506.285"),
        ("first 8 points", ("--table", "v2"), "1500.000"),
        ("first 9 points", (), "1505.691"),
    ):
        assert f"Cy,{rating},1" in rate(game.format(handicap), "--preset", "fixed", *options)


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        ("", "line 2: is empty"),
        ("2026-03-01,,Ann,Bo", "line 2: has 4 cells, the header has 5"),
        ("2026-02-30,,Ann,Bo,1", "line 2, column date: is '2026-02-30'"),
        ("2026-03-01,,Ann, ,1", "line 2, column second: names no player"),
        ("2026-03-01,,Ann,Ann ,1", "line 2, column second: 'Ann' has both seats"),
        ("2026-03-01,,Ann,Bo,2", "line 2, column result: is '2'"),
        ("2026-03-01,,Ann,Bo,١", "line 2, column result"),
        (f"2026-03-01,,{'A' * 201},Bo,1", "line 2, column first: is longer than 200"),
        (f"2026-03-01,,{'A' * 140_000},Bo,1", "line 2: not CSV: field larger"),
        ('2026-03-01,,"Ann,Bo,1', "line 2: not CSV"),
        ('2026-03-01,,"An\nn",Bo,1', "line 2, column first: contains a control character"),
        ("2026-03-01,,A\0,Bo,1", "line 2: a NUL byte"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named(error_of, line, detail):
    message = error_of(f"{HEADER}\n{line}\n2026-03-01,,Cy,Di,1\n")
    assert f"games.csv: {detail}" in message


@pytest.mark.parametrize(
    ("cells", "detail"),
    [
        (
            "second 3 rocks,10,no",
            "column handicap: 'second 3 rocks' is no handicap; write second 3 stones",
        ),
        ("second 3 stones,10,yes", "column handicap: handicap stones and swap"),
        ("second 3 stones,5x6,no", "column board: 5x6 has no handicap table"),
        ("second S60 Q99,10,no", "column handicap: Q99 is not a cell of board 10"),
        (f"second{' S60' * 98},,no", "column handicap: S60 is named twice"),
        (f"second{' S60' * 99},,no", "column handicap: is longer than 400 characters"),
        (",ten,", "column board: is 'ten'"),
        (",10,maybe", "column swap: is 'maybe'"),
    ],
)
def test_bad_conditions_are_named(error_of, cells, detail):
    message = error_of(f"{HEADER},handicap,board,swap\n2026-03-01,,Ann,Bo,1,{cells}\n")
    assert f"line 2, {detail}" in message


@pytest.mark.parametrize(
    ("games", "detail"),
    [
        (b"", "line 1: the file is empty; its header is date,event,first,second,result"),
        (b"date,event,first,second\n", "line 1, column result: is missing"),
        (f"{HEADER},result\n", "line 1, column result: is in the header twice"),
        (f"{HEADER},\n", "line 1, column 6: no such column"),
        (b"date,event,first,second,result\n2026-03-01,,\xff\xfe,Bo,1\n", "line 2: not UTF-8"),
    ],
)
def test_a_bad_file_is_rejected(error_of, games, detail):
    assert detail in error_of(games)


def test_lines_are_counted_as_in_an_editor(error_of):
    message = error_of(f'{HEADER}\n2026-03-01,"a\nb",Ann,Bo,1\n2026-03-01,,Ann,Bo,9\n')
    assert "line 2, column event" in message
    assert "line 4, column result" in message


@pytest.mark.parametrize("seed", ["1.800", '"1,800"', "1’800"])
def test_seeds_with_a_sign_after_the_thousands(rate, seed):
    games = f"{HEADER}\n2026-03-01,,Ann,Bo,1\n"
    read = rate(games, "--preset", "fixed", seeds=f"player,rating\nAnn,{seed}\n")
    assert read == rate(games, "--preset", "fixed", seeds="player,rating\nAnn,1800\n")


@pytest.mark.parametrize(
    ("seeds", "detail"),
    [
        ("player,rating\nAnn,1500.1234\n", "line 2, column rating: is '1500.1234'"),
        ("player,rating\nAnn,1.8\n", "line 2, column rating: is '1.8'; no rating is below 100"),
        ("player,rating\n,1500\n", "line 2, column player: names no player"),
        ("player,rating\nAnn,1500\nAnn,1600\n", "line 3, column player: 'Ann' is listed twice"),
        ("player,rating,birth_year\nAnn,1500,08\n", "line 2, column birth_year: is '08'"),
        ("player,rating,birth_year\nAnn,,\n", "line 2, column rating: is ''"),
        ("player,rating,games\nAnn,1500,many\n", "line 2, column games: is 'many'"),
        (
            "player,rating,games,birth_year\nAnn,,40,1990\n",
            "line 2, column games: is that of a rating",
        ),
        ("player,rating,reached_2400\nAnn,1500,1\n", "line 2, column reached_2400: is '1'"),
    ],
)
def test_bad_seeds_are_named(error_of, seeds, detail):
    assert f"seeds.csv: {detail}" in error_of(f"{HEADER}\n2026-03-01,,Ann,Bo,1\n", seeds=seeds)


def test_files_that_cannot_be_opened_are_named(error_of, tmp_path):
    with pytest.raises(CommandError, match=r"none\.csv: No such file") as caught:
        call_command("rate", str(tmp_path / "none.csv"))
    assert caught.value.returncode == 2
    out = str(tmp_path / "no" / "such" / "folder.csv")
    assert "folder.csv: No such file" in error_of(f"{HEADER}\n", "--ratings", out)


def test_a_bad_file_does_not_overwrite_an_earlier_list(error_of, tmp_path):
    earlier = tmp_path / "list.csv"
    earlier.write_text("unchanged")
    error_of(f"{HEADER}\nx\n", "--ratings", str(earlier))
    assert Path(earlier).read_text() == "unchanged"


FIDE_GAMES = f"""{HEADER}
2026-03-01,Cup,Ann,Bo,1
2026-03-02,Cup,Ann,New,0.5
2026-03-31,Cup,Bo,New,0
2026-02-27,,Ann,Bo,1
2026-03-15,Open,Ann,New,1
2026-03-15,Open,Bo,New,0
2026-04-01,,Bo,New,0.5
2026-04-01,,Odd,New,1
"""


def test_fide_rates_the_games_of_a_month_together(rate, tmp_path):
    seeds = "player,rating,birth_year\nAnn,2000,1990\nBo,1999.5,2008\nNew,,2010\n"
    history = tmp_path / "history.csv"
    out = rate(FIDE_GAMES, "--preset", "fide-2024", "--history", str(history), seeds=seeds)
    # March: Ann 2020 to Bo 1980, D = 40: E = .56. New is unrated, with four games.
    # April: Bo draws New, whose fifth game it is: the mean of 2020, 2020, 1980, 1980, 1962 and
    # twice 1800 is 1937.43; 0 + 1 + .5 + 1 + .5 and two draws are 4 of 7 = .57: 50.
    assert out == "player,rating,games\nAnn,2038.000,2\nNew,1987.000,5\nBo,1962.000,2\n"
    assert history.read_text().splitlines()[1:] == [
        "2026-02-27,,Ann,Bo,first,1,0.500000,40.000,20.000000000,2000.000,2020.000",
        "2026-02-27,,Bo,Ann,second,0,0.500000,40.000,-20.000000000,2000.000,1980.000",
        "2026-03-15,Open,Ann,New,first,1,0.000000,0.000,0.000000000,2020.000,2038.000",
        "2026-03-15,Open,New,Ann,second,0,0.000000,0.000,0.000000000,0.000,0.000",
        "2026-03-15,Open,Bo,New,first,0,0.000000,0.000,0.000000000,1980.000,1962.000",
        "2026-03-15,Open,New,Bo,second,1,0.000000,0.000,0.000000000,0.000,0.000",
        "2026-03-01,Cup,Ann,Bo,first,1,0.560000,40.000,17.600000000,2020.000,2038.000",
        "2026-03-01,Cup,Bo,Ann,second,0,0.440000,40.000,-17.600000000,1980.000,1962.000",
        "2026-03-02,Cup,Ann,New,first,0.5,0.000000,0.000,0.000000000,2020.000,2038.000",
        "2026-03-02,Cup,New,Ann,second,0.5,0.000000,0.000,0.000000000,0.000,0.000",
        "2026-03-31,Cup,Bo,New,first,0,0.000000,0.000,0.000000000,1980.000,1962.000",
        "2026-03-31,Cup,New,Bo,second,1,0.000000,0.000,0.000000000,0.000,0.000",
        "2026-04-01,,Bo,New,first,0.5,0.000000,0.000,0.000000000,1962.000,1962.000",
        "2026-04-01,,New,Bo,second,0.5,0.000000,0.000,0.000000000,0.000,1987.000",
        "2026-04-01,,Odd,New,first,1,0.000000,0.000,0.000000000,0.000,0.000",
        "2026-04-01,,New,Odd,second,0,0.000000,0.000,0.000000000,0.000,1987.000",
    ]


def test_an_event_that_ends_in_january_is_rated_with_the_k_of_the_new_year(rate):
    """Jo turns 18 in 2025 and has 30 games: K is 40 in December and 20 in January."""
    before = "".join(f"2025-11-30,Autumn,Jo,P{n},0.5\n" for n in range(30))
    seeds = "player,rating,birth_year\nJo,1500,2007\n" + "".join(
        f"P{n},1500,1990\n" for n in range(30)
    )
    for end, rating in (("2025-12-31", 1520), ("2026-01-01", 1510)):
        last = f"2025-12-31,Winter,Jo,P1,1\n{end},Winter,Jo,P2,0.5\n"
        out = rate(f"{HEADER}\n{before}{last}", "--preset", "fide-2024", seeds=seeds)
        assert f"Jo,{rating}.000,32\n" in out


def test_the_k_of_fide_depends_on_the_games_and_the_best_rating_before(rate):
    """The winner is expected to score .24: .76 of K (8.3.3 of 1 March 2024)."""
    seeds = (
        "player,rating,birth_year,games,reached_2400\n"
        "A,1800,1980,30,\nB,2000,1980,29,no\nC,1800,1980,30,yes\nD,2000,2010,30,\n"
    )
    games = f"{HEADER}\n2027-04-10,E,A,B,1\n2027-04-10,E,C,D,1\n"
    assert rate(games, "--preset", "fide-2024", seeds=seeds).splitlines()[1:] == [
        "B,1970.000,30", "D,1970.000,31", "A,1815.000,31", "C,1808.000,31",
    ]  # fmt: skip


def test_k_falls_with_the_games_before(rate):
    seeds = "player,rating,games\nAnn,1500,90\nBo,1500,\n"
    found = rate(f"{HEADER}\n2026-03-01,,Ann,Bo,1\n", seeds=seeds)
    # The default preset: K of 90 games is 10 + 170 x 5 / 95 = 18.947, of none 180.
    assert found == "player,rating,games\nAnn,1509.474,91\nBo,1410.000,1\n"
