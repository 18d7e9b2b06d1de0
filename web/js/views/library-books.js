// The opening book explorer: the moves played in a position, their frequency and results.
import { button, h, iconButton, replace, setDisabled } from '../lib/dom.js';
import { showError } from '../lib/announce.js';
import { get } from '../lib/api.js';
import { router } from '../lib/router.js';
import { Board } from '../board/board.js';
import { replay } from '../replay.js';
import { isEmpty, parseCell, parseGame } from '../rules.js';
import { figure, sideName } from '../texts.js';
import { field, select } from '../widgets/inputs.js';
import { outcomes } from '../widgets/outcomes.js';
import { gameName } from './library-stored.js';

export class BooksShelf {
    constructor() {
        this.moves = [];
        this.holder = h('div', { class: 'board-holder' });
        this.panel = h('div', { class: 'book-panel' });
        this.element = h('div', { class: 'shelf book' }, this.holder, this.panel);
        this.board = new Board({ label: 'Book position', reserve: 200 });
        this.board.on('place', (cell) => this.#play([cell]));
        this.onResize = () => this.board.view && this.board.layout();
        addEventListener('resize', this.onResize);
    }

    async start() {
        const { books } = await get('/books');
        this.books = books;
        if (books.length === 0) {
            replace(
                this.element,
                h('p', { class: 'empty' }, 'No opening book yet. “krow book build” builds one from games.'),
            );
            return;
        }
        replace(this.holder, this.board.element);
        await this.#choose(books[0].name);
    }

    async #choose(name) {
        this.book = this.books.find((book) => book.name === name);
        this.rules = parseGame(this.book.game);
        this.moves = [];
        await this.#load();
    }

    async #play(stones) {
        const before = this.moves;
        const { rows } = replay(this.rules, before);
        const { x, y } = parseCell(stones[0]);
        if (!isEmpty(rows, x, y)) return;
        this.moves = [...before, ...stones];
        await this.#load();
    }

    async #load() {
        const mine = (this.asked = {});
        try {
            const found = await get(`/books/${encodeURIComponent(this.book.name)}`, {
                game: this.book.game,
                moves: this.moves.join(' '),
            });
            if (mine !== this.asked) return;
            this.#draw(found);
        } catch (error) {
            if (mine === this.asked) showError(error);
        }
    }

    #draw(found) {
        const position = replay(this.rules, this.moves);
        this.element.classList.toggle('falls', this.rules.gravity);
        this.board.update({
            rules: this.rules,
            rows: position.rows,
            last: position.last,
            line: [],
            turn: position.turn,
            over: false,
            canPlay: true,
            numbers: null,
        });
        const most = Math.max(0, ...found.moves.map(({ share }) => share));
        this.board.setMarks(
            found.moves.slice(0, 24).map((move) => ({
                kind: 'score',
                cells: [move.stones[0]],
                text: `${Math.round(100 * move.share)} %`,
                best: move.share === most,
                tone: most > 0 ? move.share / most : 0,
            })),
        );
        const back = iconButton('back', 'Back one turn', () => this.#back());
        const begin = iconButton('begin', 'Go to start', () => {
            this.moves = [];
            this.#load();
        });
        setDisabled(back, this.moves.length === 0);
        setDisabled(begin, this.moves.length === 0);
        const name = sideName(found.turn ?? position.turn, this.rules);
        replace(
            this.panel,
            field(
                'Book',
                select(
                    this.books.map((book) => [
                        book.name,
                        `${book.name}: ${gameName(book.game)}, ${figure(book.games)} games`,
                    ]),
                    this.book.name,
                    (value) => this.#choose(value),
                ),
            ),
            h(
                'div',
                { class: 'row between' },
                h('p', { class: 'small quiet' }, this.moves.length === 0 ? 'Start position' : this.moves.join(' ')),
                h(
                    'div',
                    { class: 'row' },
                    begin,
                    back,
                    button('Analyse', () => router.go('analyse', [], { g: this.book.game, m: this.moves.join('.') }), {
                        class: 'compact',
                    }),
                ),
            ),
            found.games > 0
                ? h(
                      'p',
                      {},
                      h('strong', {}, `${figure(found.games)} games`),
                      ` reached this position. ${name} scored ${Math.round(100 * (found.score ?? 0))} %.`,
                  )
                : h('p', { class: 'empty' }, found.unknown ?? 'This position is not in the book.'),
            found.moves.length > 0 && this.#table(found),
        );
    }

    #table(found) {
        const best = found.recommended?.join(' ');
        return h(
            'table',
            { class: 'rows book-moves' },
            h(
                'thead',
                {},
                h(
                    'tr',
                    {},
                    [
                        'Turn',
                        'Games',
                        'Share',
                        `${sideName('first', this.rules)}, draws, ${sideName('second', this.rules)}`,
                    ].map((title) => h('th', { scope: 'col' }, title)),
                ),
            ),
            h(
                'tbody',
                {},
                found.moves.map((move) =>
                    h(
                        'tr',
                        {},
                        h(
                            'td',
                            {},
                            h(
                                'button',
                                { type: 'button', class: 'row-button', on: { click: () => this.#play(move.stones) } },
                                move.stones.join(' '),
                            ),
                            move.stones.join(' ') === best && h('span', { class: 'badge' }, 'best'),
                        ),
                        h('td', {}, figure(move.games)),
                        h('td', {}, `${(100 * move.share).toFixed(1)} %`),
                        h('td', {}, outcomes({ first: move.wins, draws: move.draws, second: move.losses })),
                    ),
                ),
            ),
        );
    }

    #back() {
        const { rules } = this;
        const n = this.moves.length;
        const rest = n > rules.q ? (n - rules.q) % rules.p || rules.p : n;
        this.moves = this.moves.slice(0, n - rest);
        this.#load();
    }

    leave() {
        removeEventListener('resize', this.onResize);
    }
}
