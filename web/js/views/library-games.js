// The games of the database: search, preview, open.
import { button, h, replace, spot } from '../lib/dom.js';
import { showError } from '../lib/announce.js';
import { about, get } from '../lib/api.js';
import { router } from '../lib/router.js';
import { drawStill } from '../board/still.js';
import { openImport } from '../later.js';
import { agentName } from '../names.js';
import { parseGame } from '../rules.js';
import { studySession } from '../session.js';
import { figure } from '../texts.js';
import { field, select } from '../widgets/inputs.js';
import { endOf, gameName, openStored, RESULTS, resultWords } from './library-stored.js';

const PAGE = 25;
const PICTURE = 300; // pixels, longer side of the preview
const FIELDS = ['game', 'agent', 'result', 'moves', 'match'];

export class GamesShelf {
    constructor(route) {
        const asked = (name) => route.query.get(name) ?? '';
        this.wanted = asked('game');
        this.match = asked('match'); // only games of this match
        this.matchChip = button(`Match ${this.match}`, () => this.#allMatches(), {
            icon: 'close',
            class: 'compact',
            title: 'Show games of all matches',
            hidden: this.match === '',
        });
        this.games = h('select', { class: 'select' });
        this.agent = h('input', { class: 'input', type: 'search', placeholder: 'any', value: asked('agent') });
        this.result = select(RESULTS, asked('result'), () => this.#search());
        this.moves = h('input', { class: 'input', type: 'search', placeholder: 'h8 i9 h9', value: asked('moves') });
        this.summary = h('p', { class: 'quiet', role: 'status' });
        this.list = h('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Games found' });
        this.more = button('More', () => this.#next(), { class: 'compact', hidden: true });
        this.preview = h('aside', { class: 'preview' });
        for (const input of [this.games, this.agent, this.moves])
            input.addEventListener('change', () => this.#search());
        this.element = h(
            'div',
            { class: 'shelf' },
            h(
                'form',
                { class: 'search-form', role: 'search', on: { submit: (event) => event.preventDefault() } },
                field('Game', this.games),
                field('Player', this.agent),
                field('Result', this.result),
                field('Contains these moves', this.moves),
                this.matchChip,
                button('From my analysis', () => this.#fromAnalysis(), { class: 'compact' }),
                button('Open a file', () => openImport(), { icon: 'import', class: 'compact' }),
            ),
            this.summary,
            h('div', { class: 'shelf-columns' }, h('div', { class: 'grow' }, this.list, this.more), this.preview),
        );
    }

    leave() {
        this.isLeft = true;
    }

    async start() {
        const { presets } = await about();
        replace(
            this.games,
            h('option', { value: '' }, 'any'),
            presets.map((preset) => h('option', { value: preset.game }, gameName(preset.game))),
        );
        this.#choose(this.wanted);
        if (!this.isLeft) await this.#search();
    }

    /** Searches games that contain the moves of the analysis board. */
    #fromAnalysis() {
        const kept = studySession.state ?? studySession.remembered();
        if (!kept) return;
        const { game } = kept;
        this.#choose(game);
        this.moves.value = (kept.path ?? kept.again?.moves?.split(' ') ?? []).join(' ');
        this.#search();
    }

    #choose(game) {
        if (![...this.games.options].some((option) => option.value === game))
            this.games.append(h('option', { value: game }, gameName(game)));
        this.games.value = game;
    }

    #allMatches() {
        this.match = '';
        this.matchChip.hidden = true;
        this.#search();
    }

    #query() {
        return {
            match: this.match,
            game: this.games.value,
            agent: this.agent.value.trim(),
            result: this.result.value,
            moves: this.moves.value.trim(),
            limit: PAGE,
        };
    }

    async #search() {
        const query = this.#query();
        router.amend('library', ['games'], Object.fromEntries(FIELDS.map((name) => [name, query[name]])));
        this.rows = [];
        this.before = null;
        replace(this.preview);
        if (query.moves && !query.game) {
            this.asked = {};
            this.summary.textContent = 'Choose the game of these moves.';
            replace(this.list);
            this.more.hidden = true;
            return;
        }
        await this.#next();
    }

    async #next() {
        const mine = (this.asked = {});
        try {
            const found = await get('/games', { ...this.#query(), before: this.before });
            if (mine !== this.asked) return;
            this.rows.push(...found.games);
            this.before = found.next;
            this.more.hidden = !found.next;
            this.summary.textContent = this.#words(found);
            this.#draw();
        } catch (error) {
            if (mine !== this.asked) return;
            this.summary.textContent = error.message;
            replace(this.list);
            this.more.hidden = true;
        }
    }

    #words(found) {
        if (found.total === 0 || (this.rows.length === 0 && found.complete))
            return 'No matching game in the database.';
        const shown = found.total ?? this.rows.length;
        const isAll = found.complete || typeof found.total === 'number';
        return `${figure(shown)} ${shown === 1 ? 'game' : 'games'}${isAll ? '' : ' so far; there may be more.'}`;
    }

    #draw() {
        if (this.rows.length === 0) {
            replace(this.list);
            return;
        }
        replace(
            this.list,
            h(
                'table',
                { class: 'rows' },
                h(
                    'thead',
                    {},
                    h(
                        'tr',
                        {},
                        ['Played', 'Game', 'First', 'Second', 'Result', 'Stones'].map((name) =>
                            h('th', { scope: 'col' }, name),
                        ),
                    ),
                ),
                h(
                    'tbody',
                    {},
                    this.rows.map((game) => this.#row(game)),
                ),
            ),
        );
    }

    #row(game) {
        const falls = Boolean(parseGame(game.game)?.gravity);
        const when = game.date || (game.played ? new Date(game.played).toLocaleDateString() : '');
        const result = { first: '1–0', second: '0–1', draw: '½–½' }[game.winner] ?? '–';
        const look = h(
            'button',
            { type: 'button', class: 'row-button', on: { click: () => this.#preview(game) } },
            when || `game ${game.id}`,
        );
        return h(
            'tr',
            {},
            h('td', {}, look),
            h('td', {}, gameName(game.game)),
            h('td', {}, h('span', { class: 'row' }, spot('first', falls), agentName(game.first))),
            h('td', {}, h('span', { class: 'row' }, spot('second', falls), agentName(game.second))),
            h('td', { title: game.reason ?? '' }, result),
            h('td', {}, String(game.stones)),
        );
    }

    async #preview(brief) {
        try {
            const game = await get(`/games/${encodeURIComponent(brief.id)}`);
            const rules = parseGame(game.game);
            const cell = PICTURE / Math.max(rules.width + 0.3, rules.height + 0.3);
            replace(
                this.preview,
                drawStill(endOf(game, rules), { cell, label: 'End of the game' }),
                h('p', { class: 'strong' }, `${agentName(game.first)} against ${agentName(game.second)}`),
                h(
                    'p',
                    { class: 'small quiet' },
                    [
                        gameName(game.game),
                        resultWords(game, rules),
                        `${game.moves.length} stones`,
                    ].join(', '),
                ),
                h(
                    'div',
                    { class: 'row' },
                    button('Open', () => openStored(brief.id), { icon: 'curve', class: 'primary' }),
                    h('a', { class: 'button', href: `#/review/${brief.id}` }, 'Review'),
                ),
            );
        } catch (error) {
            showError(error);
        }
    }
}
