// Plays a forced win step by step, with a choice among the answers. The line starts with a turn of the winner or, if
// the loser is to move, with an answer.
import { button, h, iconButton, replace, setDisabled, spot } from '../lib/dom.js';
import { polite, toast } from '../lib/announce.js';
import { otherSide, parseCell, withStone } from '../rules.js';
import { sideName, texts } from '../texts.js';

const ENDS = { row: 'completes the row', unstoppable: 'cannot be stopped: the next turn completes a row' };

export class Walk {
    /** @param {import('../session.js').Session} session @param {() => void} onChange */
    constructor(session, onChange) {
        this.session = session;
        this.onChange = onChange;
        this.active = false;
        this.element = h('div', { class: 'walk', hidden: true });
    }

    async begin() {
        const { state } = this.session;
        const { side, forced, lost } = await this.session.ask('forced', { node: state.current });
        if (!forced && !lost) {
            toast(texts.noForced);
            return;
        }
        this.side = forced ? side : otherSide(side);
        this.key = `${state.id} ${state.current}`;
        this.root = forced ?? lost;
        this.choices = []; // index of the chosen answer at each depth
        this.at = 0; // number of turns shown, of both sides
        this.active = true;
        this.#move(1);
    }

    end() {
        this.active = false;
        this.element.hidden = true;
        this.onChange();
    }

    /** Ends the walk when the current position has changed. */
    check() {
        const { state } = this.session;
        if (this.active && this.key !== `${state.id} ${state.current}`) {
            this.active = false;
            this.element.hidden = true;
        }
    }

    /** The turns of the line with the chosen answers; by default, with the longest answers. */
    #turns() {
        const out = [];
        let position = this.root;
        for (let i = 0; position; i++) {
            if (position !== this.root || position.turn.length > 0)
                out.push({ side: this.side, cells: position.turn, node: position });
            if (position.answers.length === 0) break;
            const index = this.choices[i] ?? longest(position.answers);
            const chosen = position.answers[index];
            out.push({ side: otherSide(this.side), cells: chosen.answer, answers: position.answers, index, depth: i });
            position = chosen.then;
        }
        return out;
    }

    #move(by) {
        const turns = this.#turns();
        this.at = Math.max(0, Math.min(turns.length, this.at + by));
        const turn = turns[this.at - 1];
        if (turn) polite(`${sideName(turn.side, this.session.state.rules)} ${turn.cells.join(' ') || 'anywhere'}.`);
        this.#draw(turns);
        this.onChange();
    }

    #draw(turns) {
        const { rules } = this.session.state;
        const back = iconButton('back', 'Step back', () => this.#move(-1));
        const next = iconButton('next', 'Step forward', () => this.#move(1));
        setDisabled(back, this.at === 0);
        setDisabled(next, this.at === turns.length);
        const turn = turns[this.at - 1];
        const words = !turn
            ? 'Start position.'
            : turn.node?.ends
              ? `${turn.cells.join(' ')} ${ENDS[turn.node.ends]}.`
              : `${turn.cells.join(' ') || 'anywhere else'}`;
        this.element.hidden = false;
        replace(
            this.element,
            h(
                'div',
                { class: 'row' },
                back,
                next,
                turn && spot(turn.side, rules.gravity),
                h('span', { class: 'grow' }, words),
                h('span', { class: 'small quiet' }, `${this.at} of ${turns.length}`),
                button('End', () => this.end(), { class: 'compact' }),
            ),
            turn?.answers &&
                turn.answers.length > 1 &&
                h(
                    'div',
                    { class: 'chips' },
                    turn.answers.slice(0, 12).map((answer, i) =>
                        h(
                            'button',
                            {
                                type: 'button',
                                class: 'chip',
                                'aria-pressed': String(i === turn.index),
                                on: { click: () => this.#choose(turn.depth, i) },
                            },
                            answer.answer.join(' ') || 'anywhere',
                        ),
                    ),
                ),
        );
    }

    #choose(depth, index) {
        this.choices = [...this.choices.slice(0, depth)];
        this.choices[depth] = index;
        this.#move(0);
    }

    /** The board with the turns shown so far, numbered by turn. @returns {import('../board/board.js').BoardView} */
    view() {
        const { state } = this.session;
        let { rows } = state;
        const numbers = new Map();
        const shown = this.#turns().slice(0, this.at);
        shown.forEach((turn, i) => {
            for (const cell of turn.cells) {
                const { x, y } = parseCell(cell);
                rows = withStone(rows, x, y, turn.side);
                numbers.set(cell, i + 1);
            }
        });
        const last = shown[shown.length - 1];
        return {
            rules: state.rules,
            rows,
            last: last ? last.cells : state.last,
            line: [],
            turn: state.turn,
            over: false,
            canPlay: false,
            numbers,
        };
    }
}

function longest(answers) {
    let best = 0;
    answers.forEach((answer, i) => {
        if ((answer.then?.distance ?? 0) > (answers[best].then?.distance ?? 0)) best = i;
    });
    return best;
}
