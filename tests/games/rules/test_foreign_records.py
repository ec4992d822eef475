"""Records of Little Golem, HexWorld and other programs, and records written in SGF."""

from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.errors import RecordError
from games.rules.havannah import HAVANNAH
from games.rules.records.record import Record
from games.rules.records.sgf_writer import write_sgf
from games.rules.records.streams import judge, judge_records, parse_records
from games.rules.records.tags import read_conditions
from games.rules.registry import GAMES

LG = "SO[https://www.littlegolem.net]"
HEX5 = '[Game "hex"]\n[Board "5"]\n'


def own(game, board, moves, *tags):
    return "\n".join([f'[Game "{game}"]', f'[Board "{board}"]', *tags, "", moves])


SWAPPED = own("hex", "5", "a2 swap d3 e5 resign")
"""The game that most programs write with the stone reflected: a2 swap c4 e5."""

RING = own("havannah", "4", "f4 a1 f6 a2 e5 a3 g5 b1 g6 c1 e4")
SAME_GAMES = {
    "Little Golem": (
        f"(;FF[4]EV[null]SZ[5]RE[W]{LG};W[ab];B[swap];W[cd];B[ee];W[resign])", SWAPPED
    ),
    "HexGui": ("(;GM[11]SZ[5];B[a2];W[swap-pieces];B[c4];W[e5];B[resign])", SWAPPED),
    "PlayHex": ("(;GM[11]SZ[5]RE[W+Resign];B[a2];W[swap-pieces];B[c4];W[e5])", SWAPPED),
    "capitals": ("(;gm[11]SZ[5:5]RE[w+r];B[A2];W[SWAP-PIECES];B[C4];W[E5])", SWAPPED),
    "swap-sides": ("(;GM[11]SZ[5]RE[W+R];B[a2];W[swap-sides];B[d3];W[e5])", SWAPPED),
    "swap-sides, then by colour": (
        "(;GM[11]SZ[5]RE[B+R];B[a2];W[swap-sides];W[d3];B[e5])",
        SWAPPED,
    ),
    "white first": ("(;GM[11]SZ[5]RE[B+R];W[b1];B[swap-pieces];W[d3];B[e5])", SWAPPED),
    "HexWorld": ("https://hexworld.org/board/#5nc1,a2:sc4,e5:rb", SWAPPED),
    "HexWorld with swap-sides": ("hexworld.org/board#5r9m,a2:Sd3e5:rw", SWAPPED),
    "HexWorld, escaped": ("http://www.hexworld.org/board/#5%2Ca2%3ASd3e5%3Arw", SWAPPED),
    "HexWorld, a lost game": (
        "https://hexworld.org/board/#5,a2b2:fb",
        own("hex", "5", "a2 b2 time"),
    ),
    "HexWorld, resigned out of turn": (
        "https://hexworld.org/board/#4x5,a2b2a3:rb",
        own("hex", "4x5", "a2 b2 a3 agreed 0-1"),
    ),
    "HexWorld without moves": ("https://hexworld.org/board/#", own("hex", "11", "")),
    "a rhombus reflected": (
        "(;GM[11]SZ[3:5];B[a4];W[swap-pieces];B[e2];W[a1])",
        own("hex", "3x5", "a4 swap b5 a1"),
    ),
    "no size": ("(;GM[11];B[k11])", own("hex", "11", "k11")),
    "no swap": ("(;GM[11]SZ[5]RU[no swap];B[a2])", own("hex", "5", "a2", '[Swap "no"]')),
    "a draw": (
        f"(;EV[twixt.ld.DEFAULT]SZ[8]{LG};b[dc];r[swap];b[gb|draw];r[draw])",
        own("twixt", "8", "d3 swap b7 agreed 1/2"),
    ),
    "TwixT of any program": ("(;GM[21];B[dd];W[f6])", own("twixt", "24", "d4 f6")),
    "a win that nothing proves": ("(;GM[11]SZ[5]RE[B];B[a2])", own("hex", "5", "a2 1-0")),
    "a win that is proved": ("(;GM[11]SZ[2]RE[B+];B[a1];W[b1];B[a2])", own("hex", "2", "a1 b1 a2")),
    "nothing but a result": (f"(;EV[hex.x]SZ[13]RE[W]{LG})", own("hex", "13", "0-1")),
    "an open game": ("(;GM[11]SZ[5]RE[?];B[a2])", own("hex", "5", "a2")),
    "Havannah of Little Golem": (
        f"(;EV[havannah.in.size4.4]SZ[4]RU[LG]RE[B]{LG};"
        "W[F2];B[A1];W[F4];B[A2];W[E4];B[A3];W[G2];B[B1];W[G3];B[C1];W[E3])",
        RING,
    ),
    "Havannah with the cells of records": (
        "(;GM[havannah]SZ[4];B[f4];W[a1];B[f6];W[a2];B[e5];W[a3];B[g5];W[b1];B[g6];W[c1];B[e4])",
        RING,
    ),
    "swap in Havannah": (
        f"(;SZ[4]{LG};W[E1];B[swap];W[F2])",
        own("havannah", "4", "e2 swap f4"),
    ),
    "variations": (
        "(;GM[11]SZ[5];B[a1](;W[b1](;B[c1];W[d1])(;B[a2]))(;W[c2];B[c3](;W[e1])))",
        own("hex", "5", "a1 b1 c1 d1"),
    ),
    "marks and variations of a record": (
        HEX5 + "1. a1! b1?! (b2 {not (so)} (c2 c3) ; )\nc4) 2. c1!? d1 ?".removesuffix(" ?"),
        own("hex", "5", "a1 b1 c1 d1"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("foreign", "record"), SAME_GAMES.values(), ids=SAME_GAMES)
def test_a_foreign_record_is_the_same_game(foreign, record):
    (verdict,) = judge_records(foreign)

    assert verdict.as_json() == judge(record).as_json()
    assert Record.parse(str(Record.parse(foreign))) == Record.parse(foreign)


@pytest.mark.parametrize("side", range(3, 11))
def test_little_golem_counts_the_rows_of_havannah_from_one_in_each_column(side):
    board = HAVANNAH.start(read_conditions({"Game": "havannah", "Board": str(side)})).board
    lengths = {}
    for name in board.names:
        lengths[name[0]] = lengths.get(name[0], 0) + 1
    cells = [f"{column.upper()}{row + 1}" for column in lengths for row in range(lengths[column])]

    read = [Record.parse(f"(;SZ[{side}]{LG};W[{cell}])").moves[0] for cell in cells]
    assert read == list(board.names)


def test_names_dates_and_comments_are_kept():
    record = Record.parse(
        "(;FF[4]EV[hex.ld.DEFAULT]PB[lazy\\one]PW[Sam;]]BR[1653.0]SZ[5]DT[2026-05-02]RO[3]"
        "GC[game #7]"
        f"{LG};W[ab]TE[1]C[well \\[played\\]\n{{so}}];B[ee]BM[2])"
    )

    assert record.tags == {
        "First": "lazy\\one",
        "Second": "Sam;]",
        "FirstRating": "1653.0",
        "Event": "hex.ld.DEFAULT",
        "Round": "3",
        "Date": "2026.05.02",
        "Source": "https://www.littlegolem.net",
    }
    assert [(comment.after, comment.text) for comment in record.comments] == [
        (0, "game #7"),
        (1, "!"),
        (1, "well [played]\n{so)"),
        (2, "??"),
    ]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("(;GM[11]PB[Ada]PW[Ben];B[a1])", "Ada"),
        ("(;GM[11]PB[Ada]PW[Ben];W[a1])", "Ben"),
        ("(;GM[11]PB[Ada]PW[Ben];W[aa])", "Ada"),
        (f"(;GM[11]PB[Ada]PW[Ben]{LG};W[a1])", "Ada"),
        ("(;GM[11]PB[Ada]PW[Ben])", "Ada"),
        ("(;EV[hex13.in.x]SO[littlegolem]SZ[13]PB[Ada]PW[Ben])", "Ada"),
        ("(;EV[Spring Open]PB[Ada]PW[Ben])", "Ada"),
    ],
)
def test_who_moves_first_is_the_first_seat(text, first):
    assert Record.parse(text).tags["First"] == first


