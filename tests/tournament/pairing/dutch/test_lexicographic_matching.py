"""Lexicographic matchings compared with all matchings of small graphs."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tournament.pairing.systems.dutch import lexicographic_matching
from tournament.pairing.systems.dutch.lexicographic_matching import (
    MOST_BITS,
    Edge,
    Infeasible,
    LexicographicMatching,
)

WIDE = 1 << 50
"""A range so wide that no three objectives fit into one stage."""


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Edge], list[int | None], list[tuple[int, ...]]]:
    """Return edges, singles and what each kind adds to each of five objectives."""
    size = draw(st.integers(2, 7))
    costs = draw(st.lists(st.tuples(*[st.integers(0, 2)] * 5), min_size=1, max_size=5))
    kind = st.integers(0, len(costs) - 1)
    ends = [(i, j) for j in range(size) for i in range(j)]
    chosen = draw(st.lists(st.sampled_from(ends), unique=True, max_size=12))
    singles = draw(st.lists(st.none() | kind, min_size=size, max_size=size))
    return [(i, j, draw(kind)) for i, j in chosen], singles, costs


def all_totals(
    edges: list[Edge], singles: list[int | None], costs: list[tuple[int, ...]]
) -> Iterator[tuple[int, ...]]:
    def completed(vertex: int, taken: frozenset[int], kinds: list[int]) -> Iterator[list[int]]:
        if vertex == len(singles):
            yield kinds
            return
        if vertex in taken:
            yield from completed(vertex + 1, taken, kinds)
            return
        own = singles[vertex]
        if own is not None:
            yield from completed(vertex + 1, taken, [*kinds, own])
        for i, j, kind in edges:
            if i == vertex and j not in taken:
                yield from completed(vertex + 1, taken | {j}, [*kinds, kind])

    for kinds in completed(0, frozenset(), []):
        yield tuple(sum(costs[kind][objective] for kind in kinds) for objective in range(5))


@pytest.mark.parametrize("ample", [lexicographic_matching.AMPLE_BITS, 0], ids=["ample", "narrow"])
# The first draw in a new checkout is slow: Hypothesis reads the constants of all modules.
@settings(suppress_health_check=[HealthCheck.too_slow])
@given(problem=problems(), is_wide=st.booleans())
def test_the_totals_are_lexicographically_least(
    problem: tuple[list[Edge], list[int | None], list[tuple[int, ...]]], is_wide: bool, ample: int
) -> None:
    edges, singles, costs = problem
    kinds = [tuple((t, amount) for t, amount in enumerate(cost) if amount) for cost in costs]
    most = [WIDE if is_wide else 2 * len(singles)] * 5
    best = min(all_totals(edges, singles, costs), default=None)
    matching = LexicographicMatching(list(edges), list(singles), kinds, most)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(lexicographic_matching, "AMPLE_BITS", ample)
        try:
            matching.optimise()
        except Infeasible:
            assert best is None
            return
    assert tuple(matching.totals.values()) == best
    assert matching.bits < MOST_BITS


def test_weights_that_are_too_wide_are_rejected() -> None:
    matching = LexicographicMatching([(0, 1, 0)], [None, None], [()], [])
    matching.optimise()
    matching.solve(scope=1 << 122)
    with pytest.raises(OverflowError, match="weights of 126 bits"):
        matching.solve(scope=1 << 124)
