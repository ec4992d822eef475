"""Findings: what a pairing says about players, as a code, values and a sentence (`sentences`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

from games.rules.labels import LabelledEnum
from games.rules.messages import gettext_noop
from games.rules.text import Text
from tournament.standings.crosstable import PlayerId


class FindingCode(LabelledEnum):
    """What a finding is about; the labels are what a round has that breaks a rule."""

    # Why players meet, or do not meet, and why a player has the bye.
    BYE = "bye"
    PASSED_OVER_FOR_BYE = "passed_over_for_bye"
    MET_BEFORE = "met_before"
    FORBIDDEN = "forbidden"
    NEEDED_ELSEWHERE = "needed_elsewhere"
    SEARCH_CUT_SHORT = "search_cut_short"
    FLOAT = "float"
    FORFEIT = "forfeit"
    DECIDED = "decided"
    LEVEL_TIE = "level_tie"
    QUALIFIED = "qualified"
    OVER = "over"
    PREFERENCE_GIVEN_UP = "preference_given_up"

    # Explanations of the Dutch system.
    SCORE_GROUP = "score_group"
    ABSOLUTE_SEATS = "absolute_seats"
    SEATS = "seats"
    NOT_GRANTED = "preference_not_granted"
    ABSENT = "absent"
    PAIRED = "paired"
    WITHOUT_PAIR = "without_this_pair"
    WITH_PAIR = "with_this_pair"

    # What is wrong with a round set by hand.
    UNKNOWN_PLAYER = "unknown_player"
    PLAYER_TWICE = "player_twice"
    NO_BYE = "no_bye"
    NO_SUCH_ROUND = "no_such_round"
    PLAYER_MISSING = "player_missing"
    PLAYER_ABSENT = "player_absent", gettext_noop("a player who is absent")
    SEVERAL_BYES = "several_byes", gettext_noop("several byes")

    # Rules that a round can break: set by hand, or relaxed by the organiser.
    REMATCH = "rematch", gettext_noop("players who have met before")
    SECOND_BYE = "second_bye", gettext_noop("a bye after a bye or a win without a game")
    SAME_SEATS = "same_seats", gettext_noop("players who must both sit in the same seat")
    FORBIDDEN_PAIRS = "forbidden_pairs", gettext_noop("players who are kept apart")


PLAYERS: Final = frozenset({"player", "opponent", "first", "second", "players"})
"""The values of a sentence that are players, by pairing number."""


def with_names(sentence: Text, names: Mapping[PlayerId, str]) -> Text:
    """Return a sentence with names; the number of a player without a name stays.

    Semicolons separate several players: a name such as `Doe, Cleo` has a comma.
    """
    values = sentence.values.items()
    return Text(sentence.pattern, **{key: _named(key, value, names) for key, value in values})


def _named(key: str, value: Any, names: Mapping[PlayerId, str]) -> Any:
    if isinstance(value, Text):
        return with_names(value, names)
    if isinstance(value, list) and key in PLAYERS:
        return "; ".join(str(_named(key, item, names)) for item in value)
    if isinstance(value, list):
        return [_named(key, item, names) for item in value]
    return names.get(value) or value if key in PLAYERS else value


class StatedFinding(TypedDict):
    """A finding, with pairing numbers; the sentences of explanations have names."""

    code: FindingCode
    numbers: list[PlayerId]
    values: dict[str, Any]
    sentence: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement about players: its code, the players, a sentence and the values in it.

    The sentence and the values have pairing numbers, because names can change: what shows the
    sentence puts them in (`with_names`).
    """

    code: FindingCode
    players: tuple[PlayerId, ...]
    sentence: Text
    values: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> StatedFinding:
        """Return the finding for the API, or to store it."""
        return {
            "code": self.code,
            "numbers": list(self.players),
            "values": dict(self.values),
            "sentence": self.sentence,
        }

    def for_entries(self, entries: Mapping[PlayerId, int]) -> dict[str, Any]:
        """Return the finding for rows and the journal, with entries: pairing numbers can change."""
        return {
            "code": self.code.value,
            "entries": [entries[number] for number in self.players],
            "values": dict(self.values),
        }


@dataclass(frozen=True, slots=True)
class ExplainedPairing:
    """A pairing, or a bye if `second` is None, and the reasons for it."""

    first: PlayerId
    second: PlayerId | None
    reasons: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the pairing as JSON to store."""
        return {
            "first": self.first,
            "second": self.second,
            "reasons": [reason.as_json() for reason in self.reasons],
        }
