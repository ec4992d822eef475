"""The field: everybody to be paired, in order, with all that the criteria ask of a player.

Players stand by score (virtual points included) and pairing number; the place in that order, from
0, is what the engine calls a player. Sets of players are integers with one bit a place. One place
more than there are players stands for the pairing-allocated bye.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from games.rules.seat import Seat
from tournament.pairing.request import (
    PairingRequest,
    bars_pairing_bye,
    opponents_met,
    played_seats,
)
from tournament.pairing.systems.dutch.seat_preferences import (
    SeatPreference,
    Strength,
    seat_preference_of,
)
from tournament.standings.crosstable import (
    PAIRED,
    Competitor,
    Crosstable,
    Kind,
    PlayerId,
    RoundResult,
)


@dataclass(slots=True, kw_only=True)
class Field:
    """The players of a round by place.

    `allowed[p]` is the set of those whom p may meet (C1, C3 and forbidden pairs),
    `bye_candidates` the set
    of those who may have the bye (C2). `groups` are the places of each score group, the best
    first. `downfloats` and `upfloats` are the sets of those who floated in the last round and in
    the one before. `rank` is the pairing number that decides seats (5.2.5): those who were never
    paired and do not play now are left out of the count.
    """

    numbers: tuple[PlayerId, ...]
    scores: tuple[int, ...]
    groups: tuple[range, ...]
    allowed: list[int]
    bye_candidates: int
    seat_preferences: tuple[SeatPreference, ...]
    seats: tuple[tuple[Seat, ...], ...]
    unplayed: tuple[int, ...]
    topscorers: int
    downfloats: tuple[int, int]
    upfloats: tuple[int, int]
    rank: tuple[int, ...]
    initial_seat: Seat

    @property
    def bye(self) -> int:
        """The place that stands for the pairing-allocated bye."""
        return len(self.numbers)

    @property
    def everybody(self) -> int:
        """The set of all players."""
        return (1 << len(self.numbers)) - 1


def field_of(request: PairingRequest) -> Field:
    """Order the players present and read their histories.

    Where seats carry no advantage nobody has a preference: C3 and C10 to C13 fall away, and the
    pairing numbers alone decide who sits first (5.2.5).
    """
    table = request.crosstable
    running = {
        player.number: _running_scores(table, player, request.round) for player in table.players
    }
    present = sorted(request.present, key=lambda number: (-running[number][-1], number))
    place = {number: index for index, number in enumerate(present)}
    histories = [request.earlier(number) for number in present]
    played = [played_seats(history) for history in histories]
    seats = tuple(played) if request.balance_seats else ((),) * len(played)
    seat_preferences = tuple(seat_preference_of(one) for one in seats)
    scores = tuple(running[number][-1] for number in present)
    topscorers = _topscorers(request, scores)
    allowed = _allowed(present, histories, place)
    for one, other in request.forbidden:
        if one in place and other in place:
            allowed[place[one]] &= ~(1 << place[other])
            allowed[place[other]] &= ~(1 << place[one])
    _keep_absolutes_apart(allowed, seat_preferences, topscorers)
    for one, other in request.exempt:
        if one in place and other in place:
            allowed[place[one]] |= 1 << place[other]
            allowed[place[other]] |= 1 << place[one]
    bye_candidates = 0
    for index, history in enumerate(histories):
        if not bars_pairing_bye(table, history) or present[index] in request.exempt_byes:
            bye_candidates |= 1 << index
    last, last_but_one = (
        _floats(request, running, present, request.round - 1),
        _floats(request, running, present, request.round - 2),
    )
    return Field(
        numbers=tuple(present),
        scores=scores,
        groups=_groups(scores),
        allowed=allowed,
        bye_candidates=bye_candidates,
        seat_preferences=seat_preferences,
        seats=seats,
        unplayed=tuple(request.round - 1 - len(one) for one in played),
        topscorers=topscorers,
        downfloats=(last[0], last_but_one[0]),
        upfloats=(last[1], last_but_one[1]),
        rank=_ranks(request, present),
        initial_seat=request.initial_seat or table.initial_seat or first_seat_drawn(table),
    )


def _running_scores(table: Crosstable, player: Competitor, round_number: int) -> list[int]:
    """Give the pairing score before each round up to the one to pair, virtual points included."""
    results = player.results[: round_number - 1]
    awarded = [table.units_of(result) for result in results]
    awarded += [table.points.zero_bye] * (round_number - 1 - len(results))
    totals = list(accumulate(awarded, initial=0))
    for index, units in enumerate(player.virtual[:round_number]):
        totals[index] += units
    return totals


def _topscorers(request: PairingRequest, scores: Sequence[int]) -> int:
    """Give those with more than half the maximum score, in the last round alone (1.8)."""
    if request.round < request.crosstable.rounds:
        return 0
    most = request.crosstable.points.win * (request.round - 1)
    return _set(index for index, score in enumerate(scores) if 2 * score > most)


def _allowed(
    present: Sequence[PlayerId],
    histories: Sequence[Sequence[RoundResult]],
    place: dict[PlayerId, int],
) -> list[int]:
    everybody = (1 << len(present)) - 1
    allowed = []
    for index, history in enumerate(histories):
        barred = 1 << index
        for opponent in opponents_met(history):
            if opponent in place:
                barred |= 1 << place[opponent]
        allowed.append(everybody ^ barred)
    return allowed


def _keep_absolutes_apart(
    allowed: list[int], seat_preferences: Sequence[SeatPreference], topscorers: int
) -> None:
    """Apply C3: the same absolute preference keeps two apart unless one is a topscorer."""
    for seat in Seat:
        clashing = _set(
            index
            for index, one in enumerate(seat_preferences)
            if one.strength is Strength.ABSOLUTE and one.seat is seat
        )
        clashing &= ~topscorers
        for index in range(len(allowed)):
            if clashing >> index & 1:
                allowed[index] &= ~clashing


def _floats(
    request: PairingRequest,
    running: dict[PlayerId, list[int]],
    present: Sequence[PlayerId],
    round_number: int,
) -> tuple[int, int]:
    """Give the sets of those who floated down and up in a round (article 1.4)."""
    if round_number < 1:
        return 0, 0
    table = request.crosstable
    down, up = 0, 0
    for index, number in enumerate(present):
        result = table.by_number[number].result(round_number)
        if result.is_played and result.opponent is not None:
            own = running[number][round_number - 1]
            other = running[result.opponent][round_number - 1]
            down |= (own > other) << index
            up |= (own < other) << index
        elif result.kind is Kind.PAIRING_BYE or table.units_of(result) > table.points.loss:
            down |= 1 << index
    return down, up


def _groups(scores: Sequence[int]) -> tuple[range, ...]:
    starts = [i for i, score in enumerate(scores) if not i or scores[i - 1] != score]
    stops = [*starts[1:], len(scores)][: len(starts)]
    return tuple(range(start, stop) for start, stop in zip(starts, stops, strict=True))


def _ranks(request: PairingRequest, present: Sequence[PlayerId]) -> tuple[int, ...]:
    here = set(present)
    ranks: dict[PlayerId, int] = {}
    for player in request.crosstable.players:
        history = request.earlier(player.number)
        if player.number in here or any(
            one.kind in PAIRED or one.kind is Kind.PAIRING_BYE for one in history
        ):
            ranks[player.number] = len(ranks) + 1
    return tuple(ranks[number] for number in present)


def first_seat_drawn(table: Crosstable) -> Seat:
    """Read the lot from the first game of the event when nobody recorded it.

    In round 1 the player of the odd rank on each board got the initial seat.
    """
    rank = 0
    for player in table.players:
        result = player.result(1)
        if result.kind in PAIRED or result.kind is Kind.PAIRING_BYE:
            rank += 1
            if (
                result.is_played
                and result.seat is not None
                and player.number < (result.opponent or 0)
            ):
                return result.seat if rank % 2 else result.seat.other
    return Seat.FIRST


def _set(places: Iterable[int]) -> int:
    members = 0
    for place in places:
        members |= 1 << place
    return members
