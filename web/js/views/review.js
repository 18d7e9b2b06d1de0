// The review page: the winning chances of a whole game, the accuracy of both sides, and its mistakes as exercises.
// #/review/12 is a game of the database, #/review/played that of the page Play, #/review/own that of the page Analyse.
import { ApiError, get, post } from '../lib/api.js';
import { recallInTab, rememberInTab } from '../lib/prefs.js';
import { button, h, iconButton, replace, setDisabled, setText, spot } from '../lib/dom.js';
import { router } from '../lib/router.js';
import { header } from '../header.js';
import { agentName } from '../names.js';
import { parseCell } from '../rules.js';
import { replay } from '../replay.js';
import { playSession, reviewSession as session, studySession } from '../session.js';
import { analyseState } from '../study.js';
import { chanceText, gameBrief, gameTitle, sideName } from '../texts.js';
import { turnsOf, turnText } from '../tree.js';
import { Curve } from '../widgets/curve.js';
import { EvalBar } from '../widgets/evalbar.js';
import { MoveList } from '../widgets/movelist.js';
import { wonRow } from '../windows.js';
import { BoardPane } from './pane.js';
import { Exercise } from './review-exercise.js';
import { accuracyTable, explanation, MistakeList } from './review-parts.js';
import { playerName } from './sentences.js';

const KEY = 'krow.review.of';

