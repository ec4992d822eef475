"""How a running event can end, as a table and as an SVG picture.

Chances are shares from 0 to 1 with the sampling error of 95 %; `certain_win` and `certain_top` are
yes, no or empty, which is open. In the picture, each player's line has its numbers as a title.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, Final, NotRequired, TypedDict

from django.utils.translation import gettext

from games.core.decimals import ESTIMATE, RATING, estimate, rating_number
from games.core.references import TournamentReference
from games.core.tables.html import picture_policy
from games.core.tables.table import (
    Column,
    ColumnKind,
    Context,
    DocumentRenderer,
    Heading,
    Record,
    TableDocument,
)
from games.core.tables.text import printable
from games.core.text import decimal_text
from games.core.uploads.tasks import Task
from games.rules.diagram.svg import element, number, text
from games.rules.messages import gettext_noop
from ratings.systems.charts import (
    CHART_STYLE,
    draw_chart,
    draw_line,
    draw_series,
    draw_words,
    paint,
)
from tournament.core.crosstable import Participants
from tournament.core.references import NumberedEntry, tournament_reference
from tournament.models import Forecast, Tournament
from tournament.simulation.event import SimulatedEvent
from tournament.simulation.forecast import Chance, PlayerForecast, sampling_error


class StatedChance(TypedDict):
    """How likely something is."""

    chance: Annotated[float, "from 0 to 1"]
    error: Annotated[float, "the sampling error: half an interval of 95 %"]
    certain: Annotated[bool | None, "what the points alone prove; or null"]


class RatingOutlook(TypedDict):
    """What a rating may become."""

    expected: Annotated[float, "the mean change by all games of the tournament"]
    deviation: Annotated[float, "the standard deviation of the change"]


class ForecastLine(NumberedEntry):
    """How the event can end for a player."""

    rating: Annotated[float, "by which the results were drawn"]
    points: Annotated[str, "after the complete rounds"]
    win: Annotated[StatedChance, "to be first"]
    top: Annotated[StatedChance, "to be among the first `top`"]
    expected_rank: Annotated[float, "the mean of the simulations"]
    best_rank: Annotated[int, "5 % of the simulations are better"]
    worst_rank: Annotated[int, "5 % of the simulations are worse"]
    rating_change: Annotated[RatingOutlook | None, "null: not rated"]


class ForecastTask(TypedDict):
    """The task that computes a forecast."""

    task: NotRequired[Annotated[Task | None, "null if a newer one replaced it; a dry run has none"]]


class ForecastOfEvent(TypedDict):
    """How a running event can end, the most likely winner first."""

    tournament: TournamentReference
    round: Annotated[int, "the last complete round"]
    rounds: int
    digest: Annotated[str, "of the state of the tournament, also the seed"]
    computed_at: datetime | None
    simulations: int
    ended_early: Annotated[int, "in which a round had no legal pairing"]
    error: Annotated[float, "the largest sampling error of a chance"]
    top: int
    rows: list[ForecastLine]


CSV: Final = (
    "number", "name", "rating", "points", "win", "win_error", "top", "top_error", "expected_rank",
    "best_rank", "worst_rank", "certain_win", "certain_top", "rating_change",
    "rating_change_deviation",
)  # fmt: skip
PAGE: Final = (
    "name", "rating", "points", "win_percent", "top_percent", "expected_rank", "range", "certain",
    "mean_change",
)  # fmt: skip


YES_OR_NO: Final = {True: "yes", False: "no"}


def format_percent(chance: Mapping[str, Any]) -> str:
    """Write a chance in percent; what is not certain is never written as 0 % or 100 %."""
    share = chance["chance"]
    if chance["certain"] is None and not 0.0005 <= share < 0.9995:
        return "< 0.1 %" if share < 0.5 else "> 99.9 %"
    return f"{100 * share:.1f} %"


def _certainty(record: Record) -> str:
    """Return in a few words what is certain; empty if nothing is."""
    win, top = record["win"]["certain"], record["top"]["certain"]
    if win:
        return gettext("the winner")
    if top:
        return gettext("among the first")
    if top is False:
        return gettext("out")
    return gettext("not the winner") if win is False else ""


def _range(record: Record) -> str:
    best, worst = record["best_rank"], record["worst_rank"]
    return str(best) if best == worst else f"{best}–{worst}"


COLUMNS: Final = (
    Column("number", gettext_noop("No.")),
    Column(
        "name", gettext_noop("Name"), ColumnKind.TEXT, of="player.name", is_wide=True, is_key=True
    ),
    Column("rating", gettext_noop("Rating"), of="rating", cell=round),
    Column("points", gettext_noop("Points")),
    Column("win", of="win.chance", digits=ESTIMATE),
    Column("win_error", of="win.error", digits=ESTIMATE),
    Column("top", of="top.chance", digits=ESTIMATE),
    Column("top_error", of="top.error", digits=ESTIMATE),
    Column("expected_rank", gettext_noop("Expected rank"), digits=ESTIMATE),
    Column("best_rank"),
    Column("worst_rank"),
    Column("certain_win", kind=ColumnKind.TEXT, of="win.certain", cell=YES_OR_NO.get),
    Column("certain_top", kind=ColumnKind.TEXT, of="top.certain", cell=YES_OR_NO.get),
    Column("rating_change", of="rating_change.expected", digits=RATING),
    Column("rating_change_deviation", of="rating_change.deviation", digits=RATING),
    Column("win_percent", gettext_noop("Wins the event"), of="win", cell=format_percent),
    Column("top_percent", gettext_noop("Among the first"), of="top", cell=format_percent),
    Column("range", gettext_noop("Ranks"), ColumnKind.MARK, cell=_range),
    Column("certain", gettext_noop("Certain"), ColumnKind.TEXT, cell=_certainty),
    Column(
        "mean_change",
        gettext_noop("Rating change"),
        of="rating_change.expected",
        cell="{:+.1f}".format,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedForecast:
    """The forecast of an event: the simulations, what they say, and the players by number."""

    forecast: Forecast
    event: SimulatedEvent
    rows: Sequence[PlayerForecast]
    participants: Participants
    top: int
    ended_early: int

    @property
    def largest_error(self) -> float:
        """The sampling error of a chance of one half."""
        return sampling_error(self.forecast.simulations // 2, self.forecast.simulations)


def forecast_document(tournament: Tournament, found: ComputedForecast) -> TableDocument:
    """Return the forecast of an event as a table, the most likely winner first."""
    forecast, table = found.forecast, found.event.crosstable
    records = [_record(found, row) for row in found.rows]
    is_rated = any(row.change for row in found.rows)
    page = PAGE if is_rated else PAGE[:-1]
    body: ForecastOfEvent = {
        "tournament": tournament_reference(tournament),
        "round": table.completed,
        "rounds": table.rounds,
        "digest": forecast.digest,
        "computed_at": forecast.finished_at,
        "simulations": forecast.simulations,
        "ended_early": found.ended_early,
        "error": estimate(found.largest_error),
        "top": found.top,
        "rows": records,
    }
    title = gettext("%(event)s: forecast after round %(number)s of %(total)s") % {
        "event": tournament.name,
        "number": table.completed,
        "total": table.rounds,
    }
    return TableDocument(
        heading=Heading(
            title=title,
            subtitle=gettext("Forecast after round %(number)s of %(total)s")
            % {"number": table.completed, "total": table.rounds},
            file_stem=f"{tournament.slug}.forecast",
        ),
        columns=COLUMNS,
        records=records,
        csv=CSV,
        page=page,
        sheet=page,
        notes=_notes(found),
        body=body,
    )


def _notes(found: ComputedForecast) -> tuple[str, ...]:
    """Return the notes, which are those of the page."""
    notes = [
        gettext(
            "%(count)s simulations of the rounds to come, from what is published. The sampling "
            "error of a chance is at most %(error)s %%, with a probability of 95 %%."
        )
        % {
            "count": found.forecast.simulations,
            "error": decimal_text(f"{100 * found.largest_error:.1f}"),
        },
        gettext(
            "The event's system pairs the rounds. Each simulation draws the strengths of the "
            "players about their ratings, as far from these as they are uncertain; nobody is "
            "absent who has not withdrawn. Ties after the last tie-break are broken by lot."
        ),
        gettext(
            "Among the first: in the first %(top)s places. Ranks: 90 %% of the simulations. "
            "Certain: in every possible continuation, as far as the points alone prove it, unless "
            "a result is corrected."
        )
        % {"top": found.top},
    ]
    if found.ended_early:
        early = gettext(
            "In %(ended_early)s simulations the last rounds had no legal pairing and were not "
            "played."
        )
        notes.append(early % {"ended_early": found.ended_early})
    return tuple(notes)


def _record(found: ComputedForecast, row: PlayerForecast) -> ForecastLine:
    change = row.change
    return {
        "id": found.participants.entries[row.number],
        "number": row.number,
        "player": found.participants.players[row.number],
        "rating": rating_number(row.rating),
        "points": found.event.crosstable.points.format_units(row.units),
        "win": _chance_as_json(row.win),
        "top": _chance_as_json(row.top),
        "expected_rank": estimate(row.mean_rank),
        "best_rank": row.best_rank,
        "worst_rank": row.worst_rank,
        "rating_change": None
        if change is None
        else {"expected": rating_number(change.mean), "deviation": rating_number(change.deviation)},
    }


def _chance_as_json(chance: Chance) -> StatedChance:
    return {
        "chance": estimate(chance.share),
        "error": estimate(chance.error),
        "certain": chance.certain,
    }


MOST_PLOTTED_PLAYERS: Final = 24
"""Players in the picture: the most likely winners. The table has all."""

LONGEST_PLOTTED_NAME: Final = 22
FORECAST_LEFT, FORECAST_TOP, FORECAST_WIDTH, LINE = 165, 66, 260, 24
LEGEND: Final = 44
HEIGHTS: Final = 14, 6
"""The heights of the bars: among the first, and the winner."""

PERCENT_TICKS: Final = (0, 25, 50, 75, 100)


class ForecastPlotRenderer(DocumentRenderer):
    """Render the plot of a forecast."""

    media_type = "image/svg+xml"
    format = "svg"
    disposition = "inline"
    follows_language = True
    security_policy = picture_policy(CHART_STYLE)

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return the picture."""
        return draw_forecast(data)


