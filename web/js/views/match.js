// A live match: progress, cross table with ratings, games in progress, SPRT.
import { button, h, icon, replace, setDisabled, setText, spot } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { about, address, get, listen, post } from '../lib/api.js';
import { connection } from '../connection.js';
import { confirmDialog } from '../later.js';
import { drawStill } from '../board/still.js';
import { header } from '../header.js';
import { agentName } from '../names.js';
import { parseGame } from '../rules.js';
import { figure, percent, signed, spentText } from '../texts.js';
import { crossTable } from '../widgets/crosstable.js';
import { openMenu } from '../widgets/menu.js';
import { sprtBar } from '../widgets/sprt.js';
import { matchTitle } from './jobwords.js';

const BOARD_PIXELS = 196; // longer side of a small board
const REPORTS = [
    ['html', 'Report as HTML'],
    ['json', 'Report as JSON'],
    ['pgn', 'Games as PGN'],
];
const STATES = {
    running: '',
    paused: 'paused',
    done: 'finished',
    cancelled: 'cancelled',
    failed: 'failed',
    elsewhere: 'started by another process',
};

export class MatchView {
    constructor(main, id) {
        this.id = id;
        this.boards = new Map();
        this.title = h('h1', { class: 'large' });
        this.words = h('p', { class: 'quiet' });
        this.pause = button('', () => this.#act(this.match.state === 'paused' ? 'go' : 'pause'));
        this.#pauses(true);
        this.cancel = button('Cancel', () => this.#cancel(), { icon: 'stop' });
        this.export = button('Export', (event) => this.#export(event.currentTarget), { icon: 'share' });
        this.progress = h('i', {});
        this.table = h('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Cross table' });
        this.inPlay = h('div', { class: 'in-play' });
        this.inPlayHead = h('h2', { class: 'head' }, 'In play now');
        this.games = h('p', { class: 'match-games' });
        this.side = h('div', { class: 'match-side' });
        replace(
            main,
            h(
                'div',
                { class: 'reading match' },
                h(
                    'div',
                    { class: 'match-head' },
                    h('div', { class: 'grow' }, this.title, this.words),
                    h('div', { class: 'row' }, this.pause, this.cancel, this.export),
                ),
                h('div', { class: 'bar match-bar' }, this.progress),
                this.table,
                this.games,
                h(
                    'div',
                    { class: 'match-below' },
                    h('section', { class: 'grow' }, this.inPlayHead, this.inPlay),
                    this.side,
                ),
            ),
        );
        this.ready = this.#start();
    }

    async #start() {
        this.#take(await get(`/matches/${encodeURIComponent(this.id)}`));
        this.#connect();
    }

    #connect() {
        this.close = listen(
            `/matches/${encodeURIComponent(this.id)}/events`,
            {
                match: (match) => this.#take(match),
                board: (board) => {
                    this.boards.set(board.slot, board);
                    this.#drawBoard(board);
                },
            },
            () => this.#lost(),
        );
    }

    #lost() {
        // The server closes the stream of a finished match; the connection is not lost.
        if (this.match && !['running', 'paused'].includes(this.match.state)) return;
        connection.lose(() => this.#start());
    }

    #take(match) {
        if (this.match && this.match.state !== match.state) polite(`The match is ${STATES[match.state] || 'running'}.`);
        this.match = match;
        for (const board of match.boards ?? []) this.boards.set(board.slot, board);
        header.show({ page: 'watch', title: matchTitle(match) });
        setText(this.title, matchTitle(match));
        setText(this.words, matchWords(match));
        this.progress.style.width = `${(100 * match.played) / Math.max(1, match.total)}%`;
        const live = match.state === 'running' || match.state === 'paused';
        setDisabled(this.pause, !live);
        setDisabled(this.cancel, !live);
        this.#pauses(match.state !== 'paused');
        replace(this.table, crossTable(match.agents, match.table, match.now ?? []));
        setText(this.inPlayHead, match.state === 'running' ? 'In play now' : 'Last positions');
        this.#gamesLink(match);
        replace(this.side, this.#facts(match));
        for (const board of this.boards.values()) this.#drawBoard(board);
        this.inPlay.parentElement.hidden = this.boards.size === 0;
    }

