// A game between two people in two browsers, as this browser's seat sees it. The server's description: docs/friends.md.
import { ApiError, get, listen, post } from './lib/api.js';
import { showError } from './lib/announce.js';
import { Emitter } from './lib/emitter.js';
import { recall, remember } from './lib/prefs.js';
import { connection } from './connection.js';
import { isEmpty, otherSide, parseCell, withStone } from './rules.js';
import { gameTitle, texts } from './texts.js';
import { Tree, turnsOf } from './tree.js';

const KNOWN = 'krow.friends';
const KNOWN_MOST = 10;
const NAME = 'krow.name';

/** Games in which this browser has a seat, the newest first. @returns {{id: string, title: string, stage: string}[]} */
export const knownGames = () => recall(KNOWN) ?? [];

export function forgetGame(id) {
    remember(
        KNOWN,
        knownGames().filter((game) => game.id !== id),
    );
}

function rememberGame(state) {
    const title = [gameTitle(state.rules), state.friend.name && `with ${state.friend.name}`].filter(Boolean).join(' ');
    const others = knownGames().filter((game) => game.id !== state.id);
    remember(KNOWN, [{ id: state.id, title, stage: state.stage }, ...others].slice(0, KNOWN_MOST));
}

export const ownName = () => recall(NAME) ?? '';
export const keepName = (name) => remember(NAME, name);

const pathOf = (id) => `/friends/${encodeURIComponent(id)}`;

export const invite = (body) => post('/friends', body);
export const lookAt = (id, invitation) => post(`${pathOf(id)}/look`, { invitation });
export const join = (id, invitation, name) => post(`${pathOf(id)}/join`, { invitation, name });

/** Where others reach the server; null if this browser may not ask, because it has a seat only. */
export async function reach() {
    try {
        return await get('/friends');
    } catch (error) {
        if (error.status === 401) return null;
        throw error;
    }
}

/** The base addresses for a link to friends: the one of this page unless others cannot use it. */
export function linkBases(reached) {
    const local = /^(localhost|127\.|\[::1\])/.test(location.hostname);
    return local && reached?.addresses.length > 0 ? reached.addresses : [location.origin];
}

export const linkOf = (base, state) => `${base}/#/friend/${state.id}/${state.invitation}`;

/** The game file of a finished or unfinished game. */
export const fileAddress = (id) => `${pathOf(id)}/export?format=sgf`;

/** Events: `change` with the text to announce or null, `gone` with an error when the game or the seat is lost. */
export class FriendGame extends Emitter {
    constructor(id) {
        super();
        this.id = id;
        this.live = null; // the state of the server
        this.browsed = null; // the number of stones of the position that is shown; null: the present one
        this.pending = [];
        this.queue = Promise.resolve();
        this.close = () => {};
        this.analysis = null; // as in a session; there is none here
        this.lost = () => this.#lost();
        addEventListener('offline', this.lost);
    }

    async open() {
        this.#take(await get(pathOf(this.id)));
        this.#connect();
    }

    leave() {
        removeEventListener('offline', this.lost);
        this.close();
        this.close = () => {};
    }

    #connect() {
        this.close();
        this.close = listen(`${pathOf(this.id)}/events`, { state: (state) => this.#take(state) }, this.lost);
    }

    #lost() {
        this.close();
        this.close = () => {};
        this.pending = [];
        this.emit('change', null);
        connection.lose(() => this.#regain());
    }

    async #regain() {
        try {
            this.#take(await get(pathOf(this.id)), true);
        } catch (error) {
            if (![401, 403, 404].includes(error.status)) throw error;
            this.emit('gone', error);
            return;
        }
        this.#connect();
    }

