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
    const ofAll = compute => {
        const known = new Map();
        return element => {
            if (!known.has(element)) known.set(element, compute(element));
            return known.get(element);
        };
    };
    const background = ofAll(element => {
        if (!element) return [255, 255, 255];
        const above = parse(getComputedStyle(element).backgroundColor);
        return above[3] === 1 ? above.slice(0, 3) : blend(above, background(element.parentElement));
    });
    const opacity = ofAll(element =>
        element ? getComputedStyle(element).opacity * opacity(element.parentElement) : 1);
    const colours = element => {
        const text = parse(getComputedStyle(element).color), below = background(element);
        return [hex(blend(text, below, text[3] * opacity(element))), hex(below)];
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
    const found = new Map();  // by colours: a message with all texts would take long to read
    [...elements]
        .filter(each => !each.closest('svg, script, :disabled, [aria-disabled=true]'))
        .filter(each => !each.closest('label')?.control?.disabled)
        .filter(each => each.checkVisibility({visibilityProperty: true}))
        .forEach(each => {
            const colour = [...colours(each), isLarge(getComputedStyle(each)) ? 3 : 4.5];
            const known = found.get(colour.join());
            if (known) known.push(each); else found.set(colour.join(), [...colour, each]);
        });
    return [...found.values()].map(([colour, below, least, ...elements]) => [
        colour, below, least, elements.slice(0, 3).map(each => each.outerHTML.slice(0, 200)),
    ]);
}"""
