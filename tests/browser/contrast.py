"""The contrast of the texts of a page, by WCAG 2.2, success criterion 1.4.3.

It takes the background of a text from the elements around it, where axe looks at what is drawn
below each line, which takes most of its time. `make test-long` lets axe look at every page.
"""

COLOURS_OF_TEXTS = """() => {
    const parse = text => {
        const numbers = text.match(/[\\d.e-]+/g).map(Number);
        const scale = text.startsWith('color(') ? 255 : 1;
        return [...numbers.slice(0, 3).map(part => part * scale), numbers[3] ?? 1];
    };
    const blend = (above, below, alpha = above[3]) =>
        above.slice(0, 3).map((part, i) => alpha * part + (1 - alpha) * below[i]);
    const hex = colour => '#' + colour
        .map(part => Math.round(part).toString(16).padStart(2, '0')).join('');
    const background = element => {
        if (!element) return [255, 255, 255];
        const above = parse(getComputedStyle(element).backgroundColor);
        return above[3] === 1 ? above.slice(0, 3) : blend(above, background(element.parentElement));
    };
    const colours = element => {
        const style = getComputedStyle(element), below = background(element);
        let alpha = parse(style.color)[3];
        for (let each = element; each; each = each.parentElement) {
            alpha *= getComputedStyle(each).opacity;
        }
        return [hex(blend(parse(style.color), below, alpha)), hex(below)];
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
        .map(each => [
            ...colours(each),
            isLarge(getComputedStyle(each)) ? 3 : 4.5,
            each.outerHTML.slice(0, 200),
        ]);
}"""
