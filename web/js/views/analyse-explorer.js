// The opening explorer: how games of the database and opening books continued from the current position.
import { button, h, icon, replace, setText, unseen } from '../lib/dom.js';
import { prefs } from '../lib/prefs.js';
import { stonesText } from '../rules.js';
import { count, figure, percent, sideName, signed } from '../texts.js';
import { outcomes } from '../widgets/outcomes.js';

const DELAY = 100; // ms before a request, so that steps in quick succession ask once
const AGAIN = 50; // ms between requests while the server reads the games
const SHOWN = 5; // continuations before "Show all"

export class ExplorerPanel {
    /** @param {import('../session.js').Session} session @param {() => void} onPoint */
    constructor(session, onPoint) {
        this.session = session;
        this.onPoint = onPoint;
        this.pointed = null;
        this.found = null;
        this.key = '';
        this.all = false;
        this.facts = h('span', { class: 'small quiet' });
        this.toggle = h('button', {
            type: 'button',
            class: 'icon-button tight',
            on: { click: () => prefs.toggle('explorer') },
        });
        this.list = h('div', { class: 'explorer' });
        this.element = h(
            'section',
            { class: 'panel-part', 'aria-label': 'Opening explorer' },
            h(
                'div',
                { class: 'row between part-head' },
                h('h2', { class: 'head' }, 'Opening explorer'),
                h('div', { class: 'row' }, this.facts, this.toggle),
            ),
            this.list,
        );
    }

    /** Follows the session; asks the server for a new position. */
    refresh() {
        this.#drawToggle();
        const { state } = this.session;
        const on = prefs.get('explorer') && !this.element.hidden;
        const key = on ? `${state.id} ${state.current}` : '';
        if (key === this.key) return;
        this.key = key;
        this.all = false;
        clearTimeout(this.timer);
        this.point(null);
        if (!on) {
            this.found = null;
            this.#draw();
        } else if (state.over) {
            this.found = null;
            setText(this.facts, '');
            replace(this.list, h('p', { class: 'empty' }, 'The game is over.'));
        } else {
            // The continuations of the position before stay until those of this one arrive; they cannot be played.
            this.list.ariaBusy = 'true';
            this.timer = setTimeout(() => this.#ask(key), DELAY);
        }
    }

    async #ask(key) {
        let found;
        try {
            found = await this.session.ask('explore', { node: this.session.state.current ?? 0 });
        } catch {
            // The session shows lost connections; the next step asks again.
            if (key === this.key) this.key = '';
            return;
        }
        if (key !== this.key) return;
        this.found = found;
        this.list.ariaBusy = 'false';
        this.#draw();
        if (!found.complete) this.timer = setTimeout(() => this.#ask(key), AGAIN);
    }

    #drawToggle() {
        const on = prefs.get('explorer');
        const label = on ? 'Hide the opening explorer' : 'Show the opening explorer';
        if (this.toggle.title === label) return;
        this.toggle.title = label;
        this.toggle.setAttribute('aria-label', label);
        this.toggle.replaceChildren(icon(on ? 'eye' : 'eye-off'));
    }

    #draw() {
        const { found } = this;
        const focused = this.list.contains(document.activeElement);
        setText(this.facts, found ? factsText(found) : '');
        if (!found) {
            replace(this.list);
            return;
        }
        const moves = this.all ? found.moves : found.moves.slice(0, SHOWN);
        const more = found.moves.length - moves.length;
        this.list.classList.toggle('booked', found.books.length > 0);
        replace(
            this.list,
            moves.length === 0 ? h('p', { class: 'empty' }, emptyText(found)) : null,
            moves.some(({ games, books }) => games > 0 || books.length > 0) ? this.#columns() : null,
            h(
                'ol',
                {},
                moves.map((move) => this.#move(move)),
            ),
            more > 0
                ? button(`Show ${more} more`, () => this.#showAll(), { class: 'compact' })
                : found.others.moves > 0 && this.all
                  ? h(
                        'p',
                        { class: 'small quiet' },
                        `${count(found.others.moves, 'rarer turn')} in ${count(found.others.games, 'game')}.`,
                    )
                  : null,
        );
        if (focused && !this.list.contains(document.activeElement)) this.list.querySelector('button')?.focus();
    }

    #showAll() {
        this.all = true;
        this.#draw();
        this.list.querySelectorAll('.explorer-move')[SHOWN]?.focus();
    }

