"""The wording of every finding, except what a bracket loses (`loss_sentences.py`).

A template names the players as {0} and {1}, all of them as {players}, and the values by name. The
sentence mentions the players by number (`findings.mention`), and the caller writes their names.
"""

from enum import Enum

from games.rules.messages import gettext_noop
from tournament.pairing.findings import Finding, FindingCode, mention, write_names
from tournament.standings.crosstable import PlayerId


class Sentence(Enum):
    """A sentence and the code of its finding."""

    # The bye.
    LOWEST_BYE = (
        FindingCode.BYE,
        gettext_noop("{0} has the bye as the lowest player who may have it"),
    )
    LOWEST_SCORE_BYE = (
        FindingCode.BYE,
        gettext_noop(
            "{0} has the bye: {points} points is the lowest score whose bye leaves a pairing for "
            "all others (C5), and {0} has {unplayed} unplayed games (C9)"
        ),
    )
    FREE = FindingCode.BYE, gettext_noop("{0} is free in this round")
    ADVANCES_BY_BYE = FindingCode.BYE, gettext_noop("{0} advances by a bye")
    BARRED_FROM_BYE = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("{0} cannot have the bye after a bye or a win without a game"),
    )
    HAD_BYE = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("{0} cannot have the bye: they had it in round {round} (C2)"),
    )
    WON_BY_FORFEIT = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("{0} cannot have the bye: they won by forfeit in round {round} (C2)"),
    )
    HAD_BYE_WORTH_A_WIN = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("{0} cannot have the bye: they had a bye worth a win in round {round} (C2)"),
    )
    NEEDED_FOR_PAIRING = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("if {0} had the bye, the others could not all be paired"),
    )

    # Why two players meet, or do not meet.
    SAME_SCORE = FindingCode.SCORE_GROUP, gettext_noop("both have the score {points}")
    FLOATS_DOWN = FindingCode.FLOAT, gettext_noop("{0} floats down from {from} to {to} points")
    FLOATS_ALONE = (
        FindingCode.FLOAT,
        gettext_noop("{0} is the only player in the bracket of {points}"),
    )
    FLOATS_FROM_BRACKET = (
        FindingCode.FLOAT,
        gettext_noop(
            "{0} floats from the bracket of {points}: {paired} of its {size} players are "
            "paired in it"
        ),
    )
    SCORES_DIFFER = (
        FindingCode.FLOAT,
        gettext_noop("{0} with {higher} points meets {1} with {lower}"),
    )
    MET_BEFORE = FindingCode.MET_BEFORE, gettext_noop("{0} and {1} met in round {round}")
    MET_BEFORE_C1 = FindingCode.MET_BEFORE, gettext_noop("{0} and {1} met in round {round} (C1)")
    KEPT_APART = FindingCode.FORBIDDEN, gettext_noop("{0} and {1} are kept apart")
    ABSOLUTE_SEATS = (
        FindingCode.ABSOLUTE_SEATS,
        gettext_noop("{0} and {1} must both sit {seat} (C3)"),
    )
    NEEDED_ELSEWHERE = (
        FindingCode.NEEDED_ELSEWHERE,
        gettext_noop("if {0} and {1} met, the others could not all be paired"),
    )
    PREFERENCE_GIVEN_UP = (
        FindingCode.PREFERENCE_GIVEN_UP,
        gettext_noop(
            "{0} and {1} meet although they should be kept apart: no legal pairing follows every "
            "preference"
        ),
    )
    SEARCH_CUT_SHORT = (
        FindingCode.SEARCH_CUT_SHORT,
        gettext_noop(
            "too many players next to each other could not meet: the pairing of the lower boards "
            "is legal, but does not take the nearest opponents"
        ),
    )
    SEATS = FindingCode.SEATS, gettext_noop("{0} sits first against {1}: {reason} (article {rule})")
    NOT_GRANTED = (
        FindingCode.NOT_GRANTED,
        gettext_noop("{0}'s {strength} preference for sitting {seat} is not granted"),
    )
    ABSENT = FindingCode.ABSENT, gettext_noop("{0} does not play in this round")
    PAIRED = FindingCode.PAIRED, gettext_noop("{0} and {1} meet")

    # Schedules.
    FORFEIT = FindingCode.FORFEIT, gettext_noop("{0} is absent; their game is lost by forfeit")
    CANCELLED = FindingCode.FORFEIT, gettext_noop("{0} is absent; their game is cancelled")
    DECIDED = FindingCode.DECIDED, gettext_noop("the tie of {0} and {1} is decided at {score}")
    LEVEL_BETTER_SEED = (
        FindingCode.LEVEL_TIE,
        gettext_noop("the tie of {0} and {1} ended {score}; {0} advances as the better seed"),
    )
    LEVEL_SECOND_SEAT = (
        FindingCode.LEVEL_TIE,
        gettext_noop(
            "the tie of {0} and {1} ended {score}; the player who sat second in the last game "
            "advances"
        ),
    )
    QUALIFIED = (
        FindingCode.QUALIFIED,
        gettext_noop("{players} qualify for the knockout, seeded in this order"),
    )

    # Rounds set by hand, and relaxed rules.
    NO_SUCH_ROUND = (
        FindingCode.NO_SUCH_ROUND,
        gettext_noop("there is no round {round}; the tournament has {rounds} rounds"),
    )
    UNKNOWN_PLAYER = FindingCode.UNKNOWN_PLAYER, gettext_noop("{0} is not in the tournament")
    PLAYER_TWICE = FindingCode.PLAYER_TWICE, gettext_noop("{0} has more than one pairing")
    NO_BYE = FindingCode.NO_BYE, gettext_noop("{0} has no opponent, and {kind} is not a bye")
    PLAYER_ABSENT = FindingCode.PLAYER_ABSENT, gettext_noop("{0} is absent in this round")
    PLAYER_MISSING = (
        FindingCode.PLAYER_MISSING,
        gettext_noop("{0} is present and has neither an opponent nor a bye"),
    )
    SEVERAL_BYES = (
        FindingCode.SEVERAL_BYES,
        gettext_noop(
            "players {players} have the pairing-allocated bye; at most one player may have it"
        ),
    )
    REMATCH = FindingCode.REMATCH, gettext_noop("{0} and {1} meet again; they met in round {round}")
    SECOND_BYE = (
        FindingCode.SECOND_BYE,
        gettext_noop("{0} has the bye after a bye or a win without a game"),
    )
    SAME_SEATS = (
        FindingCode.SAME_SEATS,
        gettext_noop("{0} and {1} meet although both must sit in the same seat (C3)"),
    )
    FORBIDDEN_PAIR = (
        FindingCode.FORBIDDEN_PAIRS,
        gettext_noop("{0} and {1} meet although they are kept apart"),
    )

    def about(self, *players: PlayerId, **values: str | int) -> Finding:
        """Return the finding about these players."""
        code, template = self.value
        mentions = [mention(number) for number in players]
        sentence = template.format(*mentions, **values, players=", ".join(mentions))
        by_number = {
            name: write_names(value, {}) if isinstance(value, str) else value
            for name, value in values.items()
        }
        return Finding(code, players, sentence, by_number)


SEAT_RULES = {
    "5.2.1": gettext_noop("no preference contradicts this"),
    "5.2.2": gettext_noop("both prefer the same seat, and {granted} has the stronger preference"),
    "5.2.3": gettext_noop(
        "equal preferences for the same seat, so the two change from their latest games in "
        "different seats"
    ),
    "5.2.4": gettext_noop("equal preferences for the same seat, and {granted} is ranked higher"),
    "5.2.5": gettext_noop(
        "neither has a preference; {higher}, who is ranked higher, has the initial seat if "
        "their pairing number is odd"
    ),
}
"""What the articles of the Dutch system on seats say."""
