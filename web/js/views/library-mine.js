// Your games: games that were finished on this page, with search, review, export and removal.
import { button, h, iconButton, replace, spot } from '../lib/dom.js';
import { polite, showError, toast } from '../lib/announce.js';
import { about, get, getText, remove } from '../lib/api.js';
import { router } from '../lib/router.js';
import { drawStill } from '../board/still.js';
import { download } from '../image.js';
import { confirmDialog } from '../later.js';
import { agentName } from '../names.js';
import { parseGame } from '../rules.js';
import { figure } from '../texts.js';
import { field, select } from '../widgets/inputs.js';
import { endOf, gameName, openStored, RESULTS, resultWords } from './library-stored.js';

const PAGE = 24;
const PICTURE = 132; // pixels, longer side of a thumbnail
const DAY = 24 * 3600 * 1000;
const FIELDS = ['game', 'player', 'result', 'from', 'to', 'text'];

export class MineShelf {
    constructor(route) {
        const search = () => this.#search();
        const input = (type, name, more = {}) =>
            h('input', { class: 'input', type, value: route.query.get(name) ?? '', on: { change: search }, ...more });
        this.wanted = route.query.get('game') ?? '';
        this.inputs = {
            game: h('select', { class: 'select', on: { change: search } }),
            player: input('search', 'player', { placeholder: 'any' }),
            result: select(RESULTS, route.query.get('result') ?? '', search),
            from: input('date', 'from'),
            to: input('date', 'to'),
            text: input('search', 'text', { placeholder: 'names, moves, dates' }),
        };
        this.summary = h('p', { class: 'quiet', role: 'status' });
        this.list = h('ul', { class: 'mine' });
        this.more = button('More', () => this.#next(), { class: 'compact', hidden: true });
        this.format = h('select', { class: 'select', 'aria-label': 'File format' });
        this.save = button('Export all', () => this.#export(), { icon: 'share', class: 'compact' });
        const { game, player, result, from, to, text } = this.inputs;
        this.tools = h('div', { class: 'row mine-tools' }, this.format, this.save);
        this.element = h(
            'div',
            { class: 'shelf' },
            h(
                'form',
                { class: 'search-form', role: 'search', on: { submit: (event) => event.preventDefault() } },
                field('Game', game),
                field('Player', player),
                field('Result', result),
                field('From', from),
                field('To', to),
                field('Text', text),
            ),
            h('div', { class: 'row between mine-head' }, this.summary, this.tools),
            this.list,
            this.more,
        );
    }

    leave() {
        this.isLeft = true;
    }

    async start() {
        const { presets, formats } = await about();
        const games = presets.map(({ game }) => game);
        if (this.wanted && !games.includes(this.wanted)) games.push(this.wanted);
        replace(
            this.inputs.game,
            h('option', { value: '' }, 'any'),
            games.map((game) => h('option', { value: game }, gameName(game))),
        );
        this.inputs.game.value = this.wanted;
        replace(
            this.format,
            formats.filter(({ writes }) => writes).map(({ name }) => h('option', { value: name }, name.toUpperCase())),
        );
        this.format.value = 'sgf';
        if (!this.isLeft) await this.#search();
    }

    /** The filters as the user sees them, for the address. */
    #filters() {
        return Object.fromEntries(FIELDS.map((name) => [name, this.inputs[name].value.trim()]));
    }

    #query() {
        const { game, player, result, from, to, text } = this.#filters();
        const since = Date.parse(`${from}T00:00`) || null;
        const until = Date.parse(`${to}T00:00`) || null;
        return { origin: 'saved', game, player, result, text, since, until: until && until + DAY };
    }

    get #isFiltered() {
        return Object.values(this.#filters()).some((value) => value !== '');
    }

    async #search() {
        router.amend('library', ['mine'], this.#filters());
        this.games = [];
        this.before = null;
        await this.#next();
    }

