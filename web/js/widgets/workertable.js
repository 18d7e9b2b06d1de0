// The table of workers. On narrow screens rows become blocks; ARIA roles keep it a table.
import { h, icon, setText } from '../lib/dom.js';
import { figure } from '../texts.js';
import { seenText, workerState } from '../views/jobwords.js';
import { showState } from './jobcard.js';

const COLUMNS = ['Worker', 'State', 'Slots', 'In progress', 'Games', 'Seen'];

class Row {
    constructor() {
        const cell = (label, ...children) => h('td', { role: 'cell', data: { label } }, ...children);
        this.name = h('strong', {});
        this.build = h('span', { class: 'small quiet' });
        this.words = h('p', { class: 'small worker-words' }, icon('info'), h('span', {}));
        this.state = h('span', { class: 'worker-state' });
        this.slots = cell('Slots');
        this.held = cell('In progress');
        this.games = cell('Games');
        this.seen = cell('Seen');
        this.element = h(
            'tr',
            { role: 'row' },
            h(
                'th',
                { role: 'rowheader', scope: 'row', class: 'worker-name' },
                h('p', {}, this.name),
                this.build,
                this.words,
            ),
            h('td', { role: 'cell', class: 'worker-how' }, this.state),
            this.slots,
            this.held,
            this.games,
            this.seen,
        );
    }

    show(worker, now) {
        this.worker = worker;
        const state = workerState(worker);
        this.element.dataset.worker = state[1].toLowerCase();
        setText(this.name, worker.name);
        setText(this.build, worker.build);
        const words = [worker.quarantine && `In quarantine: ${worker.quarantine}`, worker.words].filter(Boolean).join('. ');
        setText(this.words.lastChild, words);
        this.words.hidden = words === '';
        showState(this.state, state);
        setText(this.slots, figure(worker.slots));
        setText(this.held, figure(worker.held));
        setText(this.games, figure(worker.games));
        this.showAge(now);
    }

    showAge(now) {
        setText(this.seen, seenText(now - this.worker.seen));
    }
}

export class WorkerTable {
    constructor() {
        this.rows = new Map();
        this.body = h('tbody', { role: 'rowgroup' });
        this.element = h(
            'table',
            { class: 'rows workers', role: 'table', 'aria-label': 'Workers' },
            h(
                'thead',
                { role: 'rowgroup' },
                h(
                    'tr',
                    { role: 'row' },
                    COLUMNS.map((name) => h('th', { role: 'columnheader', scope: 'col' }, name)),
                ),
            ),
            this.body,
        );
    }

    /** @param {number} now server time in ms */
    show(workers, now) {
        const rows = new Map();
        for (const worker of workers) {
            const row = this.rows.get(worker.id) ?? new Row();
            row.show(worker, now);
            rows.set(worker.id, row);
        }
        this.rows = rows;
        arrange(
            this.body,
            [...rows.values()].map((row) => row.element),
        );
    }

    showAges(now) {
        for (const row of this.rows.values()) row.showAge(now);
    }
}

/** Puts elements into a place in this order. Elements already in position are not moved, to keep their focus. */
export function arrange(place, elements) {
    const wanted = new Set(elements);
    for (const child of [...place.children]) if (!wanted.has(child)) child.remove();
    for (const [i, element] of elements.entries())
        if (place.children[i] !== element) place.insertBefore(element, place.children[i] ?? null);
}
