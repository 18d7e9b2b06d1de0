// An exercise of the review: find a better turn than the one that was played. Every answer is judged by a search.
import { button, h, replace } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { boardText, otherSide } from '../rules.js';
import { count, sideName } from '../texts.js';

const VERDICTS = { best: 'Yes, that is it.', good: 'Just as good.', wrong: 'Not the best.' };

export class Exercise {
    /**
     * @param {import('../session.js').Session} session
     * @param {{onChange: () => void, onSolved: (turning: object, how: 'found'|'shown') => void, onNext: () => void,
     *     hasNext: () => boolean}} page
     */
    constructor(session, page) {
        this.session = session;
        this.page = page;
        this.turning = null; // the mistake; null: no exercise
        this.stones = []; // the answer so far
        this.answer = null; // how the server judged it
        this.isShown = false; // the solution is shown
        this.words = h('p', { class: 'exercise-words', role: 'status' });
        this.tools = h('div', { class: 'row' });
        this.element = h('div', { class: 'exercise', hidden: true }, this.words, this.tools);
    }

    /** Whether the visitor may place stones. */
    get asks() {
        return this.turning !== null && !this.answer && !this.isShown && !this.isJudging;
    }

    /** @param {object} turning @param {number} left stones of the turn @param {string|null} solved 'found' or 'shown' */
    begin(turning, left, solved) {
        this.turning = turning;
        this.left = left;
        this.#reset();
        this.isShown = solved !== null;
        this.#draw();
    }

    #text(words) {
        return boardText(words, this.session.state.rules);
    }

    end() {
        this.turning = null;
        this.#reset();
        this.element.hidden = true;
    }

    #reset() {
        this.stones = [];
        this.answer = null;
        this.isShown = false;
        this.isJudging = false;
    }

    task(rules) {
        const { side, stones } = this.turning;
        const name = sideName(side, rules);
        return `${name} played ${boardText(stones.join(' '), rules)}. Find a better turn${this.left > 1 ? ` of ${count(this.left, 'stone')}` : ''}.`;
    }

    /** Marks of the board: what was played, the solution, or the refutation of a wrong answer. */
    marks() {
        if (!this.turning) return [];
        const { side, stones, best } = this.turning;
        if (this.isShown)
            return best.length > 0 ? [{ kind: 'answer', cells: best, shown: true }] : [];
        if (this.answer?.verdict === 'wrong')
            return (this.answer.eval.best ?? []).map((cell) => ({ kind: 'stone', cells: [cell], side: otherSide(side) }));
        return this.stones.length === 0 ? [{ kind: 'stone', cells: stones.slice(0, this.left), side }] : [];
    }

    place(cell) {
        if (!this.asks || this.stones.includes(cell)) return;
        this.stones.push(cell);
        if (this.stones.length >= this.left) this.#judge();
        else this.#draw();
    }

    takeBack() {
        if (!this.asks || this.stones.length === 0) return;
        this.stones.pop();
        this.#draw();
    }

    async #judge() {
        const { turning } = this;
        this.isJudging = true;
        this.#draw();
        let answer = null;
        try {
            answer = await post(`/sessions/${encodeURIComponent(this.session.state.id)}/try`, {
                node: turning.from ?? 0,
                stones: this.stones.join(' '),
            });
        } catch (error) {
            showError(error);
        }
        if (turning !== this.turning) return;
        this.isJudging = false;
        if (!answer) this.stones = [];
        this.answer = answer;
        if (answer && answer.verdict !== 'wrong') this.page.onSolved(turning, 'found');
        if (answer) polite(`${VERDICTS[answer.verdict]} ${this.#text(answer.words)}`);
        this.#draw();
    }

    #again() {
        this.#reset();
        this.#draw();
    }

    #show() {
        this.#reset();
        this.isShown = true;
        this.page.onSolved(this.turning, 'shown');
        polite(this.#text(this.turning.words));
        this.#draw();
    }

    #draw() {
        this.element.hidden = false;
        const { verdict, words } = this.answer ?? {};
        if (this.isJudging) replace(this.words, 'The engine examines your turn…');
        else if (this.answer) replace(this.words, h('strong', {}, VERDICTS[verdict]), ` ${this.#text(words)}`);
        else if (this.isShown) replace(this.words, this.#text(this.turning.words));
        else
            replace(
                this.words,
                this.stones.length > 0 ? `${this.stones.join(' ')}, and ${count(this.left - this.stones.length, 'stone')} more.` : 'Click a cell of the board.',
            );
        const done = this.isShown || (this.answer && verdict !== 'wrong');
        replace(
            this.tools,
            this.asks && this.stones.length > 0 && button('Take back', () => this.takeBack(), { icon: 'undo', class: 'compact' }),
            (this.answer || this.isShown) && button('Try again', () => this.#again(), { class: 'compact' }),
            !done && button('Show solution', () => this.#show(), { icon: 'eye', class: 'compact' }),
            done && this.page.hasNext() && button('Next mistake', () => this.page.onNext(), { icon: 'next', class: 'compact primary' }),
            button('Close', () => this.#close(), { class: 'compact' }),
        );
        this.page.onChange();
    }

    #close() {
        this.end();
        this.page.onChange();
    }
}
