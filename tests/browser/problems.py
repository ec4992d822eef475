"""What is wrong on a page: what axe finds, and what is computed here in less time.

All is found by one script, in one of Playwright's messages: each of them takes three programs a
hundredth of a second.
"""

from collections.abc import Mapping
from typing import Any

from axe_playwright_python.base import AXE_FILE_NAME
from playwright.sync_api import Page

from tests.browser.contrast import COLOURS_OF_TEXTS
from tests.browser.targets import WRONG_TARGETS
from tests.contrast import contrast

OPEN_MENUS = "isOpen => document.querySelectorAll('.menu').forEach(menu => menu.open = isOpen)"
"""They are folded on a phone; axe sees nothing in what is folded."""

SHOW_DARK = """() => {
    const root = document.documentElement, preferred = 'prefers-color-scheme: dark';
    const media = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
        .filter(rule => rule instanceof CSSMediaRule).map(rule => rule.media)
        .filter(each => each.mediaText.includes(preferred))
        .map(each => [each, each.mediaText]);
    for (const [each, text] of media) each.mediaText = text.replace(preferred, 'min-width: 0px');
    root.style.colorScheme = 'dark';
    return () => {
        for (const [each, text] of media) each.mediaText = text;
        root.style.colorScheme = '';
    };
}"""
"""Show a page as a browser that prefers the dark theme shows it; the result ends that."""

RUN_AXE = f"""async options => {{
    if (!window.axe) await new Promise((resolve, reject) => {{
        const script = document.createElement('script');
        script.src = '/static/{AXE_FILE_NAME}';  // the browser keeps what it has compiled
        script.onload = resolve;
        script.onerror = () => reject(new Error('axe is not served'));
        document.head.append(script);
    }});
    const found = await axe.run(options);
    return found.violations.flatMap(rule => rule.nodes.map(node =>
        `${{rule.id}}: ${{node.failureSummary}}: ${{node.html.slice(0, 200)}}`));
}}"""

FIND = f"""async options => {{
    ({OPEN_MENUS})(true);
    const coloursOfTexts = {COLOURS_OF_TEXTS};
    const light = coloursOfTexts();
    const showLight = ({SHOW_DARK})();
    const dark = coloursOfTexts();
    showLight();
    const targets = ({WRONG_TARGETS})();
    return [[...light, ...dark], targets, options ? await ({RUN_AXE})(options) : []];
}}"""


def find_problems(page: Page, rules: Mapping[str, Any] | None) -> list[str]:
    """Return what is wrong on a page whose menus it opens; without rules, axe does not look."""
    options = rules and {**rules, "resultTypes": ["violations"]}
    colours, targets, problems = page.evaluate(FIND, options)
    return [
        f"contrast of {found:.2f} instead of {least}: {elements}"
        for colour, background, least, elements in colours
        if (found := contrast(colour, background)) < least
    ] + [*(f"hard to hit or to see: {element}" for element in targets), *problems]
