// Announcements for screen readers, and short visible messages.
import { h } from './dom.js';

function announce(id, text) {
    const region = document.getElementById(id);
    // Screen readers announce a repeated text only if the region was empty in between.
    region.textContent = '';
    requestAnimationFrame(() => {
        region.textContent = text;
    });
}

/** For turns, results and requested evaluations. */
export const polite = (text) => announce('polite', text);

/** For connection problems and errors. */
export const assertive = (text) => announce('assertive', text);

let current = null;

/** Shows and announces a message that disappears automatically. */
export function toast(text, { error = false } = {}) {
    (error ? assertive : polite)(text);
    current?.remove();
    const element = h('div', { class: 'toast' }, text);
    current = element;
    // An open dialog covers the rest of the page, so the message goes inside it.
    (document.querySelector('dialog[open]') ?? document.body).append(element);
    setTimeout(() => element.remove(), 4000);
}

/** Shows an error of the server or the page. */
export function showError(error) {
    toast(error.message, { error: true });
}
