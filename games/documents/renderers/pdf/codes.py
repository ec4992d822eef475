"""QR codes of addresses, as the sheets of typst contain them."""

import segno

MASK = 2
"""One of eight masks; choosing the best takes most of the time, and readers accept any."""


def code_of(address: str) -> dict[str, str]:
    """Return the code of an address as SVG, and the address."""
    code = segno.make(address, error="m", mask=MASK, micro=False)
    return {"picture": code.svg_inline(border=2, omitsize=True), "address": address}
