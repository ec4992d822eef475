"""The journal: one chain per stream, written with the change, verified from an export."""

import json
from copy import deepcopy
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django import DjangoAssertNumQueries

from games.core.journal.chain import Head, Link, digest_of, find_chain_errors
from games.core.journal.lines import (
    append_line,
    erase_payloads,
    find_stored_errors,
    line_as_json,
    line_with_rows,
    link_of,
    load_lines,
)
from games.core.journal.rows import Rows, combined, compact, expanded
from games.core.tables.json import write_ndjson
from games.models import JournalHead, JournalLine, JournalPayload
from tests.games.core.forging import leaves

pytestmark = pytest.mark.django_db
STREAM = "tournament/spring-open"


def append(*payloads: dict[str, object]) -> list[JournalLine]:
    return [append_line(STREAM, "thing.done", payload, by=None) for payload in payloads]


def head_after(number: int, length: int = 64) -> str:
    """Append a line and return the head as it is published, with so much of its digest."""
    (line,) = append({"n": number})
    return str(Head(line.stream, line.sequence, line.digest[:length]))


def export_to(folder: Path) -> Path:
    """Write the journal to a file."""
    export = folder / "journal.ndjson"
    links = map(link_of, load_lines(STREAM))
    export.write_text("".join(json.dumps(link.as_json()) + "\n" for link in links))
    return export


def verified(folder: Path, rows: list[dict[str, Any]]) -> str:
    """Return what the command says against the lines of an exported file."""
    export = folder / "journal.ndjson"
    export.write_text(write_ndjson(rows), encoding="utf-8", errors="surrogatepass")
    try:
        call_command("verify_journal", "--file", str(export))
    except CommandError as error:
        return str(error)
    return ""


def test_each_line_has_the_digest_of_the_line_before() -> None:
    first, second, third = append({"n": 1}, {"n": 2}, {"n": 3})

    assert [line.sequence for line in (first, second, third)] == [1, 2, 3]
    assert [first.previous, second.previous, third.previous] == ["", first.digest, second.digest]
    assert list(find_chain_errors(map(link_of, load_lines(STREAM)))) == []


def test_each_stream_has_its_own_chain() -> None:
    append({"n": 1})
    other = append_line("game/17", "report.record", {}, by=None)

    assert (other.sequence, other.previous) == (1, "")


def test_a_line_after_the_first_is_appended_in_four_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    append({"n": 1})

    with django_assert_num_queries(4):
        append({"n": 2})


@pytest.mark.django_db(transaction=True)
def test_a_line_is_rolled_back_with_its_change() -> None:
    with transaction.atomic():
        append({"n": 1})
        transaction.set_rollback(True)

    assert not JournalLine.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_line_outside_a_transaction_is_rejected() -> None:
    with pytest.raises(RuntimeError, match="in the transaction of its change"):
        append({"n": 1})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "thing.undone"}, "line 2: its digest is not that of its content"),
        ({"actor": "account/9"}, "line 2: its digest is not that of its content"),
        ({"sequence": 5}, "line 5: line 2 was expected here"),
        ({"previous": "0" * 64}, "line 2: names " + "0" * 64 + " as the line before"),
    ],
)
def test_a_changed_line_breaks_the_chain(change: dict[str, object], message: str) -> None:
    append({"n": 1}, {"n": 2}, {"n": 3})
    links = [link_of(line) for line in load_lines(STREAM)]
    links[1] = replace(links[1], **change)

    assert message in "\n".join(find_chain_errors(links))


def test_a_missing_line_breaks_the_chain() -> None:
    append({"n": 1}, {"n": 2}, {"n": 3})
    links = [link_of(line) for line in load_lines(STREAM)]

    assert len(list(find_chain_errors([links[0], links[2]]))) == 2
    (error,) = find_chain_errors([replace_digest(links[0], sequence=2)])
    assert error.endswith("line 2: line 1 was expected here")


def replace_digest(link: Link, **fields: Any) -> Link:
    """Return a link whose digest is that of its content."""
    changed = replace(link, **fields)
    return replace(changed, digest=changed.expected_digest())


