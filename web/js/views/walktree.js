// The tree of a forced win: answers of the loser, and how other stones fit into it.
import { cellName, isEmpty } from '../rules.js';

const MOST_DEFENCES = 24;

/** @typedef {{answer: string[], free?: number, then?: object, distance?: number}} Choice */

/** @returns {Choice[]} */
export const answersTo = (node) => node?.answers ?? [];

const distanceOf = (choice) => choice.then?.distance ?? choice.distance ?? 0;

/** The index of the choice that lasts longest. */
export function longest(choices) {
    let best = 0;
    choices.forEach((choice, i) => {
        if (distanceOf(choice) > distanceOf(choices[best])) best = i;
    });
    return best;
}

/**
 * Defences against rows that can be completed at once and cannot all be stopped: cells of these rows.
 * @param {string[][]} rows stones that complete each row @param {number} left stones of the turn @returns {Choice[]}
 */
export function defences(rows, left) {
    const cells = [...new Set(rows.flat())];
    if (left === 1 || cells.length <= left) return cells.length < left ? [] : left === 1 ? cells.slice(0, MOST_DEFENCES).map((cell) => ({ answer: [cell] })) : [{ answer: cells }];
    const out = [];
    for (let i = 0; i < cells.length && out.length < MOST_DEFENCES; i++)
        for (let j = i + 1; j < cells.length && out.length < MOST_DEFENCES; j++)
            if (left === 2) out.push({ answer: [cells[i], cells[j]] });
    return left === 2 ? out : [{ answer: cells.slice(0, left) }];
}

/**
 * The listed answer that other stones amount to: the largest one that they contain, if the rest of it is free.
 * @param {Choice[]} choices @param {string[]} cells @returns {{choice: Choice|null, chosen: number}}
 */
export function follow(choices, cells) {
    let chosen = -1;
    choices.forEach(({ answer, free = 0 }, i) => {
        const fits = answer.every((cell) => cells.includes(cell)) && answer.length + free >= cells.length;
        if (fits && (chosen < 0 || answer.length > choices[chosen].answer.length)) chosen = i;
    });
    const choice = choices[chosen] ?? null;
    const exact = choice !== null && choice.answer.length === cells.length;
    // Stones on cells that the win needs refute this branch; another one may exist.
    if (choice && !exact && needs(choice.then).some((cell) => cells.includes(cell))) return { choice: null, chosen: -1 };
    return { choice, chosen: exact ? chosen : -1 };
}

/** The cells of all turns of a branch. */
function needs(node) {
    if (!node) return [];
    return [...node.turn, ...node.answers.flatMap(({ answer, then }) => [...answer, ...needs(then)])];
}

/**
 * The stones of a choice, with free ones on cells that matter neither to its branch nor to other choices.
 * @param {Choice} choice @param {Choice[]} choices
 */
export function fillFree(choice, choices, rows, rules, left) {
    const cells = [...choice.answer];
    if (cells.length >= left) return cells;
    const taken = new Set([...cells, ...choices.flatMap(({ answer }) => answer), ...needs(choice.then)]);
    for (let y = 0; y < rules.height; y++)
        for (let x = 0; x < rules.width && cells.length < left; x++) {
            const cell = cellName(x, y);
            if (isEmpty(rows, x, y) && !taken.has(cell)) cells.push(cell);
        }
    return cells;
}
