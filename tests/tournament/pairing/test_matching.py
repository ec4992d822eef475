"""Matchings compared with an exhaustive search, in small graphs of every density."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pairing.matching import Matching, Unmatched, bits


@cache
def can_match(neighbours: tuple[int, ...], left: int) -> bool:
    if not left:
        return True
    low = left & -left
    rest = left ^ low
    partners = bits(neighbours[low.bit_length() - 1] & rest)
    return any(can_match(neighbours, rest ^ (1 << other)) for other in partners)


@st.composite
def graphs(draw: st.DrawFn) -> list[int]:
    size = draw(st.integers(1, 6)) * 2
    edges = [(a, b) for a in range(size) for b in range(a)]
    neighbours = [0] * size
    for a, b in draw(st.lists(st.sampled_from(edges), max_size=3 * size)):
        neighbours[a] |= 1 << b
        neighbours[b] |= 1 << a
    return neighbours


@given(graphs())
def test_a_perfect_matching_is_found_if_there_is_one(neighbours: list[int]) -> None:
    size = len(neighbours)
    if not can_match(tuple(neighbours), (1 << size) - 1):
        with pytest.raises(Unmatched) as blocked:
            Matching(neighbours)
        # Tutte-Berge: without the inner vertices, the outer ones form too many odd components.
        outer, inner = set(blocked.value.outer), blocked.value.inner
        odd = 0
        while outer:
            component, queue = set(), [outer.pop()]
            while queue:
                vertex = queue.pop()
                component.add(vertex)
                touched = set(bits(neighbours[vertex])) & outer
                outer -= touched
                queue += touched
            odd += len(component) % 2
        assert odd > len(inner)
        return
    partner = Matching(neighbours).partner
    assert all(partner[partner[v]] == v and neighbours[v] >> partner[v] & 1 for v in range(size))


@given(graphs(), st.data())
def test_a_pair_is_settled_if_all_others_can_be_matched(
    neighbours: list[int], data: st.DataObject
) -> None:
    try:
        matching = Matching(neighbours)
    except Unmatched:
        return
    vertices = st.integers(0, len(neighbours) - 1)
    for _ in range(len(neighbours)):
        a, b = data.draw(vertices), data.draw(vertices)
        left = matching.left
        pair = 1 << a | 1 << b
        possible = (
            a != b
            and left & pair == pair
            and neighbours[a] >> b & 1 == 1
            and can_match(tuple(neighbours), left & ~pair)
        )
        assert matching.settle(a, b) is possible
        assert matching.left == (left & ~pair if possible else left)


@given(graphs(), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 2**12 - 1)), max_size=8))
def test_partners_are_removed_if_all_can_still_be_matched(
    neighbours: list[int], limits: list[tuple[int, int]]
) -> None:
    everyone = (1 << len(neighbours)) - 1
    if not can_match(tuple(neighbours), everyone):
        return
    matching = Matching(list(neighbours))
    for vertex, partners in limits:
        if vertex >= len(neighbours):
            continue
        left = list(neighbours)
        left[vertex] &= partners
        for other in bits(neighbours[vertex] & ~partners):
            left[other] &= ~(1 << vertex)
        if matching.limit(vertex, partners):
            neighbours = left
        assert can_match(tuple(left), everyone) == (neighbours == left)
        assert matching.neighbours == neighbours
        for a, b in enumerate(matching.partner):
            assert neighbours[a] >> b & 1
            assert matching.partner[b] == a
