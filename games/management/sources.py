"""The encoding of the files that a command reads, which its option `--encoding` names."""

from argparse import ArgumentParser

from games.core.errors import ApiError
from games.core.uploads.encodings import ONE_BYTE, encoding_of, first_other


class UnknownEncoding(ValueError):
    """A file that is neither UTF-8 nor UTF-16 in a line, with how each encoding would read it."""

    line = 1


def add_encoding_argument(parser: ArgumentParser) -> None:
    """Add the option `--encoding`."""
    parser.add_argument(
        "--encoding",
        default="",
        choices=[*ONE_BYTE],
        help="of files that are neither UTF-8 nor UTF-16, which are recognised",
    )


def find_encoding(content: bytes, named: str) -> str:
    """Return the encoding of a file; raises UnknownEncoding with the choice."""
    try:
        return encoding_of(content, named)
    except ApiError as error:
        readings = error.extra["readings"]
    lacks = f" nor {named}, which lacks one of its bytes" if named else ""
    choice = "".join(
        f"\n  --encoding {one['encoding']}: {', '.join(one['names'])}" for one in readings
    )
    detail = (
        f"neither UTF-8 nor UTF-16{lacks}; name the encoding that reads the names right:{choice}"
    )
    wrong = UnknownEncoding(detail)
    wrong.line, _ = first_other(content)
    raise wrong
