// A board of the tour: a position and what krow computes about it. On interactive boards, clicks update both.
import { chip, h, icon, replace, setText } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { Board } from '../board/board.js';
import { STRIP } from '../board/geometry.js';
import { otherSide, parseCell, parseGame, stoneAt, withStone } from '../rules.js';
import { raised } from '../texts.js';

const KEPT_HEIGHT = 468; // pixels of the window's height used above and below the boards
const ALONE = 260; // the same for a single board, which has its facts beside it
const BESIDE = 360; // pixels of width for these facts
const PATTERN = /^[-.x]+(\/[-.x]+)+$/; // rows of a pattern, from the top
const LONG = 10; // values with more characters are set small

/** Converts marks of the server to marks of the board. */
export function boardMarks(marks) {
    const answers = new Set(
        marks.filter(({ kind, shown }) => kind === 'answer' && shown).flatMap(({ cells }) => cells),
    );
    return marks
        .map((mark) => {
            const base = { ...mark, side: mark.side ?? 'first' };
            if (mark.kind === 'area') return { ...base, side: mark.side, tone: mark.value ?? 0.4 };
            if (mark.kind === 'cell') return { ...base, text: raised(mark.label), tone: mark.value ?? 0.5 };
            if (mark.kind === 'pattern')
                return mark.label === 'own'
                    ? { ...base, kind: 'area', tone: 0.6 }
                    : { ...base, kind: 'answer', shown: false };
            if (mark.kind === 'score')
                return { ...base, text: raised(mark.label), best: mark.shown, tone: mark.value ?? 0 };
            if (mark.kind === 'number') return { ...base, filled: answers.has(mark.cells[0]) };
            return base;
        })
        .filter(({ cells }) => cells.length > 0);
}

export class TourBoard {
    /**
     * @param {object} data from the server
     * @param {{tour: string, step: number, place: number} | {ask: (rows: string[]) => Promise<object>}} where what computes
     * the board again
     * @param {boolean} alone
     */
    constructor(data, where, alone) {
        this.original = data;
        this.data = data;
        this.where = where;
        this.stones = {};
        this.cell = null;
        this.mode = data.try?.cell ? 'cell' : 'stones';
        this.title = h('h2', {}, data.heading ?? data.title ?? '');
        this.caption = h('p', { class: 'small quiet tour-caption' });
        this.facts = h('table', { class: 'tour-facts' });
        this.modes = h('div', { class: 'chips' });
        this.board = new Board({
            label: data.heading || 'Board',
            anyCell: true,
            named: true, // texts and facts name cells
            reserve: alone ? ALONE : KEPT_HEIGHT,
            room: () => this.#room(alone),
        });
        this.holder = h('div', { class: 'board-holder' }, this.board.element);
        this.element = h(
            'section',
            { class: 'tour-board' },
            this.title,
            this.caption,
            this.modes,
            this.holder,
            this.facts,
        );
        this.board.on('place', (cell) => this.#click(cell));
        this.onTried = () => {};
        this.shown = null; // position and marks shown by the player instead of the original ones
    }

    /** The width of the column; a single board leaves space for its facts unless the column is narrow. */
    #room(alone) {
        const width = this.element.clientWidth + STRIP;
        return alone && width > 640 ? width - BESIDE : width;
    }

    get rules() {
        return this.data.rules ?? parseGame(this.data.game);
    }

    layout() {
        this.draw();
        this.board.layout();
    }

    draw() {
        const { data } = this;
        const view = this.shown ?? { rows: data.rows, marks: data.marks, last: [], numbers: null };
        this.board.update({
            rules: this.rules,
            rows: view.rows,
            last: view.last ?? [],
            line: [],
            turn: data.turn ?? 'first',
            over: false,
            canPlay: Boolean(data.try),
            numbers: view.numbers ?? null,
        });
        this.board.setMarks(boardMarks(view.marks));
        this.holder.classList.toggle('falls', Boolean(this.rules.gravity));
        setText(this.caption, data.caption ?? '');
        replace(this.facts, h('tbody', {}, (data.facts ?? []).map(factRow)));
        this.#modes();
    }

