// The page of a game with a friend: an invitation to accept, waiting for the friend, the game and its end.
import { button, chip, h, iconButton, replace, setDisabled, setText } from '../lib/dom.js';
import { polite, showError, toast } from '../lib/announce.js';
import { about, getText } from '../lib/api.js';
import { prefs } from '../lib/prefs.js';
import { router } from '../lib/router.js';
import { fileAddress, forgetGame, FriendGame, join, keepName, knownGames, lookAt, ownName } from '../friend.js';
import { header } from '../header.js';
import { download } from '../image.js';
import { confirmDialog, openInvite } from '../later.js';
import { otherSide } from '../rules.js';
import { gameBrief, gameSubtitle, gameTitle, sideName } from '../texts.js';
import { turnsOf, turnText } from '../tree.js';
import { field } from '../widgets/inputs.js';
import { MoveList } from '../widgets/movelist.js';
import { PlayerCard } from '../widgets/player.js';
import { awayWords, clockWords, endedWords, OFFERS, offerWords } from './friend-words.js';
import { WaitingPanel } from './friend-waiting.js';
import { BoardPane } from './pane.js';
import { turnWords } from './sentences.js';

const STAGES = { waiting: 'waiting for your friend', playing: 'in play', over: 'over' };
const TICK = 100; // ms between updates of the clocks

class Friend {
    constructor(main, route) {
        this.main = main;
        this.visits = 0; // counts routes, so that a late answer does not draw over a later page
        this.ready = this.route(route);
    }

    async route({ rest: [id, invitation] }) {
        if (this.game && this.game.id === id) return;
        this.#close();
        const visit = this.visits;
        header.show({ page: 'play', title: 'Play a friend' });
        // A browser that has a seat only may not ask, and sees no links to other pages.
        await about().catch((error) => document.documentElement.toggleAttribute('data-guest', error.status === 401));
        if (visit !== this.visits) return;
        try {
            if (!id) this.#landing();
            else if (invitation) await this.#invited(id, invitation);
            else await this.#open(id);
        } catch (error) {
            if (visit !== this.visits) return;
            if (![401, 403, 404, 409, 429].includes(error.status)) throw error;
            if (error.status === 404) forgetGame(id);
            this.#sorry(error.message);
        }
    }

    // --- Before the game ---