HEAD = "(;GM[11]SZ[5]"


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "move"),
    [
        ("(;GM[1]SZ[19];B[aa])", "unknown_game", 1, 5, None),
        (f"(;EV[gomoku.x]SZ[15]{LG};B[aa])", "unknown_game", 1, 5, None),
        ("(;FF[4]EV[star.in.x]SZ[5];B[aa])", "unknown_game", 1, 10, None),
        ("(;GM[11]SZ[50];B[aa])", "unknown_board", 1, 11, None),
        ("(;GM[11]SZ[5x];B[aa])", "unknown_board", 1, 11, None),
        ("(;GM[havannah])", "unknown_board", 1, None, None),
        (f"{HEAD}\n;B[a1]\n;W[a1])", "occupied", 3, 3, "a1"),
        (f"{HEAD};B[a1];W[f1])", "unknown_cell", 1, 22, "f1"),
        (f"{HEAD};B[a1];W[11])", "unknown_cell", 1, 22, "11"),
        (f"{HEAD};B[a1];W[a1];B[11])", "occupied", 1, 22, "a1"),
        (f"{HEAD};B[b1];W[swap];B[b1];W[c1];B[b1])", "occupied", 1, 42, "b1"),
        (f"{HEAD};B[a1];W[b1];B[swap-pieces])", "swap_not_allowed", 1, 28, "swap-pieces"),
        (f"{HEAD};B[a1];W[])", "pass_not_allowed", 1, 22, ""),
        (f"{HEAD};B[a1];B[b1])", "unreadable", 1, 22, None),
        (f"{HEAD};B[a1]W[b1])", "unreadable", 1, 21, None),
        (f"{HEAD};B[a1][b1])", "unreadable", 1, 16, None),
        (f"{HEAD};B[a1];W[resign];B[b1])", "after_end", 1, 32, "b1"),
        (f"{HEAD}AB[a1];W[b1])", "unreadable", 1, 16, None),
        (f"{HEAD}HA[2];W[b1])", "unreadable", 1, 16, None),
        (f"{HEAD}RE[black won];B[a1])", "unreadable", 1, 16, None),
        ("(;GM[11]SZ[2]RE[W+];B[a1];W[b1];B[a2])", "claim_contradicts", 1, 16, "W+"),
        ("(;GM[11]SZ[2]RE[Draw];B[a1];W[b1];B[a2])", "claim_contradicts", 1, 16, "Draw"),
        (f"{HEAD}RE[B+R];B[a1];W[b1];B[resign])", "claim_contradicts", 1, 16, "B+R"),
        (f"{HEAD}PB[{'x' * 1001}])", "unreadable", 1, 16, None),
        (f"{HEAD};B[a1]", "unreadable", 1, 20, None),
        (f"{HEAD};B[a1", "unreadable", 1, 16, None),
        (f"{HEAD}C[{'x' * 500_000}])", "unreadable", 1, 1, None),
        (HEAD + f";{'C[x]' * 199}" * 60 + ")", "unreadable", 1, None, None),
        ("(;[a1])", "unreadable", 1, 3, None),
        ("(;B a1)", "unreadable", 1, 3, None),
        ("((;B[a1]))", "unreadable", 1, 1, None),
        ("(;GM[11](;B[a1]);W[b1])", "unreadable", 1, 17, None),
        ("(;GM[11])(;GM[11])", "unreadable", 1, 10, None),
        ("(" + ";" * 10_001 + ")", "unreadable", 1, 10_002, None),
        ("https://hexworld.org/board/#5,a1a1", "occupied", 1, 33, "a1"),
        ("\nhttps://hexworld.org/board/#5,a1x", "unreadable", 2, 33, None),
        ("https://hexworld.org/board/#99,a1", "unknown_board", 1, 29, None),
        ("https://hexworld.org/board/#5,a1:p", "pass_not_allowed", 1, 33, ":p"),
        ("https://hexworld.org/board/#5,a1,b1,c1", "unreadable", 1, 36, None),
        ("https://hexworld.org/board/#5,a1:rbb1", "after_end", 1, 36, "b1"),
        ("https://hexworld.org/board/", "unreadable", 1, 1, None),
        ("https://hexworld.org/board/#5,a1 b1", "unreadable", 1, 1, None),
        ("https://www.littlegolem.net/jsp/game/game.jsp?gid=7", "unreadable", 1, 1, None),
        ("https://example.org/game/7", "unreadable", 1, 1, None),
        (HEX5 + "a1 (b1", "unreadable", 3, 4, None),
        (HEX5 + "a1 !", "unreadable", 3, 4, None),
    ],
)
def test_what_is_refused_has_its_place_and_its_value(text, code, line, column, move):
    with pytest.raises(RecordError) as caught:
        Record.parse(text).replay()

    error = caught.value
    assert (error.code, error.line, error.column, error.move) == (code, line, column, move)


