"""What the system pairs in rounds that are paired already: after other results, or settings.

Rounds that were set by hand or imported, and round robins, are not compared.
"""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from games.core.errors import Conflict
from tournament.core.engine import LONGEST_PAIRING, PairingTooLong, build_request
from tournament.core.queries import current_pairings
from tournament.core.systems import system_of
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.deadline import OutOfTime, end_after
from tournament.pairing.errors import PairingError
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.separations import Separation
from tournament.standings.crosstable import Crosstable, PlayerId

PAIRED_KINDS = (Pairing.Kind.GAME, Pairing.Kind.PAIRING_BYE)
Place = tuple[PlayerId, ...]
"""The players of a board, the first seat first, or the one who has the bye."""


def rounds_to_compare(tournament: Tournament) -> list[Round]:
    """Return the rounds that the system has paired, by number."""
    system = system_of(tournament)
    if system.has_schedule and system.find_progress is None:
        return []
    rounds = tournament.round_set.filter(system=tournament.system)
    return list(rounds.exclude(state=Round.State.PLANNED).order_by("number"))


def load_places(tournament: Tournament) -> dict[int, list[Place]]:
    """Return the boards and byes of each round whose players were to be paired, by board.

    Others were absent or had asked for a bye.
    """
    rows = current_pairings(tournament).filter(kind__in=PAIRED_KINDS).order_by("board_number")
    places: dict[int, list[Place]] = {}
    for number, *players in rows.values_list(
        "round__number", "first__pairing_number", "second__pairing_number"
    ):
        place = tuple(player for player in players if player is not None)
        places.setdefault(number, []).append(place)
    return places


def request_again(
    tournament: Tournament,
    number: int,
    table: Crosstable,
    separations: Sequence[Separation],
    places: Sequence[Place],
) -> PairingRequest | None:
    """Return the request to pair the players of a round again; None if it is impossible."""
    present: AbstractSet[PlayerId] = {player for place in places for player in place}
    absent = frozenset(table.by_number.keys() - present)
    try:
        return build_request(tournament, number, table.after(number - 1), separations, absent)
    except Conflict:
        return None


def is_paired_alike(
    tournament: Tournament, old: PairingRequest | None, new: PairingRequest | None
) -> bool:
    """Return True if two requests of a round differ in nothing that the system reads.

    The Dutch system reads no tie-breaks, and of the rounds only whether this is the last one.
    """
    if old is None or new is None or not system_of(tournament).has_criterion_c3:
        return old == new
    before, after = old.crosstable, new.crosstable
    is_last, becomes_last = (old.round == table.rounds for table in (before, after))
    table = replace(
        after, rounds=before.rounds, unrated=before.unrated, decided=before.decided, is_checked=True
    )
    return is_last == becomes_last and old == replace(new, codes=old.codes, crosstable=table)


def pair_again(tournament: Tournament, request: PairingRequest | None) -> Pairings | None:
    """Return the pairings of a round, None if there are none by the rules.

    Raises PairingTooLong.
    """
    try:
        with end_after(LONGEST_PAIRING):
            return None if request is None else system_of(tournament).pair(request)
    except OutOfTime as error:
        raise PairingTooLong from error
    except PairingError:
        return None
