"""Compile a sheet or a picture with typst: a program that games/core/bounded.py runs for each.

It reads the request as JSON, and writes the PDF or PNG, or as JSON what typst says is wrong. Only
this process loads typst.
"""

import json
import sys
from typing import Final

import typst

STANDARD: Final = "ua-1"
"""PDF/UA: accessible; typst then rejects letters without a glyph."""
PIXELS: Final = 72
"""A point of a picture is a pixel."""


def compile_sheet(request: dict[str, object]) -> bytes:
    """Return the PDF or PNG; raise TypstError if it cannot be printed."""
    is_picture = bool(request["is_picture"])
    return typst.compile(
        str(request["template"]),
        root=str(request["root"]),
        font_paths=typst.Fonts(include_system_fonts=bool(request["system_fonts"])),
        sys_inputs={"data": json.dumps(request["data"], ensure_ascii=False)},
        format="png" if is_picture else "pdf",
        ppi=PIXELS if is_picture else None,
        pdf_standards=[] if is_picture else [STANDARD],
        timestamp=0,
    )


if __name__ == "__main__":
    try:
        written = compile_sheet(json.load(sys.stdin))
    except typst.TypstError as error:
        written = json.dumps({"message": error.message, "diagnostic": error.diagnostic}).encode()
    sys.stdout.buffer.write(written)