    #page(title, ...content) {
        replace(this.main, h('div', { class: 'reading friend-page' }, h('h1', { class: 'large' }, title), content));
    }

    #sorry(words) {
        this.#close();
        polite(words);
        this.#page('This game cannot be opened', h('p', {}, words), this.#known());
    }

    #landing() {
        this.#page(
            'Play a friend',
            h('p', {}, 'Two people, two browsers, one game: with clocks, takebacks and draws by agreement.'),
            !isGuest() &&
                h('div', {}, button('Invite a friend', () => openInvite(), { icon: 'plus', class: 'primary' })),
            this.#known(),
        );
    }

    #known() {
        const games = knownGames();
        if (games.length === 0) return null;
        const link = ({ id, title, stage }) =>
            h(
                'li',
                {},
                h('a', { href: `#/friend/${id}` }, title),
                h('span', { class: 'quiet' }, `, ${STAGES[stage] ?? ''}`),
            );
        return h('div', {}, h('h2', { class: 'head' }, 'Your games with friends'), h('ul', { class: 'known' }, games.map(link)));
    }

    async #invited(id, invitation) {
        const visit = this.visits;
        const offer = await lookAt(id, invitation);
        if (visit !== this.visits) return;
        if (offer.seated) {
            router.amend('friend', [id]);
            await this.#open(id);
            return;
        }
        if (offer.taken) {
            this.#sorry('Somebody else has already taken this seat. Ask for a new invitation.');
            return;
        }
        const name = h('input', { class: 'input', maxlength: 40, value: ownName(), autocomplete: 'nickname' });
        const wrong = h('p', { class: 'wrong', role: 'alert' });
        const accept = async () => {
            keepName(name.value.trim());
            start.disabled = true;
            try {
                await join(id, invitation, name.value.trim());
                router.amend('friend', [id]);
                await this.#open(id);
            } catch (error) {
                wrong.textContent = error.message;
                start.disabled = false;
            }
        };
        const start = button('Play', accept, { class: 'primary big' });
        const side = offer.side === 'random' ? 'Colours are drawn.' : `You play ${sideName(offer.side, offer.rules)}.`;
        this.#page(
            `${offer.host ?? 'A friend'} invites you to a game`,
            h(
                'div',
                { class: 'rules-card' },
                h('p', { class: 'serif invitation-title' }, gameTitle(offer.rules)),
                h('p', {}, offer.rules.words),
                h('p', {}, `${side} ${clockWords(offer.clock)}`),
            ),
            h('form', { class: 'stack', on: { submit: (event) => event.preventDefault() } }, field('Your name', name), wrong, start),
        );
        start.focus();
    }

    // --- The game ---

    async #open(id) {
        const game = new FriendGame(id);
        this.game = game;
        this.#build();
        this.stop = [
            game.on('change', (said) => this.#change(said)),
            game.on('gone', (error) => this.#sorry(error.message)),
            prefs.on('coordinates', () => this.#chips()),
            prefs.on('numbers', () => this.#chips()),
        ];
        this.timer = setInterval(() => this.#tick(), TICK);
        try {
            await game.open();
        } catch (error) {
            game.leave();
            throw error;
        }
    }

    #build() {
        const nothing = () => {};
        this.pane = new BoardPane(this.game, {
            canPlay: () => this.#canPlay(),
            keys: { u: nothing, r: nothing, e: () => polite(this.pane.status.textContent) },
        });
        this.title = h('h1', {});
        this.subtitle = h('p', { class: 'small quiet' });
        this.cards = { top: new PlayerCard(), bottom: new PlayerCard() };
        this.moves = new MoveList((node) => this.game.goto(node));
        this.waiting = new WaitingPanel(this.game);
        this.offers = h('div', { class: 'offers', role: 'status' });
        this.result = h('div', { class: 'result' });
        this.actions = h('div', { class: 'actions' });
        this.aim = h('div', { class: 'aim', hidden: true });
        this.buttons = {
            takeback: button('Takeback', () => this.game.answer('takeback', 'offer'), { icon: 'undo' }),
            draw: button('Draw', () => this.#draw(), { icon: 'equal' }),
            resign: button('Resign', () => this.#resign(), { icon: 'flag' }),
            rematch: button('Rematch', () => this.game.answer('rematch', 'offer'), { icon: 'swap', class: 'primary' }),
            analyse: button('Analyse', () => this.#analyse(), { icon: 'curve' }),
            save: button('Save', () => this.#save(), { icon: 'import' }),
        };
        replace(
            this.main,
            h(
                'div',
                { class: 'game friend' },
                h('div', { class: 'area-title' }, h('div', { class: 'grow' }, this.title, this.subtitle)),
                h('div', { class: 'area-top' }, this.cards.top.element),
                h('div', { class: 'area-board' }, this.pane.holder),
                h('div', { class: 'area-under' }, this.pane.under),
                h('div', { class: 'area-moves' }, this.pane.lens.element, this.waiting.element, this.moves.element),
                h('div', { class: 'area-result' }, this.offers, this.result),
                h('div', { class: 'area-bottom' }, this.cards.bottom.element),
                h('div', { class: 'area-aim' }, this.aim),
                h('div', { class: 'area-actions' }, this.actions),
            ),
        );
        this.pane.lens.element.hidden = true;
        this.pane.attach();
        this.#chips();
        this.pane.board.on('aim', (cell) => this.#aim(cell));
    }

    #chips() {
        const flag = (name, label) => chip(label, prefs.get(name), (on) => prefs.set(name, on));
        replace(this.pane.chips, flag('coordinates', 'Coordinates'), flag('numbers', 'Numbers'));
    }

    get #side() {
        return this.game.live.you ?? (this.game.live.wish === 'second' ? 'second' : 'first');
    }

    #canPlay() {
        const { live, isLive } = this.game;
        return Boolean(live) && isLive && live.stage === 'playing' && this.game.position().turn === live.you;
    }

    #change(said) {
        const { game } = this;
        const { live, state } = game;
        const friend = live.friend.name ?? 'Friend';
        if (said) polite(said);
        header.show({
            page: 'play',
            title: gameTitle(live.rules),
            subtitle: gameBrief(live.rules),
            items: [{ label: 'Play a friend', icon: 'plus', run: () => router.go('friend') }],
        });
        if (this.#canPlay()) document.title = `Your turn, ${document.title}`;
        setText(this.title, gameTitle(live.rules));
        setText(this.subtitle, `${gameSubtitle(live.rules)}. ${clockWords(live.clock)}`);
        const waits = live.stage === 'waiting';
        this.waiting.show(waits);
        this.moves.element.hidden = waits;
        this.pane.draw();
        this.#players(friend);
        this.#status(state, friend);
        this.#offers(friend);
        this.#buttons();
        if (!waits) this.moves.draw(game);
        this.#notice(friend);
    }

    /** Announces that the friend has come or gone. */
    #notice(friend) {
        const { live } = this.game;
        const key = `${live.stage} ${live.friend.connected}`;
        if (this.noticed && key !== this.noticed && live.stage !== 'waiting')
            polite(`${friend} is ${live.friend.connected ? 'here' : 'away'}.`);
        this.noticed = key;
    }

    #players(friend) {
        const { live } = this.game;
        this.#player(this.cards.bottom, this.#side, live.yourself.name ? `${live.yourself.name} (you)` : 'You', '');
        this.#player(this.cards.top, otherSide(this.#side), friend, awayWords(this.game));
        this.#tick();
    }

    #player(card, side, name, presence) {
        const { live } = this.game;
        const { turn, left } = this.game.position();
        const active = live.stage === 'playing' && this.game.isLive && turn === side;
        const turns = turnsOf(live.nodes).filter((one) => one.side === side);
        const words = [];
        if (live.stage === 'over') words.push(endedWords(live, side));
        else if (active) words.push(turnWords(live, left));
        else if (turns.length > 0) words.push(`played ${live.rules.gravity ? 'column ' : ''}${turnText(turns[turns.length - 1], live.rules)}`);
        else if (live.stage === 'playing') words.push(`plays ${sideName(side, live.rules)}`);
        if (live.number > 1 || live.stage === 'over') words.push(pointsOf(live, side));
        if (presence) words.push(presence);
        card.show({ side, falls: live.rules.gravity, name, words: words.join(', '), active });
    }

    #tick() {
        const { game } = this;
        const { live } = game;
        if (!live) return;
        const { turn } = game.position();
        for (const [card, side] of [
            [this.cards.bottom, this.#side],
            [this.cards.top, otherSide(this.#side)],
        ]) {
            const ms = game.clockOf(side);
            const active = live.stage === 'playing' && turn === side;
            card.tick(ms, active && ms !== null ? ms / (1000 * Math.max(1, live.clock.given.seconds)) : null);
        }
        const seconds = Math.floor(game.away() ?? -1);
        if (seconds === this.awaySeconds) return;
        this.awaySeconds = seconds;
        this.#players(live.friend.name ?? 'Friend');
    }

    #status(state, friend) {
        const { live, isLive } = this.game;
        if (!isLive) {
            this.pane.setStatus(null, `After stone ${state.path.length} of ${live.path.length}.`, '');
            return;
        }
        if (live.stage === 'waiting') {
            this.pane.setStatus(null, 'Waiting for your friend.', '');
            return;
        }
        if (live.over) {
            this.pane.setStatus(live.winner === 'draw' ? null : live.winner, this.#ending(friend), live.reason ?? '');
            return;
        }
        const { turn, left } = this.game.position();
        const own = turn === live.you;
        const words = turnWords(live, left);
        this.pane.setStatus(turn, own ? 'Your turn,' : `${friend}\u2019s turn,`, `${words}.`);
    }

    #ending(friend) {
        const { live } = this.game;
        if (live.winner === 'draw') return 'A draw.';
        return live.winner === live.you ? 'You won.' : `${friend} won.`;
    }

    /** What is offered, with the possible answers. */
    #offers(friend) {
        const { live } = this.game;
        const lines = OFFERS.filter((kind) => live.offers[kind].by).map((kind) => {
            const { by } = live.offers[kind];
            const answer = (label, word, more) =>
                button(label, () => this.game.answer(kind, word), { class: `compact ${more}` });
            return h(
                'div',
                { class: 'offer' },
                h('p', { class: 'grow' }, offerWords(kind, by, friend)),
                by === 'you'
                    ? answer('Withdraw', 'withdraw', '')
                    : [answer('Decline', 'decline', ''), answer('Accept', 'accept', 'primary')],
            );
        });
        const key = OFFERS.map((kind) => live.offers[kind].by).join();
        if (key === this.offersKey) return;
        this.offersKey = key;
        replace(this.offers, lines);
    }

    #buttons() {
        const { live, isLive } = this.game;
        const { takeback, draw, resign, rematch, analyse, save } = this.buttons;
        const shown = !isLive && live.stage !== 'waiting' ? 'back' : live.stage;
        if (shown !== this.shownActions) {
            this.shownActions = shown;
            const back = button('Back to the game', () => this.game.goto(live.path.length), { class: 'primary' });
            const sets = {
                waiting: [],
                playing: [takeback, draw, resign],
                over: [rematch, analyse, save],
                back: [back],
            };
            replace(this.actions, sets[shown]);
            this.actions.dataset.count = String(sets[shown].length);
            this.actions.classList.toggle('ended', shown === 'over' || shown === 'back');
        }
        setDisabled(takeback, !live.offers.takeback.can);
        setDisabled(draw, !live.offers.draw.can);
        setDisabled(rematch, !live.offers.rematch.can);
        const over = live.stage === 'over' && isLive;
        replace(this.result, over ? h('h2', {}, this.#ending(live.friend.name ?? 'Your friend')) : []);
        if (over) this.result.append(h('p', { class: 'small quiet' }, live.reason ?? ''));
    }

    async #draw() {
        if (await confirmDialog('Offer a draw?', 'The game ends if your friend accepts.', 'Offer a draw'))
            this.game.answer('draw', 'offer');
    }

    async #resign() {
        if (await confirmDialog('Resign?', 'Your friend will win.', 'Resign')) this.game.act('resign');
    }

    #analyse() {
        if (isGuest()) {
            toast('Step through the moves here. Save the game to analyse it with your own krow.');
            return;
        }
        const { game, path } = this.game.live;
        router.go('analyse', [], { g: game, m: path.join('.') });
    }

    async #save() {
        try {
            download('krow.sgf', new Blob([await getText(fileAddress(this.game.id))], { type: 'application/x-go-sgf' }));
        } catch (error) {
            showError(error);
        }
    }

    /** On touch screens with small cells, a tap selects a cell and the button places the stone. */
    #aim(cell) {
        this.aim.hidden = cell === null;
        if (cell === null) return;
        const { board } = this.pane;
        const label = this.game.live.rules.gravity ? `Drop in column ${board.aimed.x + 1}` : `Place at ${cell}`;
        replace(
            this.aim,
            iconButton('close', 'Cancel aim', () => board.aim(null), { class: 'aim-off' }),
            button(label, () => board.choose(board.aimed), { class: 'primary big' }),
        );
    }

    #close() {
        this.visits++;
        clearInterval(this.timer);
        for (const stop of this.stop ?? []) stop();
        this.stop = [];
        this.pane?.leave();
        this.game?.leave();
        this.game = this.pane = null;
        this.shownActions = this.offersKey = this.noticed = null;
    }

    leave() {
        this.#close();
    }
}

/** Whether this browser has a seat in a game, but not the token of the server. */
const isGuest = () => document.documentElement.hasAttribute('data-guest');

/** Points of a player so far: "1½ points". */
function pointsOf(live, side) {
    const { points } = side === live.you ? live.yourself : live.friend;
    const whole = Math.floor(points);
    const text = points === whole ? String(whole) : `${whole || ''}\u00bd`;
    return `${text} ${points === 1 ? 'point' : 'points'}`;
}

export const open = (main, route) => new Friend(main, route);