    /** What the first button does. */
    #pauses(does) {
        if (this.doesPause === does) return;
        this.doesPause = does;
        replace(this.pause, icon(does ? 'pause' : 'play'), h('span', {}, does ? 'Pause' : 'Continue'));
    }

    /** The stored games, which the library opens by click. */
    #gamesLink(match) {
        const games = match.played === 1 ? 'game' : `${figure(match.played)} games`;
        const words = `The ${games}${['running', 'paused'].includes(match.state) ? ' so far' : ''}`;
        replace(this.games, match.played > 0 ? h('a', { href: `#/library/games?match=${match.id}` }, words) : null);
    }

    #facts(match) {
        const rows = [];
        const add = (label, value) => rows.push(h('dt', {}, label), h('dd', {}, value));
        if (match.first_score !== null && match.first_score !== undefined)
            add('First side scored', percent(match.first_score));
        if (match.draws_share !== null && match.draws_share !== undefined) add('Draws', percent(match.draws_share));
        if (match.faults)
            add('Illegal moves, time forfeits, crashes', `${match.faults.illegal}, ${match.faults.timeout}, ${match.faults.crash}`);
        const { stats } = match;
        if (stats && stats.elo !== null) {
            add('Elo difference', eloText(stats));
            if (stats.los !== null && stats.los !== undefined) add('Likelihood of superiority', percent(stats.los));
        }
        return [
            match.sprt && sprtBar(match.sprt, agentName(match.agents[0].name), agentName(match.agents[1].name)),
            h('dl', { class: 'facts' }, rows),
        ];
    }

    #drawBoard(board) {
        let place = this.inPlay.querySelector(`[data-slot="${board.slot}"]`);
        if (!place) {
            place = h('figure', { class: 'small-board', data: { slot: board.slot } });
            this.inPlay.append(place);
            this.inPlay.parentElement.hidden = false;
        }
        const rules = parseGame(board.game ?? this.match.game);
        const cell = Math.max(2, Math.min(28, BOARD_PIXELS / Math.max(rules.width + 0.3, rules.height + 0.3)));
        const player = (side) =>
            h(
                'p',
                { class: 'row' },
                spot(side, rules.gravity),
                h('strong', { class: 'grow', title: board[side] }, agentName(board[side])),
                h('span', {}, spentText(board.clock?.[side] ?? board.ms?.[side] ?? 0)),
            );
        replace(
            place,
            drawStill(
                { rules, rows: board.rows, last: board.last },
                { cell, label: `${agentName(board.first)} against ${agentName(board.second)}` },
            ),
            h('figcaption', {}, player('first'), player('second')),
        );
    }

    async #cancel() {
        const words = 'The games played so far are kept. A cancelled match cannot be continued.';
        if (await confirmDialog('Cancel this match?', words, 'Cancel the match')) await this.#act('cancel');
    }

    async #act(what) {
        try {
            this.#take({ ...this.match, ...(await post(`/matches/${encodeURIComponent(this.id)}/${what}`, {})) });
        } catch (error) {
            showError(error);
        }
    }

    async #export(anchor) {
        const { formats } = await about();
        const path = (format) => address(`/matches/${encodeURIComponent(this.id)}/export?format=${format}`);
        const known = new Set(REPORTS.map(([id]) => id));
        const games = formats
            .filter(({ name, writes }) => writes && !known.has(name))
            .map(({ name }) => [name, `Games as ${name}`]);
        openMenu(
            anchor,
            [...REPORTS, ...games].map(([format, label]) => ({ label, href: path(format) })),
        );
    }

    leave() {
        this.close?.();
    }
}

/** Without draws and losses, the error is infinite, and the difference only a lower bound. */
function eloText({ elo, elo_error: error }) {
    const known = error !== null && error !== undefined;
    return `${signed(Math.round(elo))}${known ? ` ± ${Math.round(error)}` : ', error unknown'}`;
}

function leftText(seconds) {
    const [n, unit] =
        seconds < 60 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour'];
    const whole = Math.max(1, Math.round(n));
    return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}

function matchWords(match) {
    const parts = [`${figure(match.played)} of ${figure(match.total)} games`];
    if (match.openings) parts.push('each opening played twice, colours swapped');
    if (match.state === 'running' && match.seconds_left) parts.push(`about ${leftText(match.seconds_left)} left`);
    if (STATES[match.state]) parts.push(STATES[match.state]);
    if (match.error) parts.push(match.error);
    return parts.join(', ');
}
