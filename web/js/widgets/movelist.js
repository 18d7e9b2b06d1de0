// The moves of a game, two turns per row, with thinking times.
import { h, replace, spot, unseen } from '../lib/dom.js';
import { sideName, spentText, texts } from '../texts.js';
import { turnsOf, turnText } from '../tree.js';

const PART = 64; // rows that the browser skips together while they are out of view
const ROW = 29; // pixels, as in game.css

export class MoveList {
    /** @param {(node: number) => void} onChoose */
    constructor(onChoose) {
        this.onChoose = onChoose;
        this.element = h('div', { class: 'moves' });
        this.list = h('div', { role: 'group', 'aria-label': 'Moves' });
        this.parts = []; // lists of PART rows each
        this.rows = []; // {key, element}: only rows that change are drawn again
    }

    /** @param {import('../session.js').Session} session */
    draw(session) {
        const { state } = session;
        if (state === this.drawn) return; // stones that the server has not confirmed are not listed
        this.drawn = state;
        const turns = turnsOf(session.line());
        if (turns.length === 0) {
            this.rows = [];
            this.parts = [];
            replace(this.list);
            replace(this.element, h('p', { class: 'empty' }, texts.noStones(state.rules)));
            return;
        }
        if (this.list.parentElement !== this.element) replace(this.element, this.list);
        const here = turns.findIndex((turn) => turn.nodes.some((node) => node.id === state.current));
        const rows = [];
        turns.forEach((turn, i) => {
            if (turn.side === 'first' || rows.length === 0) rows.push({});
            rows[rows.length - 1][turn.side] = { turn, current: i === here, future: i > here };
        });
        rows.forEach((row, i) => this.#row(row, i, state));
        for (const { element } of this.rows.splice(rows.length)) element.remove();
        this.#fitParts();
        const timed = turns.some((turn) => turn.nodes.some((node) => node.ms));
        this.list.className = timed ? 'move-rows timed' : 'move-rows';
        const at = rows.findIndex(({ first, second }) => first?.current || second?.current);
        this.#show(at < 0 ? null : this.rows[at].element.querySelector('[aria-current]'));
    }

    /** Scrolls to the current turn, or to the beginning, once before the next frame: this needs the layout. */
    #show(current) {
        const isPlanned = this.wanted !== undefined;
        this.wanted = current;
        if (isPlanned) return;
        requestAnimationFrame(() => {
            const { wanted } = this;
            this.wanted = undefined;
            if (wanted?.isConnected) this.#keepInView(wanted);
            else if (wanted === null) this.element.scrollTop = 0;
        });
    }

    #row(row, i, state) {
        const key = [row.first, row.second].map(keyOf).join('/') + state.rules.gravity;
        const shown = this.rows[i];
        if (shown?.key === key) return;
        const cell = (one) => (one ? this.#turn(one.turn, state, one.current, one.future) : h('span', {}));
        const element = h(
            'li',
            {},
            h('span', { class: 'move-number quiet' }, String(i + 1)),
            cell(row.first),
            cell(row.second),
        );
        if (shown) shown.element.replaceWith(element);
        else this.#part(i).append(element);
        this.rows[i] = { key, element };
    }

    /** The list of a row; made when it is needed. */
    #part(i) {
        const at = Math.floor(i / PART);
        if (at === this.parts.length) {
            const part = h('ol', { start: i + 1 });
            this.parts.push(part);
            this.list.append(part);
        }
        return this.parts[at];
    }

    /** Removes empty lists, and states the height that a list has while it is skipped. */
    #fitParts() {
        const wanted = Math.ceil(this.rows.length / PART);
        for (const part of this.parts.splice(wanted)) part.remove();
        const last = this.parts[wanted - 1];
        this.parts[wanted - 2]?.style.removeProperty('--rows-height');
        last.style.setProperty('--rows-height', `${last.childElementCount * ROW}px`);
    }

    #turn(turn, state, current, future) {
        const ms = turn.nodes.reduce((sum, node) => sum + (node.ms ?? 0), 0);
        return h(
            'button',
            {
                type: 'button',
                class: future ? 'turn future' : 'turn',
                'aria-current': current ? 'step' : null,
                on: { click: () => this.onChoose(turn.nodes[turn.nodes.length - 1].id) },
            },
            spot(turn.side, state.rules.gravity),
            unseen(`${sideName(turn.side, state.rules)} `),
            h('span', { class: 'turn-text' }, turnText(turn, state.rules)),
            ms > 0 ? h('span', { class: 'turn-time' }, unseen(', '), spentText(ms)) : null,
            future ? unseen(', undone') : null,
        );
    }

    #keepInView(current) {
        const box = this.element;
        const row = current.closest('li');
        const horizontal = getComputedStyle(box).overflowX === 'auto' && box.scrollWidth > box.clientWidth;
        if (horizontal) {
            box.scrollLeft += current.getBoundingClientRect().right - box.getBoundingClientRect().left - box.clientWidth + 16;
            return;
        }
        const shown = row.getBoundingClientRect();
        const { top } = box.getBoundingClientRect();
        if (shown.top < top) box.scrollTop -= top - shown.top;
        else if (shown.bottom > top + box.clientHeight) box.scrollTop += shown.bottom - top - box.clientHeight;
    }
}

const keyOf = (one) =>
    one ? `${one.turn.nodes.map(({ id, cell, ms }) => `${id} ${cell} ${ms}`).join()} ${one.current} ${one.future}` : '';
