// The SPRT bar: the log-likelihood ratio between its bounds.
import { h } from '../lib/dom.js';
import { signed } from '../texts.js';

const two = (x) => (x < 0 ? `\u2212${Math.abs(x).toFixed(2)}` : x.toFixed(2));

/** @param {{llr: number, lower: number, upper: number, elo0: number, elo1: number, state: string}} sprt */
export function sprtBar(sprt, a, b) {
    const part = (value) => Math.max(0, Math.min(100, (100 * (value - sprt.lower)) / (sprt.upper - sprt.lower)));
    const zero = part(0);
    const at = part(sprt.llr);
    const fill = h('i', {});
    fill.style.left = `${Math.min(zero, at)}%`;
    fill.style.width = `${Math.abs(at - zero)}%`;
    const tick = h('b', {});
    tick.style.left = `${at}%`;
    const middle = h('u', {});
    middle.style.left = `${zero}%`;
    const label = h('strong', {}, `LLR ${two(sprt.llr)}`);
    label.style.left = `${Math.max(12, Math.min(88, at))}%`;
    const verdict = { H1: `Yes: ${a} is stronger.`, H0: `No: ${a} is not stronger.` }[sprt.state] ?? '';
    return h(
        'section',
        { class: 'sprt' },
        h('h2', { class: 'head' }, `Is ${a} stronger than ${b}?`),
        h(
            'p',
            { class: 'small quiet' },
            `SPRT, normalised Elo ${signed(sprt.elo0)} against ${signed(sprt.elo1).replace('+', '')}, error rates 5 %`,
        ),
        h(
            'div',
            {
                class: 'sprt-bar',
                role: 'img',
                'aria-label': `Log-likelihood ratio ${two(sprt.llr)}, bounds ${two(sprt.lower)} (no) and ${two(sprt.upper)} (yes)`,
            },
            fill,
            middle,
            tick,
        ),
        h(
            'div',
            { class: 'sprt-labels small quiet' },
            h('span', {}, `${two(sprt.lower)} no`),
            label,
            h('span', {}, `yes ${two(sprt.upper)}`),
        ),
        verdict && h('p', { class: 'strong' }, verdict),
    );
}
