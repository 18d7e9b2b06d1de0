// The board editor: sets stones and the side to move, then opens the position for analysis or play.
import { button, chip, h, replace } from '../lib/dom.js';
import { showError, toast } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { router } from '../lib/router.js';
import { Board } from '../board/board.js';
import { header } from '../header.js';
import { countStones, emptyRows, formatGame, parseCell, parseGame, stoneAt, withStone } from '../rules.js';
import { playSession, shownSession } from '../session.js';
import { analyseState } from '../study.js';
import { count, gameTitle, sideName } from '../texts.js';
import { field, select, Stepper } from '../widgets/inputs.js';
import { PRESETS } from './pictures.js';

const TOOLS = ['alternate', 'first', 'second', 'erase'];

class Editor {
    constructor(main) {
        const session = shownSession() ?? playSession;
        const from = session.state;
        const kept = from ?? session.remembered();
        this.rules = kept?.rules ?? parseGame('15x15:k=5');
        this.rows = kept?.rows ?? emptyRows(this.rules);
        this.turn = from?.turn ?? 'first';
        this.left = from?.stones_left ?? 1;
        this.tool = 'alternate';
        this.past = [];
        this.board = new Board({ label: 'Board to edit', anyCell: true, room: () => this.#room() });
        this.tools = h('div', { class: 'chips', role: 'radiogroup', 'aria-label': 'Click places' });
        this.turnChips = h('div', { class: 'chips', role: 'radiogroup', 'aria-label': 'To move' });
        this.facts = h('p', { class: 'quiet' });
        this.text = h('textarea', {
            class: 'area diagram',
            'aria-label': 'The board as text',
            spellcheck: 'false',
            rows: 8,
        });
        this.wrong = h('p', { class: 'wrong', role: 'alert' });
        this.board.on('place', (cell) => this.#click(cell));
        this.board.grid.on('key', (event) => this.#key(event));
        this.text.addEventListener('change', () => this.#typed());
        this.#build(main);
        header.show({ page: 'analyse', title: 'Board editor' });
        this.onResize = () => this.board.view && this.board.layout();
        addEventListener('resize', this.onResize);
        this.#draw();
    }

    #room() {
        const style = getComputedStyle(this.page);
        const px = (name) => parseFloat(style.getPropertyValue(name)) || 0;
        return this.page.clientWidth - px('padding-left') - px('padding-right') - px('--panel') - px('--gap');
    }

    #build(main) {
        const games = PRESETS.filter(([game]) => game !== null).map(([game, name]) => [game, name]);
        const own = formatGame(this.rules);
        if (!games.some(([game]) => game === own)) games.push([own, gameTitle(this.rules)]);
        const game = select(games, own, (value) => this.#rulesChosen(value));
        this.stones = new Stepper({
            label: 'Stones left in the turn',
            min: 1,
            max: 9,
            value: this.left,
            onChange: (value) => {
                this.left = value;
                this.#draw();
            },
        });
        this.undo = button('Undo', () => this.#undo(), { icon: 'undo', class: 'compact' });
        this.page = h(
            'div',
            { class: 'game edit' },
            h('div', { class: 'area-board' }, h('div', { class: 'board-holder' }, this.board.element)),
            h(
                'div',
                { class: 'area-panel stack' },
                h('h1', {}, 'Board editor'),
                this.facts,
                field('Game', game),
                h('div', { class: 'field' }, h('span', {}, 'Click places'), this.tools),
                h(
                    'div',
                    { class: 'row' },
                    this.undo,
                    button('Empty board', () => this.#set(emptyRows(this.rules)), { icon: 'trash', class: 'compact' }),
                ),
                h('div', { class: 'field' }, h('span', {}, 'To move'), this.turnChips),
                h(
                    'div',
                    { class: 'row between' },
                    h('span', { class: 'label' }, 'Stones left in the turn'),
                    this.stones.element,
                ),
                field('The board as text, top row first', this.text),
                this.wrong,
                h(
                    'div',
                    { class: 'row' },
                    button('Analyse', () => this.#open('analyse'), { class: 'primary grow', icon: 'curve' }),
                    button('Play from here', () => this.#open('play'), { icon: 'play' }),
                ),
            ),
        );
        replace(main, this.page);
    }

    #radio(holder, choices, value, choose) {
        replace(
            holder,
            choices.map(([id, label]) => {
                const element = chip(label, id === value, () => choose(id));
                element.setAttribute('role', 'radio');
                element.removeAttribute('aria-pressed');
                element.setAttribute('aria-checked', String(id === value));
                return element;
            }),
        );
    }

    #draw() {
        const names = {
            alternate: 'alternating',
            first: sideName('first', this.rules),
            second: sideName('second', this.rules),
            erase: 'eraser',
        };
        this.board.update({
            rules: this.rules,
            rows: this.rows,
            last: [],
            line: [],
            turn: this.turn,
            over: false,
            canPlay: true,
            numbers: null,
        });
        this.#radio(
            this.tools,
            TOOLS.map((id) => [id, names[id]]),
            this.tool,
            (id) => {
                this.tool = id;
                this.#draw();
            },
        );
        this.#radio(
            this.turnChips,
            ['first', 'second'].map((id) => [id, sideName(id, this.rules)]),
            this.turn,
            (id) => {
                this.turn = id;
                this.#draw();
            },
        );
        this.stones.max = this.rules.p;
        if (this.left > this.rules.p) this.left = this.rules.p;
        this.stones.set(this.left);
        const all = this.rows.join('');
        const mine = (mark) => [...all].filter((c) => c === mark).length;
        this.facts.textContent = `${sideName('first', this.rules)} has ${count(mine('X'), 'stone')}, ${sideName('second', this.rules)} ${mine('O') === 0 ? 'none' : count(mine('O'), 'stone')}.`;
        this.text.value = this.#diagram();
        this.undo.disabled = this.past.length === 0;
    }

    #diagram() {
        return `${this.rows.map((row) => [...row].join(' ')).join('\n')}\nturn ${this.turn === 'first' ? 'X' : 'O'} ${this.left}\n`;
    }

    #set(rows) {
        this.past.push(this.rows);
        this.rows = rows;
        this.wrong.textContent = '';
        this.#draw();
    }

    #undo() {
        if (this.past.length === 0) return;
        this.rows = this.past.pop();
        this.#draw();
    }

    #click(cell) {
        const { x, y } = parseCell(cell);
        const now = stoneAt(this.rows, x, y);
        let next = this.tool;
        if (next === 'alternate') next = now ? (now === 'first' ? 'second' : null) : this.#nextSide();
        else if (next === 'erase' || next === now) next = null;
        this.#set(withStone(this.rows, x, y, next));
    }

