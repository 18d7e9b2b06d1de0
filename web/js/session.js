// The state of a game on the server. Stones are shown at once and confirmed by the server later.
import { ApiError, get, listen, post } from './lib/api.js';
import { showError, toast } from './lib/announce.js';
import { Source } from './lib/emitter.js';
import { recall, recallInTab, remember, rememberInTab } from './lib/prefs.js';
import { isEmpty, otherSide, parseCell, setUpDiagram, withStone } from './rules.js';
import { connection } from './connection.js';
import { texts } from './texts.js';
import { Tree } from './tree.js';

let shown = null; // the session that a page showed last

/** The session that a page showed last, or null. */
export const shownSession = () => shown;

/**
 * Events: `change` when the position or its display changes (with the sentence to announce, or null), `analysis`,
 * `scan`, `thinking`, `problem`. New listeners receive the present `change`, `analysis` and `thinking` at once.
 */
class Session extends Source {
    /** @param {string} key under which the browser stores the session @param {boolean} saves its finished games */
    constructor(key, saves = false) {
        super();
        this.key = key;
        this.saves = saves;
        this.source = null; // a request that creates the session again, if not from its moves
        this.state = null;
        this.tree = new Tree([]);
        this.analysis = null;
        this.progress = null; // search progress of the agent to move
        this.pending = [];
        this.visited = new Set();
        this.queue = Promise.resolve();
        this.isOpen = false; // a page shows it
        this.close = () => {};
    }

    present(event) {
        if (!this.state) return undefined;
        const values = { change: null, analysis: this.analysis, thinking: this.progress };
        return event === 'change' ? null : (values[event] ?? undefined);
    }

