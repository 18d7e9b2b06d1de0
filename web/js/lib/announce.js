// Announcements for screen readers, and short visible messages.
import { h } from './dom.js';

function say(id, text) {
    const region = document.getElementById(id);
    // The same words twice are two announcements: an empty region in between makes the second one heard.
    region.textContent = '';
    requestAnimationFrame(() => {
        region.textContent = text;
    });
}

/** Turns, results, requested evaluations. */
export const polite = (text) => say('polite', text);

/** Connection and errors. */
export const assertive = (text) => say('assertive', text);

let current = null;

/** A message that disappears automatically; it is announced as well. */
export function toast(text, { error = false } = {}) {
    (error ? assertive : polite)(text);
    current?.remove();
    const element = h('div', { class: 'toast' }, text);
    current = element;
    // Inside an open dialog, since everything else is below it.
    (document.querySelector('dialog[open]') ?? document.body).append(element);
    setTimeout(() => element.remove(), 4000);
}

/** Shows an error of the server or the page. */
export function tell(error) {
    toast(error.message, { error: true });
}