    #move(move) {
        const { rules } = this.session.state;
        const results = move.games > 0 ? move : (move.books[0] ?? null);
        const [column, ...others] = this.found.books.map(({ book }) => move.books.find((said) => said.book === book));
        const more = [...others.filter(Boolean).map(bookText), engineText(move.engine)].filter(Boolean);
        const point = (cells) => () => this.point(cells);
        return h(
            'li',
            {},
            h(
                'button',
                {
                    type: 'button',
                    class: 'explorer-move',
                    title: 'Play these stones',
                    on: {
                        click: () => this.#play(move.stones),
                        mouseenter: point(move.stones),
                        mouseleave: point(null),
                        focus: point(move.stones),
                        blur: point(null),
                    },
                },
                h('strong', {}, stonesText(move.stones, rules)),
                h(
                    'span',
                    { class: 'explorer-games' },
                    move.games > 0 ? [figure(move.games), unseen(move.games === 1 ? ' game' : ' games')] : '',
                ),
                results ? outcomes(results, { 'aria-label': resultWords(results, rules) }) : h('span', {}),
                this.found.books.length > 0 &&
                    h(
                        'span',
                        { class: column?.recommended ? 'explorer-book best' : 'explorer-book' },
                        column
                            ? [
                                  unseen(`book ${column.book} `),
                                  percent(column.score, 0),
                                  column.recommended && unseen(', recommended'),
                              ]
                            : '',
                    ),
                more.length > 0 && h('span', { class: 'explorer-more small quiet' }, more.join(', ')),
            ),
        );
    }

    /** The names of the columns, for the eyes: the buttons name their parts. */
    #columns() {
        const { rules } = this.session.state;
        const { books } = this.found;
        const words = ['Turn', 'Games', `${sideName('first', rules)}, draw, ${sideName('second', rules)}`];
        if (books.length > 0) words.push(books[0].book);
        return h(
            'div',
            { class: 'explorer-head small quiet', 'aria-hidden': 'true' },
            words.map((word) => h('span', {}, word)),
        );
    }

    async #play(stones) {
        if (this.list.ariaBusy === 'true') return;
        this.point(null);
        for (const cell of stones) await this.session.play(cell);
    }

    point(cells) {
        if (JSON.stringify(cells) === JSON.stringify(this.pointed)) return;
        this.pointed = cells;
        this.onPoint();
    }

    leave() {
        clearTimeout(this.timer);
        this.key = '';
    }
}

function factsText(found) {
    if (!found.complete) return `reading games, ${figure(found.total)} so far`;
    if (found.games > 0) return `${figure(found.games)} of ${figure(found.total)} games`;
    return found.total > 0 ? `none of ${figure(found.total)} games` : 'no games';
}

function emptyText(found) {
    if (!found.complete) return 'Reading the games\u2026';
    if (found.unknown) return `No games: ${found.unknown}.`;
    if (found.total === 0) return 'The database has no game with these rules.';
    return found.games > 0 ? 'No game continued from here.' : 'No game had this position.';
}

function resultWords({ first, draws, second }, rules) {
    const all = Math.max(1, first + draws + second);
    const won = (side, n) => `${sideName(side, rules)} won ${percent(n / all, 0)}`;
    return `${won('first', first)}, ${percent(draws / all, 0)} drawn, ${won('second', second)}`;
}


const bookText = ({ book, score, recommended }) =>
    `book ${book} ${percent(score, 0)}${recommended ? ', recommended' : ''}`;

const engineText = (score) => (score === null ? '' : `engine\u2019s book ${signed(Number(score.toFixed(1)))}`);
