// Plays a forced win to the completed row. The winner's turns come from the tree of the win, from a row that can be
// completed at once, or from the server; at each turn of the loser the visitor may choose one of the listed defences or
// any other stones on the board.
import { button, h, iconButton, replace, setDisabled, spot } from '../lib/dom.js';
import { polite, showError, toast } from '../lib/announce.js';
import { cellName, isEmpty, landing, otherSide, parseCell, stonesText, withStone } from '../rules.js';
import { count, sideName, texts } from '../texts.js';
import { completions, wonRow } from '../windows.js';
import { answersTo, defences, fillFree, follow, longest } from './walktree.js';

const CHIPS = 12;

/**
 * @typedef {object} Frame a turn that is shown
 * @property {'first'|'second'} side
 * @property {string[]} cells
 * @property {string[][]} rows the board after it
 * @property {string[]} line the completed row, or empty
 * @property {object|null} tree the position after the winner's turn or before it, in the tree of the win
 * @property {object[]|null} choices the listed defences; null for turns of the winner
 * @property {number} chosen index of the choice, -1 for others
 */

export class Walk {
    /** @param {import('../session.js').Session} session @param {() => void} onChange */
    constructor(session, onChange) {
        this.session = session;
        this.onChange = onChange;
        this.active = false;
        this.element = h('div', { class: 'walk', hidden: true });
    }

    async begin() {
        const { state } = this.session;
        const known = await this.session.ask('forced', { node: state.current });
        const best = known.lines[0]?.proven;
        if (!known.forced && !known.lost && best !== 'win' && best !== 'loss') {
            toast(texts.noForced);
            return;
        }
        const { rules, turn } = state;
        const wins = Boolean(known.forced) || (!known.lost && best === 'win');
        this.rules = rules;
        this.side = wins ? turn : otherSide(turn);
        this.key = `${state.id} ${state.current}`;
        this.start = { rows: state.rows, turn, left: state.stones_left };
        this.asked = new Map([['', known]]);
        this.frames = [];
        this.at = 0;
        this.picked = [];
        this.active = true;
        if (known.lost) this.root = { answers: known.lost.answers };
        else this.root = null;
        await this.#extend();
        this.#move(1);
    }

    end() {
        this.active = false;
        this.element.hidden = true;
        this.onChange();
    }

    /** Ends the walk when the current position has changed. */
    check() {
        const { state } = this.session;
        if (this.active && this.key !== `${state.id} ${state.current}`) {
            this.active = false;
            this.element.hidden = true;
        }
    }

