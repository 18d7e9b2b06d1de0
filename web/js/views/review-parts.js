// Parts of the review page: the accuracy of both sides and how it is computed, and the list of mistakes.
import { chip, h, replace, spot } from '../lib/dom.js';
import { boardText } from '../rules.js';
import { chanceText } from '../texts.js';

const KINDS = {
    mistake: 'is a mistake',
    blunder: 'is a blunder',
    misses: 'misses a proven win',
    lets: 'lets the other side win by force',
};

/** @param {object} scan @param {Record<string, string>} names */
export function accuracyTable(scan, names, rules) {
    const sides = ['first', 'second'];
    const row = (title, cell) =>
        h('tr', {}, h('th', { scope: 'row' }, title), sides.map((side) => h('td', {}, cell(scan.sides[side]))));
    const head = (side) =>
        h('th', { scope: 'col' }, h('span', { class: 'row' }, spot(side, rules.gravity), h('span', {}, names[side])));
    return h(
        'table',
        { class: 'rows accuracy-table' },
        h('thead', {}, h('tr', {}, h('td', {}), sides.map(head))),
        h(
            'tbody',
            {},
            row('Accuracy', ({ accuracy }) => (accuracy === null ? '–' : h('strong', { class: 'accuracy' }, accuracy.toFixed(1)))),
            row('Mistakes', ({ mistakes }) => String(mistakes)),
            row('Blunders', ({ blunders }) => String(blunders)),
            row('Missed wins', ({ misses }) => String(misses)),
            row('Let the other side win', ({ lets }) => String(lets)),
            row('Turns that count', ({ counted, turns }) => `${counted} of ${turns}`),
        ),
    );
}

export function explanation() {
    const p = (...words) => h('p', { class: 'small quiet' }, words);
    return h(
        'details',
        { class: 'accuracy-how' },
        h('summary', {}, 'How is accuracy computed?'),
        p(
            'Every position gets a winning chance, in which a draw counts half. It is 100 % or 0 % only if the win is proven. ',
            'The loss of a turn is the winning chance before it minus the chance after it. L is the mean loss of a side, in percent:',
        ),
        p(h('strong', {}, 'accuracy = 103.17 · e^(−0.0435 · L) − 3.17'), ', at least 0 and at most 100.'),
        p('A mean loss of 0 % is 100, 1 % is 96, 5 % is 80, 10 % is 64, 20 % is 40.'),
        p(
            'Turns do not count if there was nothing to decide: the position was a proven loss, or only one turn was possible. ',
            'A side without other turns has no accuracy. A turn that costs 15 % or more is a mistake, 30 % or more a blunder.',
        ),
        p(
            'The formula uses winning chances alone, so it is the same for every game. Accuracies of different games should not be compared.',
        ),
    );
}

/** The mistakes, or those of one side. Until one is solved, its solution is not shown. */
export class MistakeList {
    /** @param {(turning: object) => void} onAsk */
    constructor(onAsk) {
        this.onAsk = onAsk;
        this.side = undefined; // null: both sides
        this.sides = h('div', { class: 'chips', role: 'group', 'aria-label': 'Whose mistakes' });
        this.list = h('ol', { class: 'mistakes' });
        this.element = h('div', {}, this.sides, this.list);
        this.turning = [];
    }

    draw(scan, { names, solved, rules, current }) {
        if (this.side === undefined) this.side = names.first === 'You' ? 'first' : names.second === 'You' ? 'second' : null;
        const all = scan?.turning ?? [];
        this.solved = solved;
        this.turning = all.filter(({ side }) => this.side === null || side === this.side);
        const drawn = JSON.stringify([this.turning, [...solved], this.side, names, current?.ply]);
        if (drawn === this.drawn) return;
        this.drawn = drawn;
        const choose = (side) => () => {
            this.side = side;
            this.draw(scan, { names, solved, rules, current });
        };
        const focused = [...this.sides.children].indexOf(document.activeElement);
        replace(
            this.sides,
            all.length === 0
                ? []
                : [
                      [null, 'Both'],
                      ['first', names.first],
                      ['second', names.second],
                  ].map(([side, label]) => chip(label, this.side === side, choose(side), side && spot(side, rules.gravity))),
        );
        this.sides.children[focused]?.focus();
        replace(
            this.list,
            this.turning.map((turning) => this.#item(turning, rules, current)),
        );
        if (all.length > 0 && this.turning.length === 0) replace(this.list, h('li', { class: 'quiet' }, 'None of this side.'));
    }

    #item(turning, rules, current) {
        const how = this.solved.get(turning.ply);
        const cost = ['mistake', 'blunder'].includes(turning.kind)
            ? `: winning chance drops from ${chanceText(turning.before)} to ${chanceText(turning.after)}`
            : '';
        const words = boardText(`${turning.stones.join(' ')} ${KINDS[turning.kind]}${cost}.`, rules);
        const better = how && turning.best.length > 0 ? boardText(` Better was ${turning.best.join(' ')}.`, rules) : '';
        return h(
            'li',
            {},
            h(
                'button',
                {
                    type: 'button',
                    class: 'mistake',
                    'aria-current': current?.ply === turning.ply ? 'step' : null,
                    on: { click: () => this.onAsk(turning) },
                },
                h('strong', {}, String(turning.ply)),
                spot(turning.side, rules.gravity),
                h('span', { class: 'grow' }, words, better),
                h('span', { class: 'badge' }, how === 'found' ? 'found' : how === 'shown' ? 'shown' : 'find better'),
            ),
        );
    }

    /** The next mistake that is not solved, after this one; null if there is none. */
    next(turning) {
        const open = this.turning.filter(({ ply }) => !this.solved.has(ply));
        return open.find(({ ply }) => ply > (turning?.ply ?? 0)) ?? open[0] ?? null;
    }
}
