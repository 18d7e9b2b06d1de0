// Chooses the clock of a game: none, a usual one, or minutes and an increment.
import { h, replace } from '../lib/dom.js';
import { Stepper, choices } from './inputs.js';

const MINUTES = [1, 720];
const INCREMENT = [0, 300]; // seconds

/**
 * Fields for the minutes of each side and the seconds added per turn.
 * @param {{minutes: number, increment: number}} choice changed by the fields
 */
export function ownClock(choice) {
    const number = (name, label, [min, max]) => {
        const onChange = (value) => {
            choice[name] = value;
        };
        const stepper = new Stepper({ label, min, max, value: choice[name], onChange });
        return h('div', { class: 'field' }, h('span', { 'aria-hidden': 'true' }, label), h('div', {}, stepper.element));
    };
    return [number('minutes', 'Minutes', MINUTES), number('increment', 'Added seconds per turn', INCREMENT)];
}

/** The clock that these fields describe, for the server. */
export const ownClockValue = ({ minutes, increment }) => ({ seconds: 60 * minutes, increment });

/**
 * @param {[string, string, object|null][]} list id, label and value of each clock; `own` has fields
 * @param {{clock: string, minutes: number, increment: number}} choice changed by the fields
 */
export function clockPicker(list, choice) {
    const own = h('div', { class: 'own-clock' });
    const show = (id) => {
        choice.clock = id;
        replace(own, id === 'own' && ownClock(choice));
    };
    show(choice.clock);
    return h('div', { class: 'stack' }, choices('Clock', list, choice.clock, show), own);
}

/** The clock or time that a choice stands for. */
export function clockValue(list, choice) {
    return choice.clock === 'own' ? ownClockValue(choice) : (list.find(([id]) => id === choice.clock)?.[2] ?? null);
}
