// Links to positions: rules, moves of the main line, and the path into a variation.
import { formatRoute } from './lib/router.js';
import { setUpDiagram } from './rules.js';

/**
 * The query of the address that describes a position.
 * @param {import('./session.js').Session} session
 * @returns {{g: string, m: string|null, v: string|null, n: string|null, b: string|null}} g: the game; m: the main line;
 *     v: "3.j6.j7", the number of shared main-line stones and the stones of the variation; n: the number of main-line
 *     stones if the position is inside the main line; b: the set-up start position
 */
export function positionQuery(session) {
    const { state, tree } = session;
    const main = tree.main();
    const path = tree.path(state.current);
    let shared = 0;
    while (shared < path.length && shared < main.length && path[shared].id === main[shared].id) shared++;
    const varied = shared < path.length;
    return {
        g: state.game,
        m: main.map((node) => node.cell).join('.') || null,
        v: varied ? [shared, ...path.slice(shared).map((node) => node.cell)].join('.') : null,
        n: !varied && shared < main.length ? String(shared) : null,
        b: setUpDiagram(state.root) ? rootText(state.root) : null,
    };
}

/** The complete address of a position. */
export function positionLink(session) {
    return location.origin + location.pathname + formatRoute('analyse', [], positionQuery(session));
}

/** @param {URLSearchParams} query @returns {object|null} the position of a link; null without a game */
export function parseQuery(query) {
    const game = query.get('g');
    if (!game) return null;
    const cells = (text) => (text ?? '').split('.').filter(Boolean);
    const [shared, ...variation] = cells(query.get('v'));
    return {
        game,
        moves: cells(query.get('m')),
        shared: Number(shared ?? 0),
        variation,
        at: query.has('n') ? Number(query.get('n')) : null,
        board: query.get('b') ? toDiagram(readPosition(query.get('b'))) : null,
    };
}

/** Rows with runs of empty cells as numbers, "/" between rows, the side to move and its stones left: "3/1X1/3_first_1". */
export function positionText({ rows, turn, left }) {
    return `${rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))).join('/')}_${turn}_${left}`;
}

const rootText = (root) => positionText({ ...root, left: root.stones_left });

/** This text as a position; null if there is none. @returns {{rows: string[], turn: 'first'|'second', left: number}|null} */
export function readPosition(text) {
    if (!text) return null;
    const [rows, turn, left = '1'] = text.split('_');
    return {
        rows: rows.split('/').map((row) => row.replace(/\d+/g, (run) => '.'.repeat(Math.min(64, Number(run))))),
        turn: turn === 'second' ? 'second' : 'first',
        left: Number(left),
    };
}

/** A position as a diagram for the server. */
export const toDiagram = ({ rows, turn, left }) => `${rows.join('\n')}\nturn ${turn === 'second' ? 'O' : 'X'} ${left}\n`;

/** Whether a session has the game and the main line of a link. */
export function holds(session, wanted) {
    const { state, tree } = session;
    if (!state || state.game !== wanted.game || Boolean(setUpDiagram(state.root)) !== Boolean(wanted.board))
        return false;
    const main = tree.main().map((node) => node.cell);
    return main.length === wanted.moves.length && main.every((cell, i) => cell === wanted.moves[i]);
}

/** Goes to the position of a link in a session with the same main line. */
export async function goTo(session, wanted) {
    const main = session.tree.main();
    if (wanted.variation.length > 0) {
        await session.goto(wanted.shared > 0 ? main[wanted.shared - 1].id : null);
        for (const cell of wanted.variation) await session.act('play', { cell });
    } else {
        const at = wanted.at ?? main.length;
        await session.goto(at > 0 ? main[Math.min(at, main.length) - 1].id : null);
    }
}
