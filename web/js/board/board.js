// The board of all games: lines or wells, stones, marks, pointer, coordinates. Only changes are redrawn.
import { h, s } from '../lib/dom.js';
import { Emitter } from '../lib/emitter.js';
import { cellName, isEmpty, landing, parseCell, stoneAt } from '../rules.js';
import { changedRows } from './changes.js';
import { fitCell, Geometry, STRIP } from './geometry.js';
import { CellGrid } from './grid.js';
import { BoardInput } from './input.js';
import { drawMarks } from './marks.js';
import { fall, grow, sweep } from './motion.js';
import { drawGhost, drawStone } from './stones.js';
import { drawCoordinates, drawSurface } from './surface.js';

const LEAST_ON_TOUCH = 22; // pixels per cell on touch screens; boards that do not fit are panned
const MOST = 160; // pixels per cell, limits the size of small boards
export const LENS_BELOW = 20; // pixels per cell; smaller cells need the lens
const AIM_BELOW = 32; // pixels per cell; on smaller cells a tap only selects

/**
 * What the board shows.
 * @typedef {{rules: import('../rules.js').Rules, rows: string[], last: string[], line: string[], turn: 'first'|'second',
 *     over: boolean, canPlay: boolean, numbers: Map<string, number>|null}} BoardView
 */

/**
 * Events: `place` with a cell, `aim` and `hover` with a cell or null, `layout` when the size has changed, `stones` when
 * stones were added to the position that was shown.
 */
export class Board extends Emitter {
    /**
     * @param {{label: string, coordinates?: boolean, named?: boolean, reserve?: number, anyCell?: boolean, room?: () => number}} options
     *     named: with gravity, cells have names such as f1 instead of column numbers; reserve: pixels of the window's
     *     height for other elements; anyCell: occupied cells can be chosen too;
     *     room: the available width (default: the width of the parent)
     */
    constructor({ label, coordinates = true, named = false, reserve = 144, anyCell = false, room }) {
        super();
        this.options = {
            coordinates,
            named,
            reserve,
            anyCell,
            room: room ?? (() => this.element.parentElement?.clientWidth ?? 0),
        };
        this.view = null;
        this.geometry = null;
        this.marks = [];
        this.zoom = 1;
        this.aimed = null;
        this.hovered = null;
        this.shownStones = new Map();
        this.svg = s('svg', { 'aria-hidden': 'true', focusable: 'false' });
        this.grid = new CellGrid(label);
        this.inner = h('div', { class: 'board-inner' }, this.svg, this.grid.element);
        this.element = h('div', { class: 'board' }, this.inner);
        this.input = new BoardInput(this);
        this.grid.on('move', () => this.#showFocus());
        this.grid.on('enter', (cell) => this.choose(cell));
        this.element.addEventListener('scroll', () => {
            this.#pinCoordinates();
            this.#showEdges();
        });
    }

    /** @param {BoardView} view */
    update(view) {
        const before = this.view;
        this.view = view;
        if (!before || !this.geometry || !sameRules(before.rules, view.rules)) {
            this.aimed = null;
            this.layout();
            return;
        }
        if (this.aimed && !this.#playable(this.aimed)) this.aim(null);
        this.#drawStones(before);
        this.#drawPointer();
    }

    /** @param {import('./marks.js').Mark[]} marks */
    setMarks(marks) {
        const same = JSON.stringify(marks) === JSON.stringify(this.marks);
        this.marks = marks;
        if (!same && this.geometry) this.#drawMarks();
    }

    setCoordinates(on) {
        this.options.coordinates = on;
        if (this.view) this.layout();
    }

    setReserve(pixels) {
        if (this.options.reserve === pixels) return;
        this.options.reserve = pixels;
        if (this.view) this.layout();
    }

    /** Fits the board into the available space and redraws it. */
    layout() {
        const { rules } = this.view;
        const room = this.options.room();
        if (room === 0) return;
        const narrow = matchMedia('(max-width: 839px)').matches;
        const { coordinates, named } = this.options;
        const options = { coordinates, named, tight: narrow };
        const height = Math.max(200, innerHeight - this.options.reserve);
        const most = narrow ? Infinity : height;
        const fitting = fitCell(rules, room, narrow ? Math.max(height, room * 1.4) : most, options);
        const least = narrow || matchMedia('(pointer: coarse)').matches ? LEAST_ON_TOUCH : 6;
        this.fitting = Math.min(MOST, Math.max(fitting, least));
        const cell = Math.max(4, Math.round(this.fitting * this.zoom));
        this.geometry = new Geometry(rules, cell, options);
        this.#draw();
        const g = this.geometry;
        this.element.classList.toggle('pans', g.width > room + 1);
        this.element.classList.toggle('falls', g.falls);
        this.element.style.setProperty('--board-width', `${Math.min(g.width, room)}px`);
        this.element.style.maxHeight =
            narrow && g.width > room + 1 ? `${Math.round(Math.max(280, innerHeight * 0.6))}px` : '';
        this.#showEdges();
        this.emit('layout', g);
    }

    /** The zoom factor, from 1: the whole board or the smallest cells. */
    setZoom(zoom) {
        this.zoom = zoom;
        this.layout();
    }

    /** Whether a tap only selects a cell, because cells are smaller than a fingertip. */
    get aims() {
        return this.geometry !== null && this.geometry.cell < AIM_BELOW;
    }

    /** The cell that a click on a cell refers to: with gravity, the lowest free cell of its column. */
    target(cell) {
        if (!this.view.rules.gravity || this.options.anyCell) return cell;
        return landing(this.view.rows, cell.x) ?? cell;
    }

    /** Places a stone on a cell chosen by mouse or keyboard. */
    choose(cell) {
        const target = this.target(cell);
        this.aim(null);
        this.emit('place', cellName(target.x, target.y));
    }

    aim(cell) {
        this.aimed = cell ? this.target(cell) : null;
        this.#drawPointer();
        this.emit('aim', this.aimed ? cellName(this.aimed.x, this.aimed.y) : null);
    }

    hover(cell) {
        const same = cell && this.hovered && cell.x === this.hovered.x && cell.y === this.hovered.y;
        if (same || (!cell && !this.hovered)) return;
        this.hovered = cell;
        this.#drawPointer();
        this.emit('hover', cell ? cellName(cell.x, cell.y) : null);
    }

    /** Frames the part that the lens shows; null removes the frame. */
    frame(region) {
        const g = this.geometry;
        if (!g) return;
        if (!region) {
            this.layers.frame.replaceChildren();
            return;
        }
        const pad = 0.5 * g.cell;
        this.layers.frame.replaceChildren(
            s('rect', {
                class: 'lens-frame',
                x: g.x(region.x) - pad,
                y: g.y(region.y + region.height - 1) - pad,
                width: (region.width - 1) * g.cell + 2 * pad,
                height: (region.height - 1) * g.cell + 2 * pad,
                rx: 4,
            }),
        );
    }

    #playable(cell) {
        if (!this.view.canPlay) return false;
        return this.options.anyCell || isEmpty(this.view.rows, cell.x, cell.y);
    }

    #draw() {
        const g = this.geometry;
        this.svg.setAttribute('width', g.width);
        this.svg.setAttribute('height', g.height);
        this.svg.setAttribute('viewBox', `0 0 ${g.width} ${g.height}`);
        const layer = (name) => s('g', { class: name });
        this.column = layer('column');
        this.layers = {
            paper: drawSurface(g, this.column),
            below: layer('below'),
            aim: layer('aim'),
            ties: layer('ties'),
            stones: layer('stones'),
            above: layer('above'),
            pointer: layer('pointer'),
            frame: layer('frame'),
        };
        this.coordinates = g.coordinates ? drawCoordinates(g) : null;
        this.svg.replaceChildren(
            ...Object.values(this.layers),
            ...(this.coordinates ? Object.values(this.coordinates) : []),
        );
        this.shownStones.clear();
        this.#drawStones(null);
        this.#drawMarks();
        this.#drawPointer();
        this.#pinCoordinates();
    }

