// How to play: a short interactive introduction to the rules of any game, one position at a time.
import { button, h, icon, replace, setText } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { router } from '../lib/router.js';
import { Board } from '../board/board.js';
import { confirmDialog } from '../later.js';
import { answer, judge, lessonsOf, spell } from '../lessons.js';
import { parseCell, parseGame, withStone } from '../rules.js';
import { playSession } from '../session.js';
import { gameTitle, sideName } from '../texts.js';
import { field, select } from '../widgets/inputs.js';
import { PRESETS } from './pictures.js';

const FIRST = '15x15:k=5';
const MORE = ['13x13:k=5']; // presets of the server that the dialog does not show
const EASY = 2; // level of the first opponent
const RESERVE = 310; // pixels of the window's height beside the board

/** The game of the page Play, or Gomoku. */
const presentGame = () => playSession.remembered()?.game ?? FIRST;

export class HowTo {
    /** @param {HTMLElement} nav links to the other lessons */
    constructor(nav) {
        this.nav = nav;
        this.seen = new Set();
        this.words = h('p', { class: 'howto-words', role: 'status' });
        this.task = h('p', { class: 'strong howto-task' });
        this.list = h('ol', { class: 'steps' });
        this.title = h('h1', { class: 'large' });
        this.heading = h('h2', { class: 'serif' });
        this.text = h('p', { class: 'serif prose' });
        this.show = button('Show me', () => this.#showSolution(), { class: 'compact' });
        this.again = button('Start again', () => this.#begin(), { class: 'compact' });
        this.place = button('', () => this.#placeAimed(), { class: 'primary', hidden: true });
        this.back = button('Back', () => this.#go(this.step - 1), { icon: 'back' });
        this.next = button('Next', () => this.#forward(), { class: 'primary' });
        this.choice = h('div', {});
        this.board = new Board({ label: 'Board of the lesson', reserve: RESERVE });
        this.board.on('place', (cell) => this.#place(cell));
        this.board.on('aim', (cell) => this.#aimed(cell));
        this.holder = h('div', { class: 'board-holder' }, this.board.element);
        this.element = h(
            'div',
            { class: 'reading learn-page howto' },
            h(
                'article',
                { class: 'learn-text' },
                nav,
                this.title,
                this.choice,
                this.list,
                h('span', { class: 'grow' }),
                h('div', { class: 'learn-buttons' }, this.back, this.next),
            ),
            h(
                'div',
                { class: 'learn-boards howto-lesson' },
                this.heading,
                this.text,
                this.task,
                this.holder,
                this.words,
                h('div', { class: 'row wrap howto-tools' }, this.place, this.show, this.again),
            ),
        );
    }

    /** Opens the lessons of a game, named as on the command line; without one, of the present game. */
    async open(name) {
        const mine = (this.asked = {});
        const { game } = await post('/rules', { game: name ?? presentGame() });
        if (mine !== this.asked || game === this.game) return;
        this.game = game;
        this.rules = parseGame(game);
        this.lessons = lessonsOf(this.rules);
        this.seen.clear();
        setText(this.title, `How to play ${gameTitle(this.rules)}`);
        this.#choices();
        this.#go(0);
    }

    #choices() {
        const games = [...PRESETS.map(([game]) => game), ...MORE].filter(Boolean);
        if (!games.includes(this.game)) games.push(this.game);
        replace(
            this.choice,
            field(
                'Game',
                select(
                    games.map((game) => [game, gameTitle(parseGame(game))]),
                    this.game,
                    (game) => router.go('learn', ['how', game]),
                ),
            ),
        );
    }

    #go(step) {
        this.step = Math.max(0, Math.min(this.lessons.length - 1, step));
        this.lesson = this.lessons[this.step];
        setText(this.heading, this.lesson.title);
        setText(this.text, this.lesson.text);
        setText(this.task, this.lesson.ask);
        this.task.hidden = this.lesson.ask === '';
        if (this.lesson.kind === 'see') this.seen.add(this.step);
        this.#begin();
        polite(`${this.lesson.title}. ${this.lesson.text} ${this.lesson.ask}`);
    }

    /** Sets up the position of the lesson. */
    #begin() {
        const { lesson } = this;
        this.rows = lesson.rows;
        this.left = lesson.left;
        this.turn = []; // its stones so far
        this.last = [];
        this.wrong = false; // the last try failed
        this.line = lesson.line ?? [];
        this.hints = [];
        this.round = 0; // of the lesson about turns
        this.over = lesson.kind === 'see';
        this.#say('', '');
        this.#draw();
    }

    #say(words, kind) {
        setText(this.words, words);
        this.words.dataset.kind = kind;
    }

    #draw() {
        const { lesson } = this;
        this.board.update({
            rules: lesson.rules,
            rows: this.rows,
            last: this.last,
            line: this.line,
            turn: 'first',
            over: this.over,
            canPlay: !this.over,
            numbers: null,
        });
        this.board.setMarks(this.hints.map((cell) => ({ kind: 'answer', cells: [cell], shown: true })));
        this.holder.classList.toggle('falls', lesson.rules.gravity);
        this.show.hidden = this.over || lesson.show.length === 0;
        this.again.hidden = lesson.kind === 'see' || this.rows === lesson.rows;
        this.back.disabled = this.step === 0;
        const last = this.step === this.lessons.length - 1;
        const known = this.seen.has(this.step);
        setText(this.next.lastChild, last ? 'Play against an easy level' : known ? 'Next' : 'Skip');
        this.next.classList.toggle('primary', known || last);
        this.#steps();
    }

    #steps() {
        replace(
            this.list,
            this.lessons.map((lesson, i) =>
                h(
                    'li',
                    {},
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 'step',
                            'aria-current': i === this.step ? 'step' : null,
                            on: { click: () => this.#go(i) },
                        },
                        h(
                            'span',
                            { class: 'step-number' },
                            this.seen.has(i) && i !== this.step
                                ? [icon('check'), h('span', { class: 'unseen' }, 'Done')]
                                : String(i + 1),
                        ),
                        lesson.title,
                    ),
                ),
            ),
        );
    }

