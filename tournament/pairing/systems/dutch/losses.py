"""A loss for people: what gets worse, by how much, and what the alternative changes."""

from collections.abc import Sequence
from dataclasses import replace

from games.rules.seat import Seat
from games.rules.text import Numeral, Text
from tournament.pairing.loss_sentences import BracketLoss
from tournament.pairing.request import in_both_orders
from tournament.pairing.systems.dutch.alternatives import Alternatives, Loss
from tournament.pairing.systems.dutch.assessment import COUNTS_BY_SCORE, SCORE_CRITERIA, Amount
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.round import PairedBracket
from tournament.pairing.systems.dutch.seats import decide_seat, order_boards
from tournament.standings.points import PointSystem


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