    #nextSide() {
        const marks = [...this.rows.join('')];
        const first = marks.filter((mark) => mark === 'X').length;
        return first > marks.filter((mark) => mark === 'O').length ? 'second' : 'first';
    }

    #key(event) {
        const tool = { x: 'first', o: 'second', e: 'erase', a: 'alternate' }[event.key.toLowerCase()];
        if (event.key.toLowerCase() === 'u') this.#undo();
        else if (tool) {
            this.tool = tool;
            this.#draw();
        } else return;
        event.preventDefault();
    }

    /** Reads rows from the text field; spaces are ignored. */
    #typed() {
        const lines = this.text.value
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean);
        const turn = lines.find((line) => line.startsWith('turn'));
        const rows = lines
            .filter((line) => !line.startsWith('turn'))
            .map((line) => line.replace(/\s+/g, '').toUpperCase());
        const bad = rows.findIndex((row) => row.length !== this.rules.width || /[^.XO]/.test(row));
        if (rows.length !== this.rules.height || bad >= 0) {
            this.wrong.textContent =
                bad >= 0
                    ? `Line ${bad + 1}: a row has ${this.rules.width} cells, each one of . X O.`
                    : `Found ${rows.length} rows; the board has ${this.rules.height}.`;
            return;
        }
        const match = /^turn\s+([XO])(?:\s+(\d+))?$/i.exec(turn ?? '');
        if (match) {
            this.turn = match[1].toUpperCase() === 'X' ? 'first' : 'second';
            this.left = Number(match[2] ?? 1);
        }
        this.#set(rows);
    }

    #rulesChosen(game) {
        const rules = parseGame(game);
        const fits =
            rules.width === this.rules.width &&
            rules.height === this.rules.height &&
            rules.gravity === this.rules.gravity;
        if (!fits && countStones(this.rows) > 0) toast('The board was cleared because its size changed.');
        this.rules = rules;
        this.past = [];
        if (!fits) this.rows = emptyRows(rules);
        this.#draw();
    }

    async #open(page) {
        const sides = page === 'play' && playSession.remembered()?.again?.sides;
        try {
            const body = { game: formatGame(this.rules), board: this.#diagram(), ...(sides ? { sides } : {}) };
            if (page === 'play') body.save = 'new';
            const state = await post('/sessions', body);
            if (page === 'play') playSession.adopt(state);
            else analyseState(state);
            router.go(page);
        } catch (error) {
            this.wrong.textContent = error.message;
            showError(error);
        }
    }

    leave() {
        removeEventListener('resize', this.onResize);
    }
}

export const open = (main) => new Editor(main);