def test_what_is_erased_gets_a_new_salt_and_a_line_with_its_digest() -> None:
    (line, other) = append({"name": "Ada"}, {"n": 2})
    before = dict(line.payload.body)
    with transaction.atomic():
        erase_payloads(STREAM, [(line, {"name": ""}, None)], by=None, rows={})
    stored = JournalPayload.objects.get(line=line).body
    assert (stored["name"], stored["salt"] != before["salt"]) == ("", True)
    erased = load_lines(STREAM).last()
    assert erased.kind == "payload.erased"
    assert erased.payload.body["digests"] == {"1": digest_of(stored)}
    assert find_stored_errors(STREAM, list(load_lines(STREAM))) == []
    JournalPayload.objects.filter(line=line).update(body=before)
    assert find_stored_errors(STREAM, list(load_lines(STREAM)))
    assert other.sequence == 2


ROWS = {"game": {"1": {"state": "open", "round": 1}, "2": {"state": "open", "round": 2}}}


@pytest.mark.parametrize(
    ("rows", "stored"),
    [
        (ROWS, {"game": {"*": {"state": "open"}, "1": {"round": 1}, "2": {"round": 2}}}),
        ({"game": {"1": {"round": 1}}}, {"game": {"1": {"round": 1}}}),
        (
            {"game": {"1": {"round": 1}, "2": {"round": 2}}},
            {"game": {"1": {"round": 1}, "2": {"round": 2}}},
        ),
        ({"bye": {"1": None, "2": None}}, {"bye": {"1": None, "2": None}}),
        (
            {"bye": {"1": None, "2": {"x": 1}, "3": {"x": 1, "y": 2}}},
            {"bye": {"*": {"x": 1}, "1": None, "2": {}, "3": {"y": 2}}},
        ),
        ({"bye": {}}, {}),
    ],
)
def test_what_all_rows_have_in_common_is_stored_once(rows: Rows, stored: Rows) -> None:
    assert compact(rows) == stored
    found: dict[str, dict[str, Any]] = {}
    for kind, key, row in expanded(stored | {"salt": "x"}):
        found.setdefault(kind, {})[key] = row
    assert found == {kind: of_kind for kind, of_kind in rows.items() if of_kind}


def test_what_is_stated_later_counts() -> None:
    one = {"game": {"1": {"state": "open", "round": 1}, "2": {"state": "open"}}}
    later = {"game": {"1": {"state": "confirmed"}, "2": None}, "bye": {"1": {}}}
    assert combined(one, later) == {
        "game": {"1": {"state": "confirmed", "round": 1}, "2": None},
        "bye": {"1": {}},
    }
    assert combined({"game": {"2": None}}, one)["game"]["2"] == {"state": "open"}


