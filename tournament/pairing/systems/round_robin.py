"""Round robin: each player meets every other player once in each cycle (C.05 annex 1).

The places of the Berger tables are the pairing numbers. They are given by seed or by lot before
round 1 and never change; late entries are impossible. With an odd number of players, the player
whose turn it is to meet the missing last number is free. The free round is worth nothing, because
each player has one in each cycle.

An absent player keeps their place in the table. The option `absence` decides what becomes of their
games: they stay on their boards and are lost by forfeit (by both players, if both are absent), or
they are cancelled and the opponents have half-point byes. Results of played games count even if a
player withdraws, unless the option `withdrawn` strikes them.

A round set by hand may differ from the table. A game that was played early is not paired again, and
neither is a forbidden pair: there is no legal pairing then, and the error names the two players.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.pairing.errors import NoLegalPairing, OptionError, PairingRequestError, kept_apart
from tournament.pairing.findings import Finding
from tournament.pairing.options import MOST_GAMES, NumberOption, Option, OptionValue, WordOption
from tournament.pairing.request import Pair, PairingRequest, Pairings, in_both_orders
from tournament.pairing.sentences import Sentence
from tournament.pairing.systems.berger import berger_round, rounds_in_cycle
from tournament.standings.crosstable import ABSENT, PAIRED, Crosstable, Kind, PlayerId

CYCLES = NumberOption(
    "cycles",
    gettext_noop("Cycles"),
    gettext_noop("how often two players meet; if not set, as often as the rounds allow"),
    default=None,
    least=1,
    most=MOST_GAMES,
)
NUMBERS_OPTION = WordOption(
    "numbers",
    gettext_noop("Places in the table"),
    gettext_noop("how players get their places in the table"),
    {
        "seed": gettext_noop("by rating, then name"),
        "lot": gettext_noop(
            "by the lots of the entries, or drawn at the start if no entry has a lot"
        ),
    },
)
ABSENCE = WordOption(
    "absence",
    gettext_noop("Absent players"),
    gettext_noop("what becomes of the games of an absent player"),
    {
        "forfeit": gettext_noop("they stay and are lost by forfeit"),
        "bye": gettext_noop("they are cancelled; the opponents have half-point byes"),
    },
)
SCHEDULE = WordOption(
    "schedule",
    gettext_noop("Open rounds"),
    gettext_noop("when the rounds are open"),
    {
        "by_round": gettext_noop("one after the other"),
        "league": gettext_noop(
            "all at once: the start publishes them, and results come in any order"
        ),
    },
)
WITHDRAWN = WordOption(
    "withdrawn",
    gettext_noop("Withdrawn players"),
    gettext_noop("what becomes of the results of a player who withdraws"),
    {
        "strike_under_half": gettext_noop(
            "they count only if the player has played at least half of their games (C.05 6.6); "
            "else the player is not in the tables, and the results count for rating only"
        ),
        "keep": gettext_noop("they count"),
    },
)
ROUND_ROBIN_OPTIONS: tuple[Option, ...] = (CYCLES, NUMBERS_OPTION, ABSENCE, SCHEDULE, WITHDRAWN)


def check_options(options: Mapping[str, OptionValue]) -> None:
    """Raise OptionError for a league that cancels games: all of them are published at the start."""
    if SCHEDULE.read(options) == "league" and ABSENCE.read(options) == "bye":
        detail = Text("in a league, the games of an absent player are lost by forfeit")
        raise OptionError(ABSENCE.name, detail, ("forfeit",))


def find_struck(
    table: Crosstable, withdrawn: Collection[PlayerId], options: Mapping[str, OptionValue]
) -> frozenset[PlayerId]:
    """Return the withdrawn players whose results do not count in the tables.

    If these are all players, the event was broken off, and its table shows what was played.
    """
    if not withdrawn or WITHDRAWN.read(options) == "keep":
        return frozenset()
    games = (len(table.players) - 1) * count_cycles(len(table.players), table.rounds, options)
    struck = frozenset(
        number
        for number in withdrawn
        if 2 * sum(result.is_played for result in table.by_number[number].results) < games
    )
    return struck if len(struck) < len(table.players) else frozenset()


def strike(
    table: Crosstable, withdrawn: Collection[PlayerId], options: Mapping[str, OptionValue]
) -> Crosstable:
    """Return the crosstable without withdrawn players whose results do not count."""
    return leave_out(table, find_struck(table, withdrawn, options), options)


def leave_out(
    table: Crosstable, struck: frozenset[PlayerId], options: Mapping[str, OptionValue]
) -> Crosstable:
    """Return the crosstable without struck players.

    Rounds against them are free, those included in which the opponents had half-point byes because
    the games were cancelled.
    """
    if not struck or ABSENCE.read(options) == "forfeit":
        return table.without(struck)
    members = [player.number for player in table.players]
    cycles = count_cycles(len(members), table.rounds, options)
    free: dict[PlayerId, set[int]] = defaultdict(set)
    for number in range(1, rounds_in_cycle(len(members)) * cycles + 1):
        for places in berger_round(len(members), cycles, number):
            pair = {members[place - 1] for place in places if place <= len(members)}
            if not pair.isdisjoint(struck):
                for player in pair:
                    free[player].add(number)
    players = tuple(
        replace(
            player,
            results=tuple(
                ABSENT if number in free[player.number] and result.kind is Kind.HALF_BYE else result
                for number, result in enumerate(player.results, start=1)
            ),
        )
        for player in table.players
    )
    return replace(table, players=players).without(struck)


def pair_round_robin(request: PairingRequest) -> Pairings:
    """Return a round of the Berger table.

    Raises PairingRequestError for a round after the last cycle, and NoLegalPairing for two players
    who have already met in this cycle or are kept apart.
    """
    members = tuple(player.number for player in request.crosstable.players)
    if len(members) < 2:
        raise PairingRequestError(Text("a round robin needs at least two players"))
    cycles = count_cycles(len(members), request.crosstable.rounds, request.options)
    return pair_by_table(request, members, cycles)


def rounds_needed(players: int, rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Return the number of rounds of a tournament that has about `rounds`."""
    return rounds_in_cycle(players) * count_cycles(players, rounds, options)


