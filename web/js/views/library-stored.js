// What the shelves of the library share about stored games.
import { showError } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { router } from '../lib/router.js';
import { replay } from '../replay.js';
import { parseGame } from '../rules.js';
import { analyseState } from '../study.js';
import { gameTitle, sideName } from '../texts.js';
import { wonRow } from '../windows.js';

export const RESULTS = [
    ['', 'any'],
    ['first', 'first side won'],
    ['second', 'second side won'],
    ['draw', 'drawn'],
];

export const gameName = (text) => {
    const rules = parseGame(text);
    return rules ? gameTitle(rules) : text;
};

/** The rows and the side to move of a diagram with coordinates. */
function readSetup(diagram, rules) {
    const lines = diagram.split('\n');
    const rows = lines
        .map((line) => line.replace(/[^.XO]/g, ''))
        .filter((line) => line.length === rules.width)
        .slice(0, rules.height);
    const [, letter = 'X', left = rules.p] = /turn ([XO]) (\d+)/.exec(diagram) ?? [];
    return { rows, turn: letter === 'O' ? 'second' : 'first', left: Number(left) };
}

/** The last position of a stored game. @param {{moves: string[], setup: string|null, winner: string|null}} game */
export function endOf(game, rules) {
    const position = replay(rules, game.moves, game.setup ? readSetup(game.setup, rules) : undefined);
    const decided = game.winner === 'first' || game.winner === 'second';
    const lastCell = game.moves[game.moves.length - 1];
    const line = decided && lastCell ? wonRow(position.rows, rules, lastCell) : [];
    return { rules, rows: position.rows, last: position.last, line };
}

/** How a stored game ended: "Black won", "a draw", "Black won: resigned". */
export function resultWords(game, rules) {
    if (game.winner === 'draw') return 'A draw';
    if (!game.winner) return 'Not finished';
    const reason = game.reason ? `, ${game.reason}` : '';
    return `${sideName(game.winner, rules)} won${reason}`;
}

/** Opens a stored game on the page Analyse. */
export async function openStored(id) {
    try {
        analyseState(await post('/sessions', { from: { game_id: id } }));
        router.go('analyse');
    } catch (error) {
        showError(error);
    }
}
