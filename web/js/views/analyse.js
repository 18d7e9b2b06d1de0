// The page Analyse: follows the game of the page Play, or shows the user's own analysis. The game itself never changes
// here: a stone or a step starts an own analysis with a copy of the game.
import { button, h, replace } from '../lib/dom.js';
import { showError } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { prefs } from '../lib/prefs.js';
import { router } from '../lib/router.js';
import { goTo, holds, parseQuery, positionQuery } from '../link.js';
import { playSession, studySession } from '../session.js';
import { copyGame, diverted, followGame, followsGame, hasGame, showOwnAnalysis } from '../study.js';
import { AnalysisBoard } from './analyse-board.js';

const FIRST_GAME = { game: '15x15:k=5' };

/** Whether help would spoil the game: it is in progress, with an agent or a clock. */
const isContest = ({ over, sides, clock }) =>
    !over && (clock !== null || sides.first.kind !== 'person' || sides.second.kind !== 'person');

class Analyse {
    constructor(main, route) {
        this.main = main;
        this.follows = null; // whether the board follows the game; null before the first board
        this.ready = this.route(route);
    }

    async route(route) {
        const mine = (this.visit = {});
        const isLatest = () => this.visit === mine;
        const wanted = parseQuery(route.query);
        this.#show(!wanted && followsGame());
        // Without a kept game, neither on the server nor in the browser, the page starts with an empty board.
        if (!(await this.#session.open()) && !wanted && isLatest()) {
            this.#show(false);
            await studySession.create(FIRST_GAME);
        }
        if (wanted && isLatest()) await this.#openLink(wanted, isLatest);
        if (isLatest()) await this.#ask();
    }

    async #openLink(wanted, isLatest) {
        if (!holds(studySession, wanted)) {
            const set = wanted.board ? { board: wanted.board } : {};
            const state = await post('/sessions', { game: wanted.game, moves: wanted.moves.join(' '), ...set });
            if (!isLatest()) return;
            studySession.adopt(state);
        }
        await goTo(studySession, wanted);
    }

    /** Shows the game or the own analysis. */
    #show(follows) {
        if (!follows) showOwnAnalysis();
        if (this.follows === follows) return;
        this.#leaveBoard();
        this.follows = follows;
        this.helps = !follows; // whether the analysis may be shown during a contest
        const session = follows ? diverted(playSession, () => this.#copy()) : studySession;
        this.notice = h('div', { class: 'study-notice' });
        this.board = new AnalysisBoard(this.main, session, {
            notice: this.notice,
            isQuiet: () => this.#isQuiet(),
            onChange: () => this.#changed(),
            ask: () => this.#ask(),
        });
    }

    get #session() {
        return this.follows ? playSession : studySession;
    }

    #isQuiet() {
        return this.follows && !this.helps && Boolean(playSession.state) && isContest(playSession.state);
    }

    #changed() {
        const { state } = this.#session;
        // The address of a followed game stays the same: opened later, it shows the game as it is then.
        if (this.follows) router.amend('analyse');
        else router.amend('analyse', [], positionQuery(studySession));
        const key = `${this.follows} ${this.#isQuiet()} ${state.over} ${hasGame()}`;
        if (key === this.noticed) return;
        this.noticed = key;
        replace(this.notice, this.follows ? this.#gameNotice(state) : hasGame() ? this.#ownNotice() : []);
        if (this.follows) this.#ask();
    }

    #gameNotice(state) {
        const quiet = this.#isQuiet();
        const words = state.over
            ? 'Your last game. Stones you place here start your own analysis.'
            : quiet
              ? 'Your game in progress. Its analysis stays off unless you ask for it.'
              : 'Your game in progress. Stones you place here start your own analysis; the game does not change.';
        return [
            h('p', { class: 'small grow' }, words),
            quiet && button('Show the analysis', () => this.#help(), { class: 'compact' }),
            button('Analyse from here', () => this.#copy(), { class: 'compact' }),
        ];
    }

    #ownNotice() {
        return [
            h('p', { class: 'small grow' }, 'Your own analysis. The game in Play does not change.'),
            button('Back to the game', () => this.#backToGame(), { class: 'compact' }),
        ];
    }

    #help() {
        this.helps = true;
        this.noticed = null;
        this.#changed();
        this.board.change();
    }

    async #backToGame() {
        followGame();
        router.go('analyse');
    }

    /** Continues with a copy of the game. Steps in quick succession share one copy. */
    async #copy() {
        this.copying ??= (async () => {
            try {
                const focus = this.board.focus();
                await copyGame();
                this.#show(false);
                await studySession.open();
                this.board.restoreFocus(focus);
                await this.#ask();
                return studySession;
            } catch (error) {
                showError(error);
                return null;
            } finally {
                this.copying = null;
            }
        })();
        return this.copying;
    }

    /** Requests the analysis that the preferences select; none while the game is quiet. */
    async #ask() {
        const session = this.#session;
        if (!session.state) return;
        const { analysis, rules } = session.state;
        const wanted = {
            on: prefs.get('analyse') && !this.#isQuiet(),
            lines: prefs.get('lines'),
            cells: prefs.get('scores') || rules.gravity,
        };
        const same = analysis.on === wanted.on && analysis.lines === wanted.lines && analysis.cells === wanted.cells;
        if (same || (!analysis.on && !wanted.on)) return;
        await session.setAnalysis(wanted);
    }

    #leaveBoard() {
        if (this.follows === null) return;
        this.board.leave();
        const session = this.#session;
        // The game goes on without the analysis.
        if (this.follows && session.state?.analysis.on) session.setAnalysis({ on: false });
        session.leave();
        this.noticed = null;
    }

    leave() {
        this.visit = null;
        this.#leaveBoard();
    }
}

export const open = (main, route) => new Analyse(main, route);
