// Static boards without input: live games, previews, the lens, learned patterns.
import { s } from '../lib/dom.js';
import { parseCell, stoneAt } from '../rules.js';
import { Geometry } from './geometry.js';
import { drawMarks } from './marks.js';
import { drawStone } from './stones.js';
import { drawSurface } from './surface.js';

/**
 * @param {{rules: import('../rules.js').Rules, rows: string[], last?: string[], line?: string[], marks?: import('./marks.js').Mark[],
 *     numbers?: Map<string, number>}} view
 * @param {{cell: number, region?: object, label?: string, small?: boolean}} options
 */
export function drawStill(view, { cell, region, label }) {
    const g = new Geometry(view.rules, cell, { coordinates: false, region });
    const svg = s('svg', {
        class: g.falls ? 'still falls' : 'still',
        width: g.width,
        height: g.height,
        viewBox: `0 0 ${g.width} ${g.height}`,
        role: label ? 'img' : null,
        'aria-label': label ?? null,
        'aria-hidden': label ? null : 'true',
    });
    const { below, above } = drawMarks(view.marks ?? [], g);
    svg.append(drawSurface(g), below, stones(view, g), above);
    return svg;
}

function stones(view, g) {
    const group = s('g', { class: 'stones' });
    const last = new Set((view.last ?? []).map(key));
    const line = new Set((view.line ?? []).map(key));
    const { region } = g;
    for (let y = region.y; y < region.y + region.height; y++) {
        for (let x = region.x; x < region.x + region.width; x++) {
            const side = stoneAt(view.rows, x, y);
            if (!side) continue;
            const state = line.size === 0 ? '' : line.has(`${x} ${y}`) ? 'won' : 'dim';
            const number = view.numbers?.get(`${x} ${y}`) ?? null;
            const node = drawStone({ side, last: line.size === 0 && last.has(`${x} ${y}`), number, state }, g);
            node.setAttribute('transform', `translate(${g.x(x)} ${g.y(y)})`);
            group.append(node);
        }
    }
    return group;
}

const key = (name) => {
    const cell = parseCell(name);
    return `${cell.x} ${cell.y}`;
};
