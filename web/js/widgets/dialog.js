// Dialogs with a title, a close button and a body. The browser keeps the focus inside and restores it.
import { h, iconButton } from '../lib/dom.js';

/**
 * @param {string} title
 * @param {Node[]} body
 * @param {{class?: string, onClose?: () => void}} options
 */
export function openDialog(title, body, { class: more = '', onClose } = {}) {
    const id = `dialog-${Math.random().toString(36).slice(2)}`;
    const dialog = h('dialog', { class: more, 'aria-labelledby': id });
    dialog.append(
        h(
            'div',
            { class: 'dialog-body' },
            h(
                'div',
                { class: 'dialog-head' },
                h('h2', { id }, title),
                iconButton('close', 'Close', () => dialog.close()),
            ),
            body,
        ),
    );
    const leave = () => dialog.close(); // after navigation to another page
    dialog.addEventListener('close', () => {
        removeEventListener('hashchange', leave);
        dialog.remove();
        onClose?.();
    });
    addEventListener('hashchange', leave);
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/** Asks for confirmation before an irreversible action. @returns {Promise<boolean>} */
export function confirmDialog(title, words, yes) {
    return new Promise((resolve) => {
        let answer = false;
        const choose = (value) => () => {
            answer = value;
            dialog.close();
        };
        const dialog = openDialog(
            title,
            [
                h('p', {}, words),
                h(
                    'div',
                    { class: 'dialog-foot' },
                    h('button', { type: 'button', class: 'button', on: { click: choose(false) } }, 'No'),
                    h('button', { type: 'button', class: 'button primary', on: { click: choose(true) } }, yes),
                ),
            ],
            { onClose: () => resolve(answer) },
        );
    });
}
