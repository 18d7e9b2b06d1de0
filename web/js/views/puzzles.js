// Puzzles: positions with exactly one solution. A wrong turn is answered by playing out its refutation.
import { button, h, replace, setText } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { get, post } from '../lib/api.js';
import { router } from '../lib/router.js';
import { Board } from '../board/board.js';
import { otherSide, parseCell, parseGame, stoneAt, withStone } from '../rules.js';
import { count, gameTitle } from '../texts.js';
import { choices, field, select } from '../widgets/inputs.js';

const FIRST = '15x15:k=5';
const RESERVE = 260; // pixels of the window's height beside the board
const PACE = 650; // milliseconds between two turns that are played out
const THIRDS = [
    ['any', 'All'],
    ['easy', 'Easy'],
    ['medium', 'Medium'],
    ['hard', 'Hard'],
];

const rated = (rating, error) => `${Math.round(rating)} ± ${Math.round(error)}`;

export class Puzzles {
    /** @param {HTMLElement} nav links to the other lessons */
    constructor(nav) {
        this.difficulty = 'any';
        this.words = h('p', { class: 'howto-words', role: 'status' });
        this.title = h('h2', { class: 'serif' });
        this.task = h('p', { class: 'strong howto-task' });
        this.facts = h('p', { class: 'small quiet puzzle-facts' });
        this.results = h('p', { class: 'puzzle-results' });
        this.choice = h('div', {});
        this.thirds = choices('Difficulty', THIRDS, this.difficulty, (third) => {
            this.difficulty = third;
            this.#go(null);
        });
        this.place = button('', () => this.#placeAimed(), { class: 'primary', hidden: true });
        this.back = button('Take back', () => this.#takeBack(), { class: 'compact', icon: 'undo' });
        this.again = button('Try again', () => this.#begin(), { class: 'compact' });
        this.replay = button('Play again', () => this.#playOut(), { class: 'compact' });
        this.show = button('Show solution', () => this.#solution(), { class: 'compact', icon: 'eye' });
        this.next = button('Next puzzle', () => this.#go(null), { class: 'primary' });
        this.day = button('Puzzle of the day', () => this.#go('day'), {});
        this.board = new Board({ label: 'Board of the puzzle', reserve: RESERVE });
        this.board.on('place', (cell) => this.#place(cell));
        this.board.on('aim', (cell) => this.#aimed(cell));
        this.holder = h('div', { class: 'board-holder' }, this.board.element);
        this.element = h(
            'div',
            { class: 'reading learn-page howto puzzle-page' },
            h(
                'article',
                { class: 'learn-text' },
                nav,
                h('h1', { class: 'large' }, 'Puzzles'),
                this.choice,
                this.thirds,
                this.results,
                h('span', { class: 'grow' }),
                h('div', { class: 'learn-buttons' }, this.day, this.next),
            ),
            h(
                'div',
                { class: 'learn-boards howto-lesson' },
                this.title,
                this.task,
                this.holder,
                this.words,
                h(
                    'div',
                    { class: 'row wrap howto-tools' },
                    this.place,
                    this.back,
                    this.again,
                    this.replay,
                    this.show,
                ),
                this.facts,
            ),
        );
    }

    /**
     * @param {string|undefined} game as in the rules, or a preset @param {string|undefined} number of the puzzle, or
     *     `day`
     */
    async open(game, number) {
        const mine = (this.asked = {});
        const { games } = await get('/puzzles');
        const rules = game ? (await post('/rules', { game })).game : (games[0]?.game ?? FIRST);
        if (mine !== this.asked) return;
        this.game = rules;
        this.#games(games.map((one) => one.game));
        await this.#load(number);
    }

    #games(games) {
        if (!games.includes(this.game)) games.push(this.game);
        replace(
            this.choice,
            field(
                'Game',
                select(
                    games.map((game) => [game, gameTitle(parseGame(game))]),
                    this.game,
                    (game) => router.go('learn', ['puzzles', game]),
                ),
            ),
        );
    }

    /** Goes to a puzzle; null: the next one. */
    #go(number) {
        this.#stop();
        if (number === null) this.#load(undefined).catch(showError);
        else router.go('learn', ['puzzles', this.game, String(number)]);
    }

    async #load(number) {
        const mine = (this.loading = {});
        const puzzle = await get('/puzzles/next', {
            game: this.game,
            difficulty: number ? null : this.difficulty,
            number: number && number !== 'day' ? number : null,
            day: number === 'day' ? 1 : null,
        });
        if (mine !== this.loading) return;
        this.rules = parseGame(this.game);
        this.puzzle = puzzle.number ? puzzle : null;
        this.#show(puzzle.results);
        if (!this.puzzle) {
            this.#empty();
            return;
        }
        router.amend('learn', ['puzzles', this.game, String(puzzle.number)]);
        setText(this.title, number === 'day' ? `Puzzle of the day: ${puzzle.number}` : `Puzzle ${puzzle.number}`);
        setText(this.task, puzzle.task);
        setText(this.facts, `Rating ${rated(puzzle.rating, puzzle.rating_error)}, ${puzzle.difficulty}${puzzle.solved ? ', solved' : puzzle.tried ? ', tried before' : ''}.`);
        this.#begin();
        polite(`${this.title.textContent}. ${puzzle.task}`);
    }

    #show(results) {
        const { puzzles, tried, solved, streak, rating, rating_error: error } = results;
        const run = streak > 1 ? ` ${streak} in a row.` : '';
        setText(
            this.results,
            tried === 0
                ? `${puzzles} ${puzzles === 1 ? 'puzzle' : 'puzzles'}. Your first attempt at each puzzle is rated.`
                : `Your rating is ${rated(rating, error)}. ${solved} of ${tried} ${tried === 1 ? 'puzzle' : 'puzzles'} solved at the first attempt.${run}`,
        );
    }

    #empty() {
        setText(this.title, 'No puzzle is left');
        setText(this.task, `krow puzzles make ${this.game} makes more.`);
        setText(this.facts, '');
        this.#say('', '');
        this.holder.hidden = true;
        for (const tool of [this.back, this.again, this.replay, this.show, this.place]) tool.hidden = true;
    }

    /** Sets up the position. */
    #begin() {
        this.#stop();
        this.holder.hidden = false;
        this.rows = this.puzzle.rows;
        this.last = this.puzzle.last;
        this.turn = [];
        this.answer = null;
        this.isJudging = false;
        this.numbers = null;
        this.#say('', '');
        this.#draw();
    }

    #say(words, kind) {
        setText(this.words, words);
        this.words.dataset.kind = kind;
    }

    get #left() {
        return this.puzzle.position.stones_left - this.turn.length;
    }

    get #asks() {
        return Boolean(this.puzzle) && !this.answer && !this.isJudging && this.#left > 0;
    }

