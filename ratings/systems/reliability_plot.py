"""A reliability plot as SVG: scores by expected scores, with intervals, beside the diagonal.

It contains no script, style or link. Series differ in shape as well as in colour.
"""

from collections.abc import Iterator, Mapping, Sequence

from games.rules.diagram.svg import element, number, points, text
from ratings.systems.reliability import Group

SIZE, LEFT, TOP = 400, 60, 40
WIDTH, LEGEND_LINE = SIZE + 90, 20
GREY = "#888888"
COLOURS = ("#0b5394", "#b45f06", "#38761d", "#741b47", "#444444", "#a61c00")
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
RADIUS = 4
SHIFT = 3


def draw_reliability(title: str, series: Mapping[str, Sequence[Group]]) -> str:
    """Return the plot of at most six series of groups, by their names."""
    height = TOP + SIZE + 60 + LEGEND_LINE * len(series)
    return element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {height}",
            "width": str(WIDTH),
            "height": str(height),
            "role": "img",
            "font-family": "sans-serif",
            "font-size": "12",
        },
        element("title", {}, text(title)),
        element("rect", {"width": str(WIDTH), "height": str(height), "fill": "#ffffff"}),
        _words(LEFT, 20, title, anchor="start"),
        *_axes(),
        *_series(series),
    )


def _axes() -> Iterator[str]:
    yield element(
        "rect",
        {"x": str(LEFT), "y": str(TOP), "width": str(SIZE), "height": str(SIZE),
         "fill": "none", "stroke": GREY},
    )  # fmt: skip
    yield _line(_across(0), _down(0), _across(1), _down(1), GREY)
    for tick in TICKS:
        yield _words(_across(tick), TOP + SIZE + 18, f"{tick:g}")
        yield _words(LEFT - 8, _down(tick) + 4, f"{tick:g}", anchor="end")
    yield _words(_across(0.5), TOP + SIZE + 38, "expected score of the first seat")
    yield _words(LEFT, TOP - 6, "score", anchor="end")


def _series(series: Mapping[str, Sequence[Group]]) -> Iterator[str]:
    for index, (name, groups) in enumerate(series.items()):
        colour = COLOURS[index]
        shift = SHIFT * (2 * index - len(series) + 1)
        for group in groups:
            x = _across(group.expected) + shift
            bar = _line(x, _down(group.low), x, _down(group.high), colour)
            words = f"{name}: {group.games} games, expected {group.expected:.3f}, score"
            title = f"{words} {group.score:.3f}, interval {group.low:.3f} to {group.high:.3f}"
            mark = _mark(index, x, _down(group.score), colour)
            yield element("g", {}, element("title", {}, text(title)), bar, mark)
        y = TOP + SIZE + 60 + LEGEND_LINE * index
        yield _mark(index, LEFT + 8, y - 4, colour)
        yield _words(LEFT + 20, y, name, anchor="start")


def _mark(index: int, x: float, y: float, colour: str) -> str:
    """Return a mark: filled circle, empty square, filled triangle, empty circle, and so on."""
    paint = {"fill": colour if index % 2 == 0 else "#ffffff", "stroke": colour}
    if index % 3 == 0:
        return element("circle", {"cx": number(x), "cy": number(y), "r": str(RADIUS)} | paint)
    if index % 3 == 1:
        side = {"width": str(2 * RADIUS), "height": str(2 * RADIUS)}
        return element("rect", {"x": number(x - RADIUS), "y": number(y - RADIUS)} | side | paint)
    corners = (
        complex(x, y - RADIUS),
        complex(x - RADIUS, y + RADIUS),
        complex(x + RADIUS, y + RADIUS),
    )
    return element("polygon", {"points": points(corners)} | paint)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return element("line", {key: number(end) for key, end in ends.items()} | {"stroke": colour})


def _words(x: float, y: float, words: str, *, anchor: str = "middle") -> str:
    return element("text", {"x": number(x), "y": number(y), "text-anchor": anchor}, text(words))


def _across(score: float) -> float:
    return LEFT + SIZE * score


def _down(score: float) -> float:
    return TOP + SIZE * (1 - score)
