"""Controls that are hard to hit, and links that only their colour tells from the text around them.

Success criterion 2.5.8 of WCAG 2.2: a control is 24 pixels wide and high, or it has room: a circle
of that diameter around its centre meets no other control, and not the circle of another small one.
Links within a text are exempt. Criterion 1.4.1: these are underlined.

axe's rules for the two take half of its time. They also know of controls below others, and of other
marks of links, which the pages do not need; `make test-long` lets axe look at every page.
"""

WRONG_TARGETS = """() => {
    const least = 24, rounding = 0.05;
    const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, '
        + '[role=button], [role=link], [tabindex="0"]';
    const isInline = element => getComputedStyle(element).display.startsWith('inline');
    const blockAround = element => {
        const parent = element.parentElement;
        return isInline(parent) ? blockAround(parent) : parent;
    };
    const hasText = element => [...element.childNodes].some(node =>
        node instanceof Text ? node.data.trim()
            : node instanceof Element && !node.matches(kinds) && isInline(node) && hasText(node));
    const isInText = element => isInline(element) && hasText(blockAround(element));
    const isMarked = element => {
        const style = getComputedStyle(element);
        return style.textDecorationLine !== 'none' || style.borderBottomStyle !== 'none';
    };

    const controls = [...document.querySelectorAll(kinds)]
        .filter(each => each.checkVisibility({visibilityProperty: true}))
        .filter(each => each.tabIndex >= 0 && !each.disabled)
        .map(element => ({element, box: element.getBoundingClientRect()}))
        .filter(({box}) => box.width && box.height)
        .map(({element, box}) => ({
            element, box,
            x: box.x + box.width / 2,
            y: box.y + box.height / 2,
            isSmall: Math.min(box.width, box.height) < least - rounding,
            isInText: isInText(element),
        }));
    const isNear = (small, other) => {
        const x = Math.max(other.box.left, Math.min(small.x, other.box.right));
        const y = Math.max(other.box.top, Math.min(small.y, other.box.bottom));
        return Math.hypot(small.x - x, small.y - y) < least / 2 - rounding
            || other.isSmall && Math.hypot(small.x - other.x, small.y - other.y) < least - rounding;
    };
    const nest = (one, other) => one.contains(other) || other.contains(one);
    const crowded = controls.filter(small => small.isSmall && !small.isInText && controls.some(
        other => !nest(small.element, other.element) && isNear(small, other)));
    const unmarked = controls.filter(({element, isInText}) =>
        isInText && element.matches('a, [role=link]') && element.innerText && !isMarked(element));
    return [...crowded, ...unmarked].map(({element}) => element.outerHTML.slice(0, 200));
}"""
