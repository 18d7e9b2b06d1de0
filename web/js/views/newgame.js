// The new-game dialog: presets, custom rules with a picture for each, players, clocks.
import { button, h, replace, spot } from '../lib/dom.js';
import { about, post } from '../lib/api.js';
import { recall, remember } from '../lib/prefs.js';
import { openInvite } from '../later.js';
import { parseGame } from '../rules.js';
import { rulesSentence, sideName } from '../texts.js';
import { openDialog } from '../widgets/dialog.js';
import { Stepper, Toggle } from '../widgets/inputs.js';
import { PRESETS, pictures } from './pictures.js';

const KEPT = 'krow.newgame';
const DEFAULT = { game: '15x15:k=5', own: false, first: 'person', second: 'level', level: 4, clock: 'none' };
const CLOCKS = [
    ['none', 'none', {}],
    ['5+3', '5 min + 3 s', { clock: { seconds: 300, increment: 3 } }],
    ['10', '10 s per turn', { time: 10 }],
];

class NewGame {
    /** @param {(game: object) => void} onStart @param {() => void} onEdit */
    constructor(onStart, onEdit) {
        this.onStart = onStart;
        this.onEdit = onEdit;
        const kept = { ...DEFAULT, ...recall(KEPT) };
        this.choice = kept;
        this.rules = parseGame(kept.game) ?? parseGame(DEFAULT.game);
        this.checked = null;
        this.words = h('p', { class: 'rules-words serif' });
        this.wrong = h('p', { class: 'wrong', role: 'alert' });
        this.cards = h('div', { class: 'presets', role: 'radiogroup', 'aria-label': 'Game' });
        this.form = h('div', { class: 'own-rules' });
        this.players = h('div', { class: 'players' });
        this.clocks = h('div', { class: 'chips', role: 'radiogroup', 'aria-label': 'Clock' });
        this.start = button('Start game', () => this.#start(), { class: 'primary big' });
        this.#presets();
        this.#ownRules();
        this.#clocks();
        const invite = button('Invite a friend', () => this.#invite());
        const edit = button('Edit board first', () => {
            this.dialog.close();
            this.onEdit();
        });
        this.dialog = openDialog(
            'New game',
            [
                this.cards,
                h(
                    'div',
                    { class: 'new-columns' },
                    this.form,
                    h(
                        'div',
                        { class: 'new-side' },
                        h('h3', {}, 'Players'),
                        this.players,
                        h('h3', {}, 'Clock'),
                        this.clocks,
                        h('div', { class: 'rules-card' }, this.words),
                        this.wrong,
                        h('span', { class: 'grow' }),
                        h('div', { class: 'dialog-foot wraps' }, invite, edit, this.start),
                    ),
                ),
            ],
            { class: 'wide' },
        );
        this.start.focus();
        about().then((answer) => {
            this.agents = answer.agents;
            this.levels = answer.levels ?? [];
            this.#players();
        });
        this.#changed();
    }

    #presets() {
        const draw = ([game, name, words, picture], i) => {
            const chosen = this.choice.own ? game === null : game === this.choice.game;
            return h(
                'button',
                {
                    type: 'button',
                    class: 'preset',
                    role: 'radio',
                    'aria-checked': String(chosen),
                    tabindex: chosen ? 0 : -1,
                    on: { click: () => this.#choosePreset(game), keydown: (event) => this.#presetKey(event, i) },
                },
                picture(),
                h('strong', {}, name),
                h('span', { class: 'small quiet' }, words),
            );
        };
        if (!this.choice.own && !PRESETS.some(([game]) => game === this.choice.game)) this.choice.own = true;
        replace(this.cards, PRESETS.map(draw));
    }

    #presetKey(event, index) {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (!step) return;
        event.preventDefault();
        const next = (index + step + PRESETS.length) % PRESETS.length;
        this.#choosePreset(PRESETS[next][0]);
        this.cards.children[next].focus();
    }

    #choosePreset(game) {
        this.choice.own = game === null;
        if (game !== null) {
            this.choice.game = game;
            this.rules = parseGame(game);
        }
        this.#presets();
        this.#fillRules();
        this.#changed();
    }

