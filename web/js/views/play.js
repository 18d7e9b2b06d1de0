// The play page: board, players with clocks, moves and actions.
import { button, chip, h, iconButton, replace, setDisabled, setText } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { about } from '../lib/api.js';
import { prefs } from '../lib/prefs.js';
import { router } from '../lib/router.js';
import { header } from '../header.js';
import { confirmDialog, openFriends, openNewGame, openPlayers, openShare, takeDrops } from '../later.js';
import { boardText, emptyRows, otherSide } from '../rules.js';
import { playSession as session } from '../session.js';
import { followGame } from '../study.js';
import { capital, count, durationText, gameBrief, gameSubtitle, gameTitle, sideName } from '../texts.js';
import { turnsOf } from '../tree.js';
import { MoveList } from '../widgets/movelist.js';
import { PlayerCard } from '../widgets/player.js';
import { BoardPane } from './pane.js';
import { endWords, playerName, resultTitle, turnWords, wonBy } from './sentences.js';

const FIRST_GAME = { game: '15x15:k=5', sides: { first: { kind: 'person' }, second: { kind: 'level', level: 4 } } };
const FIRST_RULES = { width: 15, height: 15, k: 5, p: 1, q: 1, gravity: false, exact: false };
const TICK = 100; // ms between updates of the clocks