    #take(state, force = false) {
        const before = this.live;
        if (before && state.version < before.version && !force) return;
        const moved = before?.path.length !== state.path.length || before?.number !== state.number;
        this.live = state;
        this.takenAt = performance.now();
        if (moved) this.browsed = null;
        this.pending = this.pending.filter((cell) => {
            const { x, y } = parseCell(cell);
            return isEmpty(state.rows, x, y);
        });
        rememberGame(state);
        this.emit('change', before && before.said !== state.said ? state.said : null);
    }

    /** The state of the position that is shown. */
    get state() {
        const { live } = this;
        if (!live || this.browsed === null) return live;
        const nodes = live.nodes.slice(0, this.browsed);
        let rows = live.rows.map((row) => row.replace(/[XO]/g, '.'));
        for (const { cell, side } of nodes) {
            const { x, y } = parseCell(cell);
            rows = withStone(rows, x, y, side);
        }
        const turns = turnsOf(nodes);
        const last = turns.length > 0 ? turns[turns.length - 1].nodes.map((node) => node.cell) : [];
        const next = live.nodes[this.browsed];
        return {
            ...live,
            rows,
            last,
            path: nodes.map((node) => node.cell),
            current: this.browsed || null,
            turn: next.side,
            line: [],
        };
    }

    get isLive() {
        return this.browsed === null;
    }

    /** The position including a stone that the server has not confirmed yet. */
    position() {
        const { state } = this;
        let { rows, turn, last, stones_left: left } = state;
        let mover = state.nodes[state.nodes.length - 1]?.side ?? null;
        for (const cell of this.isLive ? this.pending : []) {
            const { x, y } = parseCell(cell);
            rows = withStone(rows, x, y, turn);
            last = turn === mover ? [...last, cell] : [cell];
            mover = turn;
            left -= 1;
            if (left === 0) {
                turn = otherSide(turn);
                left = state.rules.p;
            }
        }
        return { rows, turn, last, left, over: state.over };
    }

    line() {
        return new Tree(this.live.nodes).main();
    }

    /** @param {number|null} node the position after this stone; null for the start */
    goto(node) {
        const stones = node ?? 0;
        this.browsed = stones >= this.live.nodes.length ? null : stones;
        this.emit('change', null);
    }

    /** To the end of the previous or next turn. */
    step(direction) {
        const ends = [0, ...turnsOf(this.live.nodes).map((turn) => turn.nodes[turn.nodes.length - 1].id)];
        const here = this.browsed ?? this.live.nodes.length;
        const target =
            direction < 0 ? ends.filter((end) => end < here).pop() : ends.find((end) => end > here);
        if (target !== undefined) this.goto(target);
    }

    /** Milliseconds left on a side's clock, or null without clocks. */
    clockOf(side) {
        const { clock } = this.live;
        if (!clock) return null;
        return clock[side] - (clock.running === side ? performance.now() - this.takenAt : 0);
    }

    /** Seconds since the friend closed the page; null while it is open. */
    away() {
        const { friend } = this.live;
        return friend.connected ? null : friend.away + (performance.now() - this.takenAt) / 1000;
    }

    /** Sends a change, one at a time. @returns {Promise<object|null>} null on failure */
    act(action, body = {}) {
        const run = async () => {
            if (connection.isLost) throw new ApiError({ status: 0, message: `${texts.lostTitle} Your game is kept.` });
            const answer = await post(`${pathOf(this.id)}/${action}`, body);
            if (answer?.version !== undefined) this.#take(answer);
            return answer ?? {};
        };
        const result = this.queue.then(run);
        this.queue = result.catch(() => {});
        return result.catch((error) => {
            if (error.status === 0 && !connection.isLost) this.#lost();
            else showError(error);
            return null;
        });
    }

    /** Shows a stone at once and sends it. */
    async play(cell) {
        const after = this.live.path.length + this.pending.length;
        this.pending.push(cell);
        this.emit('change', null);
        await this.act('play', { cell, after });
        const index = this.pending.indexOf(cell);
        if (index >= 0) this.pending.splice(index, 1);
        this.emit('change', null);
    }

    answer(offer, answer) {
        return this.act(offer, { answer });
    }
}
