// The dialog with the keyboard shortcuts, opened with the key "?".
import { h } from '../lib/dom.js';
import { prefs } from '../lib/prefs.js';
import { openDialog } from './dialog.js';

const KEYS = [
    [['←', '→', '↑', '↓'], 'move on the board'],
    [['Home', 'End'], 'to the first or last column'],
    [['Page Up', 'Page Down'], 'five rows up or down'],
    [['Enter', 'Space'], 'place a stone'],
    [['U', 'R'], 'undo, redo'],
    [['[', ']'], 'previous or next turn'],
    [['E'], 'announce the evaluation'],
    [['T', 'S', 'N', 'C'], 'threats, scores, numbers, coordinates'],
    [['H'], 'hint'],
    [['L'], 'lens'],
    [['?'], 'show the keyboard shortcuts'],
];

export function openKeys() {
    const list = h(
        'dl',
        { class: 'keys' },
        KEYS.flatMap(([keys, does]) => [
            h(
                'dt',
                { class: 'row' },
                keys.map((key) => h('kbd', {}, key)),
            ),
            h('dd', {}, does),
        ]),
    );
    const box = h('input', {
        type: 'checkbox',
        class: 'switch',
        role: 'switch',
        checked: prefs.get('singleKeys'),
        on: { change: () => prefs.set('singleKeys', box.checked) },
    });
    openDialog('Keys', [
        h('p', { class: 'quiet' }, 'Single keys work while the board has the focus.'),
        list,
        h('label', { class: 'row' }, box, 'Single keys on the board'),
    ]);
}
