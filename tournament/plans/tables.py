"""The formats of a plan as a table; a command that starts without Django's models prints it too.

CSV: `system,rounds,minutes,boards`, then for each measure its mean and the ends of its interval of
95 %, as `winner,winner_low,winner_high`. A schedule has no floats: their cells are empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple
from typing import Any, Final

from games.core.decimals import ESTIMATE, estimate, write
from games.core.tables.table import (
    Cell,
    Column,
    ColumnKind,
    Heading,
    TableDocument,
)
from games.rules.messages import gettext_noop
from tournament.simulation.comparison import ComparedFormat, FormatVerdict
from tournament.simulation.figures import Figure
from tournament.simulation.measures import MEASURES, SHARES
from tournament.simulation.plan_sentences import (
    write_minutes,
    write_number,
    write_reasons,
    write_share,
)

HEADINGS: Final = {
    "winner": gettext_noop("Strongest wins"),
    "tau": gettext_noop("Order (tau)"),
    "strongest_rank": gettext_noop("Rank of the strongest"),
    "top_share": gettext_noop("Best found"),
    "rematches": gettext_noop("Rematches"),
    "imbalance": gettext_noop("Seat imbalance"),
    "downfloats": gettext_noop("Downfloats"),
    "upfloats": gettext_noop("Upfloats"),
    "byes": gettext_noop("Byes"),
    "games": gettext_noop("Games"),
}
"""The measures of the page and the sheet, with their headings."""

EXACT_COLUMNS: Final = tuple(f"{name}{end}" for name in MEASURES for end in ("", "_low", "_high"))
PRINTED: Final = (
    "name",
    "rounds",
    "length",
    "boards",
    *(f"{name}_shown" for name in HEADINGS),
)
NO_BREAK: Final = "\N{NO-BREAK SPACE}"
NOTE: Final = gettext_noop(
    "Means of simulated events with errors of 95 %: the true strengths are drawn anew in each of"
    " them, from the ratings with their errors."
)


def plan_document(
    compared: Sequence[ComparedFormat], verdicts: Sequence[FormatVerdict], aim: str, file_stem: str
) -> TableDocument:
    """Return the formats, and the recommendation as notes; the body is its JSON."""
    reasons = write_reasons(compared, verdicts, aim)
    records = [_record(row) for row in compared]
    recommendation = {
        "aim": aim,
        "formats": [found.index for found in verdicts],
        "reasons": [
            {"reason": str(found.reason), "longer": found.longer, "sentence": sentence}
            for found, sentence in zip(verdicts, reasons, strict=True)
        ],
    }
    return TableDocument(
        heading=Heading(title="Formats compared", subtitle="formats compared", file_stem=file_stem),
        columns=(
            Column("system", kind=ColumnKind.TEXT),
            Column("rounds", gettext_noop("Rounds")),
            Column("minutes"),
            Column("boards", gettext_noop("Boards")),
            Column("name", gettext_noop("System"), ColumnKind.TEXT, is_wide=True, is_key=True),
            Column("length", gettext_noop("Length")),
            *(Column(name) for name in EXACT_COLUMNS),
            *(Column(f"{name}_shown", heading) for name, heading in HEADINGS.items()),
        ),
        records=records,
        cells=_cells,
        csv=("system", "rounds", "minutes", "boards", *EXACT_COLUMNS),
        page=PRINTED,
        sheet=PRINTED,
        notes=(*reasons, NOTE),
        body={"formats": records, "recommendation": recommendation},
    )


def _record(row: ComparedFormat) -> dict[str, Any]:
    figures = ((name, row.figure(name)) for name in MEASURES)
    return {
        **row.format.as_json(),
        "name": row.name,
        "minutes": row.minutes,
        "boards": row.boards,
        **{name: figure and _as_json(figure) for name, figure in figures},
    }


def _as_json(figure: Figure) -> dict[str, float]:
    return {name: estimate(value) for name, value in asdict(figure).items()}


def _cells(record: Mapping[str, Any]) -> tuple[Cell, ...]:
    figures = {name: Figure(**record[name]) if record[name] else None for name in MEASURES}
    return (
        record["system"],
        record["rounds"],
        record["minutes"],
        record["boards"],
        record["name"],
        write_minutes(record["minutes"]),
        *(text for figure in figures.values() for text in _exact(figure)),
        *(_shown(name, figures[name]) for name in HEADINGS),
    )


def _exact(figure: Figure | None) -> tuple[str, str, str]:
    if figure is None:
        return "", "", ""
    value, low, high = (write(part, ESTIMATE) for part in astuple(figure))
    return value, low, high


def _shown(name: str, figure: Figure | None) -> str:
    if figure is None:
        return "–"
    digits = 2 if name in ("tau", "imbalance") else 1
    text = write_share(figure) if name in SHARES else write_number(figure, digits)
    return text.replace(" ", NO_BREAK)
