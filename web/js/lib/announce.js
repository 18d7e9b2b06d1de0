// Words for screen readers, and short messages that everybody sees.
import { h } from './dom.js';

function say(id, text) {
    const region = document.getElementById(id);
    // The same words twice are two announcements: an empty region in between makes the second one heard.
    region.textContent = '';
    requestAnimationFrame(() => {
        region.textContent = text;
    });
}

/** Turns, results, evaluations that were asked for. */
export const polite = (text) => say('polite', text);

/** Connection and errors. */
export const assertive = (text) => say('assertive', text);

let current = null;

/** A message that goes by itself; it is announced as well. */
export function toast(text, { error = false } = {}) {
    (error ? assertive : polite)(text);
    current?.remove();
    const element = h('div', { class: 'toast' }, text);
    current = element;
    // Inside an open dialog, since everything else is below it.
    (document.querySelector('dialog[open]') ?? document.body).append(element);
    setTimeout(() => element.remove(), 4000);
}

/** An error of the server or of the page, in words. */
export function tell(error) {
    toast(error.message, { error: true });
}
