// The board of a session with status line, chips, lens, column scores and keyboard shortcuts.
import { button, chip, h, replace, spot } from '../lib/dom.js';
import { polite, toast } from '../lib/announce.js';
import { prefs } from '../lib/prefs.js';
import { Board, LENS_BELOW } from '../board/board.js';
import { Lens } from '../board/lens.js';
import { openKeys, openRatings } from '../later.js';
import { agentName } from '../names.js';
import { isEmpty, parseCell } from '../rules.js';
import { sideName, signed, texts } from '../texts.js';
import { evaluationSentence } from './sentences.js';

const SCORES_HEIGHT = 102; // pixels for the scores above the columns
const RATINGS_HEIGHT = 40; // pixels for the line below the board
const HORIZONTAL_BAR = 28; // pixels for the evaluation bar above the board
const EVALUATION_PATIENCE = 2500; // ms after which the key E announces the evaluation found so far, or the first one
const EVALUATION_LIMIT = 60000; // ms until it announces that there is none

export class BoardPane {
    /**
     * @param {import('../session.js').Session} session
     * @param {{canPlay: () => boolean, keys?: Record<string, () => void>, reserve?: number,
     *     take?: (cell: string) => boolean}} options `take` may handle a chosen cell itself
     */
    constructor(session, { canPlay, keys = {}, reserve = 144, take = () => false }) {
        this.session = session;
        this.canPlay = canPlay;
        this.take = take;
        this.reserve = reserve;
        this.board = new Board({
            label: 'Board',
            coordinates: prefs.get('coordinates'),
            reserve,
            room: () => this.#room(),
        });
        this.lens = new Lens(this.board);
        this.scores = h('div', { class: 'column-scores', 'aria-hidden': 'true', hidden: true });
        this.whole = button('Whole board', () => this.board.setZoom(1), { class: 'whole compact', hidden: true });
        this.holder = h('div', { class: 'board-holder' }, this.scores, this.board.element, this.whole);
        this.status = h('p', { class: 'status' });
        this.chips = h('div', { class: 'chips' });
        this.under = h('div', { class: 'under' }, this.status, this.chips);
        this.keys = { ...this.#commonKeys(), ...keys };
        this.board.on('place', (cell) => this.#place(cell));
        this.board.on('layout', () => this.#afterLayout());
        this.board.on('stones', () => prefs.get('sounds') && this.#sound());
        this.board.grid.on('key', (event) => this.#key(event));
        this.observer = new ResizeObserver(() => this.resize());
        this.marks = [];
        this.ratings = null; // opened on first use
        this.stop = [
            prefs.on('coordinates', (on) => this.board.setCoordinates(on)),
            prefs.on('numbers', () => this.draw()),
            prefs.on('lens', () => this.#showLens()),
        ];
    }

    /** Must be called once the element is in the page. */
    attach() {
        this.observer.observe(this.holder.closest('.game'));
        this.onResize = () => this.resize();
        addEventListener('resize', this.onResize);
    }

    leave() {
        this.observer.disconnect();
        removeEventListener('resize', this.onResize);
        for (const stop of this.stop) stop();
    }

    resize() {
        const size = `${this.#room()} ${innerWidth} ${innerHeight}`;
        if (size === this.size || !this.board.view) return;
        this.size = size;
        this.#reserve();
        this.board.layout();
    }

    /** The width available for the board: the page without padding and, on wide screens, without the panel. */
    #room() {
        const page = this.holder.closest('.game');
        const style = getComputedStyle(page);
        const px = (name) => parseFloat(style.getPropertyValue(name)) || 0;
        return (
            page.clientWidth - px('padding-left') - px('padding-right') - px('--panel') - px('--gap') - px('--beside')
        );
    }

    #afterLayout() {
        this.whole.hidden = this.board.zoom <= 1;
        this.#showLens();
        this.#placeScores();
    }

    #showLens() {
        const wanted = prefs.get('lens') && this.board.geometry && this.board.geometry.cell < LENS_BELOW;
        this.lens.element.hidden = !wanted;
        this.lens.draw();
    }

    /** Draws a stored position until the server answers. */
    preview({ rules, rows, last }) {
        this.board.update({ rules, rows, last, line: [], turn: 'first', over: false, canPlay: false, numbers: null });
    }

    draw() {
        const { session } = this;
        const { state } = session;
        if (!state) return;
        const position = session.position();
        this.board.update({
            rules: state.rules,
            rows: position.rows,
            last: position.last,
            line: state.line,
            turn: position.turn,
            over: state.over,
            canPlay: this.canPlay(),
            numbers: prefs.get('numbers') ? this.#numbers() : null,
        });
        this.holder.classList.toggle('falls', state.rules.gravity);
        if (!this.lens.element.hidden) this.lens.draw();
        if (this.ratings?.isOn) this.setMarks(this.marks);
        this.ratings?.refresh();
        this.#reveal(position.last);
        this.#soundEnd(state);
    }

    /** Marks on the board; the ratings of an agent, if they are on, replace scores. */
    setMarks(marks) {
        this.marks = marks;
        const ratings = this.ratings?.marks ?? [];
        const others = ratings.length > 0 ? marks.filter(({ kind }) => kind !== 'score') : marks;
        this.board.setMarks([...ratings, ...others]);
    }

    /** The chip that shows what an agent sees. */
    ratingsChip() {
        return chip('Ratings', Boolean(this.ratings?.isOn), async (on) => {
            this.ratings ??= await openRatings(this.session, () => this.setMarks(this.marks));
            if (!this.ratings) return;
            if (!this.ratings.element.isConnected) this.under.append(this.ratings.element);
            this.ratings.turn(on);
            this.#reserve();
        });
    }

    async #sound() {
        const { stoneSound } = await import('../sound.js');
        stoneSound(this.session.state.rules.gravity);
    }

    /** The last stone is drawn before the server says that the game is over. */
    async #soundEnd({ id, over, winner }) {
        const ends = over && this.unfinished === id;
        this.unfinished = over ? null : id;
        if (!ends || !prefs.get('sounds')) return;
        const { endSound } = await import('../sound.js');
        endSound(winner === 'draw' ? 'end' : 'win');
    }

    /** Scrolls the last turn into view; before the first turn, the middle of the board. */
    #reveal(last) {
        const key = last.join(' ');
        if (key === this.revealed) return;
        this.revealed = key;
        const { width, height } = this.session.state.rules;
        this.board.reveal(last.length > 0 ? parseCell(last[0]) : { x: width >> 1, y: height >> 1 });
    }

