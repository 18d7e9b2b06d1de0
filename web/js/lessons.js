// How to play: a few positions for any rules, generated from the rules themselves. Each has a task for the first side;
// positions are kept only if the task can be solved, so unusual rules have fewer of them.
import { cellName, emptyRows, isEmpty, landing, otherSide, parseCell, stoneAt, withStone } from './rules.js';
import { capital, count, sideName, word } from './texts.js';
import { completions, wonRow } from './windows.js';

const TRIES_MAX = 4000; // defences that are tried before a threat counts as stoppable

/**
 * @typedef {import('./rules.js').Rules} Rules
 * @typedef {{kind: 'see'|'place'|'on'|'win'|'stop'|'double'|'exact', title: string, text: string, ask: string, rules: Rules,
 *     rows: string[], left: number, line?: string[], target?: string, show: string[]}} Lesson left: stones to place; show:
 *     a solution
 */

/** A smaller board of the same rules: the lesson needs a few rows only. @param {Rules} rules @returns {Rules} */
function smallBoard(rules) {
    const { k, gravity } = rules;
    return {
        ...rules,
        width: Math.min(rules.width, Math.max(k + 3, 7)),
        height: Math.min(rules.height, Math.max(k + (gravity ? 2 : 3), gravity ? 6 : 7)),
    };
}

/** Places stones of a side; with gravity, a cell without support is an error of the position: null. */
function put(rows, rules, side, cells) {
    let next = rows;
    for (const [x, y] of cells) {
        if (!next || !isEmpty(next, x, y)) return null;
        if (rules.gravity && y > 0 && isEmpty(next, x, y - 1)) return null;
        next = withStone(next, x, y, side);
    }
    return next;
}

const names = (cells) => cells.map(([x, y]) => cellName(x, y));
const placed = (rows, side, cells) =>
    cells.reduce((next, name) => withStone(next, parseCell(name).x, parseCell(name).y, side), rows);

/** Whether any stone is part of a finished row. */
function hasRow(rows, rules) {
    for (let y = 0; y < rules.height; y++)
        for (let x = 0; x < rules.width; x++)
            if (stoneAt(rows, x, y) && wonRow(rows, rules, cellName(x, y)).length > 0) return true;
    return false;
}

/**
 * Stones of the other side, at most p, after which `side` cannot complete a row with its next turn; null if there are
 * none. @returns {string[]|null}
 */
export function defence(rows, rules, side) {
    let tries = 0;
    const other = otherSide(side);
    const attempt = (at, left, stones) => {
        const [threat] = completions(at, rules, side, rules.p);
        if (!threat) return stones;
        if (left === 0 || ++tries > TRIES_MAX) return tries > TRIES_MAX ? stones : null;
        // A defence takes a cell of every threat. With gravity it may have to fill the column below it first.
        for (const cell of rules.gravity ? columnCells(at, rules) : threat) {
            const { x, y } = parseCell(cell);
            const found = attempt(withStone(at, x, y, other), left - 1, [...stones, cell]);
            if (found) return found;
        }
        return null;
    };
    return attempt(rows, rules.p, []);
}

function columnCells(rows, rules) {
    const cells = [];
    for (let x = 0; x < rules.width; x++) {
        const cell = landing(rows, x);
        if (cell) cells.push(cellName(cell.x, cell.y));
    }
    return cells;
}

/** A row along the board, or up where the board is too narrow: cell i of it, j cells beside it. */
function axis({ width, k }, beside = 0) {
    return width >= k ? (i, j = 0) => [i, beside + j] : (i, j = 0) => [beside + j, i];
}

const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

// --- Positions: each returns {rows, show, left?, target?} or null ---

function finishedRow(rules) {
    const { k } = rules;
    const fits = rules.width >= k && rules.height >= k;
    const from = Math.floor((Math.min(rules.width, rules.height) - k) / 2);
    const at = fits && !rules.gravity ? (i) => [from + i, from + i] : axis(rules, middle(rules));
    const cells = range(0, k).map((i) => at(i));
    const rows = put(emptyRows(rules), rules, 'first', cells);
    return rows && { rows, line: names(cells), show: [] };
}