def test_an_error_names_the_value_of_the_file_and_the_cell_of_the_record():
    (error,) = judge(f"{HEAD};B[b1];W[swap];B[b1];W[c1];B[b1])").errors
    assert error.detail == "b1, here a2: a2 was filled at ply 3"

    (error,) = judge("https://littlegolem.net/jsp/game/game.jsp?gid=7").errors
    assert "https://www.littlegolem.net/servlet/sgf/7/game7.hsgf" in error.detail


OPEN = "(;GM[11]SZ[5];B[a1]"


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        pytest.param(f"{OPEN})({HEAD[1:]};B[a1];W[b1])", [1, 2], id="in one line"),
        pytest.param(f"{OPEN}\n)\n\n{HEAD}\n;B[a1]\n;W[b1])\n\n", [1, 2], id="over lines"),
        pytest.param("(\n;SZ[5]\n;B[a1])\n(;SZ[5];B[a1])", [1, 1], id="a parenthesis alone"),
        pytest.param(f"{HEX5}a1 b1\n\n{OPEN})\n{HEX5}a1", [2, 1, 1], id="between records"),
        pytest.param(f"{HEX5}a1 {{\n{OPEN})\n}}", [1], id="in a comment"),
        pytest.param(f"{OPEN}C[:) \\] (;]\n)\n{OPEN})", [1, 1], id="brackets in values"),
        pytest.param(f"{OPEN}PB[a(;]])\n{OPEN})", [1, 1], id="a bracket that is not escaped"),
        pytest.param(f"\ufeff{OPEN})", [1], id="a byte order mark"),
        pytest.param(f"\ufeff{OPEN}\n;W[b1])", [2], id="a byte order mark, over lines"),
        pytest.param(f"{OPEN}\r\n)\r\n{OPEN}\r\n)\r\n", [1, 1], id="carriage returns"),
        pytest.param(
            "https://hexworld.org/board/#5,a1b1\n\nhexworld.org/board/#5,a1\n", [2, 1], id="links"
        ),
        pytest.param(f"\n\n{OPEN})\nx", [1, None], id="text behind a game"),
        pytest.param(f"{OPEN}\n{OPEN})", [None], id="a game that is not closed"),
    ],
)
def test_many_games_stand_in_one_file(text, plies):
    for source in (text, StringIO(text)):
        assert [v.plies if v.is_valid else None for v in judge_records(source)] == plies


