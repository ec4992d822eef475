"""The wording of every finding.

A template names the players as {0} and {1}, all of them as {players}, and the values by name.
"""

from enum import Enum

from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import Pair
from tournament.standings.crosstable import PlayerId


class Sentence(Enum):
    """A sentence and the code of its finding."""

    # The bye.
    LOWEST_BYE = FindingCode.BYE, "{0} has the bye as the lowest player who may have it"
    LOWEST_SCORE_BYE = (
        FindingCode.BYE,
        "{0} has the bye: {points} points is the lowest score whose bye leaves a pairing for all "
        "others (C5), and {0} has {unplayed} unplayed games (C9)",
    )
    FREE = FindingCode.BYE, "{0} is free in this round"
    ADVANCES_BY_BYE = FindingCode.BYE, "{0} advances by a bye"
    BARRED_FROM_BYE = (
        FindingCode.PASSED_OVER_FOR_BYE,
        "{0} cannot have the bye after a bye or a win without a game",
    )
    NEEDED_FOR_PAIRING = (
        FindingCode.PASSED_OVER_FOR_BYE,
        "if {0} had the bye, the others could not all be paired",
    )

    # Why two players meet, or do not meet.
    SAME_SCORE = FindingCode.SCORE_GROUP, "both have {points} points"
    FLOATS_DOWN = FindingCode.FLOAT, "{0} floats down from {from} to {to} points"
    SCORES_DIFFER = FindingCode.FLOAT, "{0} with {higher} points meets {1} with {lower}"
    MET_BEFORE = FindingCode.MET_BEFORE, "{0} and {1} met in round {round}"
    MET_BEFORE_C1 = FindingCode.MET_BEFORE, "{0} and {1} met in round {round} (C1)"
    KEPT_APART = FindingCode.FORBIDDEN, "{0} and {1} are kept apart"
    ABSOLUTE_SEATS = FindingCode.ABSOLUTE_SEATS, "{0} and {1} must both sit {seat} (C3)"
    NEEDED_ELSEWHERE = (
        FindingCode.NEEDED_ELSEWHERE,
        "if {0} and {1} met, the others could not all be paired",
    )
    PREFERENCE_GIVEN_UP = (
        FindingCode.PREFERENCE_GIVEN_UP,
        "{0} and {1} meet although they should be kept apart: no legal pairing follows every "
        "preference",
    )
    SEARCH_CUT_SHORT = (
        FindingCode.SEARCH_CUT_SHORT,
        "too many players next to each other could not meet: the pairing of the lower boards is "
        "legal, but does not take the nearest opponents",
    )
    SEATS = FindingCode.SEATS, "{0} sits first by article {rule}"
    NOT_GRANTED = (
        FindingCode.NOT_GRANTED,
        "{0}'s {strength} preference for sitting {seat} is not granted",
    )
    ABSENT = FindingCode.ABSENT, "{0} does not play in this round"
    PAIRED = FindingCode.PAIRED, "{0} and {1} meet"
    HANDICAP = FindingCode.HANDICAP, "a handicap of {handicap} is recommended for {0} against {1}"

    # Schedules.
    FORFEIT = FindingCode.FORFEIT, "{0} is absent; their game is lost by forfeit"
    CANCELLED = FindingCode.FORFEIT, "{0} is absent; their game is cancelled"
    DECIDED = FindingCode.DECIDED, "the tie of {0} and {1} is decided at {score}"
    LEVEL_BETTER_SEED = (
        FindingCode.LEVEL_TIE,
        "the tie of {0} and {1} ended {score}; {0} advances as the better seed",
    )
    LEVEL_SECOND_SEAT = (
        FindingCode.LEVEL_TIE,
        "the tie of {0} and {1} ended {score}; the player who sat second in the last game advances",
    )
    QUALIFIED = FindingCode.QUALIFIED, "{players} qualify for the knockout, seeded in this order"

    # Rounds set by hand, and relaxed rules.
    NO_SUCH_ROUND = (
        FindingCode.NO_SUCH_ROUND,
        "there is no round {round}; the tournament has {rounds} rounds",
    )
    UNKNOWN_PLAYER = FindingCode.UNKNOWN_PLAYER, "{0} is not in the tournament"
    PLAYER_TWICE = FindingCode.PLAYER_TWICE, "{0} has more than one pairing"
    NO_BYE = FindingCode.NO_BYE, "{0} has no opponent, and {kind} is not a bye"
    PLAYER_ABSENT = FindingCode.PLAYER_ABSENT, "{0} is absent in this round"
    PLAYER_MISSING = (
        FindingCode.PLAYER_MISSING,
        "{0} is present and has neither an opponent nor a bye",
    )
    SEVERAL_BYES = (
        FindingCode.SEVERAL_BYES,
        "players {players} have the pairing-allocated bye; at most one player may have it",
    )
    REMATCH = FindingCode.REMATCH, "{0} and {1} meet again; they met in round {round}"
    SECOND_BYE = FindingCode.SECOND_BYE, "{0} has the bye after a bye or a win without a game"
    SAME_SEATS = (
        FindingCode.SAME_SEATS,
        "{0} and {1} meet although both must sit in the same seat (C3)",
    )
    FORBIDDEN_PAIR = FindingCode.FORBIDDEN_PAIRS, "{0} and {1} meet although they are kept apart"

    def about(self, *players: PlayerId, **values: str | int) -> Finding:
        """Return the finding about these players."""
        code, template = self.value
        listed = ", ".join(map(str, players))
        return Finding(code, players, template.format(*players, **values, players=listed), values)


CRITERIA = {
    "C6": "players floating down",
    "C7": "as scores of the players floating down",
    "C8 floaters": "players floating down from the next bracket",
    "C8 scores": "as scores of the players floating down from the next bracket",
    "C9": "unplayed games of the player with the bye",
    "C10": "topscorers' boards with a seat difference above two",
    "C11": "topscorers' boards with the same seat three times in a row",
    "C12": "seat preferences not granted",
    "C13": "strong seat preferences not granted",
    "C14": "players floating down who did so in the last round",
    "C15": "players floating up who did so in the last round",
    "C16": "players floating down who did so two rounds ago",
    "C17": "players floating up who did so two rounds ago",
    "C18": "as score differences of players who floated down in the last round",
    "C19": "as score differences of players who floated up in the last round",
    "C20": "as score differences of players who floated down two rounds ago",
    "C21": "as score differences of players who floated up two rounds ago",
}


def explain_loss(condition: FindingCode, players: Pair, values: dict[str, str]) -> Finding:
    """Say what a bracket of the Dutch system loses with a pair, or without it.

    The values are `rule` and `bracket` and, for a criterion, `actual` and `alternative`.
    """
    rule = values["rule"]
    if rule == "C4":
        loss = "the others could not all be paired (C4)"
    elif rule == "C5":
        loss = "the bye would go to another score (C5)"
    elif rule == "order":
        loss = "the bracket of {bracket} would be equally good, but later in the order"
    else:
        values |= {"rule": rule.split()[0]}
        change = "the bracket of {bracket} would have {alternative} instead of {actual}"
        loss = f"{change} {CRITERIA[rule]} ({{rule}})"
    is_with = condition is FindingCode.WITH_PAIR
    template = "if {0} and {1} met, " if is_with else "without {0} against {1}, "
    return Finding(condition, players, (template + loss).format(*players, **values), values)
