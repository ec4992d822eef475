"""What a paired bracket comes to under C6 to C21, and where one is worse than another.

The amounts are those the engine optimises. C8 is read off the next bracket as it was paired: the
number of its downfloaters and their scores.
"""

from dataclasses import dataclass

from tournament.pairing.systems.dutch.criteria import Bracket, Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.round import PairedBracket

Amount = tuple[int, ...]
"""A number, or a list of them that is compared from its beginning."""

SCORES = (Criterion.C7, Criterion.C8_SCORES)
BY_TIER = (Criterion.C18, Criterion.C19, Criterion.C20, Criterion.C21)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first criterion in which an alternative is worse: what is, and what it would be."""

    criterion: Criterion
    actual: Amount
    alternative: Amount


def assess(
    field: Field, bracket: PairedBracket, following: PairedBracket | None
) -> dict[Criterion, Amount]:
    """Give the amounts of a bracket in the order in which they are compared."""
    rules = Bracket(field, bracket.moved, bracket.residents, has_bye=bracket.bye is not None)
    standing = dict(zip(rules.members, rules.standings, strict=True))
    costs = [rules.pair(standing[one], standing[other]) for one, other in bracket.pairs]
    costs += [rules.float(standing[one], beyond_next=False) for one in bracket.floaters]
    if bracket.bye is not None:
        costs.append(rules.float(standing[bracket.bye], beyond_next=False, with_bye=True))
    totals = [0] * len(rules.terms)
    for cost in costs:
        for term, amount in cost:
            totals[term] += amount
    amounts: dict[Criterion, Amount] = {}
    for criterion in Criterion:
        if criterion is Criterion.C7:
            amounts[criterion] = _float_scores(field, bracket)
        elif criterion is Criterion.C8_FLOATERS:
            amounts[criterion] = (len(_floats(following)),) if following else (0,)
        elif criterion is Criterion.C8_SCORES:
            amounts[criterion] = _float_scores(field, following) if following else ()
        else:
            own = [
                total
                for term, total in zip(rules.terms, totals, strict=True)
                if term.criterion is criterion
            ]
            amounts[criterion] = tuple(own) or (0,)
    return amounts


def first_difference(
    actual: dict[Criterion, Amount], alternative: dict[Criterion, Amount]
) -> Difference | None:
    """Give the first criterion that differs, None when the two are equally good."""
    for criterion, amount in actual.items():
        if amount != alternative[criterion]:
            return Difference(criterion, amount, alternative[criterion])
    return None


def _floats(bracket: PairedBracket) -> list[int]:
    return bracket.floaters + ([] if bracket.bye is None else [bracket.bye])


def _float_scores(field: Field, bracket: PairedBracket) -> Amount:
    return tuple(sorted((field.scores[place] for place in _floats(bracket)), reverse=True))
