"""Compile a sheet with typst: a program that games/core/bounded.py runs for each sheet.

It reads the request as JSON, and writes the PDF, or as JSON what typst says is wrong. Only the
process of a sheet loads typst.
"""

import json
import sys
from typing import Final

import typst

STANDARD: Final = "ua-1"
"""PDF/UA: accessible; typst then rejects letters without a glyph."""


def compile_sheet(request: dict[str, object]) -> bytes:
    """Return the PDF; raise TypstError if it cannot be printed."""
    return typst.compile(
        str(request["template"]),
        root=str(request["root"]),
        font_paths=typst.Fonts(include_system_fonts=bool(request["system_fonts"])),
        sys_inputs={"data": json.dumps(request["data"], ensure_ascii=False)},
        pdf_standards=[STANDARD],
        timestamp=0,
    )


if __name__ == "__main__":
    try:
        written = compile_sheet(json.load(sys.stdin))
    except typst.TypstError as error:
        written = json.dumps({"message": error.message, "diagnostic": error.diagnostic}).encode()
    sys.stdout.buffer.write(written)
