"""Openings up to the symmetries of the game: the canonical form of the first turns of a record.

The canonical form of some turns is the least of their images under the symmetries, compared turn by
turn as words. The least image of a longer sequence begins with the least image of a shorter one, so
one form per game serves all its prefixes: two games begin alike, up to a symmetry, for exactly as
many turns as their canonical forms have in common.

A swap is a turn; a game in which it can be played is not the same start as one in which it cannot.
Points of a handicap change no turn and belong to no start; its stones, options and a set-up do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from games.rules.boards.symmetries import Symmetry, inverse
from games.rules.conditions import Conditions
from games.rules.position import Position
from games.rules.registry import find_game
from games.rules.symmetries import find_symmetries, map_turn

MOST_OPENING_PLIES = 16
"""The turns of a game that the index contains."""


@dataclass(frozen=True, slots=True)
class CanonicalOpening:
    """The first turns of a game in canonical form.

    `symmetries` map the turns as they were written to this form: more than one if the turns are
    symmetric themselves.
    """

    start: Position
    turns: tuple[str, ...]
    symmetries: tuple[Symmetry, ...]

    @property
    def keys(self) -> list[int]:
        """The keys of the openings of 0, 1, 2 ... turns, up to all."""
        return opening_keys(self.start.conditions, self.turns)

    def equal_turns(self, canonical_turn: str) -> list[str]:
        """Return the turns, as they would be written, that make this opening the same longer one.

        The first is the least word; the others are its images under what leaves the turns as they
        are.
        """
        rules = find_game(self.start.conditions.game)
        turns = {
            map_turn(canonical_turn, rules, self.start, inverse(symmetry))
            for symmetry in self.symmetries
        }
        return sorted(turns)

    def extend(self, turn: str) -> CanonicalOpening:
        """Return the opening with one more turn, as it was written."""
        rules = find_game(self.start.conditions.game)
        images = [
            (map_turn(turn, rules, self.start, symmetry), symmetry) for symmetry in self.symmetries
        ]
        least = min(image for image, _ in images)
        symmetries = tuple(symmetry for image, symmetry in images if image == least)
        return CanonicalOpening(self.start, (*self.turns, least), symmetries)


def start_of(conditions: Conditions) -> Conditions:
    """Return the conditions that decide which turns a game can have."""
    handicap = conditions.handicap
    stones = replace(handicap, points=0) if handicap and handicap.stones else None
    return replace(conditions, handicap=stones, advice=None)


def canonical_opening(conditions: Conditions, turns: Sequence[str]) -> CanonicalOpening:
    """Return the opening of a game; the turns are legal and in canonical spelling."""
    conditions = start_of(conditions)
    start = find_game(conditions.game).start(conditions)
    opening = CanonicalOpening(start, (), find_symmetries(conditions))
    for turn in turns:
        opening = opening.extend(turn)
    return opening


def opening_keys(conditions: Conditions, turns: Sequence[str]) -> list[int]:
    """Return a signed 64-bit key for each prefix of canonical turns, the empty one first."""
    digest = blake2b(_text_of(conditions).encode(), digest_size=8)
    keys = [_as_key(digest.digest())]
    for turn in turns:
        digest.update(f" {turn}".encode())
        keys.append(_as_key(digest.digest()))
    return keys


def _text_of(conditions: Conditions) -> str:
    return "\n".join(f"{name} {value}" for name, value in start_of(conditions).as_tags().items())


def _as_key(digest: bytes) -> int:
    return int.from_bytes(digest, "big", signed=True)
