"""The wording of every finding, except what a bracket loses (`dutch/losses.py`).

A pattern names the first player, the second one (`opponent`) or all `players`, and the values.
"""

from enum import Enum
from typing import Any

from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.pairing.findings import Finding, FindingCode
from tournament.standings.crosstable import PlayerId


class Sentence(Enum):
    """A sentence and the code of its finding."""

    # The bye.
    LOWEST_BYE = (
        FindingCode.BYE,
        gettext_noop("%(player)s has the bye as the lowest player who may have it"),
    )
    LOWEST_SCORE_BYE = (
        FindingCode.BYE,
        gettext_noop(
            "%(player)s has the bye: %(points)s points is the lowest score whose bye leaves a "
            "pairing for all others (C5), and %(player)s has %(unplayed)s unplayed games (C9)"
        ),
    )
    FREE = FindingCode.BYE, gettext_noop("%(player)s is free in this round")
    ADVANCES_BY_BYE = FindingCode.BYE, gettext_noop("%(player)s advances by a bye")
    BARRED_FROM_BYE = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("%(player)s cannot have the bye after a bye or a win without a game"),
    )
    HAD_BYE = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("%(player)s cannot have the bye: they had it in round %(round)s (C2)"),
    )
    WON_BY_FORFEIT = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("%(player)s cannot have the bye: they won by forfeit in round %(round)s (C2)"),
    )
    HAD_BYE_WORTH_A_WIN = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop(
            "%(player)s cannot have the bye: they had a bye worth a win in round %(round)s (C2)"
        ),
    )
    NEEDED_FOR_PAIRING = (
        FindingCode.PASSED_OVER_FOR_BYE,
        gettext_noop("if %(player)s had the bye, the others could not all be paired"),
    )

    # Why two players meet, or do not meet.
    SAME_SCORE = FindingCode.SCORE_GROUP, gettext_noop("both have the score %(points)s")
    FLOATS_DOWN = (
        FindingCode.FLOAT,
        gettext_noop("%(player)s floats down from %(from)s to %(to)s points"),
    )
    FLOATS_ALONE = (
        FindingCode.FLOAT,
        gettext_noop("%(player)s is the only player in the bracket of %(points)s"),
    )
    FLOATS_FROM_BRACKET = (
        FindingCode.FLOAT,
        gettext_noop(
            "%(player)s floats from the bracket of %(points)s: %(paired)s of its %(size)s players "
            "are paired in it"
        ),
    )
    SCORES_DIFFER = (
        FindingCode.FLOAT,
        gettext_noop("%(player)s with %(higher)s points meets %(opponent)s with %(lower)s"),
    )
    MET_BEFORE = (
        FindingCode.MET_BEFORE,
        gettext_noop("%(player)s and %(opponent)s met in round %(round)s"),
    )
    MET_BEFORE_C1 = (
        FindingCode.MET_BEFORE,
        gettext_noop("%(player)s and %(opponent)s met in round %(round)s (C1)"),
    )
    KEPT_APART = FindingCode.FORBIDDEN, gettext_noop("%(player)s and %(opponent)s are kept apart")
    ABSOLUTE_SEATS = (
        FindingCode.ABSOLUTE_SEATS,
        gettext_noop("%(player)s and %(opponent)s must both sit %(seat)s (C3)"),
    )
    NEEDED_ELSEWHERE = (
        FindingCode.NEEDED_ELSEWHERE,
        gettext_noop("if %(player)s and %(opponent)s met, the others could not all be paired"),
    )
    PREFERENCE_GIVEN_UP = (
        FindingCode.PREFERENCE_GIVEN_UP,
        gettext_noop(
            "%(player)s and %(opponent)s meet although they should be kept apart: no legal "
            "pairing follows every preference"
        ),
    )
    SEARCH_CUT_SHORT = (
        FindingCode.SEARCH_CUT_SHORT,
        gettext_noop(
            "too many players next to each other could not meet: the pairing of the lower boards "
            "is legal, but does not take the nearest opponents"
        ),
    )
    SEATS = (
        FindingCode.SEATS,
        gettext_noop("%(player)s sits first against %(opponent)s: %(reason)s (article %(rule)s)"),
    )
    NOT_GRANTED = (
        FindingCode.NOT_GRANTED,
        gettext_noop("%(player)s's %(strength)s preference for sitting %(seat)s is not granted"),
    )
    ABSENT = FindingCode.ABSENT, gettext_noop("%(player)s does not play in this round")
    PAIRED = FindingCode.PAIRED, gettext_noop("%(player)s and %(opponent)s meet")

    # Schedules.
    FORFEIT = (
        FindingCode.FORFEIT,
        gettext_noop("%(player)s is absent; their game is lost by forfeit"),
    )
    CANCELLED = FindingCode.FORFEIT, gettext_noop("%(player)s is absent; their game is cancelled")
    DECIDED = (
        FindingCode.DECIDED,
        gettext_noop("the pairing of %(player)s and %(opponent)s is decided at %(score)s"),
    )
    LEVEL_BETTER_SEED = (
        FindingCode.LEVEL_TIE,
        gettext_noop(
            "the pairing of %(player)s and %(opponent)s ended %(score)s; %(player)s advances "
            "as the better seed"
        ),
    )
    BOTH_OUT = (
        FindingCode.LEVEL_TIE,
        gettext_noop("%(player)s and %(opponent)s were both absent; both are out"),
    )
    LEVEL_SECOND_SEAT = (
        FindingCode.LEVEL_TIE,
        gettext_noop(
            "the pairing of %(player)s and %(opponent)s ended %(score)s; the player who sat "
            "second in the last game advances"
        ),
    )
    NOBODY_LEFT = (
        FindingCode.OVER,
        gettext_noop("nobody is left in the bracket, and nobody has won"),
    )
    ONE_LEFT = (
        FindingCode.OVER,
        gettext_noop("%(player)s is the only player left in the bracket, and has won"),
    )
    LAST_DECIDED = FindingCode.OVER, gettext_noop("the last pairing of the bracket is decided")
    QUALIFIED = (
        FindingCode.QUALIFIED,
        gettext_noop("%(players)s qualify for the knockout, seeded in this order"),
    )

    # Rounds set by hand, and relaxed rules.
    NO_SUCH_ROUND = (
        FindingCode.NO_SUCH_ROUND,
        gettext_noop("there is no round %(round)s; the tournament has %(rounds)s rounds"),
    )
    UNKNOWN_PLAYER = FindingCode.UNKNOWN_PLAYER, gettext_noop("%(player)s is not in the tournament")
    PLAYER_TWICE = FindingCode.PLAYER_TWICE, gettext_noop("%(player)s has more than one pairing")
    NO_BYE = (
        FindingCode.NO_BYE,
        gettext_noop("%(player)s has no opponent, and %(kind)s is not a bye"),
    )
    PLAYER_ABSENT = FindingCode.PLAYER_ABSENT, gettext_noop("%(player)s is absent in this round")
    PLAYER_MISSING = (
        FindingCode.PLAYER_MISSING,
        gettext_noop("%(player)s is present and has neither an opponent nor a bye"),
    )
    SEVERAL_BYES = (
        FindingCode.SEVERAL_BYES,
        gettext_noop(
            "players %(players)s have the pairing-allocated bye; at most one player may have it"
        ),
    )
    REMATCH = (
        FindingCode.REMATCH,
        gettext_noop("%(player)s and %(opponent)s meet again; they met in round %(round)s"),
    )
    SECOND_BYE = (
        FindingCode.SECOND_BYE,
        gettext_noop("%(player)s has the bye after a bye or a win without a game"),
    )
    SAME_SEATS = (
        FindingCode.SAME_SEATS,
        gettext_noop(
            "%(player)s and %(opponent)s meet although both must sit in the same seat (C3)"
        ),
    )
    FORBIDDEN_PAIR = (
        FindingCode.FORBIDDEN_PAIRS,
        gettext_noop("%(player)s and %(opponent)s meet although they are kept apart"),
    )

    def about(self, *players: PlayerId, **values: str | int) -> Finding:
        """Return the finding about these players."""
        code, pattern = self.value
        named: dict[str, Any] = dict(zip(("player", "opponent"), players, strict=False))
        if "%(players)s" in pattern:
            named = {"players": list(players)}
        return Finding(code, players, Text(pattern, **named, **values), values)


SEAT_RULES = {
    "5.2.1": gettext_noop("no preference contradicts this"),
    "5.2.2": gettext_noop("both prefer the same seat, and %(player)s has the stronger preference"),
    "5.2.3": gettext_noop(
        "equal preferences for the same seat, so the two change from their latest games in "
        "different seats"
    ),
    "5.2.4": gettext_noop("equal preferences for the same seat, and %(player)s is ranked higher"),
    "5.2.5": gettext_noop(
        "neither has a preference; %(player)s, who is ranked higher, has the initial seat if "
        "their pairing number is odd"
    ),
}
"""What the articles of the Dutch system on seats say."""