class TestCommand:
    def test_a_chain_without_a_payload_is_reported_as_whole(self) -> None:
        head = append({"n": 1}, {"n": 2})[-1].digest
        JournalPayload.objects.filter(line__sequence=1).delete()
        out = StringIO()

        call_command("verify_journal", stdout=out)

        assert out.getvalue() == f"{STREAM}: 2 lines, whole, head {head}\n"

    def test_a_changed_payload_is_found(self) -> None:
        append({"winner": "first"}, {"n": 2})
        JournalPayload.objects.filter(line__sequence=1).update(body={"winner": "second"})

        with pytest.raises(CommandError, match="line 1: the payload is not the one"):
            call_command("verify_journal", STREAM, stdout=StringIO())

    def test_a_missing_last_line_is_found(self) -> None:
        append({"n": 1}, {"n": 2})
        JournalLine.objects.filter(sequence=2).delete()

        with pytest.raises(CommandError, match="the chain ends at line 1, its head at 2"):
            call_command("verify_journal", STREAM, stdout=StringIO())

    @pytest.mark.parametrize("length", [64, 16])
    def test_a_published_head_is_found(self, tmp_path: Path, length: int) -> None:
        heads = tmp_path / "heads.txt"
        heads.write_text("".join(f"{head_after(n, length)}\n\n" for n in (1, 2)))
        append({"n": 3})
        out = StringIO()

        call_command("verify_journal", "--heads", str(heads), stdout=out)

        assert "3 lines, whole" in out.getvalue()

    def test_a_shortened_chain_is_found_by_a_published_head(self, tmp_path: Path) -> None:
        """Somebody removes the last line and sets the head back, so that the chain is whole."""
        heads = tmp_path / "heads.txt"
        heads.write_text(head_after(1) + "\n" + head_after(2))
        JournalLine.objects.filter(sequence=2).delete()
        JournalHead.objects.update(sequence=1, digest=JournalLine.objects.get().digest)
        call_command("verify_journal", stdout=StringIO())

        for options in ([], ["--file", str(export_to(tmp_path))]):
            with pytest.raises(CommandError, match="ends at line 1, but line 2 was published"):
                call_command("verify_journal", *options, "--heads", str(heads), stdout=StringIO())

    def test_a_replaced_line_is_found_by_a_published_head(self, tmp_path: Path) -> None:
        heads = tmp_path / "heads.txt"
        heads.write_text(head_after(1))
        JournalLine.objects.all().delete()
        JournalHead.objects.all().delete()
        append({"n": 9})

        with pytest.raises(CommandError, match="line 1: its digest is not the published one"):
            call_command("verify_journal", "--heads", str(heads), stdout=StringIO())

    def test_a_removed_stream_is_found_by_a_published_head(self, tmp_path: Path) -> None:
        heads = tmp_path / "heads.txt"
        heads.write_text(head_after(1))
        JournalLine.objects.all().delete()
        JournalHead.objects.all().delete()

        with pytest.raises(CommandError, match="ends at line 0, but line 1 was published"):
            call_command("verify_journal", "--heads", str(heads), stdout=StringIO())

    @pytest.mark.parametrize("content", [b"a b", b"a one " + b"0" * 64, b"a 1 00ff", b"\xff"])
    def test_a_file_that_contains_no_heads_is_rejected(
        self, tmp_path: Path, content: bytes
    ) -> None:
        heads = tmp_path / "heads.txt"
        heads.write_bytes(content)

        with pytest.raises(CommandError) as caught:
            call_command("verify_journal", "--heads", str(heads), stdout=StringIO())

        assert caught.value.returncode == 2

    def test_each_value_of_an_export_that_is_changed_is_found(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        first = append({"name": "A\u2028da", "score": [11, 10]}, {"draw": False})[0]
        with transaction.atomic():
            append_line(STREAM, "thing.done", {"n": 3}, by=None, rows=ROWS)
            erase_payloads(STREAM, [(first, {"name": ""}, None)], by=None, rows={})
        rows = [line_with_rows(line) for line in load_lines(STREAM)]
        assert verified(tmp_path, rows) == ""
        assert "4 lines, whole, 4 payloads checked" in capsys.readouterr().out

        unseen = []
        for number, row in enumerate(rows):
            for place in leaves(row):
                for value in ("forged", None, -1, [], {}, True, "\ud800"):
                    changed = deepcopy(rows)
                    found = changed[number]
                    for key in place[:-1]:
                        found = found[key]
                    if found[place[-1]] != value:
                        found[place[-1]] = value
                        if not verified(tmp_path, changed):
                            unseen.append((number, place, value))

        assert unseen == []

    def test_what_strangers_get_has_no_payloads_to_check(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        append({"n": 1}, {"n": 2})
        rows = [line_as_json(line, with_payload=False) for line in load_lines(STREAM)]

        assert verified(tmp_path, rows) == ""
        assert "2 lines, whole, 0 payloads checked" in capsys.readouterr().out

    @pytest.mark.parametrize("content", [b"not json", b"{}", b"\xff\xfe", b"[" * 100_000])
    def test_a_file_that_is_not_an_export_is_rejected(self, tmp_path: Path, content: bytes) -> None:
        export = tmp_path / "journal.ndjson"
        export.write_bytes(content)

        with pytest.raises(CommandError) as caught:
            call_command("verify_journal", "--file", str(export), stdout=StringIO())

        assert caught.value.returncode == 2


def test_equal_payloads_have_different_digests() -> None:
    first, second = append({"winner": "first"}, {"winner": "first"})

    assert first.payload_digest != second.payload_digest
