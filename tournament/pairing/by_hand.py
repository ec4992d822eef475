"""Check a round that the organiser set by hand: what is impossible, and which rules it breaks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tournament.pairing.bye import bars_pairing_bye
from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import Pair, in_both_orders
from tournament.pairing.sentences import Sentence
from tournament.standings.crosstable import BYES, Crosstable, Kind, PlayerId

IMPOSSIBLE = frozenset(
    {
        FindingCode.UNKNOWN_PLAYER,
        FindingCode.PLAYER_TWICE,
        FindingCode.NO_BYE,
        FindingCode.NO_SUCH_ROUND,
    }
)
"""What an organiser cannot override with a reason."""


def check_by_hand(
    crosstable: Crosstable,
    round_number: int,
    pairs: Sequence[Pair],
    byes: Mapping[PlayerId, Kind],
    *,
    absent: Iterable[PlayerId] = (),
    forbidden: Iterable[Pair] = (),
) -> tuple[Finding, ...]:
    """Return what is impossible in a round, else the rules it breaks; empty for a legal round.

    `pairs` are (first, second) by board; `byes` are the kinds of the byes by player. `absent`
    players need no pairing. Only the results of earlier rounds count.
    """
    impossible = tuple(_impossible(crosstable, round_number, pairs, byes))
    if impossible:
        return impossible
    separated = in_both_orders(forbidden)
    return (
        *_missing_or_absent(crosstable, pairs, byes, frozenset(absent)),
        *_broken_rules(crosstable, round_number, pairs, byes),
        *(Sentence.KEPT_APART.about(*pair) for pair in pairs if pair in separated),
    )


def _impossible(
    crosstable: Crosstable, round_number: int, pairs: Sequence[Pair], byes: Mapping[PlayerId, Kind]
) -> Iterator[Finding]:
    if not 1 <= round_number <= crosstable.rounds:
        yield Sentence.NO_SUCH_ROUND.about(round=round_number, rounds=crosstable.rounds)
    seen = set()
    for number in [*(number for pair in pairs for number in pair), *byes]:
        if number not in crosstable.by_number:
            yield Sentence.UNKNOWN_PLAYER.about(number)
        if number in seen:
            yield Sentence.PLAYER_TWICE.about(number)
        seen.add(number)
    for number, kind in byes.items():
        if kind not in BYES:
            yield Sentence.NO_BYE.about(number, kind=kind.value)


def _missing_or_absent(
    crosstable: Crosstable,
    pairs: Sequence[Pair],
    byes: Mapping[PlayerId, Kind],
    absent: frozenset[PlayerId],
) -> Iterator[Finding]:
    seated = {number for pair in pairs for number in pair}
    for player in crosstable.players:
        number = player.number
        if number in absent and number in seated:
            yield Sentence.PLAYER_ABSENT.about(number)
        elif number not in absent and number not in seated and number not in byes:
            yield Sentence.PLAYER_MISSING.about(number)


def _broken_rules(
    crosstable: Crosstable, round_number: int, pairs: Sequence[Pair], byes: Mapping[PlayerId, Kind]
) -> Iterator[Finding]:
    for first, second in pairs:
        earlier = enumerate(crosstable.by_number[first].results[: round_number - 1], start=1)
        met_in = [number for number, one in earlier if one.opponent == second and one.is_played]
        if met_in:
            yield Sentence.REMATCH.about(first, second, round=met_in[-1])
    with_bye = [number for number, kind in byes.items() if kind is Kind.PAIRING_BYE]
    for number in with_bye:
        if bars_pairing_bye(crosstable, crosstable.by_number[number].results[: round_number - 1]):
            yield Sentence.SECOND_BYE.about(number)
    if len(with_bye) > 1:
        yield Sentence.SEVERAL_BYES.about(*with_bye)