class Review {
    constructor(main, route) {
        this.at = 0; // turns before the position on the board
        this.failed = null; // why no search runs
        this.stopped = false;
        this.solved = new Map(); // by turn: 'found' or 'shown'
        const step = (direction) => () => this.#go(this.at + direction);
        this.view = this.#facade(step);
        this.pane = new BoardPane(this.view, {
            canPlay: () => this.exercise.asks,
            take: (cell) => {
                this.exercise.place(cell);
                return true;
            },
            keys: { u: () => this.exercise.takeBack(), r: () => {}, e: () => {}, h: () => {} },
        });
        this.evalbar = new EvalBar();
        this.curve = new Curve((node) => this.#go(this.points().find((point) => point.node === node)?.ply ?? 0));
        this.moves = new MoveList((node) => this.#go(this.turns.findIndex(({ nodes }) => nodes.some(({ id }) => id === node)) + 1));
        this.mistakes = new MistakeList((turning) => this.#ask(turning));
        this.exercise = new Exercise(session, {
            onChange: () => this.#draw(),
            onSolved: (turning, how) => this.#solved(turning, how),
            onNext: () => this.#ask(this.mistakes.next(this.exercise.turning)),
            hasNext: () => Boolean(this.mistakes.next(this.exercise.turning)),
        });
        this.#build(main, step);
        this.pane.board.on('layout', (g) => this.evalbar.fit(g.boardHeight));
        this.stop = [session.on('change', () => this.#change()), session.on('scan', () => this.#draw())];
        this.ready = this.route(route);
    }

    /** What the board shows, in the form of a session. */
    #facade(step) {
        const page = this;
        return {
            pending: [],
            analysis: null,
            get state() {
                return page.shown;
            },
            position: () => ({ ...page.shown, left: page.shown.stones_left }),
            line: () => page.turns.flatMap(({ nodes }) => nodes),
            step: (direction) => step(direction)(),
            act: () => Promise.resolve(null),
            on: () => () => {},
        };
    }

    #build(main, step) {
        this.title = h('h1', {});
        this.subtitle = h('p', { class: 'quiet' });
        this.progress = h('i', {});
        this.count = h('span', { class: 'small quiet', role: 'status' });
        this.cancel = button('Stop', () => this.#cancel(), { icon: 'stop', class: 'compact' });
        this.again = button('Continue', () => this.#scan(), { icon: 'play', class: 'compact' });
        this.bar = h('div', { class: 'bar grow' }, this.progress);
        this.running = h('div', { class: 'row scan-tools' }, this.count, this.bar, this.cancel, this.again);
        this.accuracy = h('div', {});
        this.summary = h('p', { class: 'quiet' });
        this.nav = [
            ['begin', 'Go to start', () => this.#go(0)],
            ['back', 'Previous turn', step(-1)],
            ['next', 'Next turn', step(1)],
            ['end', 'Go to end', () => this.#go(Infinity)],
        ].map(([icon, label, run]) => iconButton(icon, label, run));
        this.analyse = button('Analyse from here', () => this.#analyse(), { class: 'compact' });
        replace(this.pane.chips, this.nav, this.analyse);
        const part = (title, ...content) => h('section', { class: 'panel-part' }, h('h2', { class: 'head' }, title), content);
        this.page = h(
            'div',
            { class: 'game study review' },
            h('div', { class: 'area-verdict' }, h('div', { class: 'verdict' }, h('div', { class: 'grow' }, this.title, this.subtitle)), this.exercise.element, this.running),
            h(
                'div',
                { class: 'area-column' },
                h('div', { class: 'area-board' }, this.evalbar.element, this.pane.holder),
                h('div', { class: 'area-under' }, this.pane.under),
            ),
            h(
                'div',
                { class: 'area-panel' },
                part('Whole game', this.curve.element),
                part('Mistakes', this.summary, this.mistakes.element),
                part('Accuracy', this.accuracy, explanation()),
                part('Moves', h('div', { class: 'review-moves' }, this.moves.element)),
            ),
        );
        replace(main, this.page);
        this.pane.attach();
    }

    async route(route) {
        const what = route.rest[0] ?? 'played';
        const at = Number(route.query.get('t') ?? -1);
        if (what !== this.what) {
            this.what = what;
            this.failed = null;
            this.stopped = false;
            this.exercise.end();
            header.show({ page: 'library', title: 'Review' });
            await this.#open(what);
            if (what !== this.what) return;
            this.solved = new Map(recallInTab(`krow.solved.${this.key}`) ?? []);
            this.at = at >= 0 ? at : this.turns.length;
        } else if (at >= 0) this.at = at;
        this.#change();
        const { scan } = session.state;
        if (!scan?.complete && !scan?.running) await this.#scan();
    }

    /** Opens the session of the last visit, or makes one from the game. */
    async #open(what) {
        const isStored = /^\d+$/.test(what);
        const origin = what === 'own' ? studySession : playSession;
        const game = origin.state ?? origin.remembered();
        if (!isStored && !game) throw new ApiError({ status: 404, message: 'There is no game to review.' });
        this.key = isStored ? what : `${what} ${game.id} ${(game.path ?? game.again.moves.split(' ')).join(' ')}`;
        const kept = recallInTab(KEY);
        let state = null;
        if (kept?.key === this.key) state = await this.#find(kept.id);
        session.source = isStored ? { from: { game_id: Number(what) } } : null;
        state ??= await post('/sessions', session.source ?? { from: { session: game.id } });
        if (what !== this.what) return;
        rememberInTab(KEY, { key: this.key, id: state.id });
        session.show(state);
    }

    async #find(id) {
        try {
            return await get(`/sessions/${encodeURIComponent(id)}`);
        } catch (error) {
            if (error.status === 404) return null;
            throw error;
        }
    }

    async #scan() {
        this.failed = null;
        this.stopped = false;
        try {
            await post(`/sessions/${encodeURIComponent(session.state.id)}/scan`, {});
        } catch (error) {
            this.failed = error.message;
        }
        this.#draw();
    }

    #cancel() {
        this.stopped = true;
        session.act('scan', { cancel: true });
    }

    get turns() {
        return turnsOf(session.line());
    }

    points() {
        return session.state?.scan?.points ?? [];
    }

    #change() {
        if (!session.state) return;
        const { rules } = session.state;
        header.show({ page: 'library', title: `Review: ${gameTitle(rules)}`, subtitle: gameBrief(rules) });
        this.page.classList.toggle('falls', rules.gravity);
        this.names = Object.fromEntries(['first', 'second'].map((side) => [side, this.#name(side)]));
        this.#draw();
    }

    #name(side) {
        const { names, sides, rules } = session.state;
        if (this.what === 'played' && playSession.state) return playerName(playSession.state.sides[side], side, playSession.state);
        return sides[side].kind === 'person' && names[side] === 'Person' ? sideName(side, rules) : agentName(names[side]);
    }

    /** The position after so many turns, with stones that an exercise adds. */
    #position() {
        const { state } = session;
        const { rules, root } = state;
        this.at = Math.max(0, Math.min(this.at, this.turns.length));
        const asked = this.exercise.turning;
        const turns = this.turns.slice(0, asked ? asked.ply - 1 : this.at);
        const cells = [...turns.flatMap(({ nodes }) => nodes.map(({ cell }) => cell)), ...this.exercise.stones];
        const { rows, turn, left, last } = replay(rules, cells, { rows: root.rows, turn: root.turn, left: root.stones_left });
        const line = cells.length > 0 ? wonRow(rows, rules, cells[cells.length - 1]) : [];
        const over = line.length > 0 || (!asked && this.at === this.turns.length && state.over);
        const current = turns.length > 0 ? turns[turns.length - 1].nodes.at(-1).id : null;
        this.shown = { ...state, rows, turn, stones_left: left, last, line, over, current, path: cells, can: {} };
    }

    #draw() {
        const { state } = session;
        if (!state || !this.names) return;
        const { scan, rules } = state;
        this.#position();
        this.pane.draw();
        this.pane.board.setMarks(this.exercise.marks());
        this.#words();
        this.#status();
        this.#running(scan);
        const words = `Winning chances of ${sideName('first', rules)} over ${this.turns.length} turns`;
        if (scan) this.curve.draw(scan, this.turns.length, this.exercise.turning?.ply ?? this.at, words);
        replace(this.accuracy, scan ? accuracyTable(scan, this.names, rules) : []);
        this.mistakes.draw(scan, { names: this.names, solved: this.solved, rules, current: this.exercise.turning });
        setText(this.summary, this.#summary(scan));
        this.moves.draw(this.view);
    }

    #words() {
        const { rules } = session.state;
        const point = this.points().find(({ ply }) => ply === this.at);
        const asks = Boolean(this.exercise.turning);
        const turn = this.turns[this.at - 1];
        const name = sideName('first', rules);
        setText(this.title, asks ? 'Find the better turn' : turn ? `Turn ${turn.ply}: ${turnText(turn, rules)}` : 'Start position');
        setText(this.subtitle, asks ? this.exercise.task(rules) : point ? evaluationWords(point, rules) : '');
        const first = !asks && point ? point.chance_first : null;
        this.evalbar.show(first, first === null ? '' : barText(point), name);
        this.nav.forEach((element, i) => setDisabled(element, asks || (i < 2 ? this.at === 0 : this.at === this.turns.length)));
        setDisabled(this.analyse, asks);
    }

    #status() {
        const { shown } = this;
        const { rules } = shown;
        if (this.exercise.turning) {
            const { asks, turning } = this.exercise;
            this.pane.setStatus(turning.side, `${sideName(turning.side, rules)} to move.`, asks ? 'Click a cell.' : '');
            return;
        }
        this.pane.setStatus(
            shown.over ? null : shown.turn,
            shown.over ? 'The end.' : `${sideName(shown.turn, rules)} to move.`,
            `${this.names.first} against ${this.names.second}`,
        );
    }

    #running(scan) {
        const runs = Boolean(scan?.running);
        this.running.hidden = Boolean(scan?.complete) && !this.failed;
        this.progress.style.width = scan ? `${(100 * scan.done) / Math.max(1, scan.total)}%` : '0%';
        this.bar.hidden = !runs;
        this.cancel.hidden = !runs;
        this.again.hidden = runs || Boolean(scan?.complete);
        const state = runs ? `${scan.done} of ${scan.total} searches` : this.stopped ? 'Stopped.' : '';
        setText(this.count, this.failed ?? state);
    }

    #summary(scan) {
        if (!scan) return '';
        if (scan.turning.length > 0) return '';
        return scan.complete ? 'No turn cost 15 % of the winning chance or more.' : 'None found yet.';
    }