    #numbers() {
        const { state, pending } = this.session;
        const numbers = new Map();
        [...state.path, ...pending].forEach((cell, i) => numbers.set(cell, i + 1));
        return numbers;
    }

    /** @param {'first'|'second'|null} side shown as a stone @param {string} strong in bold @param {string} [rest] */
    setStatus(side, strong, rest) {
        const { rules } = this.session.state;
        replace(
            this.status,
            side && spot(side, rules.gravity),
            h('span', {}, h('strong', {}, strong), rest ? ` ${rest}` : ''),
        );
    }

    /** Scores above the columns of gravity games. @param {Record<string, number>|null} cells null removes them */
    setColumnScores(cells) {
        this.columnScores = cells;
        this.scores.hidden = !cells;
        this.holder.classList.toggle('scored', Boolean(cells));
        this.#reserve();
        this.#placeScores();
    }

    /** Reserves height for the scores and, on medium screens, for the evaluation bar above the board. */
    #reserve() {
        const horizontal =
            this.holder.parentElement?.querySelector('.eval:not([hidden])') &&
            matchMedia('(max-width: 1199px)').matches;
        this.board.setReserve(this.reserve + (this.columnScores ? SCORES_HEIGHT + 16 : 0) + (horizontal ? HORIZONTAL_BAR : 0) + (this.ratings?.isOn ? RATINGS_HEIGHT : 0));
    }

    #placeScores() {
        if (!this.columnScores || !this.board.geometry) return;
        const g = this.board.geometry;
        const entries = Object.entries(this.columnScores).sort(([a], [b]) => parseCell(a).x - parseCell(b).x);
        const best = Math.max(...entries.map(([, score]) => score));
        replace(
            this.scores,
            entries.map(([cell, score]) => {
                const kind = score > 0 ? 'plus' : score === 0 ? 'even' : 'minus';
                const element = h('span', { class: score === best ? `${kind} best` : kind }, signed(Math.round(score)));
                element.style.left = `${g.x(parseCell(cell).x)}px`;
                return element;
            }),
        );
    }

    #place(cell) {
        const { session } = this;
        const { state } = session;
        if (!state || this.take(cell)) return;
        if (state.over) toast(texts.over);
        else if (!this.canPlay())
            toast(
                texts.notYourTurn(
                    agentName(state.names[session.position().turn] ?? sideName(session.position().turn, state.rules)),
                ),
            );
        else {
            const { x, y } = parseCell(cell);
            if (isEmpty(session.position().rows, x, y)) session.play(cell);
            else toast(state.rules.gravity ? texts.full(x + 1) : texts.taken(cell));
        }
    }

    #key(event) {
        const run = this.keys[event.key.toLowerCase()];
        if (!run || !prefs.get('singleKeys') || !this.session.state) return;
        event.preventDefault();
        run();
    }

    #commonKeys() {
        const { session } = this;
        const flip = (name, label) => () => {
            prefs.toggle(name);
            polite(`${label} ${prefs.get(name) ? 'on' : 'off'}.`);
        };
        return {
            u: () => session.state.can.undo && session.act('undo'),
            r: () => session.state.can.redo && session.act('redo'),
            '[': () => session.step(-1),
            ']': () => session.step(1),
            e: () => this.announceEvaluation(),
            n: flip('numbers', 'Numbers'),
            c: flip('coordinates', 'Coordinates'),
            l: flip('lens', 'Lens'),
            '?': openKeys,
        };
    }

    /** Announces the evaluation; without a running analysis, starts one for a moment. */
    async announceEvaluation() {
        const { session } = this;
        if (session.state.over) {
            polite(this.status.textContent);
            return;
        }
        if (session.analysis) {
            polite(evaluationSentence(session.analysis, session.state));
            return;
        }
        polite(texts.waiting);
        const before = session.state.analysis;
        if (!before?.on) await session.setAnalysis({ on: true, lines: 1, cells: false });
        await new Promise((resolve) => {
            let isLate = false;
            const timers = [
                setTimeout(() => {
                    isLate = true;
                    if (session.analysis) done();
                }, EVALUATION_PATIENCE),
                setTimeout(() => done(), EVALUATION_LIMIT),
            ];
            const stop = session.on('analysis', (analysis) => {
                if (analysis.final || analysis.proven || isLate) done();
            });
            const done = () => {
                timers.forEach(clearTimeout);
                stop();
                resolve();
            };
        });
        polite(session.analysis ? evaluationSentence(session.analysis, session.state) : texts.noEvaluation);
        if (!before?.on) session.setAnalysis({ on: false });
    }
}
