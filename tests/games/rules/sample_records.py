"""Records of *Star on four rings."""

HEAD = '[Game "star-star"]\n[Board "4"]\n'
FULL = (
    "S40 S41 S42 S43 T40 T41 T42 T43 A40 A41 A42 A43 R40 R41 R42 R43 *40 *41 *42 *43 "
    "S30 S31 S32 T30 T31 T32 A30 A31 A32 R30 R31 R32 *30 *31 *32 "
    "S20 S21 T20 T21 A20 A21 R20 R21 *20 *21 S10 T10 A10 R10 *10"
)
"""The turns that fill the board: every cell once."""


def text(moves, *tags):
    """Return a record of these turns with additional tags."""
    return HEAD + "".join(f"{tag}\n" for tag in tags) + "\n" + moves
