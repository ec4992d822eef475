"""Hostile zip files: each limit has its code, and no file takes the memory that it declares."""

import base64
import io
import json
import random
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from games.core.errors import ApiError, Unprocessable
from games.core.uploads.progress import no_progress
from games.core.uploads.services import SentFile
from games.models import Account
from tests.tournament.imports import zip_bomb, zip_of
from tournament.exchange import bundle_file as reading
from tournament.exchange.bundle import read_bundle
from tournament.exchange.bundle_file import (
    BUNDLE_FORMAT,
    BUNDLE_VERSION,
    END_OF_DIRECTORY,
    MEMBER,
    sealed_lines,
)
from tournament.exchange.trf import prepare_trf

HOSTILE_SIZE = 123_000
MOST_MEMORY = 100 * 1024 * 1024
HEAD = (
    "bundle",
    {"format": BUNDLE_FORMAT, "version": BUNDLE_VERSION, "stream": "tournament/x", "head": ""},
)
INCOMPRESSIBLE = base64.b64encode(random.Random(1).randbytes(116_000)).decode()


def sealed(*rows: tuple[str, dict[str, object]]) -> bytes:
    """Return a bundle of rows with correct seals."""
    return zip_of("".join(sealed_lines([HEAD, *rows])).encode())


def zip_with(*names: str, attributes: int = 0, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file of members with the same short content."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in names:
            member = zipfile.ZipInfo(name)
            member.external_attr, member.compress_type = attributes, method
            archive.writestr(member, '{"kind":1}\n')
    return content.getvalue()


def changed(old: bytes, new: bytes, content: bytes | None = None) -> bytes:
    """Return a zip file in which all occurrences of some bytes are replaced."""
    content = content or zip_with(MEMBER)
    assert old in content
    return content.replace(old, new)


def declaring(size: int, content: bytes) -> bytes:
    """Return a zip file of 65 MiB whose headers declare another size."""
    return changed(struct.pack("<L", 65 << 20), struct.pack("<L", size), content)


def encrypted() -> bytes:
    content = bytearray(zip_with(MEMBER))
    directory = content.index(b"PK\1\2")
    content[6] |= 1
    content[directory + 8] |= 1
    return bytes(content)


def wrong_checksum() -> bytes:
    content = sealed()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        checksum = archive.infolist()[0].CRC
    return changed(struct.pack("<L", checksum), struct.pack("<L", checksum ^ 1), content)


def zip64() -> bytes:
    """Return a zip file with the records of zip64 before the end of the directory."""
    content = zip_with(MEMBER)
    end = len(content) - END_OF_DIRECTORY.size
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 10**9, 10**9, 46, 0)
    locator = struct.pack("<4sLQL", b"PK\6\7", 0, end, 1)
    return content[:end] + record + locator + content[end:]


