// A bar of the first side's wins, draws, and the second side's wins, with percentages.
import { h } from '../lib/dom.js';
import { count } from '../texts.js';

const LEAST = 0.14; // share of a part that has room for its percentage

/** @param {{first: number, draws: number, second: number}} results @param {object} props of the bar */
export function outcomes({ first, draws, second }, props = {}) {
    const all = Math.max(1, first + draws + second);
    const part = (kind, n) => {
        const element = h('i', { class: kind }, n / all > LEAST ? `${Math.round((100 * n) / all)} %` : '');
        element.style.flexGrow = String(n);
        return element;
    };
    return h(
        'span',
        {
            class: 'outcomes',
            role: 'img',
            'aria-label': `${count(first, 'win')}, ${count(draws, 'draw')}, ${count(second, 'loss', 'losses')}`,
            ...props,
        },
        part('first', first),
        part('draw', draws),
        part('second', second),
    );
}
