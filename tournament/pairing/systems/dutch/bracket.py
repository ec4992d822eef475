"""One bracket optimised: the best pairing by C6 to C21, and of equals the first of the order.

The graph holds the bracket and as many of the next score groups as are asked for; whoever is left
single there goes on to the groups below. It is a relaxation, as those groups are not looked into:
when what it finds can be completed it is the pairing, otherwise the caller asks with more groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pairing.systems.dutch.criteria import Criterion, Term
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.graph import BracketGraph
from tournament.pairing.systems.dutch.lexicographic_matching import LexicographicMatching
from tournament.pairing.systems.dutch.order import Ordering


@dataclass(frozen=True, slots=True)
class Optimum:
    """What the optimisation found, in places of the field.

    `pairs` are the bracket's, `floaters` those who go on to the next bracket and `beyond` those of
    the graph who go on below it. `bye` is who takes it: known as soon as it is the bracket's only
    float; of several floaters the next bracket finds out which one. `totals` are the criteria's.
    """

    pairs: list[tuple[int, int]]
    floaters: list[int]
    beyond: list[int]
    bye: int | None
    totals: dict[Term, int]


def optimise(
    field: Field,
    moved: Sequence[int],
    residents: Sequence[int],
    below: Sequence[range],
    *,
    bye_candidates: int,
    is_open: bool,
) -> Optimum:
    """Pair a bracket, looking into the score groups `below`.

    `bye_candidates` are the players who may have the bye when it is taken in the graph. `is_open`
    tells
    that there are players below the graph to whom one can float. Raises Infeasible.
    """
    graph = BracketGraph(
        field, moved, residents, below, bye_candidates=bye_candidates, is_open=is_open
    )
    terms = graph.bracket.terms
    matching = LexicographicMatching(
        graph.edges, graph.singles, graph.kinds, [term.most for term in terms]
    )
    _optimise_criteria(graph, matching)
    totals = {term: matching.totals[i] for i, term in enumerate(terms) if i in matching.totals}
    pairs = Ordering(graph, matching).arrange()

    paired = {vertex for pair in pairs for vertex in pair}
    places, mate = graph.places, matching.mate
    floating = [vertex for vertex in range(graph.size) if vertex not in paired]
    single = [v for v in (*floating, *range(graph.size, len(places))) if mate[v] < 0]
    bye = None
    if len(floating) == 1 and graph.bye is not None and mate[floating[0]] == graph.bye:
        bye = places[floating.pop()]
    return Optimum(
        pairs=[(places[one], places[other]) for one, other in pairs],
        floaters=[places[vertex] for vertex in floating],
        beyond=[places[vertex] for vertex in single],
        bye=bye,
        totals=totals,
    )


def _optimise_criteria(graph: BracketGraph, matching: LexicographicMatching) -> None:
    """Bring the criteria to their best; C9 counts when the bye's taker alone floats down."""
    for index, term in enumerate(graph.bracket.terms):
        if term.criterion is Criterion.C9:
            assert graph.bye is not None
            matching.optimise(index)
            if matching.totals[0] != 1 or matching.mate[graph.bye] >= graph.size:
                matching.skip(index)
    matching.optimise()
