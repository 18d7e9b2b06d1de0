// Form fields: a number with − and + buttons, a labelled switch, a labelled select.
import { h } from '../lib/dom.js';

export class Stepper {
    /** @param {{label: string, min: number, max: number, value: number, onChange: (value: number) => void}} options */
    constructor({ label, min, max, value, onChange }) {
        this.min = min;
        this.max = max;
        this.onChange = onChange;
        this.input = h('input', {
            type: 'text',
            inputmode: 'numeric',
            value: String(value),
            'aria-label': label,
            role: 'spinbutton',
            'aria-valuemin': min,
            'aria-valuemax': max,
            'aria-valuenow': value,
        });
        const step = (by, name) =>
            h(
                'button',
                {
                    type: 'button',
                    'aria-label': `${label}, ${name}`,
                    tabindex: -1,
                    on: { click: () => this.#step(by) },
                },
                by < 0 ? '−' : '+',
            );
        this.element = h('span', { class: 'stepper' }, step(-1, 'less'), this.input, step(1, 'more'));
        this.value = value;
        this.input.addEventListener('change', () => this.#typed());
        this.input.addEventListener('keydown', (event) => {
            const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
            if (!by) return;
            event.preventDefault();
            this.#step(by);
        });
    }

    #step(by) {
        this.#choose(this.value + by);
    }

    #typed() {
        const value = Number.parseInt(this.input.value, 10);
        this.#choose(Number.isNaN(value) ? this.value : value);
    }

    #choose(value) {
        this.set(Math.max(this.min, Math.min(this.max, value)));
        this.onChange(this.value);
    }

    set(value) {
        this.value = value;
        this.input.value = String(value);
        this.input.setAttribute('aria-valuenow', String(value));
    }

    setWrong(wrong) {
        this.element.toggleAttribute('data-wrong', wrong);
        if (wrong) this.input.setAttribute('aria-invalid', 'true');
        else this.input.removeAttribute('aria-invalid');
    }
}

export class Toggle {
    constructor({ label, value, onChange }) {
        this.word = h('span', { class: 'small quiet', 'aria-hidden': 'true' });
        this.input = h('input', { type: 'checkbox', class: 'switch', role: 'switch', 'aria-label': label });
        this.input.addEventListener('change', () => {
            this.set(this.input.checked);
            onChange(this.input.checked);
        });
        this.element = h('span', { class: 'row' }, this.word, this.input);
        this.set(value);
    }

    set(value) {
        this.input.checked = value;
        this.word.textContent = value ? 'on' : 'off';
    }

    setWrong(wrong) {
        this.input.toggleAttribute('aria-invalid', wrong);
    }
}

/** A labelled field. */
export const field = (label, input) => h('label', { class: 'field' }, h('span', {}, label), input);

/** @param {[string, string][]} choices pairs of value and label */
export function select(choices, value, onChange, props = {}) {
    const element = h(
        'select',
        { class: 'select', ...props, on: { change: () => onChange(element.value) } },
        choices.map(([id, label]) => h('option', { value: id, selected: id === value }, label)),
    );
    return element;
}

/** One of several chips. @param {[string, string][]} options pairs of value and label */
export function choices(label, options, value, onChange) {
    const chip = ([id, words]) =>
        h(
            'button',
            {
                type: 'button',
                class: 'chip',
                role: 'radio',
                'aria-checked': String(id === value),
                on: {
                    click: (event) => {
                        for (const other of event.currentTarget.parentElement.children)
                            other.setAttribute('aria-checked', String(other === event.currentTarget));
                        onChange(id);
                    },
                },
            },
            words,
        );
    return h(
        'div',
        { class: 'field' },
        h('span', {}, label),
        h('div', { class: 'chips', role: 'radiogroup', 'aria-label': label }, options.map(chip)),
    );
}
