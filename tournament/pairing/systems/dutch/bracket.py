"""Optimise a bracket: the best pairing by C6 to C21, and among equals the first in the order.

The graph contains the bracket and some of the next score groups; a player who is left single there
floats to the groups below. This is a relaxation, because it does not look into the groups below: a
result that can be completed is the pairing, otherwise the caller includes more groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.graph import BracketGraph
from tournament.pairing.systems.dutch.lexicographic_matching import LexicographicMatching
from tournament.pairing.systems.dutch.order import Ordering


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best pairing of a bracket, in places of the field.

    `pairs` are those of the bracket, `floaters` float to the next bracket, and `beyond` are all
    players of the graph who float below it. `bye` has the bye if they are the only floater of the
    bracket; if there are several, the next bracket decides.
    """

    pairs: list[tuple[int, int]]
    floaters: list[int]
    beyond: list[int]
    bye: int | None


def optimise(
    field: Field,
    moved: Sequence[int],
    residents: Sequence[int],
    below: Sequence[range],
    *,
    bye_candidates: int,
    is_open: bool,
    needed: tuple[int, int] = (0, 0),
) -> Optimum:
    """Pair a bracket together with the score groups `below`.

    `bye_candidates` may have the bye, if a player of the graph has it. `is_open` is True if there
    are players below the graph to whom a player can float, `needed` says how many must, and whom
    they meet (`Completion.needed_floaters`). Raises Infeasible.
    """
    graph = BracketGraph(
        field,
        moved,
        residents,
        below,
        bye_candidates=bye_candidates,
        is_open=is_open,
        needed=needed,
    )
    matching = LexicographicMatching(
        graph.edges,
        graph.singles,
        graph.kinds,
        [objective.most for objective in graph.bracket.objectives],
    )
    _optimise_criteria(graph, matching)
    pairs = Ordering(graph, matching).arrange()

    paired = {vertex for pair in pairs for vertex in pair}
    places, mate = graph.places, matching.mate
    floating = [vertex for vertex in range(graph.size) if vertex not in paired]
    single = [
        v for v in (*floating, *range(graph.size, len(places))) if not 0 <= mate[v] < graph.players
    ]
    bye = None
    if len(floating) == 1 and graph.bye is not None and mate[floating[0]] == graph.bye:
        bye = places[floating.pop()]
    return Optimum(
        pairs=[(places[higher], places[lower]) for higher, lower in pairs],
        floaters=[places[vertex] for vertex in floating],
        beyond=[places[vertex] for vertex in single],
        bye=bye,
    )


def _optimise_criteria(graph: BracketGraph, matching: LexicographicMatching) -> None:
    """Optimise all criteria; C9 counts only if the player with the bye is the only downfloater."""
    for index, objective in enumerate(graph.bracket.objectives):
        if objective.criterion is Criterion.C9:
            assert graph.bye is not None
            matching.optimise(index)
            if matching.totals[0] != 1 or matching.mate[graph.bye] >= graph.size:
                matching.skip(index)
    matching.optimise()
