// Cross table: results of every pair, ratings, and a plot of the ratings with error bars.
import { h, s } from '../lib/dom.js';
import { agentName } from '../names.js';
import { signed } from '../texts.js';

/** An axis with round numbers that covers all ratings and errors; positions in per cent of the width. */
function scale(agents) {
    const known = agents.filter(({ rating }) => rating !== null && rating !== undefined);
    const low = Math.min(0, ...known.map(({ rating, error }) => rating - (error ?? 0)));
    const high = Math.max(0, ...known.map(({ rating, error }) => rating + (error ?? 0)));
    const span = Math.max(100, high - low);
    const step = [20, 50, 100, 200, 500, 1000].find((size) => span / size <= 6) ?? 2000;
    const from = low - 0.06 * span;
    const to = high + 0.06 * span;
    const ticks = [];
    for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
    return { x: (value) => `${((100 * (value - from)) / (to - from)).toFixed(2)}%`, ticks };
}

function plotRow(agent, { x, ticks }) {
    const svg = s('svg', { class: 'plot-row', 'aria-hidden': 'true' });
    for (const tick of ticks)
        svg.append(
            s('line', { class: tick === 0 ? 'plot-zero' : 'plot-tick', x1: x(tick), x2: x(tick), y1: 0, y2: '100%' }),
        );
    if (agent.rating === null || agent.rating === undefined) return svg;
    const at = x(agent.rating);
    if (agent.error === null || agent.error === undefined) {
        svg.append(s('circle', { class: 'plot-dot', cx: at, cy: '50%', r: 5 }));
        return svg;
    }
    if (agent.error === 0) {
        svg.append(
            s(
                'svg',
                { x: at, y: '50%', class: 'plot-at' },
                s('path', { class: 'plot-fixed', d: 'M0 -7l7 7l-7 7l-7 -7z' }),
            ),
        );
        return svg;
    }
    const low = x(agent.rating - agent.error);
    const high = x(agent.rating + agent.error);
    const end = (place) =>
        s('svg', { x: place, y: '50%', class: 'plot-at' }, s('path', { class: 'plot-error', d: 'M0 -6V6' }));
    svg.append(
        s('line', { class: 'plot-error', x1: low, x2: high, y1: '50%', y2: '50%' }),
        end(low),
        end(high),
        s('circle', { class: 'plot-dot', cx: at, cy: '50%', r: 5 }),
    );
    return svg;
}

function axis({ x, ticks }) {
    const svg = s('svg', { class: 'plot-row axis', 'aria-hidden': 'true' });
    for (const tick of ticks) svg.append(s('text', { x: x(tick), y: 18, 'text-anchor': 'middle' }, signed(tick)));
    return svg;
}

/**
 * @param {{name: string, rating: number|null, error: number|null, edge?: string|null}[]} agents best first
 * @param {({wins: number, draws: number, losses: number, score?: number}|null)[][]|null} table null: only ratings
 * @param {[number, number][]} now pairs that are playing
 */
export function crossTable(agents, table, now = []) {
    const axes = scale(agents);
    const playing = new Set(now.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]));
    const head = h(
        'tr',
        {},
        h('th', { class: 'agent-head', scope: 'col', colspan: 2 }, 'Agent'),
        table && agents.map((_, i) => h('th', { scope: 'col' }, String(i + 1))),
        h('th', { class: 'elo-head', scope: 'col', colspan: 2 }, 'Elo, 95 %'),
        h('th', { class: 'plot-head', scope: 'col' }, h('span', { class: 'unseen' }, 'Drawn')),
    );
    const rows = agents.map((agent, i) =>
        h(
            'tr',
            {},
            h('td', { class: 'place quiet small' }, String(i + 1)),
            h('th', { scope: 'row', class: 'agent-name', title: agent.name }, agentName(agent.name)),
            table && agents.map((_, j) => pairCell(table[i]?.[j], i === j, playing.has(`${i} ${j}`))),
            h(
                'td',
                { class: 'elo' },
                agent.rating === null || agent.rating === undefined ? '' : signed(Math.round(agent.rating)),
            ),
            h('td', { class: 'elo-error quiet small' }, errorText(agent)),
            h('td', { class: 'plot' }, plotRow(agent, axes)),
        ),
    );
    const foot = h(
        'tr',
        { 'aria-hidden': 'true' },
        h('td', { colspan: 4 + (table ? agents.length : 0) }),
        h('td', { class: 'plot' }, axis(axes)),
    );
    return h(
        'table',
        { class: 'cross' },
        h(
            'caption',
            { class: 'unseen' },
            table ? 'Scores of all pairs of agents in per cent, and ratings' : 'Ratings',
        ),
        h('thead', {}, head),
        h('tbody', {}, rows),
        h('tfoot', {}, foot),
    );
}

function errorText(agent) {
    if (agent.edge) return agent.edge;
    if (agent.rating === null || agent.rating === undefined) return '';
    if (agent.error === null || agent.error === undefined) return 'error unknown';
    return agent.error === 0 ? 'fixed' : `± ${Math.round(agent.error)}`;
}

function pairCell(result, self, playing) {
    const games = result ? result.wins + result.draws + result.losses : 0;
    if (self) return h('td', { class: 'pair quiet' }, '–');
    if (games === 0)
        return h(
            'td',
            { class: playing ? 'pair' : 'pair quiet' },
            h('span', { class: playing ? 'tile now' : 'tile' }, playing ? '·' : ''),
        );
    const score = result.score ?? (result.wins + result.draws / 2) / games;
    const tile = h(
        'span',
        {
            class: `tile${score > 0.5 ? ' over' : ''}${playing ? ' now' : ''}`,
            title: `${result.wins} won, ${result.draws} drawn, ${result.losses} lost`,
        },
        String(Math.round(100 * score)),
    );
    if (score > 0.5) tile.style.setProperty('--tint', `${Math.round(6 + 40 * (score - 0.5))}%`);
    return h('td', { class: 'pair' }, tile);
}
