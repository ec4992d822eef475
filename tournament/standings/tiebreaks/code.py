"""How a tie-break is written: `NAME[/Cn|/Mn|/L±n][/P][/F][/R]`, in either case.

The modifiers are those of C.07 article 14 and of FIDE's list of codes (MTB26), edition of
2026-03-01: Cn cuts the n least significant elements, Mn cuts n low and then n high ones, L±n
moves the limit of KS by n half points (and caps MARGIN), P counts forfeits as games, F draws the
last round, R reverses the order.
"""

import re
from dataclasses import dataclass

from tournament.standings.errors import TiebreakError

MOST_CUTS = 99

_CODE = re.compile(r"[A-Z]+(/[A-Z0-9+-]+)*")
_CUT = re.compile(r"([CM])([1-9]\d?)")
_LIMIT = re.compile(r"L([+-])(\d{1,3})")
_RIGHT_FORM = {
    "C": f"a cut is C1 to C{MOST_CUTS}",
    "M": f"a cut is M1 to M{MOST_CUTS}",
    "L": "a limit has a sign, L+1 or L-1",
}


@dataclass(frozen=True, slots=True)
class TiebreakCode:
    """One entry of an event's list; `str` gives the canonical form that `parse` reads back."""

    name: str
    low: int = 0
    high: int = 0
    limit: int | None = None
    forfeits_count: bool = False
    fore: bool = False
    is_reversed: bool = False

    @classmethod
    def parse(cls, text: str) -> "TiebreakCode":
        """Read the grammar alone; whether the name knows its modifiers is decided elsewhere.

        Raises TiebreakError when the text does not follow the grammar.
        """
        written = text.strip().upper()
        if not _CODE.fullmatch(written):
            raise TiebreakError(f"{text[:40]!r} is not a tie-break code", written[:40])
        name, *modifiers = written.split("/")
        seen: dict[str, str] = {}
        for modifier in modifiers:
            letter = "C" if modifier[0] in "CM" else modifier[0]
            if letter in seen:
                raise TiebreakError(f"{written[:40]} has two modifiers of one kind", written[:40])
            if not (
                modifier in ("P", "F", "R")
                or _CUT.fullmatch(modifier)
                or _LIMIT.fullmatch(modifier)
            ):
                right = _RIGHT_FORM.get(modifier[0])
                detail = f"{modifier[:10]} is not a modifier of {name[:10]}"
                raise TiebreakError(f"{detail}: {right}" if right else detail, written[:40])
            seen[letter] = modifier
        cuts = int(seen["C"][1:]) if "C" in seen else 0
        return cls(
            name=name,
            low=cuts,
            high=cuts if seen.get("C", "").startswith("M") else 0,
            limit=int(seen["L"][1:]) if "L" in seen else None,
            forfeits_count="P" in seen,
            fore="F" in seen,
            is_reversed="R" in seen,
        )

    @property
    def modifiers(self) -> frozenset[str]:
        """The letters of the modifiers in use."""
        used = {
            "M": self.high > 0,
            "C": self.low > 0 and self.high == 0,
            "L": self.limit is not None,
            "P": self.forfeits_count,
            "F": self.fore,
            "R": self.is_reversed,
        }
        return frozenset(letter for letter, present in used.items() if present)

    def __str__(self) -> str:
        parts = [self.name]
        if self.low:
            parts.append(f"{'M' if self.high else 'C'}{self.low}")
        if self.limit is not None:
            parts.append(f"L{self.limit:+d}")
        for letter in "PFR":
            if letter in self.modifiers:
                parts.append(letter)
        return "/".join(parts)
