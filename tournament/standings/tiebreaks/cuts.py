"""Cuts, Cn and Mn: the terms that a value leaves out (C.07 14.1-14.4, 16.5; 2026-03-01)."""

from collections.abc import Sequence

from tournament.standings.tiebreaks.values import Cut, TiebreakTerm


def cut_terms(terms: Sequence[TiebreakTerm], low: int, high: int) -> Sequence[TiebreakTerm]:
    """Mark the `low` least significant, then the `high` most significant terms as cut.

    The least significant term has the lowest basis, and among equals the lowest value (14.1.1).
    As long as voluntary unplayed rounds remain, a low cut removes the lowest of them instead,
    unless its value is below that of the least significant term (16.5.1, 16.5.2). If there are
    fewer terms than cuts, all are cut.
    """
    if not low and not high:
        return terms
    cuts: dict[int, Cut] = {}
    left = sorted(range(len(terms)), key=lambda i: (terms[i].basis, terms[i].value))
    voluntary = sorted(
        (i for i in left if terms[i].is_voluntary), key=lambda i: (terms[i].value, terms[i].basis)
    )
    for _ in range(min(low, len(left))):
        index, reason = left[0], Cut.LOW
        if voluntary and terms[voluntary[0]].value >= terms[index].value:
            index, reason = voluntary[0], Cut.VOLUNTARY
        left.remove(index)
        if index in voluntary:
            voluntary.remove(index)
        cuts[index] = reason
    for index in left[len(left) - min(high, len(left)) :]:
        cuts[index] = Cut.HIGH
    marked = list(terms)
    for index, cut in cuts.items():
        marked[index] = terms[index]._replace(cut=cut)
    return marked


def cut_first_rounds(terms: Sequence[TiebreakTerm], count: int) -> Sequence[TiebreakTerm]:
    """Mark the first `count` terms as cut: the scores after the first rounds, in PS (14.1)."""
    return [*(term._replace(cut=Cut.LOW) for term in terms[:count]), *terms[count:]]
