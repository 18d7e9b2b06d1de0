// Plays the scan or sequence of a tour board, automatically or step by step.
import { button, h, iconButton, replace, setText, icon, s } from '../lib/dom.js';
import { diamond } from '../board/stones.js';

const WHOLE = 6000; // ms for a whole scan
const TURN = 900; // ms per turn of a sequence

export class TourPlayer {
    /** @param {import('./tourboard.js').TourBoard[]} boards */
    constructor(boards) {
        this.boards = boards;
        this.at = Infinity;
        this.toggle = iconButton('play', 'Play', () => this.#toggle(), { class: 'player-button' });
        this.range = h('input', {
            type: 'range',
            class: 'range',
            min: 0,
            'aria-label': 'Progress',
            on: { input: () => this.#go(Number(this.range.value)) },
        });
        this.words = h('span', { class: 'small quiet player-words' });
        this.reset = button('Reset board', () => this.#reset(), { icon: 'undo', class: 'compact' });
        this.row = h(
            'div',
            { class: 'player-row' },
            this.toggle,
            this.range,
            this.words,
            h('span', { class: 'grow' }),
            this.reset,
        );
        this.legend = h('div', { class: 'legend small quiet' });
        this.element = h('div', { class: 'tour-player' }, this.row, this.legend);
        for (const board of boards) {
            board.onTried = () => {
                this.at = Infinity;
                this.draw();
            };
        }
    }

    /** Number of steps: windows of the longest scan, or turns of the longest sequence. */
    get length() {
        return Math.max(0, ...this.boards.map(({ data }) => data.sequence?.length ?? data.scan?.windows?.length ?? 0));
    }

    get isSequence() {
        return this.boards.some(({ data }) => data.sequence?.length);
    }

    draw() {
        const { length } = this;
        const plays = length > 0;
        this.toggle.hidden = !plays;
        this.range.hidden = !plays;
        // Initially, scans are shown finished and sequences at their start.
        if (!Number.isFinite(this.at)) this.at = this.isSequence ? 0 : length;
        this.at = Math.min(this.at, length);
        this.range.max = String(length);
        this.range.value = String(this.at);
        this.range.style.setProperty('--part', `${(100 * this.at) / Math.max(1, length)}%`);
        const tries = this.boards.some(({ data }) => data.try);
        this.reset.hidden = !tries;
        this.reset.disabled = !this.boards.some((board) => board.changed);
        setText(this.words, plays ? this.#describe() : '');
        replace(
            this.legend,
            legendOf(this.boards),
            h('span', { class: 'grow' }),
            tries &&
                h(
                    'span',
                    {},
                    this.boards.some(({ data }) => data.try?.cell)
                        ? 'Click a cell to select it; all values are updated.'
                        : 'Click a cell to change it; all counts are updated.',
                ),
        );
        this.row.hidden = !plays && !tries;
    }

    #describe() {
        if (this.isSequence) {
            const words = this.boards
                .map((board) => (board.data.sequence ? board.afterTurns(this.at).words : ''))
                .filter(Boolean)[0];
            return words || (this.at === 0 ? `${this.length} turns` : `turn ${this.at} of ${this.length}`);
        }
        return this.at >= this.length ? `scan finished, ${this.length} windows` : `window ${this.at} of ${this.length}`;
    }

    #go(at) {
        this.at = Math.max(0, Math.min(this.length, at));
        for (const board of this.boards) {
            const { data } = board;
            if (data.sequence?.length) board.shown = board.afterTurns(Math.min(this.at, data.sequence.length));
            else if (data.scan)
                board.shown = this.at >= (data.scan.windows?.length ?? 0) ? null : scanned(data, this.at);
            board.draw();
        }
        this.draw();
    }

    #toggle() {
        if (this.timer) {
            this.stop();
            return;
        }
        if (this.at >= this.length) this.#go(0);
        this.toggle.replaceChildren(icon('pause'));
        this.toggle.setAttribute('aria-label', 'Pause');
        const began = performance.now();
        const from = this.at;
        const pace = this.isSequence ? TURN : WHOLE / Math.max(1, this.length);
        this.timer = setInterval(
            () => {
                this.#go(from + Math.floor((performance.now() - began) / pace));
                if (this.at >= this.length) this.stop();
            },
            Math.max(40, Math.min(TURN, pace)),
        );
    }

    stop() {
        clearInterval(this.timer);
        this.timer = null;
        this.toggle.replaceChildren(icon('play'));
        this.toggle.setAttribute('aria-label', 'Play');
    }

    #reset() {
        this.stop();
        for (const board of this.boards) board.reset();
        this.at = Infinity;
        this.draw();
    }
}

