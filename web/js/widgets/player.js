// A player card: stone, name, status, clock.
import { h, iconButton, replace, setText, spot } from '../lib/dom.js';
import { clockText } from '../texts.js';

export class PlayerCard {
    /** @param {{onChange?: () => void}} options onChange: opens the dialog that changes the player */
    constructor({ onChange } = {}) {
        this.tools = h('span', { class: 'player-tools' }, onChange && iconButton('settings', 'Change', onChange));
        this.stone = h('span', { class: 'player-stone' });
        this.name = h('p', { class: 'strong' });
        this.words = h('p', { class: 'small quiet' });
        this.clock = h('span', { class: 'clock', role: 'timer' });
        this.bar = h('i', {});
        this.element = h(
            'section',
            { class: 'player' },
            this.stone,
            h('div', { class: 'grow' }, this.name, this.words),
            this.clock,
            this.tools,
            h('span', { class: 'player-bar' }, this.bar),
        );
    }

    /** @param {{side: string, falls: boolean, name: string, words: string, active: boolean, thinking: boolean}} what */
    show(what) {
        const key = `${what.side} ${what.falls}`;
        if (key !== this.key) {
            this.key = key;
            replace(this.stone, spot(what.side, what.falls));
        }
        setText(this.name, what.name);
        setText(this.words, what.words);
        this.element.classList.toggle('active', what.active);
        this.element.setAttribute('aria-label', what.name);
        const change = this.tools.firstChild;
        if (change) change.title = `Change ${what.name}`;
        change?.setAttribute('aria-label', `Change ${what.name}`);
    }

    /** @param {number|null} ms time left; null without a clock @param {number|null} part 0 to 1 for the bar, null hides it */
    tick(ms, part) {
        this.clock.hidden = ms === null;
        if (ms !== null) setText(this.clock, clockText(ms));
        this.bar.parentElement.hidden = part === null;
        if (part !== null) this.bar.style.width = `${Math.round(1000 * Math.max(0, Math.min(1, part))) / 10}%`;
    }
}
