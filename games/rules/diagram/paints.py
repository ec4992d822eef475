"""The colours of a diagram: light ones in attributes, also for print; dark ones in a style.

Every mark can be recognised by its shape too: the second seat's stones have a ring, and what it
owns is hatched in another direction. Stones have a contrast of at least 3 to 1 with each other and
with everything they can be on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paint:
    """The colours of one use; the name of the use is also the class in the SVG."""

    attribute: str
    light: str
    dark: str

    def attributes(self, use: str, *classes: str) -> dict[str, str]:
        """Return the attributes of an element of this use: its class and its light colour."""
        return {"class": " ".join((use, *classes)), self.attribute: self.light}


DIAGRAM_PAINTS: dict[str, Paint] = {
    "page": Paint("fill", "#ffffff", "#11161d"),
    "ground": Paint("fill", "#d9d2c3", "#2a323d"),
    "cell": Paint("fill", "#fbf8f1", "#161c25"),
    "shade": Paint("fill", "#f1ebdd", "#1d2530"),
    "line": Paint("stroke", "#a89f8b", "#4d5866"),
    "peri": Paint("fill", "#ebe5d6", "#222a35"),
    "quark": Paint("fill", "#857b66", "#8d99a8"),
    "tint1": Paint("fill", "#dbe6f2", "#1c2b3c"),
    "tint2": Paint("fill", "#fcebd9", "#2a1d10"),
    "stone1": Paint("fill", "#0f2740", "#d6eaff"),
    "stone2": Paint("fill", "#c4650c", "#b95c08"),
    "edge1": Paint("stroke", "#0f2740", "#d6eaff"),
    "edge2": Paint("stroke", "#c4650c", "#b95c08"),
    "rim": Paint("stroke", "#fbf8f1", "#161c25"),
    "ring": Paint("stroke", "#ffffff", "#ffffff"),
    "on1": Paint("fill", "#ffffff", "#0b1a2b"),
    "on2": Paint("fill", "#ffffff", "#ffffff"),
    "bridge": Paint("fill", "#5b5240", "#c9bfa9"),
    "hole": Paint("fill", "#857b66", "#8d99a8"),
    "name": Paint("fill", "#4c4638", "#c3ccd6"),
    "label": Paint("fill", "#2b2820", "#e6ebf1"),
    "mark": Paint("stroke", "#c2006b", "#ff7ac0"),
}


def paint(use: str, *classes: str) -> dict[str, str]:
    """Return the attributes of an element of a diagram."""
    return DIAGRAM_PAINTS[use].attributes(use, *classes)


def dark_style(paints: Mapping[str, Paint]) -> str:
    """Return the style rules for dark screens; they do not apply to print."""
    rules = "".join(
        f".{use}{{{colours.attribute}:{colours.dark}}}"
        for use, colours in paints.items()
        if colours.light != colours.dark
    )
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"
