"""Open the zip file of a bundle: one plain member, whose size is limited before it is unpacked.

A hostile file of some kilobytes can declare thousands of members, or unpack to gigabytes. The end
of the directory is read first, so that zipfile never reads a large one; zipfile then unpacks at
most the declared size, a piece at a time, and compares the checksum at the end.
"""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from django.conf import settings

from games.core.errors import Unprocessable
from games.rules.text import Text
from tournament.exchange.bundle_file import MEMBER

BUFFER = 1024 * 1024
LARGEST_DIRECTORY = 1024
"""Bytes; the entry of the member has about 60, and other programs add some times and owners."""

END_OF_DIRECTORY = struct.Struct("<4s4H2LH")
"""Signature, two disks, two counts of members, size and place of the directory, comment size."""
END_SIGNATURE = b"PK\5\6"
ZIP64_LOCATOR = b"PK\6\7"
ZIP64_LOCATOR_SIZE = 20
COMPRESSION_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The methods that unpack piece by piece; bzip2 and LZMA unpack a whole block at once."""

BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError,
    ValueError,
)  # fmt: skip
"""What zipfile raises for a broken file."""


def bundle_error(number: int, detail: str, code: str = "invalid_bundle") -> Unprocessable:
    """Return the error that rejects a bundle for one line; line 0 is the whole file."""
    message = Text("line %(line)s: %(detail)s", line=number, detail=detail) if number else detail
    error = {"code": code, "detail": message} | ({"line": number} if number else {})
    return Unprocessable(code, Text("%(detail)s; nothing was imported", detail=message), [error])


@contextmanager
def open_member(content: bytes) -> Iterator[tuple[BinaryIO, int]]:
    """Open the only member of a zip file; return its stream and its size.

    Raises Unprocessable for a file that is no bundle or exceeds a limit.
    """
    _check_directory(content)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            member = _find_member(archive, len(content))
            with archive.open(member) as unpacked:
                stream = io.BufferedReader(cast(io.RawIOBase, unpacked), BUFFER)
                yield stream, member.file_size
    except BROKEN as error:
        raise bundle_error(
            0, Text("this is not a complete zip file: %(reason)s", reason=error)
        ) from error


def _check_directory(content: bytes) -> None:
    """Raise Unprocessable unless the file ends with a small directory of one member."""
    start = len(content) - END_OF_DIRECTORY.size
    if start < 0 or not content.startswith(END_SIGNATURE, start):
        raise bundle_error(0, Text("this is not a complete zip file, or it has a comment"))
    if content.startswith(ZIP64_LOCATOR, max(0, start - ZIP64_LOCATOR_SIZE)):
        raise bundle_error(0, Text("the zip file has the format zip64; a bundle never needs it"))
    _, _, _, here, members, size, _, _ = END_OF_DIRECTORY.unpack_from(content, start)
    if here != members or members != 1 or size > LARGEST_DIRECTORY:
        detail = Text("a bundle is a zip file with %(file)s and nothing else", file=MEMBER)
        raise bundle_error(0, detail, "bundle_members")


def _find_member(archive: zipfile.ZipFile, packed_size: int) -> zipfile.ZipInfo:
    """Return the only member, a plain file within the limits of its declared size."""
    members = archive.infolist()
    if [member.orig_filename for member in members] != [MEMBER]:
        detail = Text("a bundle is a zip file with %(file)s and nothing else", file=MEMBER)
        raise bundle_error(0, detail, "bundle_members")
    (member,) = members
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        raise bundle_error(0, Text("%(file)s is not a plain file", file=MEMBER))
    if member.flag_bits & 1:
        raise bundle_error(0, Text("the zip file is encrypted"))
    if member.compress_type not in COMPRESSION_METHODS:
        raise bundle_error(0, Text("%(file)s is neither stored nor deflated", file=MEMBER))
    if member.file_size > settings.LARGEST_UNPACKED_BUNDLE:
        limit = settings.LARGEST_UNPACKED_BUNDLE
        detail = Text(
            "a bundle has at most %(most)s bytes when unpacked, not %(size)s",
            most=limit,
            size=member.file_size,
        )
        raise bundle_error(0, detail, "bundle_size")
    if member.file_size > settings.LARGEST_BUNDLE_RATIO * packed_size:
        limit = settings.LARGEST_BUNDLE_RATIO
        detail = Text(
            "a bundle unpacks to at most %(most)s times its size, not %(size)s bytes",
            most=limit,
            size=member.file_size,
        )
        raise bundle_error(0, detail, "bundle_ratio")
    return member
