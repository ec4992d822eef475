"""The wording of what a bracket of the Dutch system loses if a pairing were another.

As in `tournament/pairing/sentences.py`, a pattern names the players as {0} and {1}, and the values
by name.
"""

from functools import reduce

from games.rules.messages import gettext_noop
from tournament.pairing.findings import Finding, FindingCode, mention
from tournament.standings.crosstable import PlayerId

CRITERIA = {
    "C6": gettext_noop("number of downfloaters"),
    "C7": gettext_noop("score of the downfloaters"),
    "C8 floaters": gettext_noop("number of downfloaters of the next bracket"),
    "C8 scores": gettext_noop("score of the downfloaters of the next bracket"),
    "C9": gettext_noop("number of unplayed games of the player with the bye"),
    "C10": gettext_noop("number of topscorers' boards that lead to a seat difference above two"),
    "C11": gettext_noop(
        "number of topscorers' boards that lead to the same seat three times in a row"
    ),
    "C12": gettext_noop("number of seat preferences not granted"),
    "C13": gettext_noop("number of strong or absolute seat preferences not granted"),
    "C14": gettext_noop("number of downfloaters who floated down in the last round"),
    "C15": gettext_noop("number of upfloaters who floated up in the last round"),
    "C16": gettext_noop("number of downfloaters who floated down two rounds ago"),
    "C17": gettext_noop("number of upfloaters who floated up two rounds ago"),
    "C18": gettext_noop(
        "number of players who float down again and floated down in the last round"
    ),
    "C19": gettext_noop(
        "number of upfloaters, by the opponent's score, who floated up in the last round"
    ),
    "C20": gettext_noop("number of players who float down again and floated down two rounds ago"),
    "C21": gettext_noop(
        "number of upfloaters, by the opponent's score, who floated up two rounds ago"
    ),
}
"""What the amounts of a criterion of the Dutch system are."""

CONDITION_SENTENCES = {
    FindingCode.WITH_PAIR: gettext_noop("if {0} and {1} met, "),
    FindingCode.WITHOUT_PAIR: gettext_noop("without {0} against {1}, "),
    FindingCode.PASSED_OVER_FOR_BYE: gettext_noop("if {0} had the bye, "),
}
MOST_NAMED_BOARDS = 6
"""The number of boards of an alternative that a sentence names."""

WORSE = gettext_noop(
    "the bracket of {bracket} would be worse: {criterion} {alternative} instead of {actual} "
    "({rule})"
)
LOSSES = {
    "C4": gettext_noop("the others could not all be paired (C4)"),
    "C5": gettext_noop("the bye would go to another score (C5)"),
    "order": gettext_noop("the bracket of {bracket} would be equally good, but later in the order"),
}
"""What a bracket loses, by the rule; WORSE for a criterion."""

INSTEAD = gettext_noop("{loss}; instead, {change}")
AGAINST = gettext_noop("{first} against {second}")
MORE_BOARDS = gettext_noop("{boards} and {number} more boards")
BOTH = gettext_noop("{first} and {second}")
FLOAT_SENTENCES, FLOAT = gettext_noop("{players} floats down"), gettext_noop("{players} float down")
HAS_BYE = gettext_noop("{player} has the bye")


def explain_loss(
    condition: FindingCode, players: tuple[PlayerId, ...], values: dict[str, str]
) -> Finding:
    """Say what a bracket of the Dutch system loses under a condition, and its alternative.

    The values are `rule` and `bracket`; for a criterion, `actual` and `alternative`; of another
    pairing, what it changes: `boards` as `first-second`, `downfloaters` and `bye`, by number.
    """
    rule = values["rule"]
    pattern = LOSSES.get(rule, WORSE)
    criterion = CRITERIA.get(rule, "")
    values |= {"rule": rule.split()[0]}
    mentions = [mention(number) for number in players]
    loss = CONDITION_SENTENCES[condition].format(*mentions) + pattern.format(
        criterion=criterion, **values
    )
    change = _describe_alternative(values)
    sentence = INSTEAD.format(loss=loss, change=change) if change else loss
    return Finding(condition, players, sentence, values)


def _describe_alternative(values: dict[str, str]) -> str:
    pairs = [_mentions(board, "-") for board in values.get("boards", "").split()]
    boards = [AGAINST.format(first=first, second=second) for first, second in pairs]
    parts = [", ".join(boards[:MOST_NAMED_BOARDS])]
    if len(boards) > MOST_NAMED_BOARDS:
        parts = [MORE_BOARDS.format(boards=parts[0], number=len(boards) - MOST_NAMED_BOARDS)]
    if "downfloaters" in values:
        floating = _mentions(values["downfloaters"], ", ")
        players = reduce(lambda first, second: BOTH.format(first=first, second=second), floating)
        parts.append((FLOAT if len(floating) > 1 else FLOAT_SENTENCES).format(players=players))
    if "bye" in values:
        parts.append(HAS_BYE.format(player=mention(int(values["bye"]))))
    return "; ".join(part for part in parts if part)


def _mentions(numbers: str, separator: str) -> list[str]:
    return [mention(int(number)) for number in numbers.split(separator)]
