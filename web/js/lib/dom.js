// Creates elements in one call. The content security policy forbids parsed markup and style attributes.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {Element} element
 * @param {Record<string, any>} props `class`, `on` (listeners), `data`, form properties or attributes; null and false
 *     are left out
 */
function apply(element, props) {
    for (const [name, value] of Object.entries(props)) {
        if (value === null || value === undefined || value === false) continue;
        if (name === 'on') {
            for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
        } else if (name === 'data') {
            Object.assign(element.dataset, value);
        } else if (name === 'value' || name === 'checked' || name === 'disabled') {
            element[name] = value;
        } else {
            element.setAttribute(name, value === true ? '' : String(value));
        }
    }
}

/** @returns {HTMLElement} */
export function h(tag, props = {}, ...children) {
    const element = document.createElement(tag);
    apply(element, props);
    element.append(
        ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return element;
}

/** @returns {SVGElement} */
export function s(tag, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    apply(element, attributes);
    element.append(...children.flat(Infinity).filter(Boolean));
    return element;
}

/** An icon of icons.svg; its meaning belongs in the adjacent text or the label of its button. */
export function icon(name) {
    return s(
        'svg',
        { class: 'icon', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
        s('use', { href: `/assets/icons.svg#${name}` }),
    );
}

/** @param {{icon?: string, class?: string, [key: string]: any}} props */
export function button(label, onClick, props = {}) {
    const { icon: name, class: more = '', ...rest } = props;
    return h(
        'button',
        { type: 'button', class: `button ${more}`, on: { click: onClick }, ...rest },
        name && icon(name),
        h('span', {}, label),
    );
}

export function iconButton(name, label, onClick, props = {}) {
    const { class: more = '', ...rest } = props;
    return h(
        'button',
        {
            type: 'button',
            class: `icon-button ${more}`,
            'aria-label': label,
            title: label,
            on: { click: onClick },
            ...rest,
        },
        icon(name),
    );
}

/** A toggle button in the form of a chip. */
export function chip(label, on, onChange, ...more) {
    const element = h('button', { type: 'button', class: 'chip', 'aria-pressed': String(on) }, label, ...more);
    element.addEventListener('click', () => {
        const now = element.getAttribute('aria-pressed') !== 'true';
        element.setAttribute('aria-pressed', String(now));
        onChange(now);
    });
    return element;
}

/** The small stone that represents a side. */
export function spot(side, falls = false) {
    return s(
        'svg',
        { class: falls ? 'spot falls' : 'spot', viewBox: '0 0 13 13', 'aria-hidden': 'true' },
        s('circle', { class: side, cx: 6.5, cy: 6.5, r: 5.4 }),
    );
}

/** Text for screen readers only. */
export const unseen = (text) => h('span', { class: 'unseen' }, text);

export function replace(element, ...children) {
    element.replaceChildren(
        ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
    );
    return element;
}

/** Sets text only when it changes, to avoid needless announcements and layout. */
export function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

export function setDisabled(element, disabled) {
    if (element.disabled !== disabled) element.disabled = disabled;
}
