"""Round robin: everybody meets everybody, once a cycle, by the Berger tables (C.05 annex 1).

The places of the table are the pairing numbers, given by seed or by lot before round 1 and never
changed; late entries are impossible. With an odd number of players the one whose turn it is to
meet the missing top number is free: a round worth nothing, for everybody has one in each cycle.

Who is away, for a round or for good, keeps his place in the table. The option `absence` tells what
becomes of his games: they stay on their boards and are lost by forfeit (both sides, when both are
away), or they fall out and his opponents have half-point byes. Results of games played stand
whenever somebody withdraws.

A round set by hand may break the table; a game that it has brought forward is not paired again,
and neither is a pair kept apart: then there is no legal pairing, and the two are named.
"""

from collections.abc import Mapping, Sequence

from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.options import NumberOption, Option, OptionValue, WordOption
from tournament.pairing.request import Note, NoteCode, PairingRequest, Pairings, either_way
from tournament.pairing.systems.berger import berger_round, rounds_in_cycle
from tournament.standings.crosstable import PAIRED, Kind, PlayerId

MOST_CYCLES = 16
CYCLES = NumberOption(
    "cycles",
    "how often everybody meets everybody; left open, as often as the rounds hold",
    default=None,
    least=1,
    most=MOST_CYCLES,
)
NUMBERS = WordOption(
    "numbers",
    "how the places of the table are given",
    {
        "seed": "by rating, then name",
        "lot": "by the entries' `lot`, or drawn at the start when no entry has one",
    },
)
ABSENCE = WordOption(
    "absence",
    "what becomes of the games of somebody who is away",
    {
        "forfeit": "they stay and are lost by forfeit",
        "bye": "they fall out; the opponents have half-point byes",
    },
)
OPTIONS: tuple[Option, ...] = (CYCLES, NUMBERS, ABSENCE)


def pair_round_robin(request: PairingRequest) -> Pairings:
    """Give a round of the Berger table.

    Raises PairingRequestError for a round beyond the cycles, NoLegalPairing naming two who have
    met in this cycle already or are kept apart.
    """
    members = tuple(player.number for player in request.crosstable.players)
    if len(members) < 2:
        raise PairingRequestError("a round robin needs two players")
    cycles = cycles_held(len(members), request.crosstable.rounds, request.options)
    return pair_by_table(request, members, cycles)


def rounds_needed(players: int, rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Give how many rounds the event must have, when it is to have about `rounds`."""
    return rounds_in_cycle(players) * cycles_held(players, rounds, options)


def cycles_held(players: int, rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Give the cycles chosen, or as many as the rounds hold, at least one."""
    chosen = CYCLES.read(options)
    return (
        max(1, min(rounds // rounds_in_cycle(players), MOST_CYCLES)) if chosen is None else chosen
    )


def pair_by_table(request: PairingRequest, members: Sequence[PlayerId], cycles: int) -> Pairings:
    """Give the round of these members' table, who stand at its places in this order."""
    length = rounds_in_cycle(len(members))
    if request.round > length * cycles:
        times = "one cycle" if cycles == 1 else f"{cycles} cycles"
        raise PairingRequestError(
            f"a round robin of {len(members)} players in {times} has {length * cycles} rounds; "
            f"this is round {request.round}"
        )
    kept = ABSENCE.read(request.options) == "forfeit"
    begun = (request.round - 1) // length * length
    apart = either_way(request.forbidden)
    pairs, notes = [], []
    byes: dict[PlayerId, Kind] = {}
    forfeits: set[PlayerId] = set()
    for places in berger_round(len(members), cycles, request.round):
        if max(places) > len(members):
            free = members[min(places) - 1]
            if free not in request.absent:
                byes[free] = Kind.ZERO_BYE
                notes.append(Note(NoteCode.BYE, (free,), f"{free} is free this round"))
            continue
        first, second = (members[place - 1] for place in places)
        _refuse(request, first, second, begun, (first, second) in apart)
        away = [number for number in (first, second) if number in request.absent]
        if kept or not away:
            pairs.append((first, second))
            forfeits.update(away)
        elif len(away) == 1:
            byes[second if away == [first] else first] = Kind.HALF_BYE
        notes += [_absence_note(number, kept) for number in away]
    return Pairings(
        pairs=tuple(pairs),
        notes=tuple(notes),
        byes=tuple(sorted(byes.items())),
        forfeits=frozenset(forfeits),
    )


def _refuse(
    request: PairingRequest, one: PlayerId, other: PlayerId, begun: int, is_apart: bool
) -> None:
    """Raise NoLegalPairing when the two have had their game of this cycle or are kept apart."""
    if is_apart:
        raise NoLegalPairing(
            f"{one} and {other} are kept apart, and their game is due", (one, other)
        )
    for index, result in enumerate(request.earlier(one)[begun:], start=begun + 1):
        if result.opponent == other and result.kind in PAIRED:
            raise NoLegalPairing(
                f"the game of {one} and {other} is due, and they had it in round {index}",
                (one, other),
            )


def _absence_note(number: PlayerId, kept: bool) -> Note:
    fate = "his game is lost by forfeit" if kept else "his game falls out"
    return Note(NoteCode.FORFEIT, (number,), f"{number} is away; {fate}")
