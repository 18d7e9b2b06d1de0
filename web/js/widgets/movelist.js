// The moves of a game, two turns per row, with thinking times.
import { h, replace, spot } from '../lib/dom.js';
import { spentText, texts } from '../texts.js';
import { turnsOf, turnText } from '../tree.js';

export class MoveList {
    /** @param {(node: number) => void} onChoose */
    constructor(onChoose) {
        this.onChoose = onChoose;
        this.element = h('div', { class: 'moves' });
    }

    /** @param {import('../session.js').Session} session */
    draw(session) {
        const { state } = session;
        const turns = turnsOf(session.line());
        if (turns.length === 0) {
            replace(this.element, h('p', { class: 'empty' }, texts.noStones(state.rules)));
            return;
        }
        const here = turns.findIndex((turn) => turn.nodes.some((node) => node.id === state.current));
        const rows = [];
        turns.forEach((turn, i) => {
            if (turn.side === 'first' || rows.length === 0) rows.push([null, null]);
            rows[rows.length - 1][turn.side === 'first' ? 0 : 1] = this.#turn(turn, state, i === here, i > here);
        });
        const timed = turns.some((turn) => turn.nodes.some((node) => node.ms));
        replace(
            this.element,
            h(
                'ol',
                { class: timed ? 'move-rows timed' : 'move-rows', 'aria-label': 'Moves' },
                rows.map(([first, second], i) =>
                    h(
                        'li',
                        {},
                        h('span', { class: 'move-number quiet' }, String(i + 1)),
                        first ?? h('span', {}),
                        second ?? h('span', {}),
                    ),
                ),
            ),
        );
        const current = this.element.querySelector('[aria-current]');
        if (current) this.#keepInView(current);
        else this.element.scrollTop = 0;
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
            h('span', { class: 'turn-text' }, turnText(turn)),
            ms > 0 ? h('span', { class: 'turn-time' }, spentText(ms)) : null,
        );
    }

    #keepInView(current) {
        const box = this.element;
        const row = current.closest('li');
        const horizontal = getComputedStyle(box).overflowX === 'auto' && box.scrollWidth > box.clientWidth;
        if (horizontal) {
            box.scrollLeft = current.offsetLeft + current.offsetWidth - box.clientWidth + 16;
            return;
        }
        const top = row.offsetTop;
        if (top < box.scrollTop) box.scrollTop = top;
        else if (top + row.offsetHeight > box.scrollTop + box.clientHeight)
            box.scrollTop = top + row.offsetHeight - box.clientHeight;
    }
}
