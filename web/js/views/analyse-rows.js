// Threes and fours of one side in games with one stone per turn: counts, a list with a sentence for each, and their
// marks on the board.
import { h, s, spot } from '../lib/dom.js';
import { boardText } from '../rules.js';
import { capital, count, sideName } from '../texts.js';

const MOST_ROWS = 8;

/** Whether the server lists threes and fours for these threats: the game has one stone per turn. */
export const hasRows = (found) => Array.isArray(found.rows);

/** Rows that need attention: their marks are always on the board, those of the others only when they are pointed at. */
const isUrgent = (row) => row.open || (row.lacks === 1 && !row.waiting);

const plural = (name) => `${name}${name.endsWith('x') ? 'es' : 's'}`;

/** "one open three, two closed fours"; empty if there are none. */
export function rowCounts(rows) {
    const numbers = new Map();
    for (const { name } of rows) numbers.set(name, (numbers.get(name) ?? 0) + 1);
    return [...numbers].map(([name, n]) => count(n, name, plural(name))).join(', ');
}

/** The count of the papers as a sentence. */
function exactWords(found, rules) {
    if (found.exact === 0) return 'Exact count 0: no row can be completed in the next turn.';
    const [answer] = found.answers;
    if (found.exact <= rules.p && answer) return `Exact count ${found.exact}: ${boardText(answer.join(' '), rules)} stops every row that the next turn completes.`;
    return `Exact count over ${rules.p}: no stone stops every row that the next turn completes.`;
}

export const rowLabel = (side, i) => String.fromCharCode((side === 'first' ? 65 : 97) + i);

function tag(side, label) {
    return s(
        'svg',
        { class: 'tag-icon', viewBox: '-9 -9 18 18', 'aria-hidden': 'true' },
        s(
            'g',
            { class: `tag ${side}` },
            s('circle', { r: 8.5 }),
            s('text', { dy: '0.36em', 'font-size': 10 }, label),
        ),
    );
}

/**
 * @param {'first'|'second'} side @param {object} found the threats of this side @param {object} rules
 * @param {{point: (row: object|null) => void, pin: (row: object) => boolean}} pointing
 */
export function rowList(side, found, rules, pointing) {
    const shown = found.rows.slice(0, MOST_ROWS);
    const more = found.rows.length - shown.length;
    const item = (row, i) =>
        h(
            'li',
            {},
            h(
                'button',
                {
                    type: 'button',
                    class: 'row-threat',
                    'aria-pressed': 'false',
                    on: {
                        mouseenter: () => pointing.point(row),
                        mouseleave: () => pointing.point(null),
                        focus: () => pointing.point(row),
                        blur: () => pointing.point(null),
                        click: (event) => {
                            const mine = event.currentTarget;
                            const pinned = pointing.pin(row);
                            for (const other of mine.closest('.threats').querySelectorAll('.row-threat'))
                                other.setAttribute('aria-pressed', String(pinned && other === mine));
                        },
                    },
                },
                tag(side, rowLabel(side, i)),
                h(
                    'span',
                    {},
                    h('strong', {}, capital(row.name)),
                    rules.gravity ? '. ' : ` ${row.stones.join(' ')}. `,
                    h('span', { class: 'quiet' }, boardText(row.words, rules)),
                ),
            ),
        );
    return h(
        'div',
        { class: 'threat-rows' },
        h(
            'p',
            { class: 'row strong' },
            spot(side, rules.gravity),
            `${sideName(side, rules)}: ${rowCounts(found.rows)}`,
        ),
        h('ul', {}, shown.map(item), more > 0 && h('li', { class: 'quiet' }, `and ${more} more`)),
        h('p', { class: 'small quiet' }, exactWords(found, rules)),
    );
}

/** The marks of the urgent rows of a side. */
export function rowMarks(side, found) {
    return found.rows
        .slice(0, MOST_ROWS)
        .map((row, i) => ({ row, label: rowLabel(side, i) }))
        .filter(({ row }) => isUrgent(row))
        .map(({ row, label }) => ({ kind: 'window', cells: row.stones, side, label }));
}

/** The marks of a row that is pointed at: its stones, the stones that extend it, and the cells that stop it. */
export function pointedMarks(side, found, row) {
    return [
        { kind: 'window', cells: row.stones, side, label: rowLabel(side, found.rows.indexOf(row)) },
        { kind: 'stone', cells: row.next, side },
        { kind: 'answer', cells: row.stops, shown: true },
    ];
}
