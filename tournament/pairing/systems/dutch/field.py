"""The players of a round in order, with everything that the criteria need to know about them.

The order is by score (virtual points included), then by pairing number. The engine identifies a
player by their place in this order, from 0. A set of players is an integer with one bit for each
place. The place after the last player is the pairing-allocated bye.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.rules.seat import Seat
from tournament.pairing.bye import bye_candidates
from tournament.pairing.legal import allow_exempt_pairs, allowed_opponents
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems.dutch.seat_preferences import (
    SeatPreference,
    Strength,
    seat_preference_of,
)
from tournament.standings.crosstable import PAIRED, Crosstable, Kind, PlayerId


@dataclass(slots=True, kw_only=True)
class Field:
    """The players of a round by place.

    - `allowed[p]`: the players whom p may meet (C1, C3 and forbidden pairs).
    - `bye_candidates`: the players who may have the bye (C2).
    - `groups`: the places of each score group, the highest score first.
    - `unplayed`: the number of unplayed rounds of each player.
    - `topscorers`: the players with more than half the maximum score, in the last round.
    - `downfloats`, `upfloats`: the players who floated in the last round and in the one before.
    - `rank`: the pairing number that decides seats (5.2.5). It skips players who were never paired
      and do not play now.
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

    def has_seat_clash(self, a: int, b: int) -> bool:
        """Return True if C3 forbids a pair: the same absolute preference, and no topscorer."""
        if self.topscorers & (1 << a | 1 << b):
            return False
        return self.seat_preferences[a].clashes_absolutely(self.seat_preferences[b])


def field_of(request: PairingRequest) -> Field:
    """Order the present players and read their results.

    If seats carry no advantage, no player has a preference: C3 and C10 to C13 do not apply, and the
    pairing numbers alone decide who sits first (5.2.5).
    """
    table = request.crosstable
    running = {player.number: request.running_scores(player.number) for player in table.players}
    present = sorted(request.present, key=lambda number: (-running[number][-1], number))
    scores = tuple(running[number][-1] for number in present)
    played = [request.played_seats(number) for number in present]
    seats = tuple(played) if request.balance_seats else ((),) * len(played)
    seat_preferences = tuple(map(seat_preference_of, seats))
    topscorers = _topscorers(request, scores)
    allowed = allowed_opponents(request, present)
    _apply_criterion_c3(allowed, seat_preferences, topscorers)
    allow_exempt_pairs(allowed, request, present)
    last = _floats(request, running, present, request.round - 1)
    second_last = _floats(request, running, present, request.round - 2)
    return Field(
        numbers=tuple(present),
        scores=scores,
        groups=_groups(scores),
        allowed=allowed,
        bye_candidates=bye_candidates(request, present),
        seat_preferences=seat_preferences,
        seats=seats,
        unplayed=tuple(request.round - 1 - len(player_seats) for player_seats in played),
        topscorers=topscorers,
        downfloats=(last[0], second_last[0]),
        upfloats=(last[1], second_last[1]),
        rank=_ranks(request, present),
        initial_seat=request.initial_seat or table.initial_seat or deduce_initial_seat(table),
    )


def _topscorers(request: PairingRequest, scores: Sequence[int]) -> int:
    """Return the players with more than half the maximum score, in the last round (1.8)."""
    if request.round < request.crosstable.rounds:
        return 0
    most = request.crosstable.points.win * (request.round - 1)
    return _set_of(place for place, score in enumerate(scores) if 2 * score > most)


def _apply_criterion_c3(
    allowed: list[int], seat_preferences: Sequence[SeatPreference], topscorers: int
) -> None:
    """Forbid pairs with the same absolute preference, unless one is a topscorer (C3)."""
    for seat in Seat:
        clashing = _set_of(
            place
            for place, preference in enumerate(seat_preferences)
            if preference.strength is Strength.ABSOLUTE and preference.seat is seat
        )
        clashing &= ~topscorers
        for place in range(len(allowed)):
            if clashing >> place & 1:
                allowed[place] &= ~clashing


def _floats(
    request: PairingRequest,
    running: Mapping[PlayerId, Sequence[int]],
    present: Sequence[PlayerId],
    round_number: int,
) -> tuple[int, int]:
    """Return the players who floated down and those who floated up in a round (article 1.4)."""
    if round_number < 1:
        return 0, 0
    table = request.crosstable
    down, up = 0, 0
    for place, number in enumerate(present):
        result = table.by_number[number].result(round_number)
        if result.is_played and result.opponent is not None:
            own = running[number][round_number - 1]
            other = running[result.opponent][round_number - 1]
            down |= (own > other) << place
            up |= (own < other) << place
        elif result.kind is Kind.PAIRING_BYE or table.units_of(result) > table.points.loss:
            down |= 1 << place
    return down, up


def _groups(scores: Sequence[int]) -> tuple[range, ...]:
    starts = [i for i, score in enumerate(scores) if not i or scores[i - 1] != score]
    stops = [*starts[1:], len(scores)][: len(starts)]
    return tuple(range(start, stop) for start, stop in zip(starts, stops, strict=True))


def _ranks(request: PairingRequest, present: Sequence[PlayerId]) -> tuple[int, ...]:
    is_present = set(present)
    ranks: dict[PlayerId, int] = {}
    for player in request.crosstable.players:
        if player.number in is_present or any(
            result.kind in PAIRED or result.kind is Kind.PAIRING_BYE
            for result in request.earlier(player.number)
        ):
            ranks[player.number] = len(ranks) + 1
    return tuple(ranks[number] for number in present)


def deduce_initial_seat(table: Crosstable) -> Seat:
    """Return the initial seat by the first game of round 1, if no file records it.

    In round 1, the player with the odd rank on each board had the initial seat.
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


def _set_of(places: Iterable[int]) -> int:
    members = 0
    for place in places:
        members |= 1 << place
    return members