    #draw() {
        this.board.update({
            rules: this.rules,
            rows: this.rows,
            last: this.last,
            line: [],
            turn: this.puzzle.position.turn,
            over: false,
            canPlay: this.#asks,
            numbers: this.numbers,
        });
        this.holder.classList.toggle('falls', this.rules.gravity);
        this.back.hidden = !this.#asks || this.turn.length === 0;
        this.again.hidden = !this.answer || this.answer.solved;
        this.replay.hidden = !this.answer || this.answer.line.length === 0;
        this.show.hidden = this.isJudging || Boolean(this.answer?.solved);
        this.next.classList.toggle('primary', Boolean(this.answer?.solved));
    }

    #put(cell, side) {
        const { x, y } = parseCell(cell);
        this.rows = withStone(this.rows, x, y, side);
    }

    #place(cell) {
        if (!this.#asks) return;
        const { x, y } = parseCell(cell);
        if (stoneAt(this.rows, x, y)) return;
        this.#put(cell, this.puzzle.position.turn);
        this.turn = [...this.turn, cell];
        this.last = this.turn;
        if (this.#left > 0) this.#say(`${this.turn.join(' ')}, and ${count(this.#left, 'stone')} more.`, '');
        else this.#judge('try', { stones: this.turn.join(' ') });
        this.#draw();
    }

    #takeBack() {
        const turn = this.turn.slice(0, -1);
        this.#begin();
        for (const cell of turn) this.#place(cell);
    }

    #solution() {
        this.#begin();
        this.#judge('solution', {});
        this.#draw();
    }

    async #judge(what, more) {
        const { puzzle } = this;
        this.isJudging = true;
        this.#say('krow examines your turn…', '');
        let answer = null;
        try {
            answer = await post(`/puzzles/${what}`, { game: this.game, number: puzzle.number, ...more });
        } catch (error) {
            showError(error);
        }
        if (puzzle !== this.puzzle) return;
        this.isJudging = false;
        if (!answer) {
            this.#begin();
            return;
        }
        this.answer = answer;
        this.#show(answer.results);
        const words = what === 'solution' ? answer.words.replace(/^Right: /, 'The solution: ') : answer.words;
        this.#say(words, answer.solved ? 'right' : 'wrong');
        this.#playOut();
    }

    /** Plays the turn and what follows, one turn after another. */
    #playOut() {
        this.#stop();
        this.rows = this.puzzle.rows;
        this.last = this.answer.stones;
        this.numbers = new Map();
        const first = this.puzzle.position.turn;
        const { p } = this.rules;
        const turns = [{ side: first, cells: this.answer.stones }];
        for (let i = 0; i < this.answer.line.length; i += p)
            turns.push({
                side: turns.length % 2 === 0 ? first : otherSide(first),
                cells: this.answer.line.slice(i, i + p),
            });
        this.#step(turns, 0);
    }

    #step(turns, at) {
        const { side, cells } = turns[at];
        for (const cell of cells) {
            this.#put(cell, side);
            this.numbers.set(cell, at + 1);
        }
        this.last = cells;
        this.numbers = new Map(this.numbers);
        this.#draw();
        if (at + 1 < turns.length) this.timer = setTimeout(() => this.#step(turns, at + 1), PACE);
    }

    #stop() {
        clearTimeout(this.timer);
    }

    #aimed(cell) {
        this.place.hidden = !cell;
        if (cell) setText(this.place.lastChild, `Place at ${cell}`);
    }

    #placeAimed() {
        if (this.board.aimed) this.board.choose(this.board.aimed);
    }

    layout() {
        if (this.board.view) this.board.layout();
    }

    stop() {
        this.#stop();
    }
}
