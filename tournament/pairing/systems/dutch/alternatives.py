"""What a round would lose with another pairing: solved anew under the wish, and compared.

A wish is a pair to force or to forbid. The round is paired again with it by the same engine; the
first bracket that comes out otherwise shows the criterion that gets worse, or that both are
equally good and the order among equals decided. What is compared are the engine's own totals.
"""

from dataclasses import dataclass, replace
from itertools import zip_longest

from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.systems.dutch.assessment import Difference, assess, first_difference
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.round import PairedBracket, RoundInProgress


@dataclass(frozen=True, slots=True)
class Loss:
    """What a preference costs.

    `rule` is a criterion's name; `C4` when nothing complete is left, `C5` when the bye would go
    to another score, `order` when both are equally good. `index` is the bracket where the two
    part, `difference` what is compared there, `alternative` how that bracket would be paired.
    """

    rule: str
    index: int
    difference: Difference | None = None
    alternative: PairedBracket | None = None


class Alternatives:
    """A round as it is paired, to be compared with others."""

    def __init__(self, field: Field):
        self.field = field
        self.round = RoundInProgress(field)
        self.brackets = list(self.round.brackets())

    def forced(self, one: int, other: int) -> Loss | None:
        """Tell what is lost when two meet, by place; None when they do meet."""
        pair = 1 << one | 1 << other
        allowed = [mask & ~pair for mask in self.field.allowed]
        allowed[one], allowed[other] = 1 << other, 1 << one
        return self._compare(
            replace(self.field, allowed=allowed, bye_candidates=self.field.bye_candidates & ~pair),
            0,
        )

    def forbidden(self, one: int, other: int) -> Loss | None:
        """Tell what is lost when two may not meet, by place; None when they do not meet."""
        allowed = list(self.field.allowed)
        allowed[one] &= ~(1 << other)
        allowed[other] &= ~(1 << one)
        pair = {one, other}
        start = next(
            (b.index for b in self.brackets if any(set(two) == pair for two in b.pairs)), None
        )
        if start is None:
            return None
        return self._compare(replace(self.field, allowed=allowed), start)

    def _compare(self, field: Field, start: int) -> Loss | None:
        """Find the first bracket that is paired otherwise, not before `start` if that can be."""
        try:
            other = RoundInProgress(field)
        except NoLegalPairing:
            return Loss("C4", start)
        if other.bye_group != self.round.bye_group:
            return Loss("C5", start)
        bye = next(
            (b.bye for b in self.brackets[:start] if b.bye is not None),
            None,
        )
        moved = self.brackets[start].moved
        if start and not other.can_go_on(start, moved, bye):
            start, moved, bye = 0, [], None
        loss = self._first_loss(field, other, start, moved, bye)
        if start and moved and loss and loss.rule in (Criterion.C6, Criterion.C7):
            # The bracket before weighs these as its C8 and may have chosen other floaters.
            loss = self._first_loss(field, other, 0, [], None)
        return loss

    def _first_loss(
        self,
        field: Field,
        other: RoundInProgress,
        start: int,
        moved: list[int],
        bye: int | None,
    ) -> Loss | None:
        own = self.brackets[start:]
        rest = other.brackets(start, moved, bye)
        for position, (actual, wished) in enumerate(zip_longest(own, rest)):
            if _is_same(actual, wished):
                continue
            following = own[position + 1] if position + 1 < len(own) else None
            amounts = assess(self.field, actual, following)
            difference = first_difference(amounts, assess(field, wished, next(rest, None)))
            if difference is None:
                return Loss("order", actual.index, alternative=wished)
            assert difference.actual < difference.alternative, "the engine missed a better pairing"
            return Loss(difference.criterion, actual.index, difference, wished)
        return None


def _is_same(one: PairedBracket, other: PairedBracket) -> bool:
    return (
        {frozenset(pair) for pair in one.pairs} == {frozenset(pair) for pair in other.pairs}
        and sorted(one.floaters) == sorted(other.floaters)
        and one.bye == other.bye
    )
