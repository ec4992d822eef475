"""The amounts of a paired bracket under C6 to C21, and where one bracket is worse than another.

The amounts are those that the engine optimises. C8 is read from the next bracket as it was paired:
the number of its downfloaters and their scores.
"""

from dataclasses import dataclass

from tournament.pairing.systems.dutch.criteria import Bracket, Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.round import PairedBracket

Amount = tuple[int, ...]
"""A number, or a list of numbers that is compared from its beginning."""

SCORE_CRITERIA = (Criterion.C7, Criterion.C8_SCORES)
"""The criteria whose amounts are scores."""

COUNTS_BY_SCORE = (Criterion.C18, Criterion.C19, Criterion.C20, Criterion.C21)
"""The criteria that count moved-down players or their opponents for each score, highest first."""


@dataclass(frozen=True, slots=True)
class WorseCriterion:
    """The first criterion under which an alternative is worse, with both amounts."""

    criterion: Criterion
    actual: Amount
    alternative: Amount


def assess(
    field: Field, bracket: PairedBracket, following: PairedBracket | None
) -> dict[Criterion, Amount]:
    """Return the amounts of a bracket in the order in which they are compared."""
    rules = Bracket(field, bracket.moved, bracket.residents, has_bye=bracket.bye is not None)
    profile = dict(zip(rules.members, rules.profiles, strict=True))
    costs = [rules.pair_costs(profile[higher], profile[lower]) for higher, lower in bracket.pairs]
    costs += [rules.float_costs(profile[place], beyond_next=False) for place in bracket.floaters]
    if bracket.bye is not None:
        costs.append(rules.float_costs(profile[bracket.bye], beyond_next=False, with_bye=True))
    totals = [0] * len(rules.objectives)
    for pair_or_float in costs:
        for objective, amount in pair_or_float:
            totals[objective] += amount
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
                for objective, total in zip(rules.objectives, totals, strict=True)
                if objective.criterion is criterion
            ]
            amounts[criterion] = tuple(own) or (0,)
    return amounts


def find_worse_criterion(
    actual: dict[Criterion, Amount], alternative: dict[Criterion, Amount]
) -> WorseCriterion | None:
    """Return the first criterion that differs, None if both are equally good."""
    for criterion, amount in actual.items():
        if amount != alternative[criterion]:
            return WorseCriterion(criterion, amount, alternative[criterion])
    return None


def _floats(bracket: PairedBracket) -> list[int]:
    return bracket.floaters + ([] if bracket.bye is None else [bracket.bye])


def _float_scores(field: Field, bracket: PairedBracket) -> Amount:
    return tuple(sorted((field.scores[place] for place in _floats(bracket)), reverse=True))