    /**
     * Opens the session for a page: keeps it up to date until `leave`. Restores the session of the last visit, recreated
     * if the server no longer has it; null if none is stored.
     */
    async open() {
        this.isOpen = true;
        shown = this;
        const id = this.state?.id ?? this.remembered()?.id;
        if (!id) return null;
        try {
            const state = await get(`/sessions/${encodeURIComponent(id)}`);
            // Meanwhile another game may have started here.
            if (this.state && this.state.id !== id) return this.state;
            this.#take(state);
        } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 404) throw error;
            const again = this.state ? this.again() : this.remembered()?.again;
            if (!again) return null;
            await this.create(again);
        }
        this.#connect();
        return this.state;
    }

    /** The position stored in the browser, drawn until the server answers. Each tab has its own game. */
    remembered() {
        return recallInTab(this.key) ?? recall(this.key);
    }

    /** Starts another game. Until the server has accepted it, the present game stays; other tabs keep it. */
    async create(body) {
        return this.adopt(await post('/sessions', { ...(this.saves ? { save: 'new' } : {}), ...body }));
    }

    /** Adopts a state returned by another request, of this session or a new one. */
    adopt(state) {
        if (this.state?.id !== state.id) this.close();
        this.analysis = null;
        this.pending = [];
        this.visited.clear();
        this.#take(state, { force: true });
        this.#connect();
        return this.state;
    }

    /** Shows a state of the server, and keeps it up to date until `leave`. */
    show(state) {
        this.isOpen = true;
        shown = this;
        return this.adopt(state);
    }

    /** Closes the event stream; the game remains on the server. */
    leave() {
        this.isOpen = false;
        this.#disconnect();
    }

    #disconnect() {
        this.close();
        this.close = () => {};
    }

    #connect() {
        this.#disconnect();
        if (!this.isOpen) return;
        this.close = listen(
            `/sessions/${encodeURIComponent(this.state.id)}/events?updates=1`,
            {
                state: (state) => this.#take(state),
                update: (update) => this.#update(update),
                thinking: (progress) => {
                    this.progress = progress;
                    this.emit('thinking', progress);
                },
                analysis: (analysis) => {
                    if (analysis.node !== this.state.current) return; // of the previous position
                    this.analysis = analysis;
                    this.emit('analysis', analysis);
                },
                scan: (scan) => {
                    this.state.scan = scan;
                    this.emit('scan', scan);
                },
                problem: (problem) => {
                    toast(problem.error, { error: true });
                    this.emit('problem', problem);
                },
            },
            () => this.#lost(),
        );
    }

    #lost() {
        this.#disconnect();
        this.pending = [];
        this.emit('change');
        connection.lose(() => this.#regain());
    }

    /** Reconnects to the game; after a server restart, recreates it. */
    async #regain() {
        let state;
        try {
            state = await get(`/sessions/${encodeURIComponent(this.state.id)}`);
        } catch (error) {
            if (error.status !== 404) throw error;
            const again = this.again();
            const { analysis } = this.state;
            await this.create(again);
            // `act` would refuse: the connection counts as lost until this request succeeds.
            if (analysis?.on)
                this.#take(
                    await post(`/sessions/${encodeURIComponent(this.state.id)}/analysis`, analysisBody(analysis)),
                );
            toast(texts.again);
            return;
        }
        this.#take(state, { force: true });
        this.#connect();
    }

    /** A request that recreates this game. */
    again() {
        const { state } = this;
        if (this.source) return this.source;
        const clock = state.clock?.given && {
            seconds: state.clock.given.seconds,
            increment: state.clock.given.increment,
        };
        const board = setUpDiagram(state.root);
        return {
            game: state.game,
            moves: state.path.join(' '),
            ...(board ? { board } : {}),
            sides: state.sides,
            ...(state.time ? { time: state.time } : {}),
            ...(clock ? { clock } : {}),
            ...(this.saves ? { save: state.saved?.key ?? 'new' } : {}),
        };
    }

    /** Takes an update of the present state; after a gap, the whole state is requested. */
    #update({ base, ...update }) {
        const before = this.state;
        if (update.version <= before.version) return;
        if (base !== before.version) {
            this.#catchUp();
            return;
        }
        const { tree } = this;
        const nodes = [...before.nodes];
        for (const node of update.nodes) {
            const at = tree.byId.has(node.id) ? nodes.findIndex(({ id }) => id === node.id) : nodes.length;
            nodes[at] = node;
            tree.put(node);
        }
        const state = { ...before, ...update, nodes };
        this.#take({ ...state, ...positionAt(before, state, tree) }, { tree });
    }

    async #catchUp() {
        const { id } = this.state;
        try {
            const state = await get(`/sessions/${encodeURIComponent(id)}`);
            if (this.state.id === id) this.#take(state);
        } catch {
            // The end of the event stream reports a lost connection; the next update asks again.
        }
    }

    /** @param {{force?: boolean, tree?: Tree}} options force: even if it is not newer; tree: of its nodes */
    #take(state, { force = false, tree } = {}) {
        if (this.state && this.state.id === state.id && state.version <= this.state.version && !force) return;
        const moved = this.state?.current !== state.current || this.state?.id !== state.id;
        const said = this.state && state.said !== this.state.said ? state.said : null;
        this.state = state;
        this.takenAt = performance.now();
        this.tree = tree ?? new Tree(state.nodes);
        for (const node of this.tree.path(state.current)) {
            for (const sibling of this.tree.children(node.parent)) this.visited.delete(sibling.id);
            this.visited.add(node.id);
        }
        if (moved) this.analysis = null;
        if (!state.thinking) this.progress = null;
        this.pending = this.pending.filter((cell) => {
            const { x, y } = parseCell(cell);
            return isEmpty(state.rows, x, y);
        });
        const { id, game, rules, rows, last } = state;
        const kept = { id, game, rules, rows, last, again: this.again() };
        remember(this.key, kept);
        rememberInTab(this.key, kept);
        this.emit('change', said);
    }

    /** The position including stones that the server has not confirmed yet. */
    position() {
        const { state } = this;
        let { rows, turn, last, stones_left: left } = state;
        for (const cell of this.pending) {
            const { x, y } = parseCell(cell);
            if (!isEmpty(rows, x, y)) continue;
            const begins =
                last.length === 0 ||
                left === (turn === 'first' && state.path.length === 0 ? state.rules.q : state.rules.p);
            rows = withStone(rows, x, y, turn);
            last = begins ? [cell] : [...last, cell];
            left -= 1;
            if (left === 0) {
                turn = otherSide(turn);
                left = state.rules.p;
            }
        }
        return { rows, turn, last, left, over: state.over };
    }

    /** A request for another game with the same rules, start position, times and players. @param {boolean} swaps */
    rematch(swaps) {
        const { moves: _, sides, ...rest } = this.again();
        return { ...rest, sides: swaps ? { first: sides.second, second: sides.first } : sides };
    }

    /** Sends a change; changes are sent one at a time. Rejects on failure. */
    change(action, body = {}) {
        const run = async () => {
            if (connection.isLost) throw new ApiError({ status: 0, message: `${texts.lostTitle} Your game is kept.` });
            const { id, version } = this.state;
            const answer = await post(`/sessions/${encodeURIComponent(id)}/${action}?known=${version}`, body);
            if (answer?.version === undefined || this.state.id !== id) return answer;
            if (answer.base === undefined) this.#take(answer);
            else this.#update(answer);
            return answer;
        };
        const result = this.queue.then(run);
        this.queue = result.catch(() => {});
        return result;
    }

    /** Sends a change and shows errors. @returns {Promise<object|null>} null on failure */
    act(action, body = {}) {
        return this.change(action, body).catch((error) => {
            if (error.status === 0 && !connection.isLost) this.#lost();
            else showError(error);
            return null;
        });
    }

    /** Shows a stone at once and sends it to the server. */
    async play(cell) {
        this.pending.push(cell);
        this.emit('change');
        await this.act('play', { cell });
        const index = this.pending.indexOf(cell);
        if (index >= 0) {
            this.pending.splice(index, 1);
            this.emit('change');
        }
    }

    goto(node) {
        if (node === this.state.current) return Promise.resolve(null);
        return this.act('goto', { node });
    }

    /** Nodes from the root through the current one to the end of its line. */
    line() {
        return this.tree.line(this.state.current, this.visited);
    }

    /** The node that ends the previous or next turn: null for the start position, undefined if there is none. */
    neighbour(direction) {
        const path = this.tree.path(this.state.current);
        const line = this.line();
        if (direction < 0) {
            if (path.length === 0) return undefined;
            let i = path.length - 1;
            while (i >= 0 && path[i].ply === path[path.length - 1].ply) i--;
            return i < 0 ? null : path[i].id;
        }
        const rest = line.slice(path.length);
        if (rest.length === 0) return undefined;
        return rest.filter((node) => node.ply === rest[0].ply).pop().id;
    }

    step(direction) {
        const node = this.neighbour(direction);
        if (node !== undefined) this.goto(node);
    }

    /** Milliseconds left on a side's clock, or null without clocks. */
    clockOf(side) {
        const { clock } = this.state;
        if (!clock) return null;
        const running = clock.running === side && !connection.isLost;
        return clock[side] - (running ? performance.now() - this.takenAt : 0);
    }

    /** Sends a read-only request, in parallel with pending changes. @returns {Promise<object|null>} */
    async inquire(action, body = {}) {
        try {
            return await post(`/sessions/${encodeURIComponent(this.state.id)}/${action}`, body);
        } catch (error) {
            showError(error);
            return null;
        }
    }

    ask(what, query) {
        return get(`/sessions/${encodeURIComponent(this.state.id)}/${what}`, query);
    }

    setAnalysis(change) {
        return this.act('analysis', analysisBody({ ...this.state.analysis, ...change }));
    }
}

/** The cells and rows of a position after an update. */
function positionAt(before, state, tree) {
    const node = tree.byId.get(state.current);
    if (state.current === before.current) return { path: before.path, rows: before.rows };
    if (node && node.parent === before.current) {
        const { x, y } = parseCell(node.cell);
        return { path: [...before.path, node.cell], rows: withStone(before.rows, x, y, node.side) };
    }
    const path = tree.path(state.current);
    let { rows } = state.root;
    const cells = rows.map((row) => [...row]);
    for (const { cell, side } of path) {
        const { x, y } = parseCell(cell);
        cells[cells.length - 1 - y][x] = side === 'first' ? 'X' : 'O';
    }
    rows = cells.map((row) => row.join(''));
    return { path: path.map(({ cell }) => cell), rows };
}

/** The analysis settings that a request may contain. */
const analysisBody = ({ on = false, lines = 4, cells = false }) => ({ on, lines, cells });

export const playSession = new Session('krow.play', true);
export const studySession = new Session('krow.study');
export const reviewSession = new Session('krow.review');
