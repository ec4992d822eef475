"""Whatever the bytes, a file is read whole or refused with lines that exist."""

from hypothesis import example, given
from hypothesis import strategies as st

from ratings.systems.errors import BadFile
from ratings.systems.games_file import COLUMNS, MOST_FAULTS, OPTIONAL, read_games, read_seeds

cells = st.sampled_from(
    [
        "2026-03-01",
        "",
        "Ann",
        "Bo",
        "1",
        "0.5",
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
    lambda lines: "\n".join([",".join((*COLUMNS, *OPTIONAL)), *lines]).encode()
)


def outcome(read, raw):
    """How many lines were used, and which were refused."""
    try:
        return len(read(raw)), []
    except BadFile as bad:
        return 0, [fault.line for fault in bad.faults]


@given(st.binary() | near_misses)
@example(b"\xef\xbb\xbf")
@example(b"\r\r\r")
@example(b'"' * 1001)
@example(",".join(COLUMNS).encode() + b"\n" * (MOST_FAULTS + 1) + b'"')
def test_any_bytes_are_read_or_refused(raw):
    last = raw.count(b"\n") + raw.count(b"\r") + 1
    for read in (read_games, read_seeds):
        used, refused = outcome(read, raw)
        assert used < last
        assert len(refused) <= MOST_FAULTS
        assert set(refused) <= set(range(1, last + 1))
