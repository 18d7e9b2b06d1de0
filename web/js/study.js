// Which board the page Analyse shows: the game of the page Play, or the user's own analysis. An own analysis is shown
// again until the game goes on; after that, the page follows the game.
import { post } from './lib/api.js';
import { recallInTab, rememberInTab } from './lib/prefs.js';
import { playSession, studySession } from './session.js';

const KEY = 'krow.analyse';

/** Identifies the present position of the game; null without a game. */
function gameKey() {
    const game = playSession.remembered();
    return game ? `${game.id} ${game.again.moves.length} ${game.last.join(' ')}` : null;
}

/** Whether the page Analyse follows the game. */
export function followsGame() {
    const key = gameKey();
    const kept = recallInTab(KEY);
    return key !== null && !(kept?.own && kept.game === key && studySession.remembered());
}

export const hasGame = () => gameKey() !== null;

export const followGame = () => rememberInTab(KEY, { own: false });

export const showOwnAnalysis = () => rememberInTab(KEY, { own: true, game: gameKey() });

/** Makes a state of the server the user's own analysis. */
export function analyseState(state) {
    studySession.adopt(state);
    showOwnAnalysis();
}

/** Copies the game, with all variations, to the user's own analysis; stones keep their numbers. */
export async function copyGame() {
    analyseState(await post('/sessions', { from: { session: playSession.state.id } }));
    return studySession;
}

const CHANGES = new Set(['play', 'goto', 'step', 'act']);

/**
 * A view of a session whose changes happen elsewhere: they are applied to the session that `divert` returns.
 * @param {import('./session.js').Session} session @param {() => Promise<import('./session.js').Session>} divert
 */
export function diverted(session, divert) {
    const changing = (name) => async (...words) => (await divert())?.[name](...words);
    return new Proxy(session, {
        get(target, name) {
            if (CHANGES.has(name)) return changing(name);
            const value = target[name];
            return typeof value === 'function' ? value.bind(target) : value;
        },
    });
}