def zip64_extra() -> bytes:
    """Return a zip file whose member declares 2**60 bytes in the extra field of zip64."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        member = zipfile.ZipInfo(MEMBER)
        member.extra = struct.pack("<2H2Q", 1, 16, 2**60, 2**60)
        archive.writestr(member, "{}\n")
    size = struct.pack("<2L", 3, 3)
    return changed(size, b"\xff" * 8, content.getvalue())


def directory_at(offset: int) -> bytes:
    content = zip_with(MEMBER)
    fields = list(END_OF_DIRECTORY.unpack_from(content, len(content) - END_OF_DIRECTORY.size))
    fields[6] = offset
    return content[: -END_OF_DIRECTORY.size] + END_OF_DIRECTORY.pack(*fields)


def of_ratio() -> bytes:
    """Return a bundle just above the largest ratio."""
    text = "0" * (settings.LARGEST_BUNDLE_RATIO * 120_000)
    return sealed(("player", {"name": text, "club": INCOMPRESSIBLE}))


LINK = (stat.S_IFLNK | 0o777) << 16
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a bomb that declares little": (lambda: declaring(1000, zip_bomb()), "invalid_bundle"),
    "a bomb that declares 4 GB": (lambda: declaring(2**32 - 2, zip_bomb()), "bundle_size"),
    "a small bomb": (of_ratio, "bundle_ratio"),
    "no member": (zip_with, "bundle_members"),
    "another name": (lambda: zip_with("other.json"), "bundle_members"),
    "a name with a NUL": (
        lambda: changed(b"bundle.ndjsonxx", b"bundle.ndjson\0x", zip_with("bundle.ndjsonxx")),
        "bundle_members",
    ),
    "a long name": (lambda: zip_with("x" * 5000), "bundle_members"),
    "a symbolic link": (lambda: zip_with(MEMBER, attributes=LINK), "invalid_bundle"),
    "bzip2": (lambda: zip_with(MEMBER, method=zipfile.ZIP_BZIP2), "invalid_bundle"),
    "encrypted": (encrypted, "invalid_bundle"),
    "a wrong checksum": (wrong_checksum, "invalid_bundle"),
    "zip64": (zip64, "invalid_bundle"),
    "a size in zip64": (zip64_extra, "bundle_size"),
    "a directory elsewhere": (lambda: directory_at(2**31), "invalid_bundle"),
    "a comment": (lambda: zip_with(MEMBER) + b"PK", "invalid_bundle"),
    "half of it": (lambda: zip_with(MEMBER)[:60], "invalid_bundle"),
    "without its end": (lambda: zip_with(MEMBER)[:-1], "invalid_bundle"),
    "without its begin": (lambda: zip_with(MEMBER)[20:], "invalid_bundle"),
}


@pytest.mark.parametrize(("make", "code"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_rejected(make: Callable[[], bytes], code: str) -> None:
    with pytest.raises(Unprocessable) as caught:
        read_bundle(make())

    assert (caught.value.code, caught.value.errors[0]["code"]) == (code, code)


@pytest.mark.parametrize(
    ("limit", "code"),
    [
        ("LONGEST_LINE", "bundle_line_size"),
        ("MOST_JOURNAL_LINES", "bundle_lines"),
        ("MOST_CONTAINERS", "bundle_containers"),
    ],
)
def test_a_limit_of_the_lines_is_named(
    limit: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = sealed(("player", {"name": "Ada", "club": "x" * 200, "tags": [[], [], {}]}))
    monkeypatch.setattr(reading, limit, {"LONGEST_LINE": 250, "MOST_CONTAINERS": 7}.get(limit, 2))

    with pytest.raises(Unprocessable) as caught:
        list(reading.read_lines(content))

    assert caught.value.code == code


def peak_memory(call: Callable[[], object]) -> int:
    """Return the most memory that a call takes, in bytes; it may reject its input."""
    tracemalloc.start()
    try:
        call()
    except ApiError:
        pass
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak


def row_of(item: str) -> bytes:
    """Return a bundle of the most hostile size that is allowed, with a row of equal items."""
    size = HOSTILE_SIZE * settings.LARGEST_BUNDLE_RATIO - len(INCOMPRESSIBLE) - 1000
    row = {
        "club": INCOMPRESSIBLE,
        "name": json.loads(f"[{','.join([item] * (size // (len(item) + 1)))}]"),
    }
    return sealed(("player", row))


LONG = pytest.mark.long
ITEMS = ['{"a":1}', *(pytest.param(item, marks=LONG) for item in ("[]", "1.5", '"ab"'))]


@pytest.mark.parametrize("item", ITEMS)
def test_a_small_file_takes_little_memory(item: str) -> None:
    content = row_of(item)
    assert 110_000 < len(content) < 130_000

    assert peak_memory(lambda: read_bundle(content)) < MOST_MEMORY


def test_a_bomb_takes_no_memory() -> None:
    content = zip_of(b"[]," * (65 * 1024 * 1024 // 3))
    assert len(content) < 70_000

    assert peak_memory(lambda: read_bundle(content)) < 1024 * 1024


@pytest.mark.parametrize(
    "content",
    [
        b"012 Cup\nXXR 999999999\n001    1      Ada\n",
        b"012 Cup\n001999999999    Ada\n",
    ],
    ids=["rounds", "a large number"],
)
def test_a_trf_file_takes_little_memory(content: bytes) -> None:
    sent = SentFile(content=content, by=Account(), parameters={"ruleset": "hex", "board_size": "5"})

    assert peak_memory(lambda: prepare_trf(sent, no_progress)) < MOST_MEMORY


@given(place=st.integers(0, 10_000), value=st.integers(0, 255))
def test_a_changed_byte_is_an_error_or_changes_nothing(place: int, value: int) -> None:
    content = sealed(("player", {"name": "Ada"}))
    changed_content = bytearray(content)
    changed_content[place % len(content)] = value

    try:
        lines = list(reading.read_lines(bytes(changed_content)))
    except Unprocessable:
        return
    assert lines == list(reading.read_lines(content))
