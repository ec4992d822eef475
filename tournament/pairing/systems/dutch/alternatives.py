"""What a round loses with another pair: the round is paired again under a condition, and compared.

The condition forces or forbids a pair, or forces the bye. The first bracket that differs shows
which criterion gets worse, or that both pairings are equally good and the order among equals
decided. The comparison uses the amounts that the engine optimises.
"""

from dataclasses import dataclass, replace
from itertools import zip_longest

from tournament.pairing.errors import NoLegalPairing
from tournament.pairing.systems.dutch.assessment import WorseCriterion, assess, find_worse_criterion
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.round import PairedBracket, RoundInProgress, bye_of


@dataclass(frozen=True, slots=True)
class Loss:
    """What a condition costs.

    `rule` is the name of a criterion, `C4` if no legal pairing is left, `C5` if the bye goes to
    another score, or `order` if both pairings are equally good. `index` is the bracket in which
    they differ, and `alternative` the other pairing of it, if there is a legal one.
    """

    rule: str
    index: int
    worse: WorseCriterion | None = None
    alternative: PairedBracket | None = None


class Alternatives:
    """A paired round that is compared with other pairings of the same field."""

    def __init__(self, field: Field):
        self.field = field
        self.round = RoundInProgress(field)
        self.brackets = list(self.round.brackets())

    def force(self, a: int, b: int) -> Loss | None:
        """Return what is lost if two places meet; None if they do meet."""
        pair = 1 << a | 1 << b
        allowed = [mask & ~pair for mask in self.field.allowed]
        allowed[a], allowed[b] = 1 << b, 1 << a
        candidates = self.field.bye_candidates & ~pair
        start = next(
            bracket.index
            for bracket in self.brackets
            if not {a, b}.isdisjoint((*bracket.moved, *bracket.residents))
        )
        return self._compare(replace(self.field, allowed=allowed, bye_candidates=candidates), start)

    def forbid(self, a: int, b: int) -> Loss | None:
        """Return what is lost if two places may not meet; None if they do not meet."""
        allowed = list(self.field.allowed)
        allowed[a] &= ~(1 << b)
        allowed[b] &= ~(1 << a)
        start = next(
            (
                bracket.index
                for bracket in self.brackets
                if any(set(pair) == {a, b} for pair in bracket.pairs)
            ),
            None,
        )
        return None if start is None else self._compare(replace(self.field, allowed=allowed), start)

    def force_bye(self, place: int) -> Loss | None:
        """Return what is lost if a player who may have the bye has it; None if they have it."""
        return self._compare(replace(self.field, bye_candidates=1 << place), 0)

    def _compare(self, field: Field, start: int) -> Loss | None:
        """Find the first bracket that differs; brackets before `start` are the same if possible."""
        try:
            other = RoundInProgress(field)
        except NoLegalPairing:
            return Loss("C4", start)
        if other.bye_group != self.round.bye_group:
            return Loss("C5", start)
        bye = bye_of(self.brackets[:start])
        moved = self.brackets[start].moved
        if start and not other.can_continue(start, moved, bye):
            start, moved, bye = 0, [], None
        loss = self._first_loss(field, other, start, moved, bye)
        if start and moved and loss and loss.rule in (Criterion.C6, Criterion.C7):
            # The bracket before counts these under C8 and may have chosen other floaters.
            loss = self._first_loss(field, other, 0, [], None)
        return loss

    def _first_loss(
        self, field: Field, other: RoundInProgress, start: int, moved: list[int], bye: int | None
    ) -> Loss | None:
        own = self.brackets[start:]
        others = other.brackets(start, moved, bye)
        for position, (actual, alternative) in enumerate(zip_longest(own, others)):
            if _is_same(actual, alternative):
                continue
            following = own[position + 1] if position + 1 < len(own) else None
            worse = find_worse_criterion(
                assess(self.field, actual, following),
                assess(field, alternative, next(others, None)),
            )
            if worse is None:
                return Loss("order", actual.index, alternative=alternative)
            assert worse.actual < worse.alternative, "the engine missed a better pairing"
            return Loss(worse.criterion, actual.index, worse, alternative)
        return None


def _is_same(a: PairedBracket, b: PairedBracket) -> bool:
    return (
        {frozenset(pair) for pair in a.pairs} == {frozenset(pair) for pair in b.pairs}
        and sorted(a.floaters) == sorted(b.floaters)
        and a.bye == b.bye
    )
