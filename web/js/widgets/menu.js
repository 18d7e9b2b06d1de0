// A popup menu below a button: actions, links, switches and choices.
import { h, icon } from '../lib/dom.js';

/**
 * @typedef {{label: string, icon?: string, run?: () => void, href?: string, on?: boolean, change?: (on: any) => void,
 *     choices?: [string, string][], value?: string}} Item
 * @param {HTMLElement} anchor @param {Item[]} items
 */
export function openMenu(anchor, items) {
    const dialog = h('dialog', { class: 'menu', 'aria-label': anchor.getAttribute('aria-label') ?? 'Menu' });
    const close = () => dialog.close();
    dialog.append(...items.map((item) => draw(item, close)));
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener('click', (event) => {
        if (event.target === dialog) close();
    });
    document.body.append(dialog);
    dialog.showModal();
    const box = anchor.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    dialog.style.left = `${Math.max(8, Math.min(box.right - dialog.offsetWidth, room - dialog.offsetWidth - 8))}px`;
    const below = box.bottom + 6;
    const fits = below + dialog.offsetHeight < innerHeight - 8;
    dialog.style.top = `${fits ? below : Math.max(8, Math.min(box.top - dialog.offsetHeight - 6, innerHeight - dialog.offsetHeight - 8))}px`;
}

function draw(item, close) {
    if (item.choices) {
        const select = h(
            'select',
            { class: 'select', on: { change: () => item.change(select.value) } },
            item.choices.map(([value, label]) => h('option', { value, selected: value === item.value }, label)),
        );
        return h('label', { class: 'item' }, item.label, select);
    }
    if (item.change) {
        const box = h('input', {
            type: 'checkbox',
            class: 'switch',
            role: 'switch',
            checked: item.on,
            on: { change: () => item.change(box.checked) },
        });
        return h('label', { class: 'item' }, item.label, box);
    }
    if (item.href) return h('a', { class: 'item', href: item.href, on: { click: close } }, item.label);
    return h(
        'button',
        {
            type: 'button',
            class: 'item',
            on: {
                click: () => {
                    close();
                    item.run();
                },
            },
        },
        item.icon && icon(item.icon),
        item.label,
    );
}
