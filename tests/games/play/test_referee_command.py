"""`manage.py referee`: lines, JSON, exit status, diagrams, and unreadable files."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from games.management.commands import referee

GOOD = '[Game "star-star"]\n[Board "4"]\n\nS10 swap T10 resign\n\n'
BAD = '[Game "star-star"]\n[Board "4"]\n\nS10 S10\n\n'


def run(*arguments):
    """Return the exit status, the output lines and the error lines."""
    out, err = StringIO(), StringIO()
    try:
        call_command("referee", *map(str, arguments), stdout=out, stderr=err)
    except SystemExit as ended:
        return ended.code, out.getvalue().splitlines(), err.getvalue().splitlines()
    return 0, out.getvalue().splitlines(), err.getvalue().splitlines()


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_each_record_gives_a_line(write):
    path = write("a.rec", GOOD + BAD)

    assert run(path) == (
        1,
        [
            f"{path}:0: star-star 4, 3 plies, finished, resigned, first: counted so far: nothing, "
            "second: counted so far: nothing, first wins",
            f"{path}:1: refused: occupied: S10 was filled at ply 1 (ply 2)",
        ],
        [],
    )


def test_the_line_of_an_open_game_has_its_range(write):
    path = write("a.rec", '[Game "star-star"]\n[Board "4"]\n\nS10 T10')

    assert run(path)[1] == [
        f"{path}:0: star-star 4, 2 plies, unfinished, "
        "first: 2 to 19 possible; counted so far: nothing, "
        "second: 2 to 19 possible; counted so far: nothing, alternative score so far +0"
    ]


def test_each_record_gives_a_json_object(write):
    path = write("a.rec", GOOD + BAD)
    status, lines, errors = run(path, "--json")
    good, bad = map(json.loads, lines)

    assert (status, errors) == (1, [])
    assert list(good) == [
        "file", "index", "valid", "game", "board", "plies", "to_move", "state", "termination",
        "winner", "score", "bounds", "detail", "digest",
        "alternative",
    ]  # fmt: skip
    assert (good["file"], good["index"], good["winner"]) == (str(path), 0, "first")
    assert bad == {
        "file": str(path),
        "index": 1,
        "valid": False,
        "errors": [
            {
                "code": "occupied",
                "ply": 2,
                "move": "S10",
                "cell": "S10",
                "detail": "S10 was filled at ply 1",
            }
        ],
    }


@pytest.mark.parametrize(
    ("contents", "status"),
    [
        ([GOOD], 0),
        ([GOOD, BAD, GOOD], 1),
        ([""], 1),
        ([b"[Game \xe9]", GOOD, BAD], 2),
        ([GOOD.encode("utf-16")], 0),
        ([b"\xef\xbb\xbf" + GOOD.encode()], 0),
    ],
)
def test_the_exit_status_is_the_highest_of_all_files(write, contents, status):
    paths = [write(f"{number}.rec", content) for number, content in enumerate(contents)]

    assert run(*paths)[0] == status


def test_the_encoding_of_a_file_is_named(write):
    path = write("a.rec", f'[Event "Köln"]\n{GOOD}'.encode("mac-roman"))
    status, lines, errors = run(path)
    assert (status, lines, errors[-1]) == (2, [], "  --encoding mac-roman: Köln")
    assert run(path, "--encoding", "mac-roman")[0] == 0


def test_unreadable_files_are_reported(write, tmp_path):
    status, lines, errors = run(tmp_path, tmp_path / "none.rec", "a\0b", write("a.rec", GOOD))

    assert (status, len(lines)) == (2, 1)
    assert errors[:2] == [
        f"{tmp_path}: Is a directory",
        f"{tmp_path / 'none.rec'}: No such file or directory",
    ]
    assert errors[2].startswith("a\0b: ")  # the rest depends on the Python version
    assert "embedded null" in errors[2]


def test_a_file_that_is_too_large_is_reported(write, monkeypatch):
    monkeypatch.setattr(referee, "LARGEST_RECORD_FILE", len(GOOD))
    assert [run(write("a.rec", text))[0] for text in (GOOD, GOOD + " ")] == [0, 2]