    #place(cell) {
        if (this.over) return;
        // After a wrong try, the next stone starts the lesson again.
        if (this.wrong) this.#begin();
        const { x, y } = parseCell(cell);
        const { lesson } = this;
        if (this.rows[this.rows.length - 1 - y][x] !== '.') return;
        this.rows = withStone(this.rows, x, y, 'first');
        this.turn = [...this.turn, cell];
        this.last = this.turn;
        this.hints = this.hints.filter((hint) => hint !== cell);
        this.left -= 1;
        this.#judge(judge(lesson, this.rows, cell, this.left));
    }

    #judge(verdict) {
        const { lesson } = this;
        if (!verdict) {
            this.#draw();
            return;
        }
        if (lesson.kind === 'place' && verdict.done && !verdict.line && this.round === 0) {
            this.#answer();
            return;
        }
        this.line = verdict.line ?? [];
        if (verdict.done) {
            this.over = true;
            this.seen.add(this.step);
            this.hints = [];
            this.#say(lesson.kind === 'place' && !verdict.line ? 'That is how a game goes on.' : verdict.words, 'right');
        } else {
            this.wrong = true;
            for (const cell of verdict.reply ?? []) {
                const { x, y } = parseCell(cell);
                this.rows = withStone(this.rows, x, y, 'second');
            }
            if (verdict.reply) this.last = verdict.reply;
            this.#say(`${verdict.words} Try again.`, 'wrong');
        }
        this.#draw();
    }

    /** The other side answers the first turn. */
    #answer() {
        const { rules } = this.lesson;
        const { rows, cells } = answer(this.rows, rules);
        this.rows = rows;
        this.last = cells;
        this.turn = [];
        this.left = rules.p;
        this.round = 1;
        const stones = rules.p === 1 ? 'another stone' : `${rules.p} stones`;
        this.#say(`${sideName('second', rules)} answered with ${spell(rules, cells)}. Place ${stones}.`, '');
        this.#draw();
    }

    #showSolution() {
        if (this.wrong) this.#begin();
        this.hints = this.lesson.show;
        this.#say(`A solution: ${spell(this.lesson.rules, this.lesson.show)}.`, '');
        this.#draw();
    }

    #aimed(cell) {
        this.place.hidden = !cell;
        if (cell) setText(this.place.lastChild, `Place at ${spell(this.lesson.rules, [cell])}`);
    }

    #placeAimed() {
        if (this.board.aimed) this.board.choose(this.board.aimed);
    }

    #forward() {
        if (this.step < this.lessons.length - 1) {
            this.#go(this.step + 1);
            return;
        }
        this.#play().catch(showError);
    }

    /** Starts a game against an easy level. A game in progress is replaced only on request. */
    async #play() {
        const state = playSession.state ?? (await playSession.open().catch(() => null));
        playSession.leave();
        const begun = state && !state.over && state.path.length > 0;
        if (begun && !(await confirmDialog('Start another game?', 'The game on the page Play ends.', 'Start game'))) return;
        await playSession.create({
            game: this.game,
            sides: { first: { kind: 'person' }, second: { kind: 'level', level: EASY } },
        });
        router.go('play');
    }

    layout() {
        if (this.board.view) this.board.layout();
    }
}
