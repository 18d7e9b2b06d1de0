// Positions from moves without a session: games of the library and lines of a book.
import { emptyRows, otherSide, parseCell, withStone } from './rules.js';

/** @param {import('./rules.js').Rules} rules @param {string[]} moves cells @param {string[]} [rows] start position */
export function replay(rules, moves, rows = emptyRows(rules)) {
    let turn = 'first';
    let left = rules.q;
    for (const cell of moves) {
        const { x, y } = parseCell(cell);
        rows = withStone(rows, x, y, turn);
        left -= 1;
        if (left === 0) {
            turn = otherSide(turn);
            left = rules.p;
        }
    }
    return { rows, turn, left, last: lastTurn(rules, moves) };
}

/** The stones of the last turn, complete or not. */
function lastTurn(rules, moves) {
    if (moves.length <= rules.q) return moves;
    const rest = (moves.length - rules.q) % rules.p;
    return moves.slice(moves.length - (rest || rules.p));
}