def draw_forecast(document: TableDocument) -> str:
    """Return the picture of a forecast with at most MOST_PLOTTED_PLAYERS players."""
    records = list(islice(document.records, MOST_PLOTTED_PLAYERS))
    size = FORECAST_LEFT + FORECAST_WIDTH + 65, FORECAST_TOP + LINE * len(records) + 34
    axes = _axes(FORECAST_TOP + LINE * len(records))
    lines = (part for row, record in enumerate(records) for part in _line(row, record))
    title = printable(document.heading.title)
    return draw_chart(title, size, 12, *_legend(document.body["top"]), *axes, *lines)


def _legend(top: int) -> Iterator[str]:
    among = gettext("among the first %(top)s") % {"top": top}
    for left, words, mark in (
        (12, gettext("wins the event"), _bar(complex(0, 0), 20, HEIGHTS[1], "currentColor")),
        (
            FORECAST_LEFT,
            among,
            element("rect", _box(complex(0, 0), 20, HEIGHTS[0]) | paint("chart-band")),
        ),
    ):
        shift = {"transform": f"translate({left} {LEGEND})"}
        yield element("g", shift | paint("chart-series"), mark)
        yield draw_words(complex(left + 26, LEGEND + 4), words, anchor="start")


def _axes(bottom: int) -> Iterator[str]:
    for tick in PERCENT_TICKS:
        x = FORECAST_LEFT + FORECAST_WIDTH * tick / 100
        yield draw_line(complex(x, FORECAST_TOP), complex(x, bottom), paint("chart-grid"))
        yield draw_words(complex(x, bottom + 18), f"{tick} %")