class Play {
    constructor(main) {
        this.pane = new BoardPane(session, { canPlay: () => this.#canPlay(), keys: { h: () => this.#hint() } });
        this.title = h('h1', {});
        this.subtitle = h('p', { class: 'small quiet' });
        const card = () => new PlayerCard({ onChange: () => session.state && openPlayers(session) });
        this.cards = { top: card(), bottom: card() };
        this.moves = new MoveList((node) => session.goto(node));
        this.result = h('div', { class: 'result' });
        this.actions = h('div', { class: 'actions' });
        this.aim = h('div', { class: 'aim', hidden: true });
        this.hinted = null;
        this.#build(main);
        this.stop = [
            session.on('change', (said) => this.#change(said)),
            session.on('thinking', () => this.#players()),
            prefs.on('hints', () => this.#change()),
            prefs.on('coordinates', () => this.#chips()),
            prefs.on('numbers', () => this.#chips()),
        ];
        this.pane.board.on('aim', (cell) => this.#aim(cell));
        this.timer = setInterval(() => this.#tick(), TICK);
        this.ready = this.#start();
    }

    async #start() {
        const kept = session.remembered();
        this.pane.preview(kept?.rules ? kept : { rules: FIRST_RULES, rows: emptyRows(FIRST_RULES), last: [] });
        about()
            .then((answer) => {
                this.about = answer;
                if (session.state) this.#players();
            })
            .catch(showError);
        if (!(await session.open())) await session.create(FIRST_GAME);
    }

    #build(main) {
        this.opener = button(
            'New game',
            () =>
                openNewGame({
                    start: (game) => session.create(game),
                    onStarted: () => this.pane.board.grid.focus(),
                    onEdit: () => router.go('edit'),
                }),
            { icon: 'plus', class: 'compact tall' },
        );
        const invite = button('Invite', openFriends, { class: 'compact tall', title: 'Invite a friend' });
        this.undo = button('Undo', () => session.act('undo'), { icon: 'undo' });
        this.redo = button('Redo', () => session.act('redo'), { icon: 'redo' });
        this.hint = button('Hint', () => this.#hint(), { icon: 'hint' });
        this.continueGame = button('Continue', () => session.act('agent'), { icon: 'play' });
        this.resign = button('Resign', () => this.#resign(), { icon: 'flag' });
        this.analyse = button('Analyse this game', () => this.#study(), { icon: 'curve', class: 'primary' });
        this.rematch = button('Rematch', () => this.#again(false), { icon: 'play' });
        this.swap = button('Rematch, swap colours', () => this.#again(true), { icon: 'swap' });
        this.review = button('Review', () => router.go('review', [String(session.state.saved?.game ?? 'played')]), {
            icon: 'search',
        });
        replace(
            main,
            h(
                'div',
                { class: 'game' },
                h('div', { class: 'area-title' }, h('div', { class: 'grow' }, this.title, this.subtitle), invite, this.opener),
                h('div', { class: 'area-top' }, this.cards.top.element),
                h('div', { class: 'area-board' }, this.pane.holder),
                h('div', { class: 'area-under' }, this.pane.under),
                h('div', { class: 'area-moves' }, this.pane.lens.element, this.moves.element),
                h('div', { class: 'area-result' }, this.result),
                h('div', { class: 'area-bottom' }, this.cards.bottom.element),
                h('div', { class: 'area-aim' }, this.aim),
                h('div', { class: 'area-actions' }, this.actions),
            ),
        );
        this.pane.lens.element.hidden = true;
        this.pane.attach();
        takeDrops(this.pane.holder);
        this.#chips();
    }

    #chips() {
        const flag = (name, label) => chip(label, prefs.get(name), (on) => prefs.set(name, on));
        replace(
            this.pane.chips,
            flag('coordinates', 'Coordinates'),
            flag('numbers', 'Numbers'),
            flag('hints', 'Hints'),
            this.pane.ratingsChip(),
        );
    }

    #canPlay() {
        const { state } = session;
        return Boolean(state) && !state.over && state.sides[session.position().turn].kind === 'person';
    }

    #change(said) {
        const { state } = session;
        if (!state) return;
        if (said) polite(said);
        header.show({
            page: 'play',
            title: gameTitle(state.rules),
            subtitle: gameBrief(state.rules),
            share: () => openShare(session),
            items: [
                { label: 'New game', icon: 'plus', run: () => this.opener.click() },
                { label: 'Invite a friend', icon: 'share', run: openFriends },
            ],
        });
        setText(this.title, gameTitle(state.rules));
        setText(this.subtitle, gameSubtitle(state.rules));
        if (this.hinted && this.hinted !== this.#moment()) this.#forgetHint();
        this.pane.draw();
        this.#players();
        this.#status();
        this.#buttons();
        // Drawn last: the other elements determine which part of the list is visible.
        this.moves.draw(session);
        this.#autoHint();
    }

    /** The side of the only person is at the bottom; otherwise, the first side. */
    #bottomSide() {
        const { sides } = session.state;
        return sides.first.kind !== 'person' && sides.second.kind === 'person' ? 'second' : 'first';
    }

    #players() {
        const bottom = this.#bottomSide();
        this.#player(this.cards.bottom, bottom);
        this.#player(this.cards.top, otherSide(bottom));
        this.#tick();
    }

    #player(card, side) {
        const { state } = session;
        const { turn, left } = session.position();
        const active = !state.over && turn === side;
        card.show({
            side,
            falls: state.rules.gravity,
            name: playerName(state.sides[side], side, state),
            words: this.#words(side, active, left),
            active,
        });
    }

    #words(side, active, left) {
        const { state } = session;
        const player = state.sides[side];
        if (state.over) return state.winner === side ? wonBy(state) : state.winner === 'draw' ? 'draw' : 'lost';
        if (active && player.kind !== 'person') {
            const seconds = (session.progress?.ms ?? 0) / 1000;
            if (!state.thinking) return 'waiting';
            return state.thinking.waiting ? 'waiting for a free slot' : `thinking, ${seconds.toFixed(1)} s`;
        }
        if (active) return this.pane.board.aimed ? 'confirm the stone' : turnWords(state, left);
        const rating = this.about?.levels?.find((entry) => entry.level === player.level && entry.game === state.game);
        if (rating) return `engine, ${Math.round(rating.rating)} ± ${Math.round(rating.error)}`;
        const stones = lastStones(session.tree.path(state.current), side);
        return stones ? `played ${boardText(stones, state.rules)}` : `plays ${sideName(side, state.rules)}`;
    }

    #tick() {
        const { state } = session;
        if (!state) return;
        const bottom = this.#bottomSide();
        for (const [place, side] of [
            ['bottom', bottom],
            ['top', otherSide(bottom)],
        ]) {
            const ms = session.clockOf(side);
            const active = !state.over && session.position().turn === side;
            const thinks = active && state.thinking && state.thinking.side === side;
            let part = null;
            if (active && ms !== null) part = ms / (1000 * Math.max(1, state.clock.given?.seconds ?? 1));
            else if (thinks && state.time) part = (session.progress?.ms ?? 0) / (1000 * state.time);
            this.cards[place].tick(ms, part);
        }
    }

    #status() {
        const { state } = session;
        if (state.over) {
            const { strong, rest } = endWords(state);
            this.pane.setStatus(state.winner === 'draw' ? null : state.winner, strong, rest);
            return;
        }
        const { turn, left } = session.position();
        const player = state.sides[turn];
        const alone = state.sides[otherSide(turn)].kind !== 'person';
        const strong =
            player.kind !== 'person'
                ? `${playerName(player, turn, state)} is ${state.thinking ? 'thinking' : 'waiting'}.`
                : alone
                  ? 'Your turn.'
                  : `${sideName(turn, state.rules)} to move.`;
        const words = count(left, 'stone');
        this.pane.setStatus(turn, strong, this.hintText ?? words.charAt(0).toUpperCase() + words.slice(1));
    }

    #buttons() {
        const { state } = session;
        const over = state.over;
        const { turn } = session.position();
        // After an undo, the agent moves only when "Continue" is pressed.
        const waits =
            !over &&
            state.sides[turn].kind !== 'person' &&
            !state.thinking &&
            state.can.agent &&
            session.pending.length === 0;
        const shown = over ? 'over' : waits ? 'waits' : 'play';
        if (shown !== this.shownActions) {
            this.shownActions = shown;
            const rest = [this.redo, waits ? this.continueGame : this.hint, this.resign];
            replace(this.actions, over ? [this.undo, this.review, this.analyse, this.rematch, this.swap] : [this.undo, ...rest]);
            this.actions.classList.toggle('ended', over);
            this.actions.closest('.game').classList.toggle('ended', over);
        }
        setDisabled(this.undo, !state.can.undo);
        setDisabled(this.redo, !state.can.redo);
        setDisabled(this.hint, !this.#canPlay());
        setDisabled(this.resign, !state.can.resign);
        const time = state.nodes.reduce((sum, node) => sum + (node.ms ?? 0), 0);
        const facts = [`${state.path.length} stones`, time > 0 ? durationText(time / 1000) : null]
            .filter(Boolean)
            .join(', ');
        replace(this.result, over ? [h('h2', {}, resultTitle(state)), h('p', { class: 'small quiet' }, facts)] : []);
    }

    async #hint() {
        if (this.hinted) {
            this.#forgetHint();
            this.#status();
            return;
        }
        const moment = this.#moment();
        const answer = await session.inquire('hint');
        if (!answer || this.#moment() !== moment) return;
        this.hinted = moment;
        const { rules } = session.state;
        const words = boardText(`${answer.stones.join(' ')}. ${answer.reason ?? ''}`, rules);
        this.hintText = rules.gravity ? capital(words) : words;
        this.pane.setMarks([{ kind: 'answer', cells: answer.stones, shown: true }]);
        polite(`Hint: ${this.hintText}`);
        this.#status();
    }

    /** Identifies the state that a hint belongs to. */
    #moment() {
        return `${session.state.id} ${session.state.version}`;
    }

    #forgetHint() {
        this.hinted = null;
        this.hintText = null;
        this.pane.setMarks([]);
    }

    /** With the setting "Hints", requests a hint at the start of each turn of a person. */
    #autoHint() {
        if (!prefs.get('hints') || !this.#canPlay() || session.pending.length > 0) return;
        if (this.hintedFor === this.#moment()) return;
        this.hintedFor = this.#moment();
        if (!this.hinted) this.#hint();
    }

    async #resign() {
        if (await confirmDialog('Resign?', 'Your opponent will win.', 'Resign')) session.act('resign');
    }

    async #again(swaps) {
        try {
            await session.create(session.rematch(swaps));
            this.pane.board.grid.focus();
        } catch (error) {
            showError(error);
        }
    }

    #study() {
        followGame();
        router.go('analyse');
    }

    /** On touch screens with small cells, a tap selects a cell and the button places the stone. */
    #aim(cell) {
        this.aim.hidden = cell === null;
        if (cell !== null) {
            const label = session.state.rules.gravity
                ? `Drop in column ${this.pane.board.aimed.x + 1}`
                : `Place at ${cell}`;
            replace(
                this.aim,
                iconButton('close', 'Cancel aim', () => this.pane.board.aim(null), { class: 'aim-off' }),
                button(label, () => this.pane.board.choose(this.pane.board.aimed), { class: 'primary big' }),
            );
        }
        this.#players();
    }

    async route() {
        if (!session.state) await this.#start();
    }

    leave() {
        clearInterval(this.timer);
        for (const stop of this.stop) stop();
        this.pane.leave();
        session.leave();
    }
}

/** The stones of a side's last turn. */
function lastStones(path, side) {
    const turns = turnsOf(path).filter((turn) => turn.side === side);
    return turns.length > 0 ? turns[turns.length - 1].nodes.map(({ cell }) => cell).join(' ') : '';
}

export const open = (main) => new Play(main);
