"""The matching against an exhaustive search, on small graphs of every density."""

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
    edges = [(one, other) for one in range(size) for other in range(one)]
    neighbours = [0] * size
    for one, other in draw(st.lists(st.sampled_from(edges), max_size=3 * size)):
        neighbours[one] |= 1 << other
        neighbours[other] |= 1 << one
    return neighbours


@given(graphs())
def test_it_is_found_exactly_when_there_is_one(neighbours: list[int]) -> None:
    size = len(neighbours)
    if not can_match(tuple(neighbours), (1 << size) - 1):
        with pytest.raises(Unmatched) as blocked:
            Matching(neighbours)
        # Tutte and Berge: without the inner ones, the outer ones fall into too many odd parts.
        outer, inner = set(blocked.value.outer), blocked.value.inner
        odd = 0
        while outer:
            part, queue = set(), [outer.pop()]
            while queue:
                vertex = queue.pop()
                part.add(vertex)
                touched = set(bits(neighbours[vertex])) & outer
                outer -= touched
                queue += touched
            odd += len(part) % 2
        assert odd > len(inner)
        return
    partner = Matching(neighbours).partner
    assert all(partner[partner[v]] == v and neighbours[v] >> partner[v] & 1 for v in range(size))


@given(graphs(), st.data())
def test_a_pair_is_settled_exactly_when_the_others_remain_matched(
    neighbours: list[int], data: st.DataObject
) -> None:
    try:
        matching = Matching(neighbours)
    except Unmatched:
        return
    vertices = st.integers(0, len(neighbours) - 1)
    for _ in range(len(neighbours)):
        one, other = data.draw(vertices), data.draw(vertices)
        left = matching.left
        pair = 1 << one | 1 << other
        possible = (
            one != other
            and left & pair == pair
            and neighbours[one] >> other & 1 == 1
            and can_match(tuple(neighbours), left & ~pair)
        )
        assert matching.settle(one, other) is possible
        assert matching.left == (left & ~pair if possible else left)
