// Which rows of a board have to be drawn again: on large boards, a stone changes one or two of them.
import { parseCell } from '../rules.js';

const same = (a, b) => a.length === b.length && a.every((cell, i) => cell === b[i]);

/**
 * @param {import('./board.js').BoardView|null} before what is drawn; null: nothing
 * @param {import('./board.js').BoardView} view
 * @returns {number[]} rows from the bottom
 */
export function changedRows(before, view) {
    const all = Array.from({ length: view.rules.height }, (_, y) => y);
    const isOther =
        !before ||
        before.rules.width !== view.rules.width ||
        before.rules.height !== view.rules.height ||
        before.rules.gravity !== view.rules.gravity ||
        before.named !== view.named ||
        before.numbers ||
        view.numbers ||
        !same(before.line, view.line);
    if (isOther) return all;
    const marked = new Set([...before.last, ...view.last].map((cell) => parseCell(cell).y));
    return all.filter((y) => {
        const at = view.rules.height - 1 - y;
        return before.rows[at] !== view.rows[at] || marked.has(y);
    });
}