/** The row beside the middle in which lines are drawn; the bottom row with gravity. */
const middle = (rules) =>
    rules.gravity ? 0 : Math.floor((rules.width >= rules.k ? rules.height : rules.width) / 2);

function rowToComplete(rules) {
    const { k, p } = rules;
    const at = axis(rules, middle(rules));
    const own = Math.max(0, k - p);
    // With gravity, a row up must begin at the bottom.
    const from = rules.width >= k ? Math.floor((rules.width - k) / 2) : 0;
    const rows = put(
        emptyRows(rules),
        rules,
        'first',
        range(from, from + own).map((i) => at(i)),
    );
    return rows && { rows, show: names(range(from + own, from + k).map((i) => at(i))) };
}

/** A row of the other side that this turn must stop: beside the edge, or after a stone of the first side. */
function rowToStop(rules, from) {
    const { k, p } = rules;
    const at = axis(rules, middle(rules));
    const length = rules.width >= k ? rules.width : rules.height;
    if (p >= k || from + k - p > length) return null;
    const closed = put(emptyRows(rules), rules, 'first', from === 0 ? [] : [at(from - 1)]);
    const rows =
        closed &&
        put(
            closed,
            rules,
            'second',
            range(from, from + k - p).map((i) => at(i)),
        );
    if (!rows || completions(rows, rules, 'second', p).length === 0) return null;
    const show = defence(rows, rules, 'second');
    return show && { rows, show };
}

const RAYS = [
    [1, 0],
    [0, 1],
    [1, 1],
];

/** Lines that meet in one empty cell: a stone there makes more threats than the other side can stop. */
function crossing(rules, lines, corner) {
    const { k, p } = rules;
    const arm = k - p - 1;
    if (arm < 1 || corner + k > Math.min(rules.width, rules.height)) return null;
    const on = ([dx, dy], i) => [corner + i * dx, corner + i * dy];
    const own = RAYS.slice(0, lines).flatMap((ray) => range(1, arm + 1).map((i) => on(ray, i)));
    const rows = put(emptyRows(rules), rules, 'first', own);
    return rows && { rows, show: names([[corner, corner], ...range(arm + 1, arm + p).map((i) => on(RAYS[0], i))]) };
}

/** A row that becomes open at both ends. */
function openRow(rules) {
    const { k, p } = rules;
    const at = axis(rules, middle(rules));
    const length = rules.width >= k ? rules.width : rules.height;
    const arm = k - p - 1;
    if (arm < 1 || length < k + 1) return null;
    const rows = put(
        emptyRows(rules),
        rules,
        'first',
        range(2, 2 + arm).map((i) => at(i)),
    );
    return rows && { rows, show: names(range(2 + arm, 2 + arm + p).map((i) => at(i))) };
}

/** One end completes exactly k, the other end joins a stone and makes the row too long. */
function tooLong(rules) {
    const { k } = rules;
    const at = axis(rules, middle(rules));
    const length = rules.width >= k ? rules.width : rules.height;
    if (!rules.exact || length < k + 2) return null;
    const own = [...range(1, k), k + 1].map((i) => at(i));
    const rows = put(emptyRows(rules), rules, 'first', own);
    return rows && { rows, show: names([at(0)]), left: 1 };
}

// --- Whether a position teaches what it should ---

const calm = (rows, rules) => !hasRow(rows, rules) && completions(rows, rules, 'second', rules.p).length === 0;

const SOUND = {
    win: ({ rows, show }, rules) =>
        !hasRow(rows, rules) && show.length > 0 && hasRow(placed(rows, 'first', show), rules),
    stop: ({ rows, show }, rules) => !hasRow(rows, rules) && show.length > 0 && show.length <= rules.p,
    double: ({ rows, show }, rules) =>
        calm(rows, rules) &&
        completions(rows, rules, 'first', rules.p).length === 0 &&
        show.length === rules.p &&
        show.every((cell) => inside(rules, cell) && isEmpty(rows, parseCell(cell).x, parseCell(cell).y)) &&
        isDouble(placed(rows, 'first', show), rules),
    exact: ({ rows, show }, rules) => calm(rows, rules) && hasRow(placed(rows, 'first', show), rules),
};

