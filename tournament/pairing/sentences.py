"""The wording of every finding, except those of the Dutch system (`systems/dutch/sentences`).

Each function returns a finding with its sentence. A sentence names players by pairing number.
"""

from collections.abc import Iterable

from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import Pair
from tournament.standings.crosstable import Kind, PlayerId

# The bye.


def lowest_bye(number: PlayerId) -> Finding:
    """Say who has the pairing-allocated bye in Monrad and McMahon."""
    sentence = f"{number} has the bye as the lowest player who may have it"
    return Finding(FindingCode.BYE, (number,), sentence)


def passed_over_for_bye(number: PlayerId, *, is_barred: bool) -> Finding:
    """Say why a lower player does not have the bye."""
    if is_barred:
        sentence = f"{number} cannot have the bye after a bye or a win without a game"
    else:
        sentence = f"if {number} had the bye, the others could not all be paired"
    return Finding(FindingCode.PASSED_OVER_FOR_BYE, (number,), sentence)


def free_in_schedule(number: PlayerId) -> Finding:
    """Say who is free in a round robin with an odd number of players."""
    return Finding(FindingCode.BYE, (number,), f"{number} is free in this round")


def advances_by_bye(number: PlayerId) -> Finding:
    """Say who has a bye in a knockout."""
    return Finding(FindingCode.BYE, (number,), f"{number} advances by a bye")


# Who meets whom.


def met_before(players: Pair, round_number: int, rule: str = "") -> Finding:
    """Say that two players have met; `rule` is added in parentheses."""
    return _pair_finding(
        FindingCode.MET_BEFORE, players, f"met in round {round_number}", rule, round=round_number
    )


def kept_apart(players: Pair) -> Finding:
    """Say that a forbidden pair may not meet."""
    return _pair_finding(FindingCode.FORBIDDEN, players, "are kept apart")


def needed_elsewhere(players: Pair) -> Finding:
    """Say that a pair would leave others without an opponent."""
    sentence = f"if {players[0]} and {players[1]} met, the others could not all be paired"
    return Finding(FindingCode.NEEDED_ELSEWHERE, players, sentence)


def preference_given_up(players: Pair) -> Finding:
    """Say that two players meet against a preference."""
    told = "meet although they should be kept apart: no legal pairing follows every preference"
    return _pair_finding(FindingCode.PREFERENCE_GIVEN_UP, players, told)


def search_cut_short() -> Finding:
    """Say that Monrad paired the lower boards legally, but not each player with the nearest."""
    sentence = (
        "too many players next to each other could not meet: the pairing of the lower boards is "
        "legal, but does not take the nearest opponents"
    )
    return Finding(FindingCode.SEARCH_CUT_SHORT, (), sentence)


def scores_differ(players: Pair, scores: tuple[str, str]) -> Finding:
    """Say that the higher of two McMahon players meets a player with a lower score."""
    (higher, lower), (more, less) = players, scores
    return Finding(
        FindingCode.FLOAT, players, f"{higher} with {more} points meets {lower} with {less}"
    )


def handicap_recommended(lower: PlayerId, higher: PlayerId, handicap: int) -> Finding:
    """Say which handicap McMahon recommends."""
    sentence = f"a handicap of {handicap} is recommended for {lower} against {higher}"
    return Finding(FindingCode.HANDICAP, (lower, higher), sentence, {"handicap": handicap})


# Schedules.


def forfeit(number: PlayerId, *, is_lost: bool = True) -> Finding:
    """Say what becomes of the game of an absent player in a schedule."""
    outcome = "their game is lost by forfeit" if is_lost else "their game is cancelled"
    return Finding(FindingCode.FORFEIT, (number,), f"{number} is absent; {outcome}")


def tie_decided(players: Pair, score: str) -> Finding:
    """Say that a knockout tie needs no more games."""
    sentence = f"the tie of {players[0]} and {players[1]} is decided at {score}"
    return Finding(FindingCode.DECIDED, players, sentence)


def level_tie(players: Pair, score: str, winner: PlayerId, *, as_second_seat: bool) -> Finding:
    """Say who advances from a knockout tie that ended level."""
    reason = "sat second in the last game" if as_second_seat else "is the better seed"
    sentence = (
        f"the tie of {players[0]} and {players[1]} ended {score}; {winner} advances, who {reason}"
    )
    return Finding(FindingCode.LEVEL_TIE, players, sentence)


def qualified(seeds: tuple[PlayerId, ...]) -> Finding:
    """Say who advances from the groups to the knockout."""
    listed = ", ".join(map(str, seeds))
    return Finding(FindingCode.QUALIFIED, seeds, f"{listed} qualify for the knockout, seeded so")


# Rounds set by hand.


def no_such_round(round_number: int, rounds: int) -> Finding:
    """Say that the tournament does not have a round."""
    sentence = f"there is no round {round_number}; the tournament has {rounds} rounds"
    return Finding(FindingCode.NO_SUCH_ROUND, (), sentence)


def unknown_player(number: PlayerId) -> Finding:
    """Say that a number is not that of a player."""
    return Finding(FindingCode.UNKNOWN_PLAYER, (number,), f"{number} is not in the tournament")


def player_twice(number: PlayerId) -> Finding:
    """Say that a player has two pairings."""
    return Finding(FindingCode.PLAYER_TWICE, (number,), f"{number} has more than one pairing")


def not_a_bye(number: PlayerId, kind: Kind) -> Finding:
    """Say that a result without an opponent is not a bye."""
    return Finding(FindingCode.NO_BYE, (number,), f"{number} has no opponent, and {kind} is no bye")


def player_absent(number: PlayerId) -> Finding:
    """Say that an absent player is paired."""
    return Finding(FindingCode.PLAYER_ABSENT, (number,), f"{number} is absent in this round")


def player_missing(number: PlayerId) -> Finding:
    """Say that a player who is present is not paired."""
    sentence = f"{number} is present and has neither an opponent nor a bye"
    return Finding(FindingCode.PLAYER_MISSING, (number,), sentence)


def several_byes(numbers: Iterable[PlayerId]) -> Finding:
    """Say that more than one player has the pairing-allocated bye."""
    players = tuple(numbers)
    sentence = f"{len(players)} players have the pairing-allocated bye; at most one may have it"
    return Finding(FindingCode.SEVERAL_BYES, players, sentence)


# Rules broken by hand, or relaxed.


def rematch(players: Pair, round_number: int) -> Finding:
    """Say that two players meet for the second time."""
    told = f"meet again; they met in round {round_number}"
    return _pair_finding(FindingCode.REMATCH, players, told, round=round_number)


def second_bye(number: PlayerId) -> Finding:
    """Say that a player has the bye although a rule forbids it."""
    sentence = f"{number} has the bye after a bye or a win without a game"
    return Finding(FindingCode.SECOND_BYE, (number,), sentence)


def same_seats(players: Pair) -> Finding:
    """Say that two players with the same absolute seat preference meet."""
    told = "meet although both must sit in the same seat"
    return _pair_finding(FindingCode.SAME_SEATS, players, told, "C3")


def forbidden_pair(players: Pair) -> Finding:
    """Say that two players meet although they are kept apart."""
    told = "meet although they are kept apart"
    return _pair_finding(FindingCode.FORBIDDEN_PAIRS, players, told)


def _pair_finding(
    code: FindingCode, players: Pair, predicate: str, rule: str = "", **values: str | int
) -> Finding:
    sentence = f"{players[0]} and {players[1]} {predicate}" + (f" ({rule})" if rule else "")
    return Finding(code, players, sentence, values)
