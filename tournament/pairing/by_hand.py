"""Pairings set by hand, compared with the rules: what is wrong, and what a word can excuse."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournament.pairing.request import Pair, bars_pairing_bye, either_way, opponents_met
from tournament.standings.crosstable import BYES, Crosstable, Kind, PlayerId


class ViolationCode(StrEnum):
    """What a round set by hand can break."""

    UNKNOWN_PLAYER = "unknown-player"
    PLAYER_TWICE = "player-twice"
    NO_BYE = "no-bye"
    NO_SUCH_ROUND = "no-such-round"
    PLAYER_MISSING = "player-missing"
    PLAYER_ABSENT = "player-absent"
    REMATCH = "rematch"
    FORBIDDEN = "forbidden"
    SECOND_BYE = "second-bye"
    SEVERAL_BYES = "several-byes"


IMPOSSIBLE = frozenset(
    {
        ViolationCode.UNKNOWN_PLAYER,
        ViolationCode.PLAYER_TWICE,
        ViolationCode.NO_BYE,
        ViolationCode.NO_SUCH_ROUND,
    }
)


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule broken: a code, the players concerned, and a sentence."""

    code: ViolationCode
    players: tuple[PlayerId, ...]
    sentence: str

    @property
    def can_be_overridden(self) -> bool:
        """Whether an organiser may let it stand and say why."""
        return self.code not in IMPOSSIBLE


def check_by_hand(
    crosstable: Crosstable,
    round_number: int,
    pairs: Sequence[Pair],
    byes: Mapping[PlayerId, Kind],
    *,
    absent: Iterable[PlayerId] = (),
    forbidden: Iterable[Pair] = (),
) -> tuple[Violation, ...]:
    """List what a round breaks, the impossible first; empty when it is a legal round.

    `pairs` are (first, second) by board, `byes` the kind of bye of each player who sits out.
    Whoever is `absent` needs neither. Only results of earlier rounds are looked at.
    """
    found = _impossible(crosstable, round_number, pairs, byes)
    if not found:
        found = _against_the_rules(crosstable, round_number, pairs, byes, frozenset(absent))
        apart = either_way(forbidden)
        found += [
            Violation(ViolationCode.FORBIDDEN, pair, f"{pair[0]} and {pair[1]} are kept apart")
            for pair in pairs
            if pair in apart
        ]
    return tuple(found)


def _impossible(
    crosstable: Crosstable,
    round_number: int,
    pairs: Sequence[Pair],
    byes: Mapping[PlayerId, Kind],
) -> list[Violation]:
    found = []
    if not 1 <= round_number <= crosstable.rounds:
        sentence = f"there is no round {round_number}; the event has {crosstable.rounds}"
        found.append(Violation(ViolationCode.NO_SUCH_ROUND, (), sentence))
    named = [number for pair in pairs for number in pair] + list(byes)
    seen = set()
    for number in named:
        if number not in crosstable.by_number:
            sentence = f"{number} is not in the event"
            found.append(Violation(ViolationCode.UNKNOWN_PLAYER, (number,), sentence))
        if number in seen:
            sentence = f"{number} stands in the round twice"
            found.append(Violation(ViolationCode.PLAYER_TWICE, (number,), sentence))
        seen.add(number)
    for number, kind in byes.items():
        if kind not in BYES:
            sentence = f"{number} cannot have a {kind} without an opponent"
            found.append(Violation(ViolationCode.NO_BYE, (number,), sentence))
    return found


def _against_the_rules(
    crosstable: Crosstable,
    round_number: int,
    pairs: Sequence[Pair],
    byes: Mapping[PlayerId, Kind],
    absent: frozenset[PlayerId],
) -> list[Violation]:
    found = []
    seated = {number for pair in pairs for number in pair}
    for player in crosstable.players:
        number = player.number
        if number in absent and number in seated:
            sentence = f"{number} is absent this round"
            found.append(Violation(ViolationCode.PLAYER_ABSENT, (number,), sentence))
        elif number not in absent and number not in seated and number not in byes:
            sentence = f"{number} is present and has neither a board nor a bye"
            found.append(Violation(ViolationCode.PLAYER_MISSING, (number,), sentence))
    for one, other in pairs:
        met = opponents_met(crosstable.by_number[one].results[: round_number - 1])
        if other in met:
            sentence = f"{one} and {other} met in round {met[other]}"
            found.append(Violation(ViolationCode.REMATCH, (one, other), sentence))
    bye_candidates = tuple(number for number, kind in byes.items() if kind is Kind.PAIRING_BYE)
    for number in bye_candidates:
        earlier = crosstable.by_number[number].results[: round_number - 1]
        if bars_pairing_bye(crosstable, earlier):
            sentence = f"{number} has had a bye or a win without a game"
            found.append(Violation(ViolationCode.SECOND_BYE, (number,), sentence))
    if len(bye_candidates) > 1:
        sentence = f"{len(bye_candidates)} players have a pairing-allocated bye; one at most is due"
        found.append(Violation(ViolationCode.SEVERAL_BYES, bye_candidates, sentence))
    return found
