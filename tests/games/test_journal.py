"""The journal: one chain per stream, written with the change, verified from an export."""

import json
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from games.journal import append_line, find_chain_errors, link_of, load_lines
from games.models import JournalLine, JournalPayload

pytestmark = pytest.mark.django_db
STREAM = "tournament/spring-open"


def append(*payloads: dict[str, object]) -> list[JournalLine]:
    return [append_line(STREAM, "thing.done", payload, by=None) for payload in payloads]


def test_each_line_has_the_digest_of_the_line_before() -> None:
    first, second, third = append({"n": 1}, {"n": 2}, {"n": 3})

    assert [line.sequence for line in (first, second, third)] == [1, 2, 3]
    assert [first.previous, second.previous, third.previous] == ["", first.digest, second.digest]
    assert list(find_chain_errors(map(link_of, load_lines(STREAM)))) == []


def test_each_stream_has_its_own_chain() -> None:
    append({"n": 1})
    other = append_line("game/17", "report.record", {}, by=None)

    assert (other.sequence, other.previous) == (1, "")


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

    assert list(find_chain_errors([links[0], links[2]]))


class TestCommand:
    def test_an_intact_chain_is_reported_as_whole(self) -> None:
        head = append({"n": 1}, {"n": 2})[-1].digest
        out = StringIO()

        call_command("verify_journal", stdout=out)

        assert out.getvalue() == f"{STREAM}: 2 lines, whole, head {head}\n"

    def test_an_erased_payload_leaves_the_chain_whole(self) -> None:
        append({"name": "Ada"}, {"n": 2})
        JournalPayload.objects.filter(line__sequence=1).delete()
        out = StringIO()

        call_command("verify_journal", STREAM, stdout=out)

        assert "2 lines, whole" in out.getvalue()

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

    def test_an_export_is_verified_without_the_database(self, tmp_path: Path) -> None:
        append({"n": 1}, {"n": 2})
        export = tmp_path / "journal.ndjson"
        rows = [
            {name: getattr(link, name) for name in link.__dataclass_fields__}
            for link in map(link_of, load_lines(STREAM))
        ]
        export.write_text("".join(json.dumps(row) + "\n" for row in rows))
        JournalLine.objects.all().delete()
        out = StringIO()

        call_command("verify_journal", "--file", str(export), stdout=out)

        assert "2 lines, whole" in out.getvalue()

    @pytest.mark.parametrize(
        ("content", "status"),
        [(b"not json", 2), (b"{}", 2), (b"[1]", 2), (b"\xff\xfe", 2), (b"[" * 100_000, 2)],
    )
    def test_a_file_that_is_not_an_export_is_rejected(
        self, tmp_path: Path, content: bytes, status: int
    ) -> None:
        export = tmp_path / "journal.ndjson"
        export.write_bytes(content)

        with pytest.raises(CommandError) as caught:
            call_command("verify_journal", "--file", str(export), stdout=StringIO())

        assert caught.value.returncode == status


def test_equal_payloads_have_different_digests() -> None:
    first, second = append({"winner": "first"}, {"winner": "first"})

    assert first.payload_digest != second.payload_digest