def count_cycles(players: int, rounds: int, options: Mapping[str, OptionValue]) -> int:
    """Return the chosen number of cycles, or as many as the rounds allow, at least one."""
    chosen = CYCLES.read(options)
    if chosen is not None:
        return chosen
    return max(1, min(rounds // rounds_in_cycle(players), MOST_GAMES))


def pair_by_table(request: PairingRequest, members: Sequence[PlayerId], cycles: int) -> Pairings:
    """Return the round of a table whose places these members have, in this order."""
    length = rounds_in_cycle(len(members))
    if request.round > length * cycles:
        times = Text("one cycle") if cycles == 1 else Text("%(count)s cycles", count=cycles)
        raise PairingRequestError(
            Text(
                "a round robin of %(players)s players in %(detail)s has %(rounds)s "
                "rounds; this is round %(number)s",
                players=len(members),
                detail=times,
                rounds=length * cycles,
                number=request.round,
            )
        )
    has_forfeits = ABSENCE.read(request.options) == "forfeit"
    absence = Sentence.FORFEIT if has_forfeits else Sentence.CANCELLED
    earlier_cycles = (request.round - 1) // length * length
    separated = in_both_orders(request.forbidden)
    pairs: list[Pair] = []
    findings: list[Finding] = []
    byes: dict[PlayerId, Kind] = {}
    for places in berger_round(len(members), cycles, request.round):
        if max(places) > len(members):
            free = members[min(places) - 1]
            if free not in request.absent:
                byes[free] = Kind.ZERO_BYE
                findings.append(Sentence.FREE.about(free))
            continue
        first, second = pair = (members[places[0] - 1], members[places[1] - 1])
        _require_legal(request, pair, earlier_cycles, is_separated=pair in separated)
        absent = [number for number in pair if number in request.absent]
        if has_forfeits or not absent:
            pairs.append(pair)
        elif len(absent) == 1:
            byes[second if absent == [first] else first] = Kind.HALF_BYE
        findings += [absence.about(number) for number in absent]
    return Pairings(tuple(pairs), None, tuple(findings), tuple(sorted(byes.items())))


def _require_legal(
    request: PairingRequest, pair: Pair, earlier_cycles: int, *, is_separated: bool
) -> None:
    """Raise NoLegalPairing if two players are kept apart or have met in this cycle."""
    first, second = pair
    if is_separated:
        raise kept_apart(first, second)
    results = request.earlier(first)[earlier_cycles:]
    for round_number, result in enumerate(results, start=earlier_cycles + 1):
        if result.opponent == second and result.kind in PAIRED:
            raise NoLegalPairing(
                Text(
                    "%(first)s and %(second)s have to meet but were paired in round %(number)s",
                    first=first,
                    second=second,
                    number=round_number,
                ),
                pair,
            )