function inside(rules, name) {
    const { x, y } = parseCell(name);
    return x < rules.width && y < rules.height;
}

const isDouble = (rows, rules) =>
    completions(rows, rules, 'first', rules.p).length > 0 &&
    !hasRow(rows, rules) &&
    completions(rows, rules, 'second', rules.p).length === 0 &&
    defence(rows, rules, 'first') === null;

const firstSound = (kind, rules, positions) =>
    positions.map((make) => make()).find((position) => position && SOUND[kind](position, rules)) ?? null;

// --- Texts ---

function goalText(rules) {
    const row = `${capital(word(rules.k))} in a row`;
    const ways = rules.k > 1 ? ': across, up or diagonal' : '';
    const long = rules.exact ? ` Exactly ${word(rules.k)}: a longer row does not win.` : '';
    return `${row} wins${ways}.${long} If the board is full before, the game is a draw.`;
}

function turnText(rules) {
    const first = sideName('first', rules);
    const second = sideName('second', rules);
    const again = rules.p === 1 ? 'one stone per turn' : `${count(rules.p, 'stone')} per turn, on any free cells`;
    return rules.p === rules.q
        ? `${first} begins. Both sides place ${again}. Stones never move.`
        : `${first} begins with ${count(rules.q, 'stone')}. Then ${second} and ${first} place ${again}. Stones never move.`;
}

const stones = (n) => count(n, 'stone');

/** Cells as players name them: with gravity by their columns. */
export function spell(rules, cells) {
    if (!rules.gravity) return cells.join(' ');
    const columns = cells.map((cell) => parseCell(cell).x + 1);
    return `${columns.length === 1 ? 'column' : 'columns'} ${columns.join(' ')}`;
}

/** @param {Rules} given @returns {Lesson[]} */
export function lessonsOf(given) {
    const rules = smallBoard(given);
    const { k, p, q } = rules;
    const first = sideName('first', rules);
    const second = sideName('second', rules);
    const lessons = [];
    const add = (kind, title, text, ask, position) => {
        if (position) lessons.push({ kind, title, text, ask, rules, left: p, ...position });
    };
    add('see', 'The goal', goalText(rules), '', finishedRow(rules));
    add(
        'place',
        p > 1 ? 'Turns of several stones' : 'Placing stones',
        turnText(rules),
        rules.gravity ? 'Choose a column for each stone of your turn.' : 'Place the stones of your first turn.',
        q + 2 * p <= rules.width * rules.height ? { rows: emptyRows(rules), show: [], left: q } : null,
    );
    if (rules.gravity && rules.height > 1) {
        const x = Math.floor(rules.width / 2);
        add(
            'on',
            'Stones fall',
            'A stone falls to the lowest free cell of its column. Stones pile up, so each stone makes the cell above it playable.',
            `Put a stone on top of the one in column ${x + 1}.`,
            { rows: put(emptyRows(rules), rules, 'second', [[x, 0]]), target: cellName(x, 1), show: [cellName(x, 1)], left: 1 },
        );
    }
    const own = Math.max(0, k - p);
    add(
        'win',
        'Complete a row',
        own === 0
            ? `With ${stones(p)} per turn you can complete a row at once.`
            : `You have ${word(own)} in a row, and ${stones(p)} to place.`,
        `Complete the row of ${word(k)}.`,
        firstSound('win', rules, [() => rowToComplete(rules)]),
    );
    add(
        'stop',
        'Stop a threat',
        `${second} has ${word(own)} in a row and would complete it with the next turn. That is a threat.`,
        p === 1 ? 'Place a stone so that no row can be completed.' : 'Place your stones so that no row can be completed.',
        firstSound('stop', rules, [1, 0].map((from) => () => rowToStop(rules, from))),
    );
    add(
        'double',
        'Make a double threat',
        `${second} answers with ${stones(p)}. Make more threats at once than ${p === 1 ? 'it' : 'they'} can stop, and you win.`,
        `Find a turn after which ${second} cannot stop every threat.`,
        firstSound('double', rules, [
            () => crossing(rules, 2, 1),
            () => crossing(rules, 2, 0),
            () => crossing(rules, 3, 1),
            () => crossing(rules, 3, 0),
            () => openRow(rules),
        ]),
    );
    add(
        'exact',
        `Exactly ${word(k)}`,
        `A row of ${word(k + 1)} or more does not win. ${first} has one stone left, and two cells would join stones.`,
        `Find the cell that makes exactly ${word(k)}.`,
        firstSound('exact', rules, [() => tooLong(rules)]),
    );
    return lessons;
}

