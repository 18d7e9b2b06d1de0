// The board for keyboard and screen reader: a grid of named cells over the drawing, with a single tab stop.
import { h } from '../lib/dom.js';
import { Emitter } from '../lib/emitter.js';
import { cellName, stoneAt } from '../rules.js';
import { sideName } from '../texts.js';
import { changedRows } from './changes.js';

const PAGE = 5; // rows per Page Up or Page Down

/** Events: `move` when the focus moves to another cell, `enter` with the chosen cell, `key` for other keys. */
export class CellGrid extends Emitter {
    constructor(label) {
        super();
        this.label = label;
        this.element = h('div', { class: 'cells', role: 'grid', 'aria-label': label });
        this.cells = [];
        this.names = [];
        this.active = { x: 0, y: 0 };
        this.width = 0;
        this.height = 0;
        this.element.addEventListener('keydown', (event) => this.#key(event));
        this.element.addEventListener('focusin', (event) => this.#took(event));
        this.element.addEventListener('focusout', () => this.emit('move'));
    }

    /** @param {import('./board.js').BoardView} view @param {import('./geometry.js').Geometry} g */
    update(view, g) {
        const { rules } = view;
        if (rules.width !== this.width || rules.height !== this.height) this.#build(rules);
        const style = this.element.style;
        style.setProperty('--c', `${g.cell}px`);
        style.left = `${g.x(0) - g.cell / 2}px`;
        style.top = `${g.y(rules.height - 1) - g.cell / 2}px`;
        const last = new Set(view.last);
        const line = new Set(view.line);
        this.element.setAttribute('aria-label', `${this.label}, ${rules.width} × ${rules.height}`);
        for (const y of changedRows(this.shown, { ...view, named: g.named })) {
            for (let x = 0; x < rules.width; x++) this.#name(x, y, view, { last, line, named: g.named });
        }
        this.shown = { ...view, named: g.named };
    }

    #build(rules) {
        this.width = rules.width;
        this.height = rules.height;
        this.shown = null;
        this.cells = Array.from({ length: rules.height }, () => []);
        this.names = Array.from({ length: rules.height }, () => []);
        const rows = [];
        for (let y = rules.height - 1; y >= 0; y--) {
            for (let x = 0; x < rules.width; x++) this.cells[y].push(h('div', { role: 'gridcell', data: { x, y } }));
            rows.push(h('div', { role: 'row' }, this.cells[y]));
        }
        this.element.replaceChildren(...rows);
        this.active = {
            x: Math.floor((rules.width - 1) / 2),
            y: rules.gravity ? 0 : Math.floor((rules.height - 1) / 2),
        };
        this.cells[this.active.y][this.active.x].tabIndex = 0;
    }

    #name(x, y, view, { last, line, named }) {
        const { rules } = view;
        const cell = cellName(x, y);
        const place = named ? cell : `column ${x + 1}, row ${y + 1}`;
        const side = stoneAt(view.rows, x, y);
        const what = side ? sideName(side, rules) : 'empty';
        const name = `${place}, ${what}${last.has(cell) ? ', last turn' : ''}${line.has(cell) ? ', winning row' : ''}`;
        if (this.names[y][x] === name) return;
        this.names[y][x] = name;
        this.cells[y][x].setAttribute('aria-label', name);
    }

    /** The cell with the keyboard focus, or null. */
    focusedCell() {
        return this.element.contains(document.activeElement) && this.element.querySelector(':focus-visible')
            ? this.active
            : null;
    }

    /** @param {{x: number, y: number}} to */
    activate(to, focus) {
        const { x, y } = this.active;
        this.cells[y]?.[x]?.removeAttribute('tabindex');
        this.active = to;
        const cell = this.cells[to.y][to.x];
        cell.tabIndex = 0;
        if (focus) cell.focus({ preventScroll: false });
    }

    focus() {
        this.activate(this.active, true);
    }

    #took(event) {
        const { x, y } = event.target.dataset;
        if (x !== undefined) this.active = { x: Number(x), y: Number(y) };
        this.emit('move');
    }

    #key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const { x, y } = this.active;
        const right = this.width - 1;
        const top = this.height - 1;
        const moves = {
            ArrowLeft: { x: Math.max(0, x - 1), y },
            ArrowRight: { x: Math.min(right, x + 1), y },
            ArrowUp: { x, y: Math.min(top, y + 1) },
            ArrowDown: { x, y: Math.max(0, y - 1) },
            Home: { x: 0, y },
            End: { x: right, y },
            PageUp: { x, y: Math.min(top, y + PAGE) },
            PageDown: { x, y: Math.max(0, y - PAGE) },
        };
        if (moves[event.key]) {
            this.activate(moves[event.key], true);
        } else if (event.key === 'Enter' || event.key === ' ') {
            this.emit('enter', this.active);
        } else {
            this.emit('key', event);
            return;
        }
        event.preventDefault();
    }
}