    #go(turns) {
        if (this.exercise.turning) this.exercise.end();
        this.at = Math.max(0, Math.min(turns, this.turns.length));
        router.amend('review', [this.what], { t: this.at < this.turns.length ? this.at : '' });
        this.#draw();
    }

    #ask(turning) {
        if (!turning) return;
        this.at = turning.ply - 1;
        const turn = this.turns[turning.ply - 1];
        this.exercise.begin(turning, turn.nodes.length, this.solved.get(turning.ply) ?? null);
        this.pane.board.grid.focus();
        const { x, y } = parseCell(turning.stones[0]);
        this.pane.board.reveal({ x, y });
    }

    #solved(turning, how) {
        if (this.solved.get(turning.ply) === 'found') return;
        this.solved.set(turning.ply, how);
        rememberInTab(`krow.solved.${this.key}`, [...this.solved]);
    }

    async #analyse() {
        const state = await post('/sessions', { from: { session: session.state.id } });
        analyseState(state);
        await studySession.goto(this.shown.current);
        router.go('analyse');
    }

    leave() {
        this.what = null; // late answers change nothing
        for (const stop of this.stop) stop();
        this.pane.leave();
        session.leave();
    }
}

/** Certain values are proven; others stay between 1 % and 99 %. */
const barText = (point) =>
    point.proven === 'draw' ? 'draw' : point.proven ? (point.chance_first > 0.5 ? '100 %' : '0 %') : chanceText(point.chance_first);

function evaluationWords(point, rules) {
    if (point.proven === 'draw') return 'A draw, proven';
    if (point.proven) {
        const winner = point.chance_first > 0.5 ? 'first' : 'second';
        return `${sideName(winner, rules)} wins, proven${point.distance > 0 ? `, within ${point.distance} stones` : ''}`;
    }
    return `Winning chance of ${sideName('first', rules)} ${chanceText(point.chance_first)}`;
}

export const open = (main, route) => new Review(main, route);
