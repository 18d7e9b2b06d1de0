// Links to positions: rules, moves of the main line, and the path into a variation.
import { formatRoute } from './lib/router.js';
import { setUpDiagram } from './rules.js';

/**
 * The part of the address that holds a position.
 * @param {import('./session.js').Session} session
 * @returns {{g: string, m: string, v: string|null, n: string|null}} m: the main line; v: "3.j6.j7", stones of the main line and those of the
 *     variation that leads to the position; n: stones of the main line, where the position is within it
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

/** The whole address of a position. */
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
        board: query.get('b') ? boardText(query.get('b')) : null,
    };
}

/** Rows with runs of empty cells as numbers, "/" between rows, then who moves: "3/1X1/3_first_1". */
function rootText(root) {
    const rows = root.rows.map((row) => row.replace(/\.+/g, (run) => String(run.length)));
    return `${rows.join('/')}_${root.turn}_${root.stones_left}`;
}

/** The same as a diagram for the server. */
function boardText(text) {
    const [rows, turn = 'first', left = '1'] = text.split('_');
    const lines = rows.split('/').map((row) => row.replace(/\d+/g, (run) => '.'.repeat(Math.min(64, Number(run)))));
    return `${lines.join('\n')}\nturn ${turn === 'second' ? 'O' : 'X'} ${left}\n`;
}

/** Whether a session is at the position of a link, or at least contains its main line. */
export function holds(session, wanted) {
    const { state, tree } = session;
    if (!state || state.game !== wanted.game || Boolean(setUpDiagram(state.root)) !== Boolean(wanted.board))
        return false;
    const main = tree.main().map((node) => node.cell);
    return main.length === wanted.moves.length && main.every((cell, i) => cell === wanted.moves[i]);
}

/** Goes to the position of a link in a session that holds its main line. */
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
