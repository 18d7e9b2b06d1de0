// The rules that the page needs to show a stone before the server answers. The server validates every stone.

/**
 * @typedef {{width: number, height: number, k: number, p: number, q: number, gravity: boolean, exact: boolean}} Rules
 * @typedef {'first'|'second'} Side
 */

/** "15x15:k=5,p=2,q=1,gravity,exact" to rules; null for anything else. @returns {Rules|null} */
export function parseGame(text) {
    const match = /^(\d+)x(\d+):(.*)$/.exec(text ?? '');
    if (!match) return null;
    const rules = { width: Number(match[1]), height: Number(match[2]), k: 0, p: 1, q: 1, gravity: false, exact: false };
    for (const word of match[3].split(',')) {
        const [name, value] = word.split('=');
        if (value === undefined) rules[name] = true;
        else rules[name] = Number(value);
    }
    return rules.k > 0 ? rules : null;
}

/** @param {Rules} rules */
export function formatGame(rules) {
    const words = [`k=${rules.k}`];
    if (rules.p !== 1) words.push(`p=${rules.p}`);
    if (rules.q !== 1 || rules.p !== 1) words.push(`q=${rules.q}`);
    if (rules.gravity) words.push('gravity');
    if (rules.exact) words.push('exact');
    return `${rules.width}x${rules.height}:${words.join(',')}`;
}

/** Column 0 is "a", column 26 is "aa". */
export function columnName(x) {
    return x < 26 ? String.fromCharCode(97 + x) : columnName(Math.floor(x / 26) - 1) + columnName(x % 26);
}

export const cellName = (x, y) => columnName(x) + (y + 1);

/** "h8" to {x: 7, y: 7}, row 1 at the bottom. */
export function parseCell(name) {
    const match = /^([a-z]+)(\d+)$/.exec(name);
    if (!match) return null;
    let x = 0;
    for (const letter of match[1]) x = x * 26 + letter.charCodeAt(0) - 96;
    return { x: x - 1, y: Number(match[2]) - 1 };
}

/** @param {string[]} rows from top to bottom @returns {Side|null} owner of the stone at this cell */
export function stoneAt(rows, x, y) {
    const mark = rows[rows.length - 1 - y]?.[x];
    if (mark === 'X') return 'first';
    return mark === 'O' ? 'second' : null;
}

export const isEmpty = (rows, x, y) => rows[rows.length - 1 - y]?.[x] === '.';

/** The stones of a turn as the board names them: with gravity by the numbers of their columns. @param {string[]} cells */
export const stonesText = (cells, rules) =>
    cells.map((cell) => (rules.gravity ? String(parseCell(cell).x + 1) : cell)).join(' ');

const CELLS = /\b[a-z]{1,2}\d{1,2}(?:,? [a-z]{1,2}\d{1,2})*\b/g;

/** A sentence of the server with its cells named as on the board: with gravity, "c1" becomes "column 3". */
export function boardText(text, rules) {
    if (!rules.gravity) return text;
    return text.replace(CELLS, (names) => {
        const cells = names.split(/,? /);
        return `${cells.length === 1 ? 'column' : 'columns'} ${stonesText(cells, rules)}`;
    });
}

/** The lowest free cell of a column, or null when it is full. */
export function landing(rows, x) {
    for (let y = 0; y < rows.length; y++) {
        if (isEmpty(rows, x, y)) return { x, y };
    }
    return null;
}

/** @param {string[]} rows @param {Side|null} side null removes the stone */
export function withStone(rows, x, y, side) {
    const next = [...rows];
    const index = rows.length - 1 - y;
    const mark = side === 'first' ? 'X' : side === 'second' ? 'O' : '.';
    next[index] = rows[index].slice(0, x) + mark + rows[index].slice(x + 1);
    return next;
}

/** A set-up start position as a diagram for the server; null for an empty board. */
export function setUpDiagram(root) {
    if (!root?.rows?.some((row) => /[XO]/.test(row))) return null;
    return `${root.rows.join('\n')}\nturn ${root.turn === 'second' ? 'O' : 'X'} ${root.stones_left}\n`;
}

export const emptyRows = (rules) => Array.from({ length: rules.height }, () => '.'.repeat(rules.width));

/** @returns {Side} */
export const otherSide = (side) => (side === 'first' ? 'second' : 'first');

export function countStones(rows) {
    let stones = 0;
    for (const row of rows) {
        for (const mark of row) stones += mark === '.' ? 0 : 1;
    }
    return stones;
}