    #modes() {
        const both = this.data.try?.cell && this.data.try.stones?.length > 0;
        this.modes.hidden = !both;
        if (!both) return;
        replace(
            this.modes,
            [
                ['cell', 'choose a cell'],
                ['stones', 'change stones'],
            ].map(([id, label]) =>
                chip(label, this.mode === id, () => {
                    this.mode = id;
                    this.#modes();
                }),
            ),
        );
    }

    async #click(cell) {
        const { try: tries } = this.data;
        if (!tries) return;
        const before = this.data;
        if (this.mode === 'cell') {
            this.cell = cell;
        } else {
            const { x, y } = parseCell(cell);
            const marks = tries.stones?.length ? tries.stones : ['X', 'O', '.'];
            const now = { first: 'X', second: 'O' }[stoneAt(this.data.rows, x, y)] ?? '.';
            const next = marks[(marks.indexOf(now) + 1) % marks.length];
            this.stones[cell] = next;
            // The stone is shown at once; the server computes the counts.
            this.data = {
                ...this.data,
                rows: withStone(this.data.rows, x, y, { X: 'first', O: 'second' }[next] ?? null),
            };
            this.draw();
        }
        await this.ask(before);
    }

    #ofTour() {
        const body = {
            step: this.where.step,
            board: this.where.place,
            stones: this.stones,
            ...(this.cell ? { cell: this.cell } : {}),
        };
        return post(`/tour/${encodeURIComponent(this.where.tour)}/try`, body);
    }

    /** Computes the board again. `before` returns if `where.ask` refuses the position. */
    async ask(before = this.data) {
        const mine = (this.asked = {});
        try {
            const data = await (this.where.ask ? this.where.ask(this.data.rows) : this.#ofTour());
            if (mine !== this.asked) return;
            this.data = { ...data, heading: this.data.heading };
            polite(data.caption ?? '');
        } catch (error) {
            if (mine !== this.asked) return;
            if (this.where.ask) this.data = before;
            showError(error);
        }
        this.shown = null;
        this.draw();
        this.onTried();
    }

    reset() {
        this.asked = {};
        this.stones = {};
        this.cell = null;
        this.data = this.original;
        this.shown = null;
        this.draw();
    }

    get changed() {
        return this.data !== this.original;
    }

    /** The position after some turns of the sequence. */
    afterTurns(n) {
        let { rows } = this.data;
        const numbers = new Map();
        const turns = this.data.sequence.slice(0, n);
        turns.forEach((turn, i) => {
            for (const cell of turn.stones) {
                const { x, y } = parseCell(cell);
                rows = withStone(rows, x, y, turn.side ?? (i % 2 === 0 ? this.data.turn : otherSide(this.data.turn)));
                numbers.set(cell, i + 1);
            }
        });
        const last = turns[turns.length - 1];
        return {
            rows,
            numbers,
            last: last?.stones ?? [],
            marks: n === 0 ? this.data.marks : [],
            words: last?.words ?? '',
        };
    }
}

const VERDICTS = {
    right: ['check', 'right'],
    high: ['close', 'too many'],
    low: ['close', 'too few'],
    wrong: ['close', 'wrong'],
};

const isPattern = (value) => PATTERN.test(String(value ?? ''));
const lengthClass = (value) => (!isPattern(value) && String(value ?? '').length > LONG ? ' long' : '');

/** A pattern is drawn with its rows below each other; other values are text. */
function factValue(value) {
    return isPattern(value)
        ? h('span', { class: 'fact-pattern' }, value.replaceAll('/', '\n').replaceAll('-', ' '))
        : raised(value ?? '');
}

function factRow({ label, value, verdict, words, note }) {
    const [name, meaning] = VERDICTS[verdict] ?? [];
    return h(
        'tr',
        {},
        h('th', { scope: 'row' }, label),
        h('td', { class: `fact-value${lengthClass(value)}` }, factValue(value)),
        h(
            'td',
            {},
            name &&
                h(
                    'span',
                    { class: name === 'check' ? 'verdict-right' : 'verdict-wrong', role: 'img', 'aria-label': meaning },
                    icon(name),
                ),
            h('span', { class: verdict === 'right' || !verdict ? '' : 'quiet' }, words ?? note ?? ''),
        ),
    );
}
