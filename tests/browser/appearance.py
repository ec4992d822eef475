"""What `make test-long` checks on every page: zoom, larger text, the focus, the print view."""

from typing import Any

from playwright.sync_api import Page

ZOOMED = {"width": 640, "height": 400}
"""CSS pixels of a window of 1280 by 800 at 200 % zoom."""
PAPER = {"width": 718, "height": 1047}
"""CSS pixels between the margins of A4; a browser shrinks what is up to a third wider."""
MOST_TABS = 60
"""Controls that are focused, in their order."""

WIDTH = "() => document.documentElement.scrollWidth"
ENLARGE = "size => { document.documentElement.style.fontSize = size; }"

FOCUS = """() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element), box = element.getBoundingClientRect();
  const shape = element instanceof SVGElement && style.stroke !== "none";
  return {
    name: element.outerHTML.slice(0, 120),
    isShown: box.width > 1 && box.height > 1 && box.bottom > 0 && box.top < innerHeight,
    isMarked: (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
      || style.boxShadow !== "none" || shape,
  };
}"""

PRINTED = """() => {
  const shown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  return {
    heading: all("h1").length,
    pressed: all("nav, button:not(.sort), select, textarea, [type=checkbox], [type=radio]").map(
      (element) => element.outerHTML.slice(0, 120)),
    tables: all("main table").length,
    words: document.querySelector("main").innerText.trim().length,
  };
}"""
TABLES = """() => [...document.querySelectorAll("header.site ~ main table")].filter(
  (table) => table.checkVisibility()).length"""
"""Those of the wall view depend on the size of the window."""


def check_appearance(page: Page, name: str) -> None:
    """Check a page at 200 % zoom, with doubled text, its focus, and as it is printed."""
    size = page.viewport_size
    focused = page.evaluate_handle("document.activeElement")
    wrong = [*_zoom(page), *_focus(page), *_print(page)]
    if size:
        page.set_viewport_size(size)
    page.evaluate("element => { document.activeElement?.blur(); element?.focus(); }", focused)
    assert wrong == [], f"{name}: {wrong}"


def _zoom(page: Page) -> list[str]:
    """Return what is wider than the window at 200 % zoom, and with text of twice the size."""
    page.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
    wrong = []
    if (width := page.evaluate(WIDTH)) > ZOOMED["width"]:
        wrong.append(f"{width} pixels wide at 200 % zoom")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate(ENLARGE, "200%")
    if (width := page.evaluate(WIDTH)) > 1280:
        wrong.append(f"{width} pixels wide with doubled text")
    page.evaluate(ENLARGE, "")
    return wrong


def _focus(page: Page) -> list[str]:
    """Return the controls that show no focus, or are not visible when they have it."""
    page.evaluate("() => { document.activeElement?.blur(); scrollTo(0, 0); }")
    wrong, seen = [], set()
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        focus: dict[str, Any] | None = page.evaluate(FOCUS)
        if focus is None or focus["name"] in seen:
            break
        seen.add(focus["name"])
        if not (focus["isShown"] and focus["isMarked"]):
            wrong.append(f"no visible focus: {focus}")
    return wrong


def _print(page: Page) -> list[str]:
    """Return what is wrong on paper: no heading, a table that is missing, what can be pressed."""
    page.set_viewport_size(PAPER)  # type: ignore[arg-type]
    tables = page.evaluate(TABLES)
    page.emulate_media(media="print")
    printed, width = page.evaluate(PRINTED), page.evaluate(WIDTH)
    page.emulate_media(media="screen")
    wrong = []
    if not printed["heading"] or not printed["words"]:
        wrong.append("nothing to read on paper")
    if printed["tables"] < tables:
        wrong.append(f"{printed['tables']} of {tables} tables on paper")
    if width > PAPER["width"] * 4 / 3:
        wrong.append(f"{width} pixels wide on paper")
    return wrong + [f"on paper: {element}" for element in printed["pressed"]]