    async #next() {
        const mine = (this.asked = {});
        try {
            const found = await get('/games', { ...this.#query(), boards: 1, limit: PAGE, before: this.before });
            if (mine !== this.asked) return;
            this.before = found.next;
            this.games.push(...found.games);
            this.total = found.total;
            this.saves = found.saves;
            this.#draw();
        } catch (error) {
            if (mine !== this.asked) return;
            this.summary.textContent = error.message;
            replace(this.list);
            this.more.hidden = true;
        }
    }

    #draw() {
        this.more.hidden = !this.before;
        this.tools.hidden = this.games.length === 0;
        this.save.lastChild.textContent = this.#isFiltered ? 'Export these' : 'Export all';
        this.summary.textContent = this.#words();
        replace(
            this.list,
            this.games.map((game) => this.#card(game)),
        );
    }

    #words() {
        if (!this.saves && this.games.length === 0)
            return 'This server has no database, so finished games are not saved. Start krow serve without --db none.';
        if (this.games.length === 0)
            return this.#isFiltered
                ? 'No game matches these filters.'
                : 'No games yet. Games that you finish on the page Play, or with a friend, appear here.';
        const shown = this.total ?? this.games.length;
        return `${figure(shown)} ${shown === 1 ? 'game' : 'games'}${this.total === null ? ' so far; there may be more' : ''}`;
    }

    #card(game) {
        const rules = parseGame(game.game);
        const view = endOf(game, rules);
        const cell = PICTURE / Math.max(rules.width + 0.3, rules.height + 0.3);
        const when = game.played ? new Date(game.played) : null;
        const names = `${agentName(game.first)} against ${agentName(game.second)}`;
        const name = (side) =>
            h('span', { class: 'row mine-name' }, spot(side, rules.gravity), h('span', {}, agentName(game[side])));
        return h(
            'li',
            { class: 'mine-card', data: { game: String(game.id) } },
            h('a', { class: 'mine-picture', href: `#/review/${game.id}`, 'aria-label': `Review ${names}` }, drawStill(view, { cell })),
            h(
                'div',
                { class: 'mine-facts' },
                h('p', { class: 'strong' }, name('first'), name('second')),
                h('p', { class: 'small' }, resultWords(game, rules)),
                h(
                    'p',
                    { class: 'small quiet' },
                    `${gameName(game.game)}, ${game.stones} stones`,
                    when && h('br'),
                    when && h('time', { datetime: when.toISOString() }, when.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })),
                ),
                h(
                    'div',
                    { class: 'row mine-actions' },
                    h('a', { class: 'button compact', href: `#/review/${game.id}` }, game.reviewed ? 'See the review' : 'Review'),
                    button('Analyse', () => openStored(game.id), { class: 'compact' }),
                    iconButton('trash', `Delete ${names}`, () => this.#delete(game, names), { class: 'tight' }),
                ),
            ),
        );
    }

    async #delete(game, names) {
        if (!(await confirmDialog('Delete this game?', `${names}, ${game.stones} stones. This cannot be undone.`, 'Delete')))
            return;
        try {
            await remove(`/games/${encodeURIComponent(game.id)}`);
            this.games = this.games.filter(({ id }) => id !== game.id);
            if (this.total !== null) this.total -= 1;
            this.#draw();
            polite('The game was deleted.');
            this.list.querySelector('a, button')?.focus();
        } catch (error) {
            showError(error);
        }
    }

    async #export() {
        const words = new URLSearchParams();
        for (const [name, value] of Object.entries({ ...this.#query(), format: this.format.value }))
            if (value) words.set(name, String(value));
        try {
            const text = await getText(`/games/file?${words}`);
            const { formats } = await about();
            const ending = formats.find(({ name }) => name === this.format.value)?.extension ?? 'txt';
            download(`my-games.${ending.replace(/^\./, '')}`, new Blob([text], { type: 'text/plain' }));
            toast('The games were exported.');
        } catch (error) {
            showError(error);
        }
    }
}
