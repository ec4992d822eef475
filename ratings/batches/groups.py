"""Groups of players who play nearly only each other, for the officers before a list is published.

Two players are linked by three rated games; players who are linked, directly or by others, are a
group. So are those of whom nobody has played the rest of the pool at all. A group is closed if it
is at most half of the rated players, and has at least six games, four of five of all games of its
players.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from games.models import Player
from ratings.models import BatchGame, Pool

LINK: Final = 3
"""The games that link two players."""
FEWEST_GAMES: Final = 6
LEAST_SHARE: Final = 80
"""The share of the games inside of all games of the players, in percent."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ClosedGroup:
    """Players with the number of their rated games, and of those among themselves."""

    players: tuple[int, ...]
    games: int
    inside: int


def find_closed_groups(pool: Pool) -> list[dict[str, Any]]:
    """Return the closed groups of a pool as JSON, those with most games first."""
    rated = BatchGame.objects.filter(pool=pool, exclusion="").values_list("first_id", "second_id")
    games = Counter((min(pair), max(pair)) for pair in rated.iterator(chunk_size=2000))
    groups = sorted(_closed(games), key=lambda group: (-group.inside, group.players))
    named = {number for group in groups for number in group.players}
    names = dict(Player.objects.filter(pk__in=named).values_list("pk", "name"))
    return [
        {
            "players": [{"id": number, "name": names[number]} for number in group.players],
            "games": group.games,
            "inside": group.inside,
        }
        for group in groups
    ]


def _closed(games: Counter[Pair]) -> Iterator[ClosedGroup]:
    rated = {number for pair in games for number in pair}
    linked = [pair for pair, count in games.items() if count >= LINK]
    for players in {*_components(linked), *_components(games)}:
        members = set(players)
        total = sum(count for pair, count in games.items() if not members.isdisjoint(pair))
        inside = sum(count for pair, count in games.items() if members.issuperset(pair))
        is_small = 2 * len(members) <= len(rated)
        if is_small and inside >= FEWEST_GAMES and 100 * inside >= LEAST_SHARE * total:
            yield ClosedGroup(players, total, inside)


def _components(pairs: Iterable[Pair]) -> list[tuple[int, ...]]:
    """Return the connected components of a graph, each in order."""
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs:
        neighbours[one].add(other)
        neighbours[other].add(one)
    found, seen = [], set[int]()
    for start in sorted(neighbours):
        if start not in seen:
            component = _reachable(start, neighbours)
            seen |= component
            found.append(tuple(sorted(component)))
    return found


def _reachable(start: int, neighbours: dict[int, set[int]]) -> set[int]:
    reached, waiting = {start}, [start]
    while waiting:
        new = neighbours[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached
