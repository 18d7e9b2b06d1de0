// Finds controls that cannot be used because of the layout: covered, clipped or cut off, at any scroll position.

/** Runs in the page. @returns {string[]} a sentence for each control that is wrong */
export function misplaced() {
    const CONTROLS = 'a[href], button, input, select, textarea, summary, [role="gridcell"][tabindex="0"]';
    const EDGE = 3; // pixels from the corners to the points that are examined
    const scope = document.querySelector('dialog[open]') ?? document.body;
    const found = [];
    const name = (element) =>
        `${element.tagName.toLowerCase()} \u201c${(element.getAttribute('aria-label') ?? element.textContent ?? element.name).trim().slice(0, 40)}\u201d`;

    /** Visible for the eyes: not a control that only screen readers find, such as the skip link. */
    const isShown = (element) => {
        const { width, height } = element.getBoundingClientRect();
        if (width < 2 || height < 2 || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
            return false;
        return !element.closest('.unseen, .skip') && getComputedStyle(element).clipPath === 'none';
    };

    /** The part of a rectangle that no ancestor cuts off. */
    const visiblePart = (element, rect) => {
        let { left, top, right, bottom } = rect;
        for (let at = element.parentElement; at; at = at.parentElement) {
            const { overflowX, overflowY, position } = getComputedStyle(at);
            const box = at.getBoundingClientRect();
            if (overflowX !== 'visible' && at !== document.documentElement && at !== document.body) {
                left = Math.max(left, box.left);
                right = Math.min(right, box.right);
            }
            if (overflowY !== 'visible' && at !== document.documentElement && at !== document.body) {
                top = Math.max(top, box.top);
                bottom = Math.min(bottom, box.bottom);
            }
            if (position === 'fixed') break;
        }
        return { left, top, right, bottom };
    };

    const check = (element) => {
        element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const rect = element.getBoundingClientRect();
        const part = visiblePart(element, rect);
        if (rect.left < -1 || rect.right > innerWidth + 1) return 'is beside the screen';
        if (rect.top < -1 || (rect.bottom > innerHeight + 1 && rect.height < innerHeight)) return 'is above or below the screen';
        if (part.left > rect.left + 2 || part.right < rect.right - 2) return 'is cut off at the side';
        if (part.top > rect.top + 2 || part.bottom < rect.bottom - 2) return 'is cut off above or below';
        if (element.matches('button, a') && element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0)
            return 'has a label that does not fit';
        const across = [rect.left + EDGE, (rect.left + rect.right) / 2, rect.right - EDGE];
        const down = [rect.top + EDGE, (rect.top + rect.bottom) / 2, rect.bottom - EDGE];
        const points = rect.width > 4 * EDGE && rect.height > 4 * EDGE ? across.flatMap((x) => down.map((y) => [x, y])) : [];
        for (const [x, y] of [[across[1], down[1]], ...points]) {
            const top = document.elementFromPoint(x, y);
            // A label is part of its control; of round corners, the parent is seen.
            const isOwn = !top || element.contains(top) || top.contains(element) || top.closest('label')?.contains(element);
            if (!isOwn) return `is covered by ${name(top)} .${top.className}`;
        }
        return null;
    };

    for (const element of scope.querySelectorAll(CONTROLS)) {
        if (!isShown(element)) continue;
        const wrong = check(element);
        if (wrong) found.push(`${name(element)} ${wrong}`);
    }
    scrollTo(0, 0);
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) found.push(`the page scrolls sideways: ${scrollWidth} pixels in ${innerWidth}`);
    for (const part of scope.querySelectorAll('.panel-part, .dialog-body, .learn-text, .learn-boards, .shelf, main'))
        if (part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible')
            found.push(`${name(part).slice(0, 30)} .${part.className} scrolls sideways`);
    return found;
}
