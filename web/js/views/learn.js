// How to play, and the tour of the papers on interactive boards; krow computes what the tour shows.
import { button, h, icon, replace } from '../lib/dom.js';
import { ApiError, get } from '../lib/api.js';
import { router } from '../lib/router.js';
import { header } from '../header.js';
import { HowTo } from './howto.js';
import { Puzzles } from './puzzles.js';
import { RatingBoard } from './ratingboard.js';
import { TourBoard } from './tourboard.js';
import { TourPlayer } from './tourplayer.js';

const SEEN = 'Seen';
const HOW = 'how';
const PUZZLES = 'puzzles';
const AGENTS = 'agents';
const QUESTION = 'What does this agent see?';
const LINK = 'What agents see';

class Learn {
    constructor(main, route) {
        this.main = main;
        this.boards = [];
        this.tours = null;
        this.ready = this.route(route);
        this.onResize = () => this.boards.forEach((board) => board.layout());
        addEventListener('resize', this.onResize);
    }

    /**
     * `#/learn/how/GAME`: how to play a game, `#/learn` the present one. `#/learn/ID/3`: a paper and one of its steps,
     * counted from 1. `#/learn/agents`: what an agent sees. `#/learn/puzzles/GAME/NUMBER`: a puzzle.
     */
    async route(route) {
        this.tours ??= await get('/tour');
        const [wanted, number] = route.rest;
        if (wanted === undefined || wanted === HOW) {
            this.puzzles?.stop();
            this.puzzles = null;
            await this.#showHow(number);
            return;
        }
        this.how = null;
        if (wanted === PUZZLES) {
            await this.#showPuzzles(number, route.rest[2]);
            return;
        }
        this.puzzles?.stop();
        this.puzzles = null;
        if (wanted === AGENTS) {
            await this.#showAgents(route);
            return;
        }
        const brief = this.tours.find(({ id }) => id === wanted);
        if (!brief) throw new ApiError({ status: 404, message: `There is no lesson \u201c${wanted}\u201d.` });
        if (this.tour?.id !== brief.id) this.tour = await get(`/tour/${encodeURIComponent(brief.id)}`);
        const step = Math.max(0, Math.min(this.tour.steps.length - 1, Number(number ?? 1) - 1));
        if (this.main.isConnected) this.#show(step);
    }

