"""Which elements a Cn or Mn leaves out (C.07 14.1-14.4 and 16.5, edition of 2026-03-01)."""

from collections.abc import Mapping, Sequence

from tournament.standings.tiebreaks.score_table import Cut, Element

NOTHING: Mapping[int, Cut] = {}


def cut_elements(elements: Sequence[Element], low: int, high: int) -> Mapping[int, Cut]:
    """Choose `low` least and then `high` most significant elements, by their index.

    The least significant is the one of the lowest basis, of several the lowest value (14.1.1).
    While voluntary unplayed rounds are left, the lowest of them goes instead, unless its value
    is below that of the least significant (16.5.1, again for each cut 16.5.2). High cuts know no
    such preference. Where there are fewer elements than cuts, all go.
    """
    if not low and not high:
        return NOTHING
    cuts: dict[int, Cut] = {}
    left = sorted(range(len(elements)), key=lambda i: (elements[i].basis, elements[i].value))
    voluntary = sorted(
        (i for i in left if elements[i].is_voluntary),
        key=lambda i: (elements[i].value, elements[i].basis),
    )
    for _ in range(min(low, len(left))):
        gone, reason = left[0], Cut.LOW
        if voluntary and elements[voluntary[0]].value >= elements[gone].value:
            gone = voluntary[0]
            reason = Cut.VOLUNTARY
        left.remove(gone)
        if gone in voluntary:
            voluntary.remove(gone)
        cuts[gone] = reason
    for gone in left[len(left) - min(high, len(left)) :]:
        cuts[gone] = Cut.HIGH
    return cuts


def cut_ratings(elements: Sequence[Element], low: int, high: int) -> Mapping[int, Cut]:
    """Choose the lowest and then the highest ratings: article 16 has no say in article 10."""
    return cut_elements([element._replace(is_voluntary=False) for element in elements], low, high)


def cut_first_rounds(elements: Sequence[Element], count: int) -> Mapping[int, Cut]:
    """Choose the scores after the first rounds, played or not (14.1, for PS)."""
    return dict.fromkeys(range(min(count, len(elements))), Cut.LOW)
