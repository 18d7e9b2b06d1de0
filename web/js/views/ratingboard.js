// What an agent sees: its ratings of the cells of a position that the visitor sets up or takes over.
import { button, h, replace, setText } from '../lib/dom.js';
import { showError } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { readPosition, toDiagram } from '../link.js';
import { kindName } from '../names.js';
import { countStones, emptyRows, formatGame, parseGame } from '../rules.js';
import { playSession } from '../session.js';
import { gameTitle, sideName } from '../texts.js';
import { field, select } from '../widgets/inputs.js';
import { PRESETS } from './pictures.js';
import { TourBoard } from './tourboard.js';

const FIRST = { game: '15x15:k=5', agent: 'sequences', stones: { first: ['h8', 'i9', 'g7'], second: ['h9', 'i8'] } };

/** The side to move and its stones left, as in a game with this number of stones. */
function turnAfter(stones, rules) {
    if (stones < rules.q) return { turn: 'first', left: rules.q - stones };
    const beyond = stones - rules.q;
    return {
        turn: Math.floor(beyond / rules.p) % 2 === 0 ? 'second' : 'first',
        left: rules.p - (beyond % rules.p),
    };
}

function diagram(rows, rules, turn) {
    const usual = turnAfter(countStones(rows), rules);
    return toDiagram({ rows, turn, left: usual.turn === turn ? usual.left : rules.p });
}

export class RatingBoard {
    constructor() {
        this.rules = parseGame(FIRST.game);
        this.agent = FIRST.agent;
        this.turn = 'first';
        this.fields = h('div', { class: 'stack' });
        this.summary = h('p', { class: 'small quiet' });
        this.place = h('div', { class: 'tour-boards' });
        this.board = null;
    }

    /** The position of the address, or a few stones of Gomoku. @param {URLSearchParams} query */
    open(query) {
        const position = readPosition(query.get('b'));
        const rules = parseGame(query.get('g'));
        if (position && rules) {
            this.rules = rules;
            this.agent = query.get('a') ?? this.agent;
            return this.#show(position.rows, position.turn);
        }
        const rows = emptyRows(this.rules).map((row) => [...row]);
        for (const [side, cells] of Object.entries(FIRST.stones)) {
            for (const cell of cells) {
                const row = rows.length - Number(cell.slice(1));
                rows[row][cell.charCodeAt(0) - 97] = side === 'first' ? 'X' : 'O';
            }
        }
        return this.#show(
            rows.map((row) => row.join('')),
            'second',
        );
    }

    #ask(rows) {
        return post('/tour/ratings', {
            game: formatGame(this.rules),
            board: diagram(rows, this.rules, this.turn),
            agent: this.agent,
        });
    }

    /** Shows another position, on a new board. */
    async #show(rows, turn) {
        this.turn = turn;
        let data = null;
        try {
            data = await this.#ask(rows);
        } catch (error) {
            showError(error);
            return;
        }
        this.agents = data.agents;
        this.board = new TourBoard({ ...data, heading: gameTitle(this.rules) }, { ask: (now) => this.#ask(now) }, true);
        replace(this.place, this.board.element);
        this.#controls();
        this.board.layout();
    }

    /** The same position for another agent or side; keeps the board and the focus. */
    async #again() {
        setText(this.summary, this.#words());
        await this.board.ask();
    }

    #words() {
        const { summary = '', source = '' } = this.agents.find(({ name }) => name === this.agent) ?? {};
        return `${summary} (${source})`;
    }

    #controls() {
        const games = PRESETS.filter(([game]) => game !== null).map(([game, name]) => [game, name]);
        const own = formatGame(this.rules);
        if (!games.some(([game]) => game === own)) games.push([own, gameTitle(this.rules)]);
        const sides = ['first', 'second'].map((side) => [side, sideName(side, this.rules)]);
        setText(this.summary, this.#words());
        replace(
            this.fields,
            field(
                'Agent',
                select(
                    this.agents.map(({ name }) => [name, kindName(name)]),
                    this.agent,
                    (value) => {
                        this.agent = value;
                        this.#again();
                    },
                ),
            ),
            this.summary,
            field(
                'Game',
                select(games, own, (value) => this.#empty(parseGame(value))),
            ),
            field(
                'To move',
                select(sides, this.turn, (value) => {
                    this.turn = value;
                    this.#again();
                }),
            ),
            h(
                'div',
                { class: 'learn-buttons' },
                button('Take over the game', () => this.#takeOver(), { icon: 'play' }),
                button('Empty board', () => this.#empty(this.rules), { icon: 'trash' }),
            ),
        );
    }

    #empty(rules) {
        this.rules = rules;
        return this.#show(emptyRows(rules), 'first');
    }

    /** The position on the board of the page Play. */
    #takeOver() {
        const kept = playSession.state ?? playSession.remembered();
        if (!kept?.rows) {
            showError(new Error('There is no game on the board yet.'));
            return;
        }
        this.rules = parseGame(kept.game);
        this.#show(kept.rows, kept.turn ?? turnAfter(countStones(kept.rows), this.rules).turn);
    }
}
