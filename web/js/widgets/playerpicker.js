// Chooses who plays a side: a person, a level, or an agent with its options.
import { h, replace, setText, spot } from '../lib/dom.js';
import { kindName, parseAgent, strengthName } from '../names.js';
import { sideName } from '../texts.js';
import { AgentOptions } from './agentoptions.js';

const LEVELS = 10; // until the server has answered
const LEVEL = 4;

/**
 * What a picker holds.
 * @typedef {{kind: 'person'|'level'|'agent', level: number, agent: string, options: Record<string, string>}} Choice
 */

/** The choice that corresponds to a side of a game. @returns {Choice} */
export function choiceOf(side) {
    const parsed = side?.kind === 'agent' ? parseAgent(side.agent) : null;
    const { n, ...options } = Object.fromEntries(parsed?.options ?? []);
    if (parsed?.name === 'level') return { kind: 'level', level: Number(n) || LEVELS, agent: '', options };
    return {
        kind: side?.kind ?? 'person',
        level: side?.level ?? LEVEL,
        agent: parsed?.name ?? side?.agent ?? '',
        options: n === undefined ? options : { n, ...options },
    };
}

export class PlayerPicker {
    /**
     * @param {{side?: 'first'|'second', name?: string, person?: string, choice: Choice, onChange?: () => void}} options
     *     name: of the field, if the player has no side; person: the word for a person, if one may play
     */
    constructor({ side, name, person, choice, onChange = () => {} }) {
        this.side = side;
        this.name = name;
        this.person = person;
        this.choice = choice;
        this.onChange = onChange;
        this.agents = [];
        this.most = LEVELS;
        this.stone = h('span', { class: 'player-spot' });
        this.select = h('select', { class: 'select player-select', on: { change: () => this.#chosen() } });
        this.more = h('div', { class: 'player-more' });
        this.options = new AgentOptions(() => this.#changed());
        this.element = h(
            'div',
            { class: side ? 'player-choice' : 'player-choice plain' },
            side && this.stone,
            this.select,
            this.more,
        );
    }

    /** Shows the players that a game can have. @param {{rules?: object, agents: object[], most?: number}} what */
    show({ rules, agents, most }) {
        this.agents = agents.filter(({ name }) => name !== 'level');
        this.leveled = agents.find(({ name }) => name === 'level') ?? null; // the agent that plays levels
        this.most = most ?? LEVELS;
        if (this.side) {
            this.name = sideName(this.side, rules);
            replace(this.stone, spot(this.side, rules.gravity));
        }
        this.select.setAttribute('aria-label', this.name);
        // Until the agents are known, the choice stays as it is.
        if (agents.length > 0 && this.choice.kind === 'agent' && !this.agent) this.choice.kind = 'level';
        this.#list();
        this.#details();
    }

    get agent() {
        return this.agents.find(({ name }) => name === this.choice.agent) ?? null;
    }

    get isValid() {
        return this.choice.kind === 'person' || this.options.isValid;
    }

    /** The side for a request to the server. */
    get value() {
        const { kind, agent } = this.choice;
        const options = this.options.text();
        if (kind === 'person') return { kind };
        if (kind === 'agent') return { kind, agent: options ? `${agent}:${options}` : agent };
        return options
            ? { kind: 'agent', agent: `level:n=${this.#level},${options}` }
            : { kind, level: this.#level };
    }

    /** The player as an agent for a match: "level:n=4", "engine:depth=6". */
    get text() {
        const { kind, agent, level } = this.value;
        return kind === 'level' ? `level:n=${level}` : agent;
    }

    get #level() {
        return Math.min(this.choice.level, this.most);
    }

    #levelText() {
        return `Level ${this.#level}, ${strengthName(this.#level, this.most)}`;
    }

    #list() {
        const { kind, agent } = this.choice;
        const option = (value, label, title) =>
            h('option', { value, title, selected: value === (kind === 'agent' ? agent : kind) }, label);
        const group = (label, agents) =>
            agents.length > 0 &&
            h(
                'optgroup',
                { label },
                agents.map(({ name, summary }) => option(name, `${kindName(name)}: ${summary}`, summary)),
            );
        const own = this.agents.filter(({ source }) => source === 'krow');
        replace(
            this.select,
            this.person && option('person', this.person),
            option('level', this.#levelText()),
            group('krow', own),
            group(
                'Agents of the papers',
                this.agents.filter((each) => !own.includes(each)),
            ),
        );
    }

    #chosen() {
        const { value } = this.select;
        const isAgent = value !== 'person' && value !== 'level';
        this.choice.options = {};
        this.choice.kind = isAgent ? 'agent' : value;
        if (isAgent) this.choice.agent = value;
        this.#details();
        this.onChange();
    }

    #changed() {
        this.choice.options = { ...this.options.values };
        this.onChange();
        this.#count();
    }

    #details() {
        const { kind } = this.choice;
        const agent = kind === 'level' ? this.leveled : kind === 'agent' ? this.agent : null;
        replace(this.more, kind === 'level' && this.#slider(), agent && this.#agentOptions(agent));
    }

    #slider() {
        const range = h('input', {
            type: 'range',
            class: 'range',
            min: 1,
            max: this.most,
            value: this.#level,
            'aria-label': `Level of ${this.name}`,
            on: {
                input: () => {
                    this.choice.level = Number(range.value);
                    paint();
                    this.select.querySelector('option[value="level"]').textContent = this.#levelText();
                    this.onChange();
                },
            },
        });
        const paint = () => {
            range.style.setProperty('--part', `${(100 * (range.value - 1)) / Math.max(1, this.most - 1)}%`);
            range.setAttribute('aria-valuetext', this.#levelText());
        };
        paint();
        return [
            range,
            h(
                'div',
                { class: 'row between small quiet' },
                h('span', {}, '1 weakest'),
                h('span', {}, `${this.most} full strength`),
            ),
        ];
    }

    #agentOptions(agent) {
        // The slider sets the level.
        const options = agent.options.filter(({ name }) => agent !== this.leveled || name !== 'n');
        this.options.show(options, this.choice.options);
        this.summary = h('span', {});
        this.#count();
        return h(
            'details',
            { class: 'agent-details', open: Object.keys(this.choice.options).length > 0 },
            h('summary', {}, this.summary),
            h('p', { class: 'small quiet' }, `Source: ${agent.source}`),
            this.options.element,
        );
    }

    #count() {
        const changed = Object.keys(this.options.values).length;
        const all = this.options.options.length;
        const words = changed === 0 ? `${all}, all at their defaults` : `${all}, ${changed} changed`;
        setText(this.summary, all === 0 ? 'No options' : `Options (${words})`);
    }
}
