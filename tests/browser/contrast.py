"""The contrast of the texts of a page, by WCAG 2.2, success criterion 1.4.3.

It takes the background of a text from the elements around it, where axe looks at what is drawn
below each line, which takes most of its time. `make test-long` lets axe look at every page.
"""

from playwright.sync_api import Page

LOW_CONTRAST = """() => {
    const parse = text => {
        const numbers = text.match(/[\\d.e-]+/g).map(Number);
        const scale = text.startsWith('color(') ? 255 : 1;
        return [...numbers.slice(0, 3).map(part => part * scale), numbers[3] ?? 1];
    };
    const blend = (above, below, alpha = above[3]) =>
        above.slice(0, 3).map((part, i) => alpha * part + (1 - alpha) * below[i]);
    const luminance = colour => {
        const linear = colour.map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const background = element => {
        if (!element) return [255, 255, 255];
        const above = parse(getComputedStyle(element).backgroundColor);
        return above[3] === 1 ? above.slice(0, 3) : blend(above, background(element.parentElement));
    };
    const contrast = element => {
        const style = getComputedStyle(element), below = background(element);
        let alpha = parse(style.color)[3];
        for (let each = element; each; each = each.parentElement) {
            alpha *= getComputedStyle(each).opacity;
        }
        const pair = [below, blend(parse(style.color), below, alpha)].map(luminance);
        return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    };
    const isLarge = style => {
        const size = parseFloat(style.fontSize);
        return size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const elements = new Set(document.querySelectorAll(
        'input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea'));
    while (texts.nextNode()) {
        if (texts.currentNode.data.trim()) elements.add(texts.currentNode.parentElement);
    }
    return [...elements]
        .filter(each => !each.closest('svg, script, :disabled, [aria-disabled=true]'))
        .filter(each => !each.closest('label')?.control?.disabled)
        .filter(each => each.checkVisibility({visibilityProperty: true}))
        .map(each => [contrast(each), isLarge(getComputedStyle(each)) ? 3 : 4.5, each])
        .filter(([found, least]) => !(found >= least))
        .map(([found, least, each]) =>
            `${found.toFixed(2)} instead of ${least}: ${each.outerHTML.slice(0, 200)}`);
}"""


def find_low_contrast(page: Page) -> list[str]:
    """Return each text whose colour is too close to that of its background, with its element."""
    found: list[str] = page.evaluate(LOW_CONTRAST)
    return found
