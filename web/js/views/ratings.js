// What an agent sees: its ratings of the cells on the board of a session, for the position that is shown.
import { h, replace, setText } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { post } from '../lib/api.js';
import { formatRoute } from '../lib/router.js';
import { positionText, toDiagram } from '../link.js';
import { kindName, parseAgent } from '../names.js';
import { select } from '../widgets/inputs.js';
import { boardMarks } from './tourboard.js';

const USUAL = 'sequences';

export class Ratings {
    /** @param {import('../session.js').Session} session @param {() => void} onChange called when the marks change */
    constructor(session, onChange) {
        this.session = session;
        this.onChange = onChange;
        this.isOn = false;
        this.agent = null;
        this.shown = null; // {key, marks}
        this.agents = '';
        this.choice = h('span', {});
        this.words = h('span', { class: 'small quiet' });
        this.link = h('a', { class: 'small' }, 'More about ratings');
        this.element = h('div', { class: 'ratings-line row', hidden: true }, this.choice, this.words, this.link);
    }

    /** The ratings of the present position; empty until the server has answered. */
    get marks() {
        return this.isOn && this.shown?.key === this.#key() ? this.shown.marks : [];
    }

    turn(on) {
        this.isOn = on;
        this.element.hidden = !on;
        this.agent ??= this.#opponent() ?? USUAL;
        if (on) this.refresh();
        else this.onChange();
    }

    /** Asks for the ratings of the present position, unless they are known. */
    async refresh() {
        const { state } = this.session;
        if (!this.isOn || !state || this.asked === this.#key()) return;
        const key = (this.asked = this.#key());
        const ask = (agent) => post('/tour/ratings', { game: state.game, board: toDiagram(this.#position()), agent });
        try {
            const data = await ask(this.agent).catch((error) => {
                // Another game may have other agents that rate cells.
                if (error.field !== 'agent' || this.agent === USUAL) throw error;
                this.agent = USUAL;
                this.asked = this.#key();
                return ask(USUAL);
            });
            if (!this.isOn || (key !== this.#key() && this.asked !== this.#key())) return;
            this.shown = { key: this.#key(), marks: boardMarks(data.marks) };
            this.#draw(data);
            this.onChange();
        } catch (error) {
            showError(error);
        }
    }

    #position() {
        const { rows, turn, left } = this.session.position();
        return { rows, turn, left: Math.max(1, left) };
    }

    #key() {
        const { rows, turn, left } = this.session.position();
        return `${this.session.state.game} ${turn} ${left} ${this.agent} ${rows.join('/')}`;
    }

    /** The agent that plays in the game, if one does. */
    #opponent() {
        const { first, second } = this.session.state.sides;
        const played = [second, first].find(({ kind }) => kind === 'agent');
        return played ? parseAgent(played.agent)?.name : null;
    }

    #draw({ agents, caption }) {
        const names = agents.map(({ name }) => name).join();
        if (names !== this.agents || this.drawn !== this.agent) {
            this.agents = names;
            this.drawn = this.agent;
            const choices = agents.map(({ name }) => [name, kindName(name)]);
            const choose = (name) => {
                this.agent = name;
                this.drawn = name;
                this.refresh();
            };
            replace(this.choice, select(choices, this.agent, choose, { 'aria-label': 'What does this agent see?' }));
        }
        const inRanks = /\branks\b/.test(caption);
        setText(this.words, inRanks ? 'ranks of the cells, 1 is the best' : 'ratings of the cells, higher is better');
        this.words.title = caption;
        const { game } = this.session.state;
        this.link.href = formatRoute('learn', ['agents'], {
            g: game,
            b: positionText(this.#position()),
            a: this.agent,
        });
        polite(caption);
    }
}

/** @param {import('../session.js').Session} session @param {() => void} onChange */
export const openRatings = (session, onChange) => new Ratings(session, onChange);
