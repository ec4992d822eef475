"""Which letters can be printed here, and what stands for the others.

A page never shows an empty box. A letter that no font here has stands as its Unicode number in
brackets: `[6625 65E5] Tarō`. What is asked is the cluster, a letter with the marks on it, for a
font may have the letter and the mark and not the two together. Letters for private use and
letters that cannot be seen are told by their numbers whatever the fonts hold; what steers the
direction of a line is left out, else one name could turn its neighbours around.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

FIRST_STRONG, POP = "\u2068", "\u2069"
"""What stands around a name written from the right, so that the number behind it stays behind."""
JOINERS = "\u200c\u200d"
"""What Persian and the scripts of India write between letters; kept, and never a letter lost."""
BREAK = "\u200b"
UNSEEN = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, as Unicode counts them, that are blank in every font."""
LONG_WORD = re.compile(r"[^\s-]{20,}")
"""What may be broken anywhere; shorter words are left whole, and a hyphen breaks by itself."""
MOST_NUMBERS = 6
"""How many letters in a row are told by number; a name of 60 lost ones would fill the page."""
MOST_ALONE = 200
"""How many clusters are tried one by one; beyond that all that are in doubt count as lost."""

Missing = Callable[[str], frozenset[str]]
"""The letters of a text for which a page would show a box."""


def cleaned(text: str) -> str:
    """A text without what steers a page; one that has nothing else is told by its numbers."""
    seen = "".join(map(_seen, text)).strip()
    return seen if seen or not text.strip(" ") else numbers(text)


def _seen(letter: str) -> str:
    if letter.isprintable() or letter in JOINERS:
        return letter
    kind = unicodedata.category(letter)
    return "" if kind == "Cf" else letter if kind in ("Co", "Cn") else " "


def clusters(text: str) -> list[str]:
    """The letters of a text, each with its marks and what is joined to it."""
    found: list[str] = []
    for letter in text:
        marks = unicodedata.category(letter).startswith("M") or letter in JOINERS
        if found and found[-1] != " " and (marks or found[-1].endswith(JOINERS[1])):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def lost_clusters(texts: Iterable[str], missing: Missing) -> frozenset[str]:
    """The clusters of the texts that cannot be printed; `missing` is asked as seldom as it can."""
    wanted = {one for text in set(texts) if not text.isascii() for one in clusters(text)}
    wanted -= {one for one in wanted if one.isascii() or one in (FIRST_STRONG, POP, BREAK)}
    unasked = {one for one in wanted if any(map(_is_never_shown, one))}
    single = {one for one in wanted - unasked if len(one) == 1}
    several = wanted - unasked - single
    lost = missing(" ".join(sorted(single))) & single
    unasked |= {one for one in several if lost.intersection(one)}
    return frozenset(lost | unasked | _lost_together(several - unasked, missing))


def _lost_together(several: set[str], missing: Missing) -> set[str]:
    named = missing(" ".join(sorted(several)))
    doubtful = {one for one in several if named.intersection(one)}
    if len(doubtful) > MOST_ALONE:
        return doubtful
    return {one for one in doubtful if missing(one)}


def _is_never_shown(letter: str) -> bool:
    return letter in UNSEEN or unicodedata.category(letter) == "Co"


def told(text: str, lost: frozenset[str]) -> str:
    """A text with the numbers of its lost clusters in their place, its long words breakable."""
    runs: list[tuple[bool, list[str]]] = []
    for one in clusters(text):
        is_lost = one in lost
        if runs and runs[-1][0] == is_lost:
            runs[-1][1].append(one)
        else:
            runs.append((is_lost, [one]))
    whole = "".join(numbers("".join(run)) if gone else "".join(run) for gone, run in runs)
    return LONG_WORD.sub(_breakable, whole)


def _breakable(word: re.Match[str]) -> str:
    return BREAK.join(clusters(word[0]))


def numbers(letters: str) -> str:
    """Letters by their Unicode numbers, as `[6625 65E5]`."""
    codes = [f"{ord(letter):04X}" for letter in letters if letter not in JOINERS] or ["200D"]
    more = ["…"] if len(codes) > MOST_NUMBERS else []
    return f"[{' '.join(codes[:MOST_NUMBERS] + more)}]"


def isolated(text: str) -> str:
    """A text that keeps its direction to itself; one from the left as it is."""
    right = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in text)
    return f"{FIRST_STRONG}{text}{POP}" if right else text


def scripts_of(lost: Iterable[str]) -> list[str]:
    """The scripts of lost clusters, in order of their names."""
    return sorted({script_of(one) for cluster in lost for one in _without_joiners(cluster)})


def _without_joiners(cluster: str) -> Iterator[str]:
    return (letter for letter in cluster if letter not in JOINERS and not letter.isascii())


def script_of(letter: str) -> str:
    """The script of a letter, as the first word of its Unicode name tells."""
    kind = unicodedata.category(letter)
    if kind == "Co":
        return "private use"
    if kind.startswith("S"):
        return "symbols"
    word = unicodedata.name(letter, "unnamed").split()[0].split("-")[0]
    if word == "COMBINING":
        return "marks"
    return word if word in ("CJK", "unnamed") else word.title()
