"""The colours of charts on light and dark screens."""

from xml.etree import ElementTree

import pytest

from ratings.systems.charts import CHART_PAINTS, CHART_STYLE, draw_chart
from tests.games.rules.contrast import contrast

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("use", "least"),
    [("chart-words", 7), ("chart-axis", 3), ("chart-series", 4.5)],
)
def test_the_contrast_with_the_page(scheme: str, use: str, least: float) -> None:
    colour, page = (getattr(CHART_PAINTS[each], scheme) for each in (use, "chart-page"))
    assert contrast(colour, page) >= least


def test_a_chart_has_dark_colours_in_its_only_style() -> None:
    root = ElementTree.fromstring(draw_chart("Pool <1>", (100, 50), 10))
    (style,) = root.iter(f"{SVG}style")
    assert style.text == CHART_STYLE
    page = root.find(f"{SVG}rect")
    assert page is not None
    assert page.get("fill") == "#ffffff"
    assert CHART_STYLE.startswith(
        "@media screen and (prefers-color-scheme:dark){.chart-page{fill:#11161d}"
    )
    assert not any("style" in each.attrib for each in root.iter())
