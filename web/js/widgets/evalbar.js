// The evaluation bar: the first side's winning chance fills it from the bottom or, if horizontal, from the left.
import { h, setText } from '../lib/dom.js';

export class EvalBar {
    constructor() {
        this.fill = h('i', {});
        this.label = h('span', { class: 'eval-label' });
        this.bar = h(
            'div',
            {
                class: 'evalbar',
                role: 'meter',
                'aria-valuemin': 0,
                'aria-valuemax': 100,
                'aria-valuenow': 50,
                'aria-label': 'Winning chance of the first side',
            },
            this.fill,
        );
        this.element = h('div', { class: 'eval' }, this.bar, this.label);
    }

    /** @param {number|null} first winning chance of the first side @param {string} label */
    show(first, label, name) {
        this.element.classList.toggle('unknown', first === null);
        const value = first ?? 0.5;
        // A proven win leaves a little of the other colour, so that the bar stays recognisable.
        const part = Math.max(0.015, Math.min(0.985, value));
        this.element.style.setProperty('--part', `${(100 * part).toFixed(1)}%`);
        this.bar.setAttribute('aria-valuenow', String(Math.round(100 * value)));
        this.bar.setAttribute('aria-valuetext', first === null ? 'unknown' : label);
        this.bar.setAttribute('aria-label', `Winning chance of ${name}`);
        setText(this.label, first === null ? '' : label);
    }

    /** @param {number} height of the board in pixels */
    fit(height) {
        this.bar.style.setProperty('--height', `${height}px`);
    }
}
