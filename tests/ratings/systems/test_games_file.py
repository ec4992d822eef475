"""A file is read completely, or rejected with line numbers that exist, whatever its bytes."""

from hypothesis import example, given
from hypothesis import strategies as st

from ratings.management.files import rows_of_file
from ratings.systems.file_rows import MAX_ERRORS, BadFile
from ratings.systems.games_file import CONDITION_COLUMNS, GAMES_FILE_COLUMNS, read_games
from ratings.systems.seeds_file import read_seeds

cells = st.sampled_from(
    [
        "2026-03-01",
        "",
        "Ann",
        "Bo",
        "1",
        "0.5",
        "½",
        "second 2 stones",
        "yes",
        "10",
        '"',
        "\n",
        "\r",
        "x",
    ]
)
near_misses = st.lists(st.lists(cells, min_size=5, max_size=8).map(",".join), max_size=30).map(
    lambda lines: "\n".join([",".join((*GAMES_FILE_COLUMNS, *CONDITION_COLUMNS)), *lines]).encode()
)


def outcome(read, content):
    """Return the number of rows that were used, and the lines that were rejected."""
    try:
        used = read(rows_of_file(content))
        return len(used), []
    except BadFile as error:
        return 0, [cell_error.line for cell_error in error.errors]


@given(st.binary() | near_misses)
@example(b"\xef\xbb\xbf")
@example(b"\r\r\r")
@example(b'"' * 1001)
@example(",".join(GAMES_FILE_COLUMNS).encode() + b"\n" * (MAX_ERRORS + 1) + b'"')
def test_any_bytes_are_read_or_rejected(content):
    last = content.count(b"\n") + content.count(b"\r") + 1
    for read in (read_games, read_seeds):
        used, rejected = outcome(read, content)
        assert used < last
        assert len(rejected) <= MAX_ERRORS
        assert set(rejected) <= set(range(1, last + 1))
