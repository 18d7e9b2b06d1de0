// The form that starts a match or tournament.
import { button, h, replace } from '../lib/dom.js';
import { about, post } from '../lib/api.js';
import { openDialog } from '../widgets/dialog.js';
import { field, select } from '../widgets/inputs.js';
import { choiceOf, PlayerPicker } from '../widgets/playerpicker.js';

const FORMATS = [
    ['match', 'match: two agents'],
    ['roundrobin', 'round robin: all pairs'],
    ['gauntlet', 'gauntlet: the first agent against the others'],
    ['ladder', 'ladder: each agent against the next'],
];
const LIMITS = [
    ['time', 'seconds per turn'],
    ['nodes', 'nodes per turn'],
    ['clock', 'seconds per game'],
];

class MatchForm {
    constructor(information, onStarted) {
        this.onStarted = onStarted;
        this.presets = information.presets;
        this.information = information;
        this.playing = { agents: [] }; // what the pickers offer
        this.pickers = [];
        this.agents = h('div', { class: 'stack' });
        const number = (value, props = {}) =>
            h('input', { class: 'input', type: 'number', value: String(value), min: 0, ...props });
        this.game = h('input', { class: 'input', list: 'game-names', value: 'connect6', autocomplete: 'off' });
        this.game.addEventListener('change', () => this.#gameChosen());
        this.games = number(20, { min: 1 });
        this.openings = number(10);
        this.limit = select(LIMITS, 'time', () => {});
        this.amount = number(0.1, { step: 'any' });
        this.format = select(FORMATS, 'match', () => this.#formatChosen());
        this.sprt = h('input', { type: 'checkbox', class: 'switch', role: 'switch' });
        this.elo0 = number(0, { min: -200 });
        this.elo1 = number(20, { min: -200 });
        this.sprtRow = h(
            'div',
            { class: 'form-row' },
            h('label', { class: 'row' }, this.sprt, 'Stop early when decided (SPRT)'),
            field('Elo if not stronger (H0)', this.elo0),
            field('Elo if stronger (H1)', this.elo1),
        );
        this.wrong = h('p', { class: 'wrong', role: 'alert' });
        this.more = button('Add agent', () => this.#add({ kind: 'level', level: 4 }), { icon: 'plus', class: 'compact' });
        this.#add({ kind: 'agent', agent: 'engine' });
        this.#add({ kind: 'level', level: 8 });
        this.dialog = openDialog('Start a match', [
            h(
                'datalist',
                { id: 'game-names' },
                this.presets.map(({ name }) => h('option', { value: name })),
            ),
            h('div', { class: 'form-row' }, field('Game', this.game), field('Format', this.format)),
            h('div', { class: 'field' }, h('span', {}, 'Agents'), this.agents, h('div', {}, this.more)),
            h(
                'div',
                { class: 'form-row' },
                field('Games per pairing', this.games),
                field('Openings', this.openings),
                field('Limit', this.limit),
                field('Amount', this.amount),
            ),
            this.sprtRow,
            this.wrong,
            h(
                'div',
                { class: 'dialog-foot' },
                button('Start', () => this.#start(), { class: 'primary' }),
            ),
        ]);
        this.#formatChosen();
        this.#gameChosen();
    }

    #add(side) {
        const name = `Agent ${this.pickers.length + 1}`;
        this.pickers.push(new PlayerPicker({ name, choice: choiceOf(side) }));
        this.pickers.at(-1).show(this.playing);
        this.#draw();
    }

    #remove(picker) {
        this.pickers = this.pickers.filter((each) => each !== picker);
        this.#draw();
    }

    #draw() {
        const removable = this.pickers.length > 2;
        replace(
            this.agents,
            this.pickers.map((picker) =>
                h(
                    'div',
                    { class: 'row top' },
                    picker.element,
                    removable && button('Remove', () => this.#remove(picker), { class: 'compact' }),
                ),
            ),
        );
    }

    /** Offers the agents that support the game. */
    async #gameChosen() {
        const game = this.game.value.trim();
        this.wrong.textContent = '';
        try {
            const checked = await post('/rules', { game });
            const playing = new Set(checked.agents);
            const agents = this.information.agents.filter(({ name }) => playing.has(name));
            if (game !== this.game.value.trim()) return;
            this.playing = { agents, most: checked.levels };
            for (const picker of this.pickers) picker.show(this.playing);
        } catch (error) {
            this.wrong.textContent = error.message;
        }
    }

    #formatChosen() {
        const pair = this.format.value === 'match';
        this.more.hidden = pair;
        this.sprtRow.hidden = !pair;
        if (pair) this.pickers = this.pickers.slice(0, 2);
        this.#draw();
    }

    #body() {
        const amount = Number(this.amount.value);
        const limit = {
            time: { time: amount },
            nodes: { nodes: Math.round(amount) },
            clock: { clock: { seconds: amount, increment: 0 } },
        }[this.limit.value];
        const sprt =
            this.sprt.checked && this.format.value === 'match'
                ? { sprt: { elo0: Number(this.elo0.value), elo1: Number(this.elo1.value) } }
                : {};
        return {
            game: this.game.value.trim(),
            format: this.format.value,
            games: Number(this.games.value),
            openings: Number(this.openings.value),
            agents: this.pickers.map(({ text }) => text),
            ...limit,
            ...sprt,
        };
    }

    async #start() {
        this.wrong.textContent = this.pickers.every(({ isValid }) => isValid) ? '' : 'An option of an agent is invalid.';
        if (this.wrong.textContent) return;
        try {
            const match = await post('/matches', this.#body());
            this.dialog.close();
            this.onStarted(match);
        } catch (error) {
            this.wrong.textContent = error.message;
        }
    }
}

export async function openMatchForm(onStarted) {
    return new MatchForm(await about(), onStarted);
}