def test_errors_have_their_line_in_the_file():
    text = f"{OPEN})\n{OPEN}\n;W[a1])\n\nhttps://hexworld.org/board/#5,a1a1"
    _, occupied, link = parse_records(text)

    assert (occupied.line, link.line) == (3, 5)


FRAGMENTS = st.sampled_from(
    ["(", ";", ")", "[", "]", "\\", "\n", "GM[11]", "GM[21]", "SZ[4]", "SZ[3:5]", "B[a1]", "W[b2]",
     "B[aa]", "W[swap]", "W[swap-sides]", "b[bc]", "r[swap]", "B[resign]", "C[x]", "RE[B+R]",
     "RE[0]", "RU[no swap]", "AB[a1]", ";B[a2]", ";W[b3]", ";b[bd]", ";r[cb]", ";B[C2]", LG,
     "EV[havannah]", "PB[Ada", "HA[0]", "TE[1]", "DT[2026-01-01]", "\0", "é", " ",
     "hexworld.org/board/#", "4,", "a1", ":s", ":S", ":rb", ":p", ",", "%2C", "https://"]
)  # fmt: skip


@given(
    st.sampled_from(["(;", "(;SZ[4]", "(;GM[21]SZ[6]", "https://hexworld.org/board/#", HEX5]),
    st.lists(FRAGMENTS, max_size=30).map("".join) | st.text(max_size=100),
)
def test_any_text_is_a_record_or_a_record_error(head, rest):
    for record in parse_records(head + rest):
        if isinstance(record, RecordError):
            continue
        assert Record.parse(str(record)) == record
        assert Record.from_json(record.as_json()) == record


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("(" * 1_000_000, id="depth"),
        pytest.param("(;" + "(;B[a1]" * 28_000, id="depth of nodes"),
        pytest.param("(;" * 100_000, id="nodes"),
        pytest.param("(;C[" + "\\" * 199_000, id="backslashes"),
        pytest.param("(;C[" + "]a" * 99_000, id="brackets"),
        pytest.param("(;C[" + "] " * 99_000, id="brackets and spaces"),
        pytest.param("(;" + "B" * 199_000, id="a name"),
        pytest.param("(;B" + " " * 199_000, id="spaces"),
        pytest.param("(;" + "B[a1]" * 39_000, id="properties"),
        pytest.param("(;B" + "[a1]" * 49_000, id="values"),
        pytest.param("(;GM[11]" + "(;B[a1])" * 24_000, id="variations"),
        pytest.param("(\n" * 99_000, id="lines"),
        pytest.param("https://hexworld.org/board/#11," + "a1" * 98_000, id="a link"),
        pytest.param("https://hexworld.org/board/#" + "n" * 198_000, id="its settings"),
        pytest.param(HEX5 + "(" * 198_000, id="variations of a record"),
        pytest.param(HEX5 + "(a) " * 48_000, id="many variations"),
        pytest.param(HEX5 + "({" * 98_000, id="comments in a variation"),
    ],
)
def test_hostile_texts_are_rejected_in_linear_time(text):
    # Not timed: an algorithm with quadratic cost would take hours.
    (verdict,) = judge_records(text)

    assert not verdict.is_valid or verdict.plies == 0
    assert len(str(verdict.errors)) < 2_000


