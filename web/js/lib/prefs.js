// User preferences, stored in the browser and never sent.
import { Emitter } from './emitter.js';

const KEY = 'krow.prefs';
const DEFAULTS = {
    theme: 'system', // 'system', 'light' or 'dark'
    coordinates: true,
    numbers: false,
    hints: false, // show the best cell at each turn of a person
    singleKeys: true,
    view: 'side', // winning chances of the 'side' to move or of the 'first' side
    threatsFirst: true,
    threatsSecond: true,
    scores: false,
    analyse: true, // analysis runs on the analysis page
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

/** Stores a value if the browser allows it. */
export function remember(key, value) {
    try {
        if (value === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(value));
    } catch {
        // Private windows may have no storage; the value then lasts until the page is closed.
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

/** Applies the current theme. @returns {'dark'|'light'} */
export function applyTheme() {
    const chosen = prefs.get('theme');
    const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    return dark ? 'dark' : 'light';
}
