"""The colours of a diagram, which are the same on dark screens: players call the stones by them.

Every mark can be recognised by its shape too: the second seat's stones have a ring, and what it
owns is hatched in another direction. Stones have a contrast of at least 3 to 1 with each other and
with everything they can be on.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of one use; the name of the use is also the class in the SVG.

    What can be `dark` has another colour on dark screens.
    """

    attribute: str
    light: str
    dark: str = ""

    def attributes(self, use: str, *classes: str) -> dict[str, str]:
        """Return the attributes of an element of this use: its class and its light colour."""
        return {"class": " ".join((use, *classes)), self.attribute: self.light}


DIAGRAM_PAINTS: dict[str, Paint] = {
    "page": Paint("fill", "#ffffff"),
    "ground": Paint("fill", "#d9d2c3"),
    "cell": Paint("fill", "#fbf8f1"),
    "shade": Paint("fill", "#f1ebdd"),
    "line": Paint("stroke", "#a89f8b"),
    "peri": Paint("fill", "#ebe5d6"),
    "quark": Paint("fill", "#857b66"),
    "tint1": Paint("fill", "#dbe6f2"),
    "tint2": Paint("fill", "#fcebd9"),
    "stone1": Paint("fill", "#0f2740"),
    "stone2": Paint("fill", "#c4650c"),
    "edge1": Paint("stroke", "#0f2740"),
    "edge2": Paint("stroke", "#c4650c"),
    "rim": Paint("stroke", "#fbf8f1"),
    "ring": Paint("stroke", "#ffffff"),
    "on1": Paint("fill", "#ffffff"),
    "on2": Paint("fill", "#ffffff"),
    "bridge": Paint("fill", "#5b5240"),
    "hole": Paint("fill", "#857b66"),
    "name": Paint("fill", "#4c4638"),
    "label": Paint("fill", "#2b2820"),
    "mark": Paint("stroke", "#c2006b"),
}


def paint(use: str, *classes: str) -> dict[str, str]:
    """Return the attributes of an element of a diagram."""
    return DIAGRAM_PAINTS[use].attributes(use, *classes)