ENDS = ("", "resign", "time", "agreed 1-0", "agreed 0-1", "agreed 1/2", "1-0", "0-1", "1/2", "0-0")


@given(
    st.sampled_from(
        [("hex", "5"), ("hex", "4x6"), ("hex", "26x2"), ("twixt", "6"), ("twixt", "24")]
    ),
    st.sampled_from(['[Swap "no"]', "", '[Advice "second"]']),
    st.sampled_from(ENDS),
    st.integers(0, 40),
    st.randoms(use_true_random=False),
)
def test_what_is_written_in_sgf_is_read_as_the_same_game(board, tag, end, turns, source):
    head = own(*board, "", '[First "A ] \\\\"]', '[Round "3"]', '[Date "2026.05.02"]', tag)
    position, moves = GAMES[board[0]].start(Record.parse(head).conditions), []
    while len(moves) < turns and not position.is_over:
        swaps = position.may_swap and source.random() < 0.5
        moves.append("swap" if swaps else position.random_move(source))
        position = position.play(moves[-1])
    try:
        record = Record.parse(f"{head}{{begin ] :)}} {' '.join(moves)} {{ok}} {end}")
        digest = record.replay().digest
    except RecordError:
        return

    read = Record.parse(write_sgf(record))
    assert read.replay().digest == digest
    assert read.tags == record.tags
    assert Record.parse(write_sgf(read)) == read


@pytest.mark.parametrize(
    ("record", "written"),
    [
        (
            own("hex", "5", "a2! swap d3 e5 resign", '[First "Ada"]', '[Date "2026.05.02"]'),
            "(;FF[4]CA[UTF-8]AP[Perihelion]GM[11]SZ[5]PB[Ada]DT[2026-05-02]RE[W+Resign]"
            ";B[a2]C[!];W[swap-pieces];B[c4];W[e5])\n",
        ),
        (
            own("twixt", "8", "d3 swap b7 agreed 1/2", '[Swap "yes"]'),
            "(;FF[4]CA[UTF-8]AP[Perihelion]GM[21]SZ[8]RE[Draw];b[dc];r[swap];b[gb];r[draw])\n",
        ),
        (
            own("hex", "3x4", "a1 b1 a2 c1 a3 c2 a4", '[Swap "no"]'),
            "(;FF[4]CA[UTF-8]AP[Perihelion]GM[11]SZ[3:4]RU[no swap]RE[B+]"
            ";B[a1];W[b1];B[a2];W[c1];B[a3];W[c2];B[a4])\n",
        ),
    ],
)
def test_hex_and_twixt_are_written_as_other_programs_read_them(record, written):
    assert write_sgf(Record.parse(record)) == written
