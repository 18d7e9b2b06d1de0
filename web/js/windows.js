// Windows of k cells on the page: which stones would complete a row, and which stones have completed one.
import { cellName, isEmpty, parseCell, stoneAt } from './rules.js';

const STEPS = [
    [1, 0],
    [0, 1],
    [1, 1],
    [1, -1],
];

const inside = (rules, x, y) => x >= 0 && y >= 0 && x < rules.width && y < rules.height;

/** The row through a stone that wins, or an empty list. @returns {string[]} */
export function wonRow(rows, rules, cell) {
    const { x, y } = parseCell(cell);
    const side = stoneAt(rows, x, y);
    for (const [dx, dy] of side ? STEPS : []) {
        const run = [[x, y]];
        for (let i = 1; inside(rules, x + i * dx, y + i * dy) && stoneAt(rows, x + i * dx, y + i * dy) === side; i++)
            run.push([x + i * dx, y + i * dy]);
        for (let i = 1; inside(rules, x - i * dx, y - i * dy) && stoneAt(rows, x - i * dx, y - i * dy) === side; i++)
            run.unshift([x - i * dx, y - i * dy]);
        if (rules.exact ? run.length === rules.k : run.length >= rules.k) return run.map(([a, b]) => cellName(a, b));
    }
    return [];
}

/** Stones that must be placed to fill these cells, those below them included: from the bottom up. */
function stonesToFill(rows, rules, cells) {
    if (!rules.gravity) return cells;
    const tops = new Map();
    for (const [x, y] of cells) tops.set(x, Math.max(tops.get(x) ?? 0, y));
    const out = [];
    for (const [x, top] of tops) for (let y = 0; y <= top; y++) if (isEmpty(rows, x, y)) out.push([x, y]);
    return out;
}

/**
 * The sets of stones, of at most `most` each, with which a side completes a row now; the smallest first.
 * @returns {string[][]}
 */
export function completions(rows, rules, side, most) {
    const found = [];
    const has = (x, y) => inside(rules, x, y) && stoneAt(rows, x, y) === side;
    for (let y = 0; y < rules.height; y++)
        for (let x = 0; x < rules.width; x++)
            for (const [dx, dy] of STEPS) {
                if (!inside(rules, x + (rules.k - 1) * dx, y + (rules.k - 1) * dy)) continue;
                const empty = [];
                let own = true;
                for (let i = 0; i < rules.k && own && empty.length <= most; i++) {
                    const at = [x + i * dx, y + i * dy];
                    if (isEmpty(rows, ...at)) empty.push(at);
                    else own = has(...at);
                }
                if (!own || empty.length > most) continue;
                if (rules.exact && (has(x - dx, y - dy) || has(x + rules.k * dx, y + rules.k * dy))) continue;
                const stones = stonesToFill(rows, rules, empty);
                if (stones.length > 0 && stones.length <= most) found.push(stones.map(([a, b]) => cellName(a, b)));
            }
    return found.sort((a, b) => a.length - b.length);
}
