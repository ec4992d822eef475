"""What a bracket loses if a pairing were another: what gets worse, by how much, and in words.

The patterns are as in `tournament/pairing/sentences.py`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from games.rules.messages import gettext_noop
from games.rules.seat import Seat
from games.rules.text import Numeral, Text
from tournament.pairing.findings import Finding, FindingCode
from tournament.pairing.request import Pair, in_both_orders
from tournament.pairing.systems.dutch.alternatives import Alternatives, Loss
from tournament.pairing.systems.dutch.assessment import COUNTS_BY_SCORE, SCORE_CRITERIA, Amount
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.round import PairedBracket
from tournament.pairing.systems.dutch.seats import decide_seat, order_boards
from tournament.standings.crosstable import PlayerId
from tournament.standings.points import PointSystem

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
    FindingCode.WITH_PAIR: gettext_noop("if %(player)s and %(opponent)s met, %(loss)s"),
    FindingCode.WITHOUT_PAIR: gettext_noop("without %(player)s against %(opponent)s, %(loss)s"),
    FindingCode.PASSED_OVER_FOR_BYE: gettext_noop("if %(player)s had the bye, %(loss)s"),
}
MOST_NAMED_BOARDS = 6
"""The number of boards of an alternative that a sentence names."""

WORSE = gettext_noop(
    "the bracket of %(bracket)s would be worse: %(criterion)s %(alternative)s instead of "
    "%(actual)s (%(rule)s)"
)
LOSSES = {
    "C4": gettext_noop("the others could not all be paired (C4)"),
    "C5": gettext_noop("the bye would go to another score (C5)"),
    "order": gettext_noop(
        "the bracket of %(bracket)s would be equally good, but later in the order"
    ),
}
"""What a bracket loses, by the rule; WORSE for a criterion."""

INSTEAD = gettext_noop("%(loss)s; instead, %(change)s")
AGAINST = gettext_noop("%(first)s against %(second)s")
MORE_BOARDS = gettext_noop("%(boards)s and %(number)s more boards")
BOTH = gettext_noop("%(first)s and %(second)s")
FLOATS, FLOAT = gettext_noop("%(players)s floats down"), gettext_noop("%(players)s float down")
HAS_BYE = gettext_noop("%(player)s has the bye")
ALSO = gettext_noop("%(change)s; %(more)s")


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketLoss:
    """What gets worse in a bracket, and what its alternative pairing changes.

    `rule` is C4, C5, `order` or a criterion, whose amounts are `actual` and `alternative`. Only the
    alternative has these `boards`, `downfloaters` and `bye`.
    """

    rule: str
    bracket: Numeral
    actual: Sequence[str] = ()
    alternative: Sequence[str] = ()
    boards: Sequence[Pair] = ()
    downfloaters: Sequence[PlayerId] = ()
    bye: PlayerId | None = None

    @property
    def article(self) -> str:
        """The rule without the part of it that counts: `C8`."""
        return self.rule.split()[0]

    def sentence(self) -> Text:
        """Return what the bracket loses."""
        if self.rule not in CRITERIA:
            return Text(LOSSES[self.rule], bracket=self.bracket)
        return Text(
            WORSE,
            bracket=self.bracket,
            criterion=Text(CRITERIA[self.rule]),
            alternative=list(self.alternative),
            actual=list(self.actual),
            rule=self.article,
        )

    def changes(self) -> Iterator[Any]:
        """Yield what the alternative changes: boards, downfloaters, the bye."""
        if self.boards:
            boards = [Text(AGAINST, first=first, second=second) for first, second in self.boards]
            named, more = _also(boards[:MOST_NAMED_BOARDS]), len(boards) - MOST_NAMED_BOARDS
            yield Text(MORE_BOARDS, boards=named, number=more) if more > 0 else named
        if self.downfloaters:
            pattern = FLOAT if len(self.downfloaters) > 1 else FLOATS
            yield Text(pattern, players=_listed(self.downfloaters))
        if self.bye is not None:
            yield Text(HAS_BYE, player=self.bye)

    def values(self) -> dict[str, str]:
        """Return the values for the API; boards as `first-second`."""
        values = {
            "rule": self.article,
            "bracket": self.bracket,
            "actual": ", ".join(self.actual),
            "alternative": ", ".join(self.alternative),
            "boards": " ".join(f"{first}-{second}" for first, second in self.boards),
            "downfloaters": ", ".join(map(str, self.downfloaters)),
            "bye": "" if self.bye is None else str(self.bye),
        }
        return {name: value for name, value in values.items() if value}


def explain_loss(
    condition: FindingCode, players: tuple[PlayerId, ...], loss: BracketLoss
) -> Finding:
    """Say what a bracket of the Dutch system loses under a condition, and its alternative."""
    named = dict(zip(("player", "opponent"), players, strict=False))
    sentence = Text(CONDITION_SENTENCES[condition], **named, loss=loss.sentence())
    if changes := list(loss.changes()):
        sentence = Text(INSTEAD, loss=sentence, change=_also(changes))
    return Finding(condition, players, sentence, loss.values())


def _also(changes: Iterable[Any]) -> Any:
    """Return changes with semicolons between them, because a name may have a comma."""
    return reduce(lambda change, more: Text(ALSO, change=change, more=more), changes)


def _listed(players: Sequence[PlayerId]) -> Any:
    """Return `2 and 3 and 4`; in halves, because a text of many players must not be deep."""
    if len(players) == 1:
        return players[0]
    middle = len(players) // 2
    return Text(BOTH, first=_listed(players[:middle]), second=_listed(players[middle:]))


def bracket_loss(alternatives: Alternatives, loss: Loss, points: PointSystem) -> BracketLoss:
    """Return what `explain_loss` puts into words."""
    field, actual = alternatives.field, alternatives.brackets[loss.index]
    found = BracketLoss(
        rule=str(loss.rule),
        bracket=Numeral(points.format_units(field.scores[actual.residents.start])),
    )
    if loss.worse is not None:
        moved = sorted({field.scores[place] for place in actual.moved}, reverse=True)
        scores = [Numeral(points.format_units(units)) for units in moved]
        criterion = loss.worse.criterion
        found = replace(
            found,
            actual=_describe_amount(criterion, loss.worse.actual, scores, points),
            alternative=_describe_amount(criterion, loss.worse.alternative, scores, points),
        )
    if loss.alternative is not None:
        return _with_changes(found, field, actual, loss.alternative)
    return found


def in_seat_order(field: Field, pair: tuple[int, int]) -> tuple[int, int]:
    """Return two places (higher, lower) as (first, second)."""
    seat, _ = decide_seat(field, *pair)
    return pair if seat is Seat.FIRST else pair[::-1]


def _describe_amount(
    criterion: Criterion, amount: Amount, scores: Sequence[Numeral], points: PointSystem
) -> list[str]:
    """Describe an amount: scores, counts for each score of the moved-down players, or a count."""
    if criterion in SCORE_CRITERIA:
        parts = [points.format_units(units) for units in amount]
    elif criterion in COUNTS_BY_SCORE:
        counts = zip(amount, scores, strict=False)
        parts = [
            Text("%(number)s with %(points)s points", number=count, points=score)
            for count, score in counts
            if count
        ]
    else:
        parts = [str(count) for count in amount]
    return parts or [Text("none")]


def _with_changes(
    loss: BracketLoss, field: Field, actual: PairedBracket, alternative: PairedBracket
) -> BracketLoss:
    """Add the boards, downfloaters and bye that only the alternative has."""
    met = in_both_orders(actual.pairs)
    pairs = order_boards(field, [pair for pair in alternative.pairs if pair not in met])
    seated = [in_seat_order(field, pair) for pair in pairs]
    floaters = sorted(set(alternative.floaters) - set(actual.floaters))
    bye = alternative.bye if alternative.bye != actual.bye else None
    return replace(
        loss,
        boards=[(field.numbers[first], field.numbers[second]) for first, second in seated],
        downfloaters=[field.numbers[place] for place in floaters],
        bye=None if bye is None else field.numbers[bye],
    )