    #drawStones(before) {
        const { rows, last, line, rules } = this.view;
        const lastCells = new Set(last);
        const lineCells = new Set(line);
        let fresh = 0;
        for (const y of changedRows(before, this.view)) {
            for (let x = 0; x < rules.width; x++) {
                const side = stoneAt(rows, x, y);
                const name = side || this.shownStones.size > 0 ? cellName(x, y) : '';
                fresh += this.#setStone(
                    name,
                    x,
                    y,
                    side && {
                        side,
                        last: lastCells.has(name) && line.length === 0,
                        number: this.view.numbers?.get(name) ?? null,
                        state: line.length === 0 ? '' : lineCells.has(name) ? 'won' : 'dim',
                    },
                    before !== null,
                );
            }
        }
        this.#drawTies(before !== null && fresh > 0);
        if (before && fresh > 0) this.emit('stones');
        this.grid.update(this.view, this.geometry);
    }

    /** @returns {number} 1 if a stone was added, otherwise 0 */
    #setStone(name, x, y, stone, animate) {
        const shown = this.shownStones.get(name);
        if (!stone) {
            if (shown) {
                shown.node.remove();
                this.shownStones.delete(name);
            }
            return 0;
        }
        const key = `${stone.side} ${stone.last} ${stone.number} ${stone.state}`;
        if (shown?.key === key) return 0;
        const g = this.geometry;
        const node = s('g', { transform: `translate(${g.x(x)} ${g.y(y)})` }, drawStone(stone, g));
        if (shown) shown.node.replaceWith(node);
        else this.layers.stones.append(node);
        this.shownStones.set(name, { key, node });
        if (shown || !animate) return 0;
        if (g.falls) fall(node.firstChild, (this.view.rules.height - y) * g.cell, this.view.rules.height - y);
        else grow(node.firstChild);
        return 1;
    }

    /** Draws the winning row, or the dashed line that connects the stones of the last turn. */
    #drawTies(animate) {
        const { last, line } = this.view;
        const g = this.geometry;
        const at = (name) => {
            const cell = parseCell(name);
            return `${g.x(cell.x)} ${g.y(cell.y)}`;
        };
        this.layers.ties.replaceChildren();
        if (line.length > 1) {
            const bar = s('path', {
                class: 'win-bar',
                d: `M${at(line[0])}L${at(line[line.length - 1])}`,
                'stroke-width': 0.14 * g.cell,
            });
            this.layers.ties.append(bar);
            if (animate) sweep(bar);
        } else if (last.length > 1) {
            this.layers.ties.append(
                s('path', { class: 'tie', d: last.map((name, i) => `${i === 0 ? 'M' : 'L'}${at(name)}`).join('') }),
            );
        }
    }

    #drawMarks() {
        const { below, above } = drawMarks(this.marks, this.geometry);
        this.layers.below.replaceChildren(below);
        this.layers.above.replaceChildren(above);
    }

    /** Draws the ghost stone, the selected cell, the column under the pointer and the bold coordinates. */
    #drawPointer() {
        const g = this.geometry;
        if (!g) return;
        const aimed = this.aimed;
        const cell = aimed ?? (this.hovered && this.target(this.hovered)) ?? this.highlighted ?? null;
        const parts = [];
        this.column.replaceChildren();
        this.layers.aim.replaceChildren(...(aimed && !g.falls ? this.#crosshair(cell) : []));
        if (cell && this.view.canPlay && (aimed || this.hovered) && this.#playable(cell) && !this.options.anyCell) {
            const ghost = drawGhost(this.view.turn, g);
            ghost.setAttribute('transform', `translate(${g.x(cell.x)} ${g.y(cell.y)})`);
            parts.push(ghost);
        }
        if (cell && g.falls && this.view.canPlay) {
            this.column.append(
                s('rect', {
                    class: 'column-light',
                    x: g.x(cell.x) - 0.48 * g.cell,
                    y: 0.06 * g.cell,
                    width: 0.96 * g.cell,
                    height: g.boardHeight - 0.12 * g.cell,
                    rx: Math.min(8, g.cell / 5),
                }),
            );
        }
        this.layers.pointer.replaceChildren(...parts);
        this.#boldCoordinates(cell ?? this.grid.focusedCell());
    }

    #crosshair(cell) {
        const g = this.geometry;
        const { width, height } = this.view.rules;
        const x = g.x(cell.x);
        const y = g.y(cell.y);
        return [
            s('path', { class: 'crosshair', d: `M${x} ${g.y(0)}V${g.y(height - 1)}M${g.x(0)} ${y}H${g.x(width - 1)}` }),
            s('circle', { class: 'aim-ring', cx: x, cy: y, r: 0.63 * g.cell }),
        ];
    }

    #boldCoordinates(cell) {
        if (!this.coordinates) return;
        for (const text of this.svg.querySelectorAll('.coordinates text.bold')) text.classList.remove('bold');
        if (!cell) return;
        this.coordinates.columns.querySelector(`[data-x="${cell.x}"]`)?.classList.add('bold');
        this.coordinates.rows.querySelector(`[data-y="${cell.y}"]`)?.classList.add('bold');
    }

    #showFocus() {
        this.#drawPointer();
        const cell = this.grid.focusedCell();
        if (cell) this.emit('hover', cellName(cell.x, cell.y));
    }

    /** Keeps the coordinates at the edge while the board is panned. */
    #pinCoordinates() {
        if (!this.coordinates) return;
        const g = this.geometry;
        const pans = this.element.classList.contains('pans');
        const x = pans ? this.element.scrollLeft : 0;
        const below = pans ? Math.min(0, this.element.scrollTop + this.element.clientHeight - g.height) : 0;
        this.coordinates.rows.setAttribute('transform', `translate(${x} 0)`);
        this.coordinates.columns.setAttribute('transform', `translate(0 ${below})`);
        this.coordinates.corner.setAttribute('transform', `translate(${x} ${below})`);
    }

    /** A panned board fades where it continues. */
    #showEdges() {
        const { element } = this;
        const pans = element.classList.contains('pans');
        const right = pans && element.scrollLeft + element.clientWidth < element.scrollWidth - 1;
        element.classList.toggle('more-right', right);
        element.classList.toggle('more-above', pans && element.scrollTop > 1);
    }

    /** Scrolls a panned board so that a cell is visible. */
    reveal(cell) {
        const g = this.geometry;
        if (!g || !this.element.classList.contains('pans')) return;
        const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.element;
        const x = g.x(cell.x) - scrollLeft;
        const y = g.y(cell.y) - scrollTop;
        if (x > STRIP && x < clientWidth && y > 0 && y < clientHeight - STRIP) return;
        this.element.scrollTo({
            left: g.x(cell.x) - this.element.clientWidth / 2,
            top: g.y(cell.y) - (this.element.clientHeight - STRIP) / 2,
        });
    }

    /** Highlights a cell, such as the best column. */
    highlight(cell) {
        this.highlighted = cell;
        this.#drawPointer();
    }
}

function sameRules(a, b) {
    return a === b || (a.width === b.width && a.height === b.height && a.gravity === b.gravity);
}
