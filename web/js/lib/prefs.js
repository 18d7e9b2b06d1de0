// User preferences: stored in the browser, never sent.
import { Emitter } from './emitter.js';

const KEY = 'krow.prefs';
const DEFAULTS = {
    theme: 'system', // 'system', 'light' or 'dark'
    coordinates: true,
    numbers: false,
    hints: false, // the best cell is shown on the board while playing
    singleKeys: true,
    view: 'side', // whose chances are shown: 'side' to move or always the 'first'
    threatsFirst: true,
    threatsSecond: true,
    scores: false,
    analyse: true, // the engine thinks while a position is studied
    showAnalysis: true,
    lens: true,
    lines: 4,
};

function load() {
    try {
        return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) || '{}') };
    } catch {
        return { ...DEFAULTS };
    }
}

class Prefs extends Emitter {
    #values = load();

    get(name) {
        return this.#values[name];
    }

    set(name, value) {
        if (this.#values[name] === value) return;
        this.#values[name] = value;
        remember(KEY, this.#values);
        this.emit('change', name);
        this.emit(name, value);
    }

    toggle(name) {
        this.set(name, !this.get(name));
    }
}

/** Stored if the browser allows it. */
export function remember(key, value) {
    try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(value));
    } catch {
        // Private windows may have no storage; then the value lasts as long as the page.
    }
}

export function recall(key) {
    try {
        return JSON.parse(localStorage.getItem(key) || 'null');
    } catch {
        return null;
    }
}

export const prefs = new Prefs();

/** Dark or light as it is now. */
export function applyTheme() {
    const chosen = prefs.get('theme');
    const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    return dark ? 'dark' : 'light';
}