/** The marks of a scan after this many windows, and its current window. */
function scanned(data, at) {
    const { scan } = data;
    const found = (scan[scan.method] ?? []).filter((entry) => entry.at < at);
    const marks = found.flatMap((entry, i) =>
        entry.marks.map((cell) => ({ kind: 'number', cells: [cell], value: i + 1, shown: false })),
    );
    const window = scan.windows[Math.max(0, at - 1)];
    return {
        rows: data.rows,
        marks: [{ kind: 'window', cells: window, side: 'first', label: '' }, ...marks],
        last: [],
        numbers: null,
    };
}

const swatch = (...parts) => s('svg', { class: 'swatch', viewBox: '0 0 32 18', 'aria-hidden': 'true' }, parts);
const LEGEND = [
    [
        'window',
        null,
        'threat window',
        () => swatch(s('rect', { class: 'window first', x: 1, y: 3, width: 30, height: 12, rx: 6 })),
    ],
    [
        'number',
        null,
        'marked by scan',
        () =>
            swatch(
                s(
                    'g',
                    { class: 'square' },
                    s('rect', { x: 8, y: 1, width: 16, height: 16, rx: 3 }),
                    s('text', { x: 16, y: 13, 'font-size': 11 }, '1'),
                ),
            ),
    ],
    [
        'answer',
        true,
        'exact answer',
        () => swatch(s('g', { class: 'answer shown' }, s('path', { d: diamond(16, 9, 8) }))),
    ],
    ['answer', false, 'other answer', () => swatch(s('g', { class: 'answer' }, s('path', { d: diamond(16, 9, 7) })))],
    ['pattern', null, 'must be empty', () => swatch(s('g', { class: 'answer' }, s('path', { d: diamond(16, 9, 7) })))],
    [
        'area',
        null,
        'within reach',
        () => swatch(s('g', { class: 'area' }, s('rect', { x: 6, y: 1, width: 20, height: 16, 'fill-opacity': 0.3 }))),
    ],
    ['chain', true, 'a chain that counts', () => swatch(s('g', { class: 'chain first' }, s('path', { d: 'M4 9H28' })))],
    [
        'chain',
        false,
        'a chain that does not count',
        () => swatch(s('g', { class: 'chain first broken' }, s('path', { d: 'M4 9H28' }))),
    ],
    [
        'stone',
        null,
        'a future stone',
        () => swatch(s('g', { class: 'ghost first' }, s('circle', { class: 'disc first flat', cx: 16, cy: 9, r: 7 }))),
    ],
];

/** Tours in which a mark has another meaning. */
const OTHERWISE = { chains: { answer: 'where it can continue' } };

function legendOf(boards) {
    const marks = boards.flatMap(({ data }) => data.marks ?? []);
    return LEGEND.filter(([kind, shown]) =>
        marks.some((mark) => mark.kind === kind && (shown === null || Boolean(mark.shown) === shown)),
    ).map(([kind, , words, draw]) =>
        h('span', { class: 'row' }, draw(), OTHERWISE[boards[0].data.kind]?.[kind] ?? words),
    );
}
