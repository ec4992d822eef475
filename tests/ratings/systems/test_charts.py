"""The colours of charts on light and dark screens."""

from xml.etree import ElementTree

import pytest

from ratings.systems.charts import CHART_PAINTS, CHART_STYLE, draw_chart
from tests.games.rules.contrast import contrast

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_contrast_with_the_page(scheme: str) -> None:
    page = getattr(CHART_PAINTS["chart-page"], scheme)
    for use, least in (("chart-words", 7), ("chart-axis", 3), ("chart-series", 4.5)):
        assert contrast(getattr(CHART_PAINTS[use], scheme), page) >= least, use


def test_a_chart_has_dark_colours_in_its_only_style() -> None:
    root = ElementTree.fromstring(draw_chart("Pool <1>", (100, 50), 10))
    (style,) = root.iter(f"{SVG}style")
    assert style.text == CHART_STYLE
    assert "prefers-color-scheme:dark" in CHART_STYLE
    assert not any("style" in each.attrib for each in root.iter())
