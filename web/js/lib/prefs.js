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
    explorer: true, // the opening explorer on the analysis page
    lens: true,
    sounds: false,
    lines: 4,
};

class Prefs extends Emitter {
    #values = { ...DEFAULTS, ...recall(KEY) };

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

function store(storage, key, value) {
    try {
        if (value === null) storage().removeItem(key);
        else storage().setItem(key, JSON.stringify(value));
    } catch {
        // Private windows may have no storage; the value then lasts until the page is closed.
    }
}

function load(storage, key) {
    try {
        return JSON.parse(storage().getItem(key) || 'null');
    } catch {
        return null;
    }
}

// Functions, because reading the property itself throws where storage is forbidden.
const local = () => localStorage;
const tab = () => sessionStorage;

/** Stores a value for all tabs, if the browser allows it; null removes it. */
export const remember = (key, value) => store(local, key, value);
export const recall = (key) => load(local, key);

/** The same for this tab alone. */
export const rememberInTab = (key, value) => store(tab, key, value);
export const recallInTab = (key) => load(tab, key);

export const prefs = new Prefs();

/** Applies the current theme. @returns {'dark'|'light'} */
export function applyTheme() {
    const chosen = prefs.get('theme');
    const dark = chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    return dark ? 'dark' : 'light';
}
