"""The recommendation of a plan in English sentences, and the numbers in them.

`Monrad, 6 rounds: the strongest player wins in 71 % ± 3 of the simulations.`
"""

from collections.abc import Sequence

from tournament.simulation.comparison import ComparedFormat, FormatVerdict, Reason
from tournament.simulation.figures import Figure


def write_reasons(
    compared: Sequence[ComparedFormat], verdicts: Sequence[FormatVerdict], aim: str
) -> tuple[str, ...]:
    """Return a sentence about each format, the recommended one first.

    That sentence also says from how many of the others so many simulations cannot tell it apart.
    """
    if not verdicts:
        return ()
    first, *others = (_write_reason(compared[found.index], found, aim) for found in verdicts)
    equal = sum(found.reason is Reason.EQUAL for found in verdicts)
    if equal:
        of = f"{equal} other format{'s' if equal > 1 else ''}"
        simulations = compared[0].totals.simulations
        first += (
            f" {simulations} simulations cannot tell it apart with certainty from {of}:"
            " with another seed, one of them may be recommended."
        )
    return (first, *others)


def write_format(row: ComparedFormat) -> str:
    """Return the name of a format, as `Monrad, 6 rounds`."""
    return write_name(row.name, row.format.rounds)


def write_name(name: str, rounds: int) -> str:
    """Return the name of a pairing system with a number of rounds."""
    return f"{name}, {rounds} round{'s' if rounds > 1 else ''}"


def write_share(figure: Figure) -> str:
    """Return a share with its error in percent, as `71 % ± 3`."""
    return f"{100 * figure.value:.0f} % ± {100 * figure.error:.0f}"


def write_number(figure: Figure | None, digits: int = 2) -> str:
    """Return a mean with its error, as `0.64 ± 0.02`; nothing for None."""
    return "" if figure is None else f"{figure.value:.{digits}f} ± {figure.error:.{digits}f}"


def write_minutes(minutes: int) -> str:
    """Return a duration in hours and minutes, as `7:45`."""
    return f"{minutes // 60}:{minutes % 60:02}"


def _write_reason(row: ComparedFormat, verdict: FormatVerdict, aim: str) -> str:
    found = (
        f"the strongest player wins in {write_share(verdict.figure)} of the simulations"
        if aim == "winner"
        else f"the final order agrees with the true one by tau {write_number(verdict.figure)}"
    )
    subject = write_format(row)
    if verdict.reason is Reason.RECOMMENDED:
        return f"{subject} is recommended: {found}, and the day takes {write_minutes(row.minutes)}."
    longer = _write_longer(verdict.longer)
    if verdict.reason is Reason.EQUAL:
        return f"{subject}: {found}, cannot be told apart; the day takes {longer}."
    return f"{subject}: {found}, clearly less; the day takes {longer}."


def _write_longer(minutes: int) -> str:
    if not minutes:
        return "as long"
    return f"{write_minutes(abs(minutes))} {'longer' if minutes > 0 else 'shorter'}"
