// Learned patterns as pictures: required stones and cells that must be empty.
import { button, h, replace } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { drawStill } from '../board/still.js';
import { cellName, emptyRows, withStone } from '../rules.js';
import { figure } from '../texts.js';
import { field, select } from '../widgets/inputs.js';
import { gameName } from './library-stored.js';

const PAGE = 48;
const CELL = 22; // pixels

export class PatternsShelf {
    constructor() {
        this.tools = h('div', { class: 'search-form' });
        this.list = h('ul', { class: 'patterns' });
        this.more = button('More', () => this.#next(), { class: 'compact', hidden: true });
        this.element = h('div', { class: 'shelf' }, this.tools, this.list, this.more);
    }

    async start() {
        const { sets } = await get('/patterns');
        this.sets = sets;
        if (sets.length === 0) {
            replace(
                this.element,
                h(
                    'p',
                    { class: 'empty' },
                    'No patterns yet. The agent “patterns” learns them while it plays.',
                ),
            );
            return;
        }
        this.set = sets[0];
        this.tier = '';
        await this.#show();
    }

    async #show() {
        const { set } = this;
        const key = (entry) => `${entry.set} ${entry.game}`;
        const tiers = (set.tiers ?? [])
            .map((n, tier) => ({ n, tier }))
            .filter(({ n }) => n > 0)
            .map(({ n, tier }) => [String(tier), `${tier}, ${figure(n)} patterns`]);
        replace(
            this.tools,
            field(
                'Set',
                select(
                    this.sets.map((entry) => [
                        key(entry),
                        `${entry.set}: ${gameName(entry.game)}, ${figure(entry.patterns)} patterns`,
                    ]),
                    key(set),
                    (value) => {
                        this.set = this.sets.find((entry) => key(entry) === value);
                        this.tier = '';
                        this.#show();
                    },
                ),
            ),
            field(
                'Tier',
                select([['', 'all'], ...tiers], this.tier, (value) => {
                    this.tier = value;
                    this.#show();
                }),
            ),
        );
        this.shown = 0;
        replace(this.list);
        await this.#next();
    }

    async #next() {
        const { set } = this;
        const found = await get(`/patterns/${encodeURIComponent(set.set)}`, {
            game: set.game,
            tier: this.tier,
            limit: PAGE,
            offset: this.shown,
        });
        this.shown += found.patterns.length;
        this.list.append(...found.patterns.map(picture));
        this.more.hidden = this.shown >= found.total;
    }
}

/** A pattern, drawn as a part of a larger board. */
function picture(pattern) {
    const rules = {
        width: pattern.width + 2,
        height: pattern.height + 2,
        k: 5,
        p: 1,
        q: 1,
        gravity: false,
        exact: false,
    };
    const own = pattern.cells.filter(({ what }) => what === 'own');
    const free = pattern.cells.filter(({ what }) => what === 'empty');
    const rows = own.reduce((all, { x, y }) => withStone(all, x + 1, y + 1, 'first'), emptyRows(rules));
    const marks = [{ kind: 'answer', cells: free.map(({ x, y }) => cellName(x + 1, y + 1)), shown: false }];
    const region = { x: 1, y: 1, width: pattern.width, height: pattern.height };
    return h(
        'li',
        { class: 'pattern' },
        drawStill(
            { rules, rows, marks },
            { cell: CELL, region, label: `${own.length} stones, ${free.length} empty cells` },
        ),
        h('p', { class: 'small quiet' }, `${pattern.number}, tier ${pattern.tier}`),
    );
}
