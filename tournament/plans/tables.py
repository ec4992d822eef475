"""A plan as a table of its formats, whose JSON has the whole request, and as a chart.

CSV: `system,rounds,minutes,boards`, then for each measure its mean and the ends of its interval of
95 %, as `winner,winner_low,winner_high`. A schedule has no floats: their cells are empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from games.core.tables.html import picture_policy
from games.core.tables.table import (
    Cell,
    Column,
    ColumnKind,
    Context,
    DocumentRenderer,
    Heading,
    TableDocument,
)
from games.rules.messages import gettext_noop
from ratings.systems.charts import CHART_STYLE
from tournament.models import Plan
from tournament.plans.queries import compared_formats, event_plan, expires_at, plan_state, plan_task
from tournament.simulation.comparison import ComparedFormat, FormatVerdict, recommend
from tournament.simulation.figures import Figure
from tournament.simulation.measures import MEASURES, SHARES
from tournament.simulation.plan_chart import ChartWords, draw_plan
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


def plan_report(plan: Plan) -> TableDocument:
    """Return the formats of a plan; without any simulation, the figures are null.

    The recommendation is null until the plan is done.
    """
    event = event_plan(plan)
    compared = compared_formats(plan, event)
    aim = plan.request["aim"]
    state = plan_state(plan)
    verdicts = recommend(compared, aim) if state == "done" else ()
    document = plan_document(compared, verdicts, aim, f"plan-{plan.pk}")
    body = {
        "id": plan.pk,
        "state": state,
        "task": plan_task(plan.pk),
        "done": plan.done,
        "simulations": event.simulations,
        "created_at": plan.created_at,
        "finished_at": plan.finished_at,
        "expires_at": expires_at(plan),
        "tournament": plan.tournament.slug if plan.tournament else None,
        "players": [{"rating": one.rating, "error": one.error} for one in event.players],
        "seed": event.seed,
        "draws": event.draws,
        "first_seat": event.first_seat,
        "top": event.top,
        "minutes": plan.request["minutes"],
        "pause": plan.request["pause"],
        "aim": aim,
        **document.body,
    }
    return replace(document, body=body)


def _record(row: ComparedFormat) -> dict[str, Any]:
    figures = ((name, row.figure(name)) for name in MEASURES)
    return {
        **row.format.as_json(),
        "name": row.name,
        "minutes": row.minutes,
        "boards": row.boards,
        **{name: figure and figure.as_json() for name, figure in figures},
    }


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
    low, high = f"{figure.low:.6f}", f"{figure.high:.6f}"
    return f"{figure.value:.6f}", low, high


def _shown(name: str, figure: Figure | None) -> str:
    if figure is None:
        return "–"
    digits = 2 if name in ("tau", "imbalance") else 1
    text = write_share(figure) if name in SHARES else write_number(figure, digits)
    return text.replace(" ", NO_BREAK)


def plan_chart(plan: Plan, words: ChartWords) -> str:
    """Return the chart of a plan with at least one simulation, as SVG."""
    return draw_plan(compared_formats(plan, event_plan(plan)), words)


class ChartRenderer(DocumentRenderer):
    """Return a chart, which is text already; its policy allows its own style."""

    media_type = "image/svg+xml"
    format = "svg"
    disposition = "inline"
    security_policy = picture_policy(CHART_STYLE)

    def render(self, data: str, media_type: str | None = None, context: Context = None) -> str:
        """Return the chart."""
        return data