    #show(step) {
        const { tour } = this;
        const place = this.tours.findIndex(({ id }) => id === tour.id);
        header.show({ page: 'learn', title: tour.title });
        const chapter = tour.steps[step];
        const go = (id, to) => () => router.go('learn', [id, String(to + 1)]);
        this.#drop();
        this.boards = chapter.boards.map(
            (board, i) => new TourBoard(board, { tour: tour.id, step, place: i }, chapter.boards.length === 1),
        );
        this.player = new TourPlayer(this.boards);
        replace(
            this.main,
            h(
                'div',
                { class: 'reading learn-page' },
                h(
                    'article',
                    { class: 'learn-text' },
                    this.#nav(place),
                    h('p', { class: 'small quiet' }, `Paper ${tour.paper ?? place + 1} of 5, ${tour.source ?? ''}`),
                    h('h1', { class: 'large' }, tour.title),
                    paragraphs(chapter.text).map((text) => h('p', { class: 'serif prose' }, text)),
                    h('span', { class: 'grow' }),
                    this.#steps(step, go),
                    this.#buttons(step, place, go),
                ),
                h(
                    'div',
                    {
                        class: this.boards.some(({ rules }) => rules.gravity) ? 'learn-boards falls' : 'learn-boards',
                        data: { boards: this.boards.length },
                    },
                    h(
                        'div',
                        { class: 'tour-boards' },
                        this.boards.map(({ element }) => element),
                    ),
                    this.player.element,
                ),
            ),
        );
        for (const board of this.boards) board.layout();
        this.player.draw();
    }

    async #showHow(game) {
        this.how ??= new HowTo(this.#nav(HOW));
        await this.how.open(game);
        if (!this.main.isConnected) return; // the visitor has left the page
        header.show({ page: 'learn', title: 'How to play' });
        this.#drop();
        this.tour = null;
        if (this.how.element.parentNode !== this.main) replace(this.main, this.how.element);
        this.boards = [this.how];
        this.how.layout();
    }

    async #showPuzzles(game, number) {
        this.puzzles ??= new Puzzles(this.#nav(PUZZLES));
        await this.puzzles.open(game, number);
        if (!this.main.isConnected) return;
        header.show({ page: 'learn', title: 'Puzzles' });
        this.#drop();
        this.tour = null;
        if (this.puzzles.element.parentNode !== this.main) replace(this.main, this.puzzles.element);
        this.boards = [this.puzzles];
        this.puzzles.layout();
    }

    /** Links to all lessons; `place` is the paper that is open, or the name of another lesson. */
    #nav(place) {
        const current = (name) => (place === name ? 'page' : null);
        return h(
            'nav',
            { class: 'papers', 'aria-label': 'Lessons' },
            h('a', { href: '#/learn', class: 'words', 'aria-current': current(HOW) }, 'How to play'),
            h('a', { href: `#/learn/${PUZZLES}`, class: 'words', 'aria-current': current(PUZZLES) }, 'Puzzles'),
            h('a', { href: `#/learn/${AGENTS}`, class: 'words', 'aria-current': current(AGENTS) }, LINK),
            h('span', { class: 'small quiet papers-label', 'aria-hidden': 'true' }, 'Papers'),
            this.tours.map((paper, i) =>
                h(
                    'a',
                    {
                        href: `#/learn/${encodeURIComponent(paper.id)}/1`,
                        'aria-current': i === place ? 'page' : null,
                        title: paper.title,
                        'aria-label': `Paper ${i + 1}: ${paper.title}`,
                    },
                    String(i + 1),
                ),
            ),
        );
    }

    async #showAgents(route) {
        header.show({ page: 'learn', title: QUESTION });
        this.#drop();
        this.tour = null;
        const ratings = new RatingBoard();
        replace(
            this.main,
            h(
                'div',
                { class: 'reading learn-page' },
                h(
                    'article',
                    { class: 'learn-text' },
                    this.#nav(AGENTS),
                    h('h1', { class: 'large' }, QUESTION),
                    h(
                        'p',
                        { class: 'serif prose' },
                        'Many agents of the papers give every cell a rating and play the cell with the highest one. ' +
                            'Choose an agent, and click cells to place and remove stones.',
                    ),
                    ratings.fields,
                ),
                h('div', { class: 'learn-boards', data: { boards: 1 } }, ratings.place),
            ),
        );
        await ratings.open(route.query);
        this.boards = [{ layout: () => ratings.board?.layout() }];
    }

    #steps(step, go) {
        return h(
            'ol',
            { class: 'steps' },
            this.tour.steps.map((chapter, i) =>
                h(
                    'li',
                    {},
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 'step',
                            'aria-current': i === step ? 'step' : null,
                            on: { click: go(this.tour.id, i) },
                        },
                        i < step
                            ? h('span', { class: 'step-number' }, icon('check'), h('span', { class: 'unseen' }, SEEN))
                            : h('span', { class: 'step-number' }, String(i + 1)),
                        chapter.title,
                    ),
                ),
            ),
        );
    }

    #buttons(step, place, go) {
        const { tour } = this;
        const following = this.tours[place + 1];
        const next =
            step + 1 < tour.steps.length
                ? button(`Next: ${lower(tour.steps[step + 1].title)}`, go(tour.id, step + 1), { class: 'primary' })
                : following
                  ? button(`Next paper: ${lower(following.title)}`, go(following.id, 0), { class: 'primary' })
                  : button('Go to the board', () => router.go('play'), { class: 'primary' });
        const back = button(
            'Back',
            step > 0 ? go(tour.id, step - 1) : place > 0 ? go(this.tours[place - 1].id, 0) : () => {},
            { icon: 'back' },
        );
        back.disabled = step === 0 && place === 0;
        return h('div', { class: 'learn-buttons' }, back, next);
    }

    #drop() {
        this.player?.stop();
        this.boards = [];
    }

    leave() {
        this.puzzles?.stop();
        this.#drop();
        removeEventListener('resize', this.onResize);
    }
}

const lower = (title) => title.charAt(0).toLowerCase() + title.slice(1);
const paragraphs = (text) => (Array.isArray(text) ? text : String(text).split(/\n\n+/));

export const open = (main, route) => new Learn(main, route);