    #last() {
        return this.frames[this.frames.length - 1];
    }

    #isEnded() {
        return this.#last()?.line.length > 0;
    }

    /** The side to move after the frames so far, and its stones. */
    #next() {
        const last = this.#last();
        if (!last) return { side: this.start.turn, left: this.start.left, rows: this.start.rows };
        return { side: otherSide(last.side), left: this.rules.p, rows: last.rows };
    }

    /** What the server knows about the position after the frames so far. */
    async #ask() {
        const after = this.frames.flatMap(({ cells }) => cells).join(' ');
        if (!this.asked.has(after))
            this.asked.set(
                after,
                await this.session.ask('forced', { node: this.session.state.current, ...(after ? { after } : {}) }),
            );
        return this.asked.get(after);
    }

    #add(cells, more) {
        const { side, rows } = this.#next();
        let next = rows;
        for (const cell of cells) {
            const { x, y } = parseCell(cell);
            next = withStone(next, x, y, side);
        }
        const line = cells.map((cell) => wonRow(next, this.rules, cell)).find(({ length }) => length > 0) ?? [];
        this.frames.push({ side, cells, rows: next, line, tree: null, choices: null, chosen: -1, ...more });
    }

    /** Adds turns as far as they are known without the server, and at least one if there is any. */
    async #extend() {
        const before = this.frames.length;
        while (!this.#isEnded()) {
            const { side, left, rows } = this.#next();
            const tree = this.#last() ? this.#last().tree : this.root;
            const added =
                side === this.side
                    ? await this.#addWinner(tree, rows, left, this.frames.length === before)
                    : await this.#addDefence(tree, rows, left, this.frames.length === before);
            if (!added) break;
        }
    }

    /** The turn of the winner: a row at once, else the tree, else the server's. */
    async #addWinner(tree, rows, left, may) {
        const [row] = completions(rows, this.rules, this.side, left);
        let node = tree;
        if (!row && !node) {
            if (!may) return false;
            const known = await this.#ask();
            const [best] = known.lines;
            node = known.forced ?? (best?.proven === 'win' ? { turn: best.stones, answers: [] } : null);
            if (!node) {
                toast('krow finds no win after this stone within three seconds.');
                return false;
            }
        }
        this.#add(row ?? node.turn, { tree: row ? null : node });
        return true;
    }

    /** The defence that lasts longest; all others are choices. */
    async #addDefence(tree, rows, left, may) {
        let choices = answersTo(tree);
        if (choices.length === 0) choices = defences(completions(rows, this.rules, this.side, this.rules.p), left);
        if (choices.length === 0) {
            if (!may) return false;
            const { lines, lost } = await this.#ask();
            choices = lost
                ? answersTo(lost)
                : lines.filter(({ proven }) => proven === 'loss').map(({ stones, distance }) => ({ answer: stones, distance }));
        }
        if (choices.length === 0) return false;
        this.#defend(choices, longest(choices), rows, left);
        return true;
    }

    #defend(choices, chosen, rows, left) {
        const choice = choices[chosen];
        const cells = fillFree(choice, choices, rows, this.rules, left);
        this.#add(cells, { choices, chosen, tree: choice.then ?? null });
    }

    async #move(by) {
        if (by > 0 && this.at === this.frames.length && !(await this.#more())) return;
        this.picked = [];
        this.at = Math.max(0, Math.min(this.frames.length, this.at + by));
        const frame = this.frames[this.at - 1];
        if (frame) polite(`${this.#name(frame.side)} ${stonesText(frame.cells, this.rules)}. ${this.#endWords(frame)}`);
        this.#draw();
        this.onChange();
    }

    /** Continues the line; false if nothing was added. */
    async #more() {
        const before = this.frames.length;
        const mine = (this.computing = {});
        this.#draw();
        try {
            await this.#extend();
        } catch (error) {
            showError(error);
        }
        if (mine === this.computing) this.computing = null;
        this.#draw();
        return this.active && this.frames.length > before;
    }

    #name(side) {
        return sideName(side, this.rules);
    }

    #endWords(frame) {
        if (frame.line.length === 0) return '';
        const stones = this.frames.reduce((sum, { cells }) => sum + cells.length, 0);
        return `${this.#name(frame.side)} completes the row, after ${count(stones, 'stone')}.`;
    }

    #words(frame) {
        if (!frame) return 'Start position.';
        const cells = stonesText(frame.cells, this.rules);
        return frame.line.length > 0 ? `${cells}: ${this.#endWords(frame)}` : cells;
    }

    #draw() {
        const frame = this.frames[this.at - 1];
        const back = iconButton('back', 'Step back', () => this.#move(-1));
        const next = iconButton('next', 'Step forward', () => this.#move(1));
        const focused = this.element.contains(document.activeElement) && document.activeElement.getAttribute('aria-label');
        setDisabled(back, this.at === 0);
        setDisabled(next, Boolean(this.computing) || (this.at === this.frames.length && this.#isEnded()));
        this.element.hidden = !this.active;
        replace(
            this.element,
            h(
                'div',
                { class: 'row' },
                back,
                next,
                frame && spot(frame.side, this.rules.gravity),
                h('span', { class: 'grow' }, this.computing ? 'Searching for the win\u2026' : this.#words(frame)),
                h('span', { class: 'small quiet' }, `${this.at} of ${this.frames.length}${this.#isEnded() ? '' : '+'}`),
                button('End', () => this.end(), { class: 'compact' }),
            ),
            frame?.choices && this.#choices(frame),
        );
        if (focused) this.element.querySelector(`[aria-label="${focused}"]:not(:disabled)`)?.focus();
    }

    #choices(frame) {
        const chips = frame.choices.slice(0, CHIPS).map((choice, i) =>
            h(
                'button',
                {
                    type: 'button',
                    class: 'chip',
                    'aria-pressed': String(i === frame.chosen),
                    'aria-label': `Defence ${stonesText(choice.answer, this.rules) || 'anywhere'}`,
                    on: { click: () => this.#choose(i) },
                },
                stonesText(choice.answer, this.rules) || 'anywhere',
            ),
        );
        const more = frame.choices.length - chips.length;
        const left = this.rules.p - this.picked.length;
        const words =
            this.picked.length > 0
                ? `${stonesText(this.picked, this.rules)} and ${count(left, 'more stone')}: choose on the board.`
                : `${more > 0 ? `And ${more} more. ` : ''}All other stones of ${this.#name(frame.side)} lose too: choose them on the board.`;
        return h(
            'div',
            { class: 'stack' },
            h('div', { class: 'chips' }, chips),
            h('p', { class: 'small quiet' }, words),
        );
    }

    /** The frame of the defence that a choice replaces: the one shown, or the next one. */
    #defenceAt() {
        const shown = this.frames[this.at - 1];
        if (shown?.choices) return this.at - 1;
        return this.frames[this.at]?.choices ? this.at : -1;
    }

    async #replaceDefence(index, add) {
        const frame = this.frames[index];
        this.frames = this.frames.slice(0, index);
        const { rows, left } = this.#next();
        add(frame, rows, left);
        this.at = index + 1;
        this.picked = [];
        this.onChange();
        await this.#more();
        const now = this.frames[this.at - 1];
        if (now) polite(`${this.#name(now.side)} ${now.cells.join(' ')}.`);
        this.onChange();
    }

    #choose(i) {
        return this.#replaceDefence(this.at - 1, (frame, rows, left) => this.#defend(frame.choices, i, rows, left));
    }

    /** A stone on the board: a defence that is not listed. @returns {boolean} whether the walk took it */
    place(cell) {
        if (!this.active) return false;
        if (this.computing) return true;
        const index = this.#defenceAt();
        if (index < 0) {
            toast(`${this.#name(this.side)} plays here; step forward to choose a defence.`);
            return true;
        }
        const { rows, left } = index > 0 ? { rows: this.frames[index - 1].rows, left: this.rules.p } : this.start;
        const at = parseCell(cell);
        // The stones of the defence that is shown are not in the way of another one.
        const to = this.rules.gravity ? landing(rows, at.x) : isEmpty(rows, at.x, at.y) ? at : null;
        if (!to) {
            toast(this.rules.gravity ? texts.full(at.x + 1) : texts.taken(cell));
            return true;
        }
        this.#pick(cellName(to.x, to.y), index, left);
        return true;
    }

    #pick(cell, index, left) {
        this.picked = this.picked.includes(cell) ? this.picked.filter((one) => one !== cell) : [...this.picked, cell];
        if (this.picked.length < left) {
            this.at = index + 1;
            this.#draw();
            this.onChange();
            return;
        }
        const cells = this.picked;
        this.#replaceDefence(index, (frame) => {
            const { choice, chosen } = follow(frame.choices, cells);
            this.#add(cells, { choices: frame.choices, chosen, tree: choice?.then ?? null });
        });
    }

    /** The board with the turns shown so far, numbered by turn. @returns {import('../board/board.js').BoardView} */
    view() {
        const index = this.#defenceAt();
        const picking = this.picked.length > 0 && index >= 0;
        const shown = this.frames.slice(0, picking ? index : this.at);
        const numbers = new Map();
        shown.forEach(({ cells }, i) => cells.forEach((cell) => numbers.set(cell, i + 1)));
        const last = shown[shown.length - 1];
        let rows = last?.rows ?? this.start.rows;
        const loser = otherSide(this.side);
        for (const cell of picking ? this.picked : []) {
            const { x, y } = parseCell(cell);
            rows = withStone(rows, x, y, loser);
        }
        const over = (last?.line.length ?? 0) > 0;
        return {
            rules: this.rules,
            rows,
            last: picking ? this.picked : (last?.cells ?? this.session.state.last),
            line: last?.line ?? [],
            turn: loser,
            over,
            canPlay: index >= 0,
            numbers,
        };
    }
}
