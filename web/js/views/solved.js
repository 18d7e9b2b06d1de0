// Solved games with gravity: explains the solver's scores in words.
import { sideName } from '../texts.js';

/**
 * The number of the winning stone, counted from 1, for a score of the side to move. A score counts the stones that
 * the winner has left, including the winning one.
 */
function winningStone(score, state) {
    const cells = state.rules.width * state.rules.height;
    const winnerIsFirst = score > 0 === (state.turn === 'first');
    const own = winnerIsFirst ? Math.ceil(cells / 2) : Math.floor(cells / 2);
    const nth = own + 1 - Math.abs(score);
    return winnerIsFirst ? 2 * nth - 1 : 2 * nth;
}

/** The score of the fastest possible win. */
export const fastest = (rules) => Math.ceil((rules.width * rules.height) / 2) + 1 - rules.k;

export function scoreWords(score, state) {
    if (score === 0) return 'a draw';
    return score > 0 ? `wins with stone ${winningStone(score, state)}` : `loses to stone ${winningStone(score, state)}`;
}

const columnOf = (cell) => cell.replace(/\d+$/, '').charCodeAt(0) - 96;

/** Columns with their scores, best first. */
export function rankedColumns(cells) {
    return Object.entries(cells)
        .map(([cell, score]) => ({ cell, column: columnOf(cell), score }))
        .sort((a, b) => b.score - a.score || a.column - b.column);
}

/** @returns {{title: string, words: string}} */
export function solvedVerdict(cells, state) {
    const ranked = rankedColumns(cells);
    const best = ranked[0].score;
    const total = state.rules.width * state.rules.height;
    const mover = sideName(state.turn, state.rules);
    const other = sideName(state.turn === 'first' ? 'second' : 'first', state.rules);
    const good = ranked.filter(({ score }) => Math.sign(score) === Math.sign(best));
    const only = (what) => (good.length === 1 && ranked.length > 1 ? `Only column ${good[0].column} ${what}.` : '');
    if (best > 0)
        return {
            title: `${mover} wins, solved`,
            words: `${only('keeps the win')} The win comes at stone ${winningStone(best, state)} of ${total}.`.trim(),
        };
    if (best === 0) return { title: 'A draw, solved', words: only('holds it') };
    const longest = ranked.filter(({ score }) => score === best).map(({ column }) => column);
    const columns =
        longest.length === 1
            ? `Column ${longest[0]} holds`
            : `Columns ${longest.slice(0, -1).join(', ')} and ${longest[longest.length - 1]} hold`;
    return {
        title: `${other} wins, solved`,
        words: `${columns} out longest, to stone ${winningStone(best, state)} of ${total}.`,
    };
}
