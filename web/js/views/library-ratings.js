// Ratings of all agents in the database.
import { h, replace } from '../lib/dom.js';
import { about, get } from '../lib/api.js';
import { crossTable } from '../widgets/crosstable.js';
import { field, select } from '../widgets/inputs.js';
import { gameName } from './library-stored.js';

export class RatingsShelf {
    constructor() {
        this.tools = h('div', { class: 'search-form' });
        this.table = h('div', { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Ratings' });
        this.element = h('div', { class: 'shelf' }, this.tools, this.table);
    }

    async start() {
        const { presets } = await about();
        this.game = presets.find(({ name }) => name === 'gomoku')?.game ?? presets[0].game;
        replace(
            this.tools,
            field(
                'Game',
                select(
                    presets.map((preset) => [preset.game, gameName(preset.game)]),
                    this.game,
                    (value) => {
                        this.game = value;
                        this.#show();
                    },
                ),
            ),
        );
        await this.#show();
    }

    async #show() {
        try {
            const found = await get('/ratings', { game: this.game });
            const agents = [...found.agents].sort((a, b) => (b.rating ?? -Infinity) - (a.rating ?? -Infinity));
            replace(
                this.table,
                agents.length > 0
                    ? crossTable(agents, null)
                    : h('p', { class: 'empty' }, 'No rated games with these rules in the database.'),
            );
        } catch (error) {
            replace(this.table, h('p', { class: 'empty' }, error.message));
        }
    }
}
