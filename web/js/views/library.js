// The library: games of the database, opening books, learned patterns, ratings.
import { h, replace } from '../lib/dom.js';
import { header } from '../header.js';
import { BooksShelf } from './library-books.js';
import { GamesShelf } from './library-games.js';
import { MineShelf } from './library-mine.js';
import { PatternsShelf } from './library-patterns.js';
import { RatingsShelf } from './library-ratings.js';

const SHELVES = {
    mine: ['Your games', MineShelf],
    games: ['Games', GamesShelf],
    books: ['Opening book', BooksShelf],
    patterns: ['Patterns', PatternsShelf],
    ratings: ['Ratings', RatingsShelf],
};

class Library {
    constructor(main, route) {
        this.main = main;
        this.ready = this.route(route);
    }

    async route(route) {
        const name = route.rest[0] in SHELVES ? route.rest[0] : 'games';
        this.shelf?.leave?.();
        header.show({ page: 'library', title: 'Library' });
        const [, Shelf] = SHELVES[name];
        this.shelf = new Shelf(route);
        replace(
            this.main,
            h(
                'div',
                { class: 'reading library' },
                h(
                    'div',
                    { class: 'library-head' },
                    h('h1', { class: 'large' }, 'Library'),
                    h(
                        'nav',
                        { class: 'shelves', 'aria-label': 'Shelves' },
                        Object.entries(SHELVES).map(([id, [title]]) =>
                            h(
                                'a',
                                { class: 'chip', href: `#/library/${id}`, 'aria-current': id === name ? 'page' : null },
                                title,
                            ),
                        ),
                    ),
                ),
                this.shelf.element,
            ),
        );
        await this.shelf.start();
    }

    leave() {
        this.shelf?.leave?.();
    }
}

export const open = (main, route) => new Library(main, route);
