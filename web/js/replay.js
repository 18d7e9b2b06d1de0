// Positions from moves without a session: games of the library and lines of a book.
import { emptyRows, otherSide, parseCell, withStone } from './rules.js';

/**
 * @param {import('./rules.js').Rules} rules @param {string[]} moves cells
 * @param {{rows: string[], turn: 'first'|'second', left: number}} [start] the start position
 */
export function replay(rules, moves, start = { rows: emptyRows(rules), turn: 'first', left: rules.q }) {
    let { rows, turn, left } = start;
    const begin = left;
    for (const cell of moves) {
        const { x, y } = parseCell(cell);
        rows = withStone(rows, x, y, turn);
        left -= 1;
        if (left === 0) {
            turn = otherSide(turn);
            left = rules.p;
        }
    }
    return { rows, turn, left, last: lastTurn(rules, moves, begin) };
}

/** The stones of the last turn, complete or not. */
function lastTurn(rules, moves, begin) {
    if (moves.length <= begin) return moves;
    const rest = (moves.length - begin) % rules.p;
    return moves.slice(moves.length - (rest || rules.p));
}
