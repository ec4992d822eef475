"""The wording of the findings of the Dutch system.

Scores are texts in points. The rules in parentheses are those of C.04.3.
"""

from collections.abc import Mapping

from games.rules.seat import Seat
from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import Pair
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.seat_preferences import SeatPreference
from tournament.pairing.systems.dutch.seats import SeatRule
from tournament.standings.crosstable import PlayerId

CRITERIA = {
    Criterion.C6: "players floating down",
    Criterion.C7: "as scores of the players floating down",
    Criterion.C8_FLOATERS: "players floating down from the next bracket",
    Criterion.C8_SCORES: "as scores of the players floating down from the next bracket",
    Criterion.C9: "unplayed games of the player with the bye",
    Criterion.C10: "topscorers' boards with a seat difference above two",
    Criterion.C11: "topscorers' boards with the same seat three times in a row",
    Criterion.C12: "seat preferences not granted",
    Criterion.C13: "strong seat preferences not granted",
    Criterion.C14: "players floating down who did so in the last round",
    Criterion.C15: "players floating up who did so in the last round",
    Criterion.C16: "players floating down who did so two rounds ago",
    Criterion.C17: "players floating up who did so two rounds ago",
    Criterion.C18: "as score differences of players who floated down in the last round",
    Criterion.C19: "as score differences of players who floated up in the last round",
    Criterion.C20: "as score differences of players who floated down two rounds ago",
    Criterion.C21: "as score differences of players who floated up two rounds ago",
}


def scores(players: Pair, higher: str, lower: str) -> Finding:
    """Say where the players of a pair come from."""
    if higher == lower:
        sentence = f"both have {higher} points"
        return Finding(FindingCode.SCORE_GROUP, players, sentence, {"points": higher})
    sentence = f"{players[0]} floats down from {higher} to {lower} points"
    return Finding(FindingCode.FLOAT, players, sentence, {"from": higher, "to": lower})


def absolute_seats(players: Pair, seat: Seat) -> Finding:
    """Say that two players must sit in the same seat."""
    sentence = f"{players[0]} and {players[1]} must both sit {seat} (C3)"
    return Finding(FindingCode.ABSOLUTE_SEATS, players, sentence, {"seat": seat.value})


def seats(players: Pair, rule: SeatRule) -> Finding:
    """Say which rule decided who sits first."""
    sentence = f"{players[0]} sits first by article {rule}"
    return Finding(FindingCode.SEATS, players, sentence, {"rule": rule.value})


def not_granted(number: PlayerId, seat: Seat, preference: SeatPreference) -> Finding:
    """Say that a player does not have the seat they prefer."""
    strength = preference.strength.name.lower()
    return Finding(
        FindingCode.NOT_GRANTED,
        (number,),
        f"{number}'s {strength} preference for sitting {seat} is not granted",
        {"strength": strength, "difference": preference.difference},
    )


def bye(number: PlayerId, points: str, unplayed: int) -> Finding:
    """Say why a player has the bye."""
    sentence = (
        f"{number} has the bye: {points} points is the lowest score whose bye leaves a pairing for "
        f"all others (C5), and {number} has {unplayed} unplayed games (C9)"
    )
    return Finding(FindingCode.BYE, (number,), sentence, {"points": points, "unplayed": unplayed})


def absent(number: PlayerId) -> Finding:
    """Say that a player does not play."""
    return Finding(FindingCode.ABSENT, (number,), f"{number} does not play in this round")


def paired(players: Pair) -> Finding:
    """Say that two players do meet."""
    return Finding(FindingCode.PAIRED, players, f"{players[0]} and {players[1]} meet")


def with_pair(players: Pair, loss: str, values: Mapping[str, str]) -> Finding:
    """Say what the round would lose if two players met."""
    sentence = f"if {players[0]} and {players[1]} met, {loss}"
    return Finding(FindingCode.WITH_PAIR, players, sentence, values)


def without_pair(players: Pair, loss: str, values: Mapping[str, str]) -> Finding:
    """Say what the round would lose if two players did not meet."""
    sentence = f"without {players[0]} against {players[1]}, {loss}"
    return Finding(FindingCode.WITHOUT_PAIR, players, sentence, values)


def describe_loss(rule: str, bracket: str, actual: str = "", alternative: str = "") -> str:
    """Return the clause that says what the bracket of a score loses; `rule` is that of a Loss."""
    if rule == "C4":
        return "the others could not all be paired (C4)"
    if rule == "C5":
        return "the bye would go to another score (C5)"
    if rule == "order":
        return f"the bracket of {bracket} would be equally good, but later in the order"
    criterion = Criterion(rule)
    return (
        f"the bracket of {bracket} would have {alternative} instead of {actual} "
        f"{CRITERIA[criterion]} ({rule.split()[0]})"
    )