// --- Judging ---

/**
 * What a stone or a finished turn of the learner means.
 * @param {Lesson} lesson @param {string[]} rows after the stone @param {string} cell the last stone
 * @param {number} left stones still to place in this turn
 * @returns {{done?: boolean, wrong?: boolean, words: string, line?: string[], reply?: string[]}|null} null: go on;
 *     reply: stones with which the other side refutes the turn
 */
export function judge(lesson, rows, cell, left) {
    const { rules, kind } = lesson;
    const line = wonRow(rows, rules, cell);
    if (line.length > 0 && kind !== 'stop')
        return { done: true, line, words: kind === 'place' ? 'That is a row: you win.' : 'You win.' };
    if (kind === 'on')
        return cell === lesson.target
            ? { done: true, words: 'Right: it lies on top.' }
            : { wrong: true, words: 'It fell to the bottom. Choose the column of the other stone.' };
    if (left > 0) return null;
    if (kind === 'place') return { done: true, words: 'Now it is the other side\u2019s turn.' };
    if (kind === 'win') return { wrong: true, words: 'No row yet. Look for the cells that are missing.' };
    if (kind === 'exact')
        return { wrong: true, words: `That row is longer than ${word(rules.k)}, or not complete. It does not win.` };
    return kind === 'stop' ? judgeStop(lesson, rows) : judgeDouble(lesson, rows);
}

function judgeStop({ rules }, rows) {
    const name = sideName('second', rules);
    const [reply] = completions(rows, rules, 'second', rules.p);
    if (!reply) return { done: true, words: `Right: ${name} cannot complete a row now.` };
    return { wrong: true, reply, words: `${name} completes the row with ${spell(rules, reply)}.` };
}

function judgeDouble({ rules }, rows) {
    const name = sideName('second', rules);
    const threats = completions(rows, rules, 'first', rules.p);
    if (threats.length === 0) return { wrong: true, words: 'That makes no threat yet.' };
    const reply = defence(rows, rules, 'first');
    if (reply) return { wrong: true, reply, words: `${name} stops this with ${spell(rules, reply)}.` };
    return { done: true, words: `Right: ${name} cannot stop all of them. You win with your next turn.` };
}

/** Stones that the other side places in the lesson about turns: near the middle, without completing a row. */
export function answer(rows, rules) {
    let next = rows;
    const cells = [];
    const middleX = (rules.width - 1) / 2;
    const middleY = (rules.height - 1) / 2;
    const far = ({ x, y }) => Math.abs(x - middleX) + Math.abs(y - middleY);
    for (let n = 0; n < rules.p; n++) {
        const free = [];
        for (let x = 0; x < rules.width; x++)
            if (rules.gravity) free.push(landing(next, x));
            else for (let y = 0; y < rules.height; y++) free.push(isEmpty(next, x, y) ? { x, y } : null);
        const choice = free
            .filter(Boolean)
            .sort((a, b) => far(a) - far(b))
            .find(({ x, y }) => wonRow(withStone(next, x, y, 'second'), rules, cellName(x, y)).length === 0);
        if (!choice) break;
        next = withStone(next, choice.x, choice.y, 'second');
        cells.push(cellName(choice.x, choice.y));
    }
    return { rows: next, cells };
}
