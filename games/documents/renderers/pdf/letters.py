"""Replace the letters of a sheet that no font on this machine has.

A sheet never contains an empty box. A letter without a glyph is replaced by its Unicode number in
brackets: `[6625 65E5] Tarō`. The unit is the cluster, a letter with its marks, because a font may
have the letter and the mark but not both together. Letters for private use and invisible letters
are replaced whatever the fonts contain.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable

from games.core.tables.text import (
    FIRST_STRONG_ISOLATE,
    JOINERS,
    POP_DIRECTIONAL_ISOLATE,
    code_points,
)

WORD_BREAK = "\u200b"
INVISIBLE = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, by their Unicode category, that are blank in every font."""
LONG_WORD = re.compile(r"[^\s-]{20,}")
"""A word that may break anywhere; shorter words stay whole, and a hyphen breaks by itself."""
MOST_SINGLE_CHECKS = 200
"""The number of doubtful clusters up to which each is checked; more count as missing."""

FindMissing = Callable[[str], frozenset[str]]
"""Return the letters of a text that have no glyph."""


def split_clusters(text: str) -> list[str]:
    """Return the letters of a text, each with its marks and the letters joined to it."""
    clusters: list[str] = []
    for letter in text:
        extends = unicodedata.category(letter).startswith("M") or letter in JOINERS
        if clusters and clusters[-1] != " " and (extends or clusters[-1].endswith(JOINERS[1])):
            clusters[-1] += letter
        else:
            clusters.append(letter)
    return clusters


def find_missing_clusters(texts: Iterable[str], find_missing: FindMissing) -> frozenset[str]:
    """Return the clusters of the texts that cannot be printed, with few calls of `find_missing`."""
    controls = (FIRST_STRONG_ISOLATE, POP_DIRECTIONAL_ISOLATE, WORD_BREAK)
    clusters = {
        cluster
        for text in set(texts)
        if not text.isascii()
        for cluster in split_clusters(text)
        if not (cluster.isascii() or cluster in controls)
    }
    missing = {cluster for cluster in clusters if any(map(_is_never_printed, cluster))}
    single = {cluster for cluster in clusters - missing if len(cluster) == 1}
    several = clusters - missing - single
    missing_letters = find_missing(" ".join(sorted(single))) & single
    missing |= missing_letters
    missing |= {cluster for cluster in several if missing_letters.intersection(cluster)}
    return frozenset(missing | _missing_combinations(several - missing, find_missing))


def _missing_combinations(clusters: set[str], find_missing: FindMissing) -> set[str]:
    letters = find_missing(" ".join(sorted(clusters)))
    doubtful = {cluster for cluster in clusters if letters.intersection(cluster)}
    if len(doubtful) > MOST_SINGLE_CHECKS:
        return doubtful
    return {cluster for cluster in doubtful if find_missing(cluster)}


def _is_never_printed(letter: str) -> bool:
    return letter in INVISIBLE or unicodedata.category(letter) == "Co"


def replace_clusters(text: str, missing: frozenset[str]) -> str:
    """Return a text with code points in place of missing clusters; long words may break."""
    runs: list[tuple[bool, str]] = []
    for cluster in split_clusters(text):
        is_missing = cluster in missing
        if runs and runs[-1][0] == is_missing:
            runs[-1] = (is_missing, runs[-1][1] + cluster)
        else:
            runs.append((is_missing, cluster))
    replaced = "".join(code_points(run) if is_missing else run for is_missing, run in runs)
    return LONG_WORD.sub(lambda word: WORD_BREAK.join(split_clusters(word[0])), replaced)


def scripts_of(clusters: Iterable[str]) -> list[str]:
    """Return the names of the scripts of clusters, sorted."""
    return sorted(
        {
            _script_of(letter)
            for cluster in clusters
            for letter in cluster
            if letter not in JOINERS and not letter.isascii()
        }
    )


def _script_of(letter: str) -> str:
    """Return the script of a letter, which is the first word of its Unicode name."""
    category = unicodedata.category(letter)
    if category == "Co":
        return "private use"
    if category.startswith("S"):
        return "symbols"
    word = unicodedata.name(letter, "unnamed").split()[0].split("-")[0]
    if word == "COMBINING":
        return "marks"
    return word if word in ("CJK", "unnamed") else word.title()
