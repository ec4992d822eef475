"""The written form of a tie-break: `NAME[/Cn|/Mn|/L±n][/P][/F][/R]`, in upper or lower case.

The modifiers are those of C.07 article 14 and of FIDE's list of codes (MTB26), 2026-03-01. Cn cuts
the n least significant terms; Mn cuts n low and then n high ones; L±n moves the limit of KS by n
half points, and limits MARGIN; P counts forfeits as games; F draws the last round; R reverses the
order.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.standings.errors import TiebreakError

MOST_CUTS = 99

_CODE = re.compile(r"[A-Z]+(/[A-Z0-9+-]+)*")
_MODIFIER = re.compile(r"[CM][1-9]\d?|L[+-]?\d{1,3}|[PFR]")
_EXPECTED = {
    "C": Text("a cut is C1 to C%(most)s", most=MOST_CUTS),
    "M": Text("a cut is M1 to M%(most)s", most=MOST_CUTS),
    "L": Text("a limit is a number, L+1, L1 or L-1"),
}


@dataclass(frozen=True, slots=True)
class TiebreakCode:
    """A code in an event's list; `str` returns the canonical form, which `parse` reads."""

    name: str
    low: int = 0
    high: int = 0
    limit: int | None = None
    forfeits_count: bool = False
    fore: bool = False
    is_reversed: bool = False

    @classmethod
    def parse(cls, text: str) -> "TiebreakCode":
        """Read a code of this form; `parse_tiebreak` checks the name and its modifiers.

        Raises TiebreakError for any other text.
        """
        written = text.strip().upper()
        if not _CODE.fullmatch(written):
            raise TiebreakError(
                Text("%(code)s is not a tie-break code", code=f"{text[:40]!r}"), written[:40]
            )
        name, *modifiers = written.split("/")
        by_letter: dict[str, str] = {}
        for modifier in modifiers:
            letter = "C" if modifier[0] in "CM" else modifier[0]
            if letter in by_letter:
                raise TiebreakError(
                    Text("%(code)s has two modifiers of one kind", code=written[:40]), written[:40]
                )
            if not _MODIFIER.fullmatch(modifier):
                expected = _EXPECTED.get(modifier[0])
                word, code = modifier[:10], name[:10]
                detail = (
                    Text(
                        "%(word)s is not a modifier of %(code)s: %(detail)s",
                        word=word,
                        code=code,
                        detail=expected,
                    )
                    if expected
                    else Text("%(word)s is not a modifier of %(code)s", word=word, code=code)
                )
                raise TiebreakError(detail, written[:40])
            by_letter[letter] = modifier
        cuts = int(by_letter["C"][1:]) if "C" in by_letter else 0
        return cls(
            name=name,
            low=cuts,
            high=cuts if by_letter.get("C", "").startswith("M") else 0,
            limit=int(by_letter["L"][1:]) if "L" in by_letter else None,
            forfeits_count="P" in by_letter,
            fore="F" in by_letter,
            is_reversed="R" in by_letter,
        )

    @property
    def modifiers(self) -> frozenset[str]:
        """The letters of the modifiers."""
        is_used = {
            "M": self.high > 0,
            "C": self.low > 0 and self.high == 0,
            "L": self.limit is not None,
            "P": self.forfeits_count,
            "F": self.fore,
            "R": self.is_reversed,
        }
        return frozenset(letter for letter, used in is_used.items() if used)

    def phrases(self) -> Iterator[tuple[str, dict[str, str | int]]]:
        """Yield what each modifier says, as a pattern to translate and its values."""
        count: dict[str, str | int] = {"count": self.low}
        if self.high == 1:
            yield gettext_noop("without the lowest and the highest"), {}
        elif self.high:
            yield gettext_noop("without the %(count)s lowest and the %(count)s highest"), count
        elif self.low == 1:
            yield gettext_noop("without the lowest"), {}
        elif self.low:
            yield gettext_noop("without the %(count)s lowest"), count
        if self.limit is not None:
            yield gettext_noop("limit %(limit)s"), {"limit": f"{self.limit:+d}"}
        if self.forfeits_count:
            yield gettext_noop("forfeits count as games"), {}
        if self.fore:
            yield gettext_noop("the last round drawn"), {}
        if self.is_reversed:
            yield gettext_noop("reversed order"), {}

    def __str__(self) -> str:
        parts = [self.name]
        if self.low:
            parts.append(f"{'M' if self.high else 'C'}{self.low}")
        if self.limit is not None:
            parts.append(f"L{self.limit:+d}")
        parts += [letter for letter in "PFR" if letter in self.modifiers]
        return "/".join(parts)