def _line(row: int, record: Mapping[str, Any]) -> Iterator[str]:
    middle = FORECAST_TOP + LINE * row + LINE / 2
    name = printable(record["player"]["name"])
    short = name if len(name) <= LONGEST_PLOTTED_NAME else name[: LONGEST_PLOTTED_NAME - 1] + "…"
    yield draw_words(complex(FORECAST_LEFT - 8, middle + 4), short, anchor="end")
    win, top = record["win"], record["top"]
    place = complex(FORECAST_LEFT, middle)
    title = element("title", {}, text(f"{name}: {_percent(win)}; {_percent(top)}"))
    yield element(
        "rect", _box(place, FORECAST_WIDTH * top["chance"], HEIGHTS[0]) | paint("chart-band"), title
    )
    width = FORECAST_WIDTH * win["chance"]
    yield draw_series(_bar(place, width, HEIGHTS[1], "currentColor"))
    end = complex(FORECAST_LEFT + FORECAST_WIDTH + 8, middle + 4)
    yield draw_words(end, _percent(win), anchor="start")


def _percent(chance: Mapping[str, Any]) -> str:
    return decimal_text(format_percent(chance))


def _bar(place: complex, width: float, height: float, fill: str) -> str:
    return element("rect", _box(place, width, height) | {"fill": fill})


def _box(place: complex, width: float, height: float) -> dict[str, str]:
    """Return the attributes of a rectangle whose left side has its middle at a place."""
    return {
        "x": number(place.real),
        "y": number(place.imag - height / 2),
        "width": number(width),
        "height": number(height),
    }