    #ownRules() {
        const set = (name) => (value) => {
            this.rules = { ...this.rules, [name]: value };
            if (!this.choice.own) {
                this.choice.own = true;
                this.#presets();
            }
            this.#changed();
        };
        const number = (name, label, min, max) =>
            new Stepper({ label, min, max, value: this.rules[name], onChange: set(name) });
        this.fields = {
            width: number('width', 'Columns', 3, 64),
            height: number('height', 'Rows', 3, 64),
            k: number('k', 'In a row, k', 2, 64),
            p: number('p', 'Stones per turn, p', 1, 9),
            q: number('q', 'Stones in the first turn, q', 1, 9),
            gravity: new Toggle({ label: 'Gravity', value: this.rules.gravity, onChange: set('gravity') }),
            exact: new Toggle({ label: 'Exactly k', value: this.rules.exact, onChange: set('exact') }),
        };
        this.pictureHolders = {};
        const row = (name, title, letter, words, ...fields) => {
            this.pictureHolders[name] = h('span', { class: 'rule-picture' });
            return h(
                'div',
                { class: 'rule' },
                this.pictureHolders[name],
                h(
                    'div',
                    { class: 'grow' },
                    h('p', {}, h('strong', {}, title), letter && h('i', { class: 'serif quiet' }, ` ${letter}`)),
                    h('p', { class: 'small quiet' }, words),
                ),
                h('div', { class: 'row rule-fields' }, fields),
            );
        };
        const { fields } = this;
        replace(
            this.form,
            row(
                'board',
                'Board',
                'm × n',
                'Columns and rows, 3 to 64 each.',
                fields.width.element,
                '×',
                fields.height.element,
            ),
            row(
                'k',
                'In a row',
                'k',
                'This many stones in a line win: across, down or diagonal.',
                fields.k.element,
            ),
            row('p', 'Stones per turn', 'p', 'Each turn places this many stones on free cells.', fields.p.element),
            row(
                'q',
                'First turn',
                'q',
                'Stones in the first turn. Fewer than p keeps the game fair.',
                fields.q.element,
            ),
            row('gravity', 'Gravity', '', 'Stones fall to the lowest free cell of a column.', fields.gravity.element),
            row('exact', 'Exactly k', '', 'A longer row does not win.', fields.exact.element),
        );
    }

    #fillRules() {
        for (const [name, field] of Object.entries(this.fields)) field.set(this.rules[name]);
    }

    #players() {
        const side = (name) => {
            const select = h(
                'select',
                {
                    class: 'select player-select',
                    'aria-label': sideName(name, this.rules),
                    on: {
                        change: () => {
                            this.choice[name] = select.value;
                            this.#players();
                        },
                    },
                },
                this.#option('person', 'You', name),
                this.#option('level', `Level ${Math.min(this.choice.level, this.mostLevel ?? 10)}`, name),
                this.#playing().map((agent) => this.#option(agent.name, `${agent.name}: ${agent.summary}`, name)),
            );
            return h('div', { class: 'player-choice' }, spot(name, this.rules.gravity), select);
        };
        const most = this.mostLevel ?? 10;
        const range = h('input', {
            type: 'range',
            class: 'range',
            min: 1,
            max: most,
            value: Math.min(this.choice.level, most),
            'aria-label': 'Level',
            on: {
                input: () => {
                    this.choice.level = Number(range.value);
                    paint();
                    for (const option of this.players.querySelectorAll('option[value="level"]'))
                        option.textContent = `Level ${range.value}`;
                },
            },
        });
        const paint = () => range.style.setProperty('--part', `${(100 * (range.value - 1)) / Math.max(1, most - 1)}%`);
        paint();
        const leveled = this.choice.first === 'level' || this.choice.second === 'level';
        replace(
            this.players,
            side('first'),
            side('second'),
            leveled &&
                h(
                    'div',
                    {},
                    range,
                    h(
                        'div',
                        { class: 'row between small quiet' },
                        h('span', {}, '1 weakest'),
                        h('span', {}, `${most} full strength`),
                    ),
                ),
        );
    }

    #option(value, label, name) {
        return h('option', { value, selected: this.choice[name] === value }, label);
    }

    /** Agents that support these rules. */
    #playing() {
        const names = new Set(this.checked?.agents ?? []);
        return (this.agents ?? []).filter((agent) => names.has(agent.name) && agent.name !== 'level');
    }

    #clocks() {
        replace(
            this.clocks,
            CLOCKS.map(([id, label]) =>
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'chip',
                        role: 'radio',
                        'aria-checked': String(this.choice.clock === id),
                        on: {
                            click: () => {
                                this.choice.clock = id;
                                this.#clocks();
                                this.clocks.querySelector('[aria-checked="true"]').focus();
                            },
                        },
                    },
                    label,
                ),
            ),
        );
    }

    /** Redraws the pictures and schedules the check of the rules. */
    #changed() {
        for (const [name, holder] of Object.entries(this.pictureHolders)) replace(holder, pictures[name](this.rules));
        this.words.textContent = rulesSentence(this.rules);
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.#check(), 60);
    }

    /** Asks the server to validate the rules and to list the agents that support them. */
    async #check() {
        const asked = this.rules;
        const { width, height, k, p, q, gravity, exact } = asked;
        let checked = null;
        let wrong = null;
        try {
            checked = await post('/rules', { width, height, k, p, q, gravity, exact });
        } catch (error) {
            wrong = error;
        }
        if (asked !== this.rules) return;
        this.checked = checked;
        this.checkedRules = asked;
        this.mostLevel = checked?.levels ?? this.mostLevel;
        this.#wrong(wrong);
        this.#players();
    }

    /** Shows an error and marks its field; the values stay unchanged. */
    #wrong(error) {
        for (const [name, field] of Object.entries(this.fields)) field.setWrong(error !== null && error.field === name);
        this.wrong.textContent = error?.message ?? '';
        this.start.disabled = error !== null;
    }

    #side(name) {
        const kind = this.choice[name];
        if (kind === 'person') return { kind };
        if (kind === 'level') return { kind, level: Math.min(this.choice.level, this.mostLevel ?? 10) };
        return { kind: 'agent', agent: kind };
    }

    /** Continues in the dialog for a game with a friend, with the same rules and clock. */
    async #invite() {
        while (this.checkedRules !== this.rules) await this.#check();
        const game = this.checked?.game;
        if (!game) return;
        const { clock } = CLOCKS.find(([id]) => id === this.choice.clock)?.[2] ?? {};
        this.dialog.close();
        openInvite({ game, clock });
    }

    async #start() {
        // The server may not have validated the current rules yet.
        while (this.checkedRules !== this.rules) await this.#check();
        const game = this.checked?.game;
        if (!game) return;
        this.choice.game = game;
        remember(KEPT, this.choice);
        const clock = CLOCKS.find(([id]) => id === this.choice.clock)?.[2] ?? {};
        this.dialog.close();
        this.onStart({ game, sides: { first: this.#side('first'), second: this.#side('second') }, ...clock });
    }
}

export function openNewGame(onStart, onEdit) {
    return new NewGame(onStart, onEdit);
}
