"""The values of a loss as texts: what gets worse, by how much, and what the alternative changes."""

from games.rules.seat import Seat
from tournament.pairing.request import in_both_orders
from tournament.pairing.systems.dutch.alternatives import Alternatives, Loss
from tournament.pairing.systems.dutch.assessment import COUNTS_BY_SCORE, SCORE_CRITERIA, Amount
from tournament.pairing.systems.dutch.criteria import Criterion
from tournament.pairing.systems.dutch.field import Field
from tournament.pairing.systems.dutch.round import PairedBracket
from tournament.pairing.systems.dutch.seats import decide_seat, order_boards
from tournament.standings.points import PointSystem


def loss_values(alternatives: Alternatives, loss: Loss, points: PointSystem) -> dict[str, str]:
    """Return the values that `explain_loss` puts into a sentence."""
    field, actual = alternatives.field, alternatives.brackets[loss.index]
    bracket = points.format_units(field.scores[actual.residents.start])
    values = {"rule": str(loss.rule), "bracket": bracket}
    if loss.worse is not None:
        moved = sorted({field.scores[place] for place in actual.moved}, reverse=True)
        scores = [points.format_units(units) for units in moved]
        for name, amount in (
            ("actual", loss.worse.actual),
            ("alternative", loss.worse.alternative),
        ):
            values[name] = _describe_amount(loss.worse.criterion, amount, scores, points)
    if loss.alternative is not None:
        values |= _changes(field, actual, loss.alternative)
    return values


def in_seat_order(field: Field, pair: tuple[int, int]) -> tuple[int, int]:
    """Return two places (higher, lower) as (first, second)."""
    seat, _ = decide_seat(field, *pair)
    return pair if seat is Seat.FIRST else pair[::-1]


def _describe_amount(
    criterion: Criterion, amount: Amount, scores: list[str], points: PointSystem
) -> str:
    """Describe an amount: scores, counts for each score of the moved-down players, or a count."""
    if criterion in SCORE_CRITERIA:
        parts = [points.format_units(units) for units in amount]
    elif criterion in COUNTS_BY_SCORE:
        counts = zip(amount, scores, strict=False)
        parts = [f"{count} with {score} points" for count, score in counts if count]
    else:
        parts = [str(count) for count in amount]
    return ", ".join(parts) or "none"


def _changes(field: Field, actual: PairedBracket, alternative: PairedBracket) -> dict[str, str]:
    """Return the boards, downfloaters and bye that only the alternative has."""
    met = in_both_orders(actual.pairs)
    pairs = order_boards(field, [pair for pair in alternative.pairs if pair not in met])
    seated = [in_seat_order(field, pair) for pair in pairs]
    floaters = sorted(set(alternative.floaters) - set(actual.floaters))
    changes = {
        "boards": " ".join(
            f"{field.numbers[first]}-{field.numbers[second]}" for first, second in seated
        ),
        "downfloaters": ", ".join(str(field.numbers[place]) for place in floaters),
    }
    if alternative.bye is not None and alternative.bye != actual.bye:
        changes["bye"] = str(field.numbers[alternative.bye])
    return {name: text for name, text in changes.items() if text}
