"""Load the registered players that the lines of a file may mean."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from games.bulk import BATCH_SIZE, chunks
from games.core.uploads.progress import Progress
from games.models import Player
from games.queries import unmerged_players
from games.rules.text import Text


@dataclass(frozen=True, slots=True)
class RegisteredPlayers:
    """The registered players by id, by FIDE id and by folded name."""

    by_id: dict[int, Player]
    by_fide_id: dict[str, list[Player]]
    by_name: dict[str, list[Player]]


def load_registered(
    ids: Iterable[int], fide_ids: Iterable[str], names: Iterable[str], progress: Progress
) -> RegisteredPlayers:
    """Return the players with these ids, FIDE ids and folded names."""
    ordered = sorted(set(names))
    registered = RegisteredPlayers({}, defaultdict(list), defaultdict(list))
    for numbers in chunks(sorted(set(ids))):
        registered.by_id.update({player.pk: player for player in _players(Q(pk__in=numbers))})
    for numbers_of_fide in chunks(sorted(set(fide_ids))):
        for player in _players(Q(external_ids__fide__in=numbers_of_fide)):
            registered.by_fide_id[str(player.external_ids["fide"])].append(player)
    for count, chunk in enumerate(chunks(ordered)):
        progress(Text("matching players"), count * BATCH_SIZE, len(ordered))
        for player in _players(Q(folded_name__in=chunk)):
            registered.by_name[player.folded_name].append(player)
    return registered


def _players(condition: Q) -> Iterable[Player]:
    return unmerged_players().filter(condition).order_by("pk")
