// The settings menu.
import { prefs } from '../lib/prefs.js';
import { openMenu } from './menu.js';

const toggle = (name, label) => ({ label, on: prefs.get(name), change: (on) => prefs.set(name, on) });

function settingsItems() {
    return [
        {
            label: 'Theme',
            choices: [
                ['system', 'same as system'],
                ['light', 'light'],
                ['dark', 'dark'],
            ],
            value: prefs.get('theme'),
            change: (value) => prefs.set('theme', value),
        },
        {
            label: 'Winning chances of',
            choices: [
                ['side', 'the side to move'],
                ['first', 'the first side'],
            ],
            value: prefs.get('view'),
            change: (value) => prefs.set('view', value),
        },
        toggle('coordinates', 'Coordinates'),
        toggle('numbers', 'Numbers on stones'),
        toggle('lens', 'Lens on large boards'),
        toggle('sounds', 'Sounds'),
        toggle('singleKeys', 'Single keys on the board'),
    ];
}

/** @param {HTMLElement} anchor @param {import('./menu.js').Item[]} before items shown before the settings */
export function openSettings(anchor, before = []) {
    openMenu(anchor, [...before, ...settingsItems()]);
}
