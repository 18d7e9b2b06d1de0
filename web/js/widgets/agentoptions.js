// All options of an agent as form fields, with limits, defaults and help; only changed options become part of its text.
import { h, replace } from '../lib/dom.js';
import { figure } from '../texts.js';

const PRECISION = 9; // digits

/** @typedef {{name: string, type: string, default: any, words: string, min?: number, max?: number, choices?: string[]}} Option */

const numberText = (x) => (Math.abs(x) >= 10000 ? figure(x) : String(Number(x.toPrecision(PRECISION))));
const isNumber = ({ type }) => type === 'int' || type === 'real';
const defaultText = (option) => (option.type === 'bool' ? (isOn(option.default) ? 'on' : 'off') : String(option.default));
const isOn = (value) => value === true || value === 1 || value === '1';

/** The limits and the default of an option: "1 to 16, default 6". */
function limitsText(option) {
    const parts = [];
    if (isNumber(option)) parts.push(`${numberText(option.min)} to ${numberText(option.max)}`);
    parts.push(defaultText(option) === '' ? 'default none' : `default ${defaultText(option)}`);
    return parts.join(', ');
}

/** What is wrong with a value; null if nothing is. @param {Option} option @param {string} value not empty */
function wrongWith(option, value) {
    if (!isNumber(option)) return /,/.test(value) ? `${option.name} cannot contain a comma.` : null;
    const number = Number(value);
    const whole = option.type === 'int';
    if (Number.isFinite(number) && number >= option.min && number <= option.max && (!whole || Number.isInteger(number)))
        return null;
    return `${option.name} must be a ${whole ? 'whole ' : ''}number from ${numberText(option.min)} to ${numberText(option.max)}.`;
}

export class AgentOptions {
    /** @param {() => void} onChange */
    constructor(onChange) {
        this.onChange = onChange;
        this.element = h('div', { class: 'agent-options' });
        this.values = {};
        this.options = [];
        this.wrong = new Map(); // messages by option
    }

    /** @param {Option[]} options @param {Record<string, string>} values those that differ from the defaults */
    show(options, values) {
        this.options = options;
        this.wrong.clear();
        const known = new Set(options.map(({ name }) => name));
        this.values = Object.fromEntries(Object.entries(values).filter(([name]) => known.has(name)));
        replace(
            this.element,
            options.map((option) => this.#row(option)),
            options.length === 0 && h('p', { class: 'small quiet' }, 'This agent has no options.'),
        );
    }

    get isValid() {
        return this.wrong.size === 0;
    }

    /** The options as in the text of an agent: "depth=4,width=8"; empty without changes. */
    text() {
        return Object.entries(this.values)
            .map(([name, value]) => `${name}=${value}`)
            .join(',');
    }

    #row(option) {
        const message = h('span', { class: 'option-wrong small', role: 'alert' });
        const field = this.#field(option, message);
        return h(
            'label',
            { class: 'agent-option' },
            h('span', { class: 'strong' }, option.name),
            field,
            h('span', { class: 'small quiet agent-option-words' }, `${option.words} (${limitsText(option)})`),
            message,
        );
    }

    #field(option, message) {
        const value = this.values[option.name];
        if (option.type === 'bool') {
            const box = h('input', {
                type: 'checkbox',
                class: 'switch',
                role: 'switch',
                checked: value === undefined ? isOn(option.default) : isOn(value),
                on: { change: () => this.#set(option, box.checked ? '1' : '0', message) },
            });
            return box;
        }
        if (option.type === 'choice') {
            const list = h(
                'select',
                { class: 'select', on: { change: () => this.#set(option, list.value, message) } },
                option.choices.map((name) =>
                    h('option', { value: name, selected: name === (value ?? option.default) }, name),
                ),
            );
            return list;
        }
        const input = h('input', {
            class: 'input',
            type: 'text',
            inputmode: option.type === 'int' ? 'numeric' : option.type === 'real' ? 'decimal' : null,
            value: value ?? '',
            placeholder: defaultText(option),
            autocomplete: 'off',
            on: { input: () => input.setAttribute('aria-invalid', String(!this.#set(option, input.value, message))) },
        });
        return input;
    }

    /** @returns {boolean} whether the value is valid */
    #set(option, typed, message) {
        const value = typed.trim();
        const usual = option.type === 'bool' ? (isOn(option.default) ? '1' : '0') : String(option.default);
        const wrong = value === '' ? null : wrongWith(option, value);
        message.textContent = wrong ?? '';
        if (wrong) this.wrong.set(option.name, wrong);
        else this.wrong.delete(option.name);
        if (value === '' || value === usual) delete this.values[option.name];
        else this.values[option.name] = value;
        this.onChange();
        return wrong === null;
    }
}
