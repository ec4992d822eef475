"""Choose the score group of the pairing-allocated bye when the number of players is odd (C5).

The player with the bye has the lowest possible score. This is decided for the whole round before
the first bracket is paired. Within the group, C9 and the pairing of the bracket decide.
"""

from tournament.pairing.legal import match_all
from tournament.pairing.systems.dutch.completion import Completion
from tournament.pairing.systems.dutch.field import Field


def choose_bye_group(field: Field) -> tuple[int | None, int]:
    """Return the index of the score group that has the bye, and its players who may have it.

    Return None and an empty set for an even number of players. Raises NoLegalPairing if the round
    cannot be paired.
    """
    if len(field.numbers) % 2 == 0:
        if Completion(field, 0).can_pair_from(0):
            return None, 0
    else:
        for index in reversed(range(len(field.groups))):
            group = field.groups[index]
            candidates = field.bye_candidates & ((1 << group.stop) - (1 << group.start))
            if candidates and Completion(field, candidates).can_pair_from(0, has_bye=True):
                return index, candidates
    match_all(field.numbers, field.allowed, field.bye_candidates)
    raise AssertionError("the round can be paired")
