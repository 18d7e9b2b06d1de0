// The dialog that changes the players of a game in progress: person, level, or agent with its options.
import { button, h } from '../lib/dom.js';
import { about, ApiError, post } from '../lib/api.js';
import { parseGame } from '../rules.js';
import { openDialog } from '../widgets/dialog.js';
import { field } from '../widgets/inputs.js';
import { choiceOf, PlayerPicker } from '../widgets/playerpicker.js';

const SIDES = ['first', 'second'];

class Players {
    /** @param {import('../session.js').Session} session */
    constructor(session) {
        this.session = session;
        const { state } = session;
        this.rules = parseGame(state.game);
        this.wrong = h('p', { class: 'wrong', role: 'alert' });
        this.apply = button('Apply', () => this.#apply(), { class: 'primary big' });
        this.pickers = SIDES.map(
            (side) =>
                new PlayerPicker({
                    side,
                    person: 'Person',
                    choice: choiceOf(state.sides[side]),
                    onChange: () => {
                        this.apply.disabled = this.pickers.some(({ isValid }) => !isValid);
                    },
                }),
        );
        this.time = h('input', {
            class: 'input',
            type: 'number',
            min: 0.05,
            max: 60,
            step: 'any',
            value: String(state.time),
        });
        this.dialog = openDialog('Players', [
            h('p', { class: 'small quiet' }, 'The game continues with these players at once.'),
            h('div', { class: 'players' }, this.pickers.map(({ element }) => element)),
            field('Seconds per turn of an agent without a clock, 0.05 to 60', this.time),
            this.wrong,
            h('div', { class: 'dialog-foot' }, this.apply),
        ]);
        this.#show([], undefined);
        this.#load();
    }

    #show(agents, most) {
        for (const picker of this.pickers) picker.show({ rules: this.rules, agents, most });
    }

    async #load() {
        try {
            const [{ agents }, checked] = await Promise.all([
                about(),
                post('/rules', { game: this.session.state.game }),
            ]);
            const playing = new Set(checked.agents);
            this.#show(
                agents.filter(({ name }) => playing.has(name)),
                checked.levels,
            );
        } catch (error) {
            this.wrong.textContent = error.message;
        }
    }

    async #apply() {
        const time = Number(this.time.value);
        if (!this.time.checkValidity() || !(time > 0)) {
            this.wrong.textContent = 'The seconds per turn must be a number from 0.05 to 60.';
            return;
        }
        const [first, second] = this.pickers.map(({ value }) => value);
        this.apply.disabled = true;
        try {
            await this.session.change('settings', { sides: { first, second }, time });
            this.dialog.close();
        } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            this.wrong.textContent = error.message;
            this.apply.disabled = false;
        }
    }
}

export const openPlayers = (session) => new Players(session);
