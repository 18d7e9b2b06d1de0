// The new-game dialog: presets, custom rules with a picture for each, players, clocks.
import { button, h, replace } from '../lib/dom.js';
import { about, post } from '../lib/api.js';
import { recall, remember } from '../lib/prefs.js';
import { router } from '../lib/router.js';
import { openInvite } from '../later.js';
import { parseGame } from '../rules.js';
import { rulesSentence } from '../texts.js';
import { clockPicker, clockValue } from '../widgets/clocks.js';
import { openDialog } from '../widgets/dialog.js';
import { Stepper, Toggle } from '../widgets/inputs.js';
import { choiceOf, PlayerPicker } from '../widgets/playerpicker.js';
import { PRESETS, pictures } from './pictures.js';

const KEPT = 'krow.newgame';
const SIDES = ['first', 'second'];
const DEFAULT = {
    game: '15x15:k=5',
    own: false,
    sides: { first: { kind: 'person' }, second: { kind: 'level', level: 4 } },
    random: false, // colours at random
    clock: 'none',
    minutes: 10,
    increment: 5,
};
const CLOCKS = [
    ['none', 'none', null],
    ['5+3', '5 min + 3 s', { seconds: 300, increment: 3 }],
    ['10', '10 s per turn', null],
    ['own', 'custom', null],
];
const TIMES = { 10: 10 }; // seconds per turn of an agent
const USUAL_TIME = 1;

class NewGame {
    /**
     * @param {{start: (game: object) => Promise<void>, onStarted: () => void, onEdit: () => void}} actions
     *     start: rejects if the server refuses the game
     */
    constructor({ start, onStarted, onEdit }) {
        this.startGame = start;
        this.onStarted = onStarted;
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
        this.start = button('Start game', () => this.#start(), { class: 'primary big' });
        this.#presets();
        this.#ownRules();
        this.#makePlayers();
        const invite = button('Invite a friend', () => this.#invite());
        const edit = button('Edit board first', () => {
            this.dialog.close();
            this.onEdit();
        });
        this.dialog = openDialog(
            'New game',
            [
                this.cards,
                (this.columns = h(
                    'div',
                    { class: 'new-columns' },
                    this.form,
                    h(
                        'div',
                        { class: 'new-side' },
                        h('h3', {}, 'Players'),
                        this.players,
                        clockPicker(CLOCKS, kept),
                        h(
                            'div',
                            { class: 'rules-card' },
                            this.words,
                            button('How to play', () => this.#explain(), { class: 'compact' }),
                        ),
                        this.wrong,
                        h('span', { class: 'grow' }),
                        h('div', { class: 'dialog-foot wraps' }, invite, edit, this.start),
                    ),
                )),
            ],
            { class: 'wide' },
        );
        this.start.focus({ preventScroll: true });
        about().then((answer) => {
            this.agents = answer.agents;
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
                'This many in a line wins: across, down or diagonal.',
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

    #makePlayers() {
        const { sides } = this.choice;
        this.pickers = Object.fromEntries(
            SIDES.map((side) => [
                side,
                new PlayerPicker({ side, person: 'You', choice: choiceOf(sides[side]), onChange: () => this.#ready() }),
            ]),
        );
        const random = new Toggle({
            label: 'Colours at random',
            value: this.choice.random,
            onChange: (on) => {
                this.choice.random = on;
            },
        });
        replace(
            this.players,
            SIDES.map((side) => this.pickers[side].element),
            h('label', { class: 'row between' }, 'Colours at random', random.element),
        );
        this.#players();
    }

    #players() {
        for (const picker of Object.values(this.pickers))
            picker.show({ rules: this.rules, agents: this.#playing(), most: this.mostLevel ?? 10 });
        this.#ready();
    }

    /** Agents that support these rules. */
    #playing() {
        const names = new Set(this.checked?.agents ?? []);
        return (this.agents ?? []).filter((agent) => names.has(agent.name));
    }

    #ready() {
        this.start.disabled = this.refused || Object.values(this.pickers).some(({ isValid }) => !isValid);
    }

    /** Redraws the pictures and schedules the check of the rules. */
    #changed() {
        this.columns?.classList.toggle('own', this.choice.own);
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
        this.refused = error !== null;
        this.#ready();
    }

    /** The players as chosen, or with exchanged colours if these are drawn at random. */
    #sides() {
        const sides = SIDES.map((side) => this.pickers[side].value);
        this.choice.sides = { first: sides[0], second: sides[1] };
        if (this.choice.random && Math.random() < 0.5) sides.reverse();
        return { first: sides[0], second: sides[1] };
    }

    /** Opens the lessons of these rules. */
    async #explain() {
        while (this.checkedRules !== this.rules) await this.#check();
        const game = this.checked?.game;
        if (!game) return;
        this.dialog.close();
        router.go('learn', ['how', game]);
    }

    /** Continues in the dialog for a game with a friend, with the same rules and clock. */
    async #invite() {
        while (this.checkedRules !== this.rules) await this.#check();
        const game = this.checked?.game;
        if (!game) return;
        const clock = clockValue(CLOCKS, this.choice);
        this.dialog.close();
        openInvite({ game, clock });
    }

    async #start() {
        // The server may not have validated the current rules yet.
        while (this.checkedRules !== this.rules) await this.#check();
        const game = this.checked?.game;
        if (!game || this.start.disabled) return;
        this.choice.game = game;
        const sides = this.#sides();
        remember(KEPT, this.choice);
        const clock = clockValue(CLOCKS, this.choice);
        this.start.disabled = true;
        try {
            await this.startGame({
                game,
                sides,
                time: TIMES[this.choice.clock] ?? USUAL_TIME,
                ...(clock ? { clock } : {}),
            });
            this.dialog.close();
            this.onStarted();
        } catch (error) {
            this.#wrong(error);
        }
    }
}

export const openNewGame = (actions) => new NewGame(actions);
