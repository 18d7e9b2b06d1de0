// The empty board: paper, lines or wells, coordinates.
import { s } from '../lib/dom.js';
import { columnName } from '../rules.js';
import { starPoints } from './geometry.js';

const FINE_BELOW = 16; // pixels per cell; closer lines are drawn lighter

/** @param {import('./geometry.js').Geometry} g @param {SVGElement} [between] drawn above the paper, below lines and wells */
export function drawSurface(g, between) {
    const group = s('g', { class: 'paper' });
    group.append(
        s('rect', {
            class: 'surface',
            x: g.left + 0.5,
            y: 0.5,
            width: g.boardWidth - 1,
            height: g.boardHeight - 1,
            rx: g.radiusOfBoard,
        }),
    );
    if (between) group.append(between);
    group.append(g.falls ? wells(g) : lines(g));
    return group;
}

function lines(g) {
    const { region, rules } = g;
    const right = region.x + region.width - 1;
    const top = region.y + region.height - 1;
    const x0 = g.x(region.x);
    const x1 = g.x(right);
    const y0 = g.y(region.y);
    const y1 = g.y(top);
    // In a part of a board, the lines continue to the edge of the paper.
    const on = g.margin;
    const from = x0 - (region.x > 0 ? on : 0);
    const to = x1 + (right < rules.width - 1 ? on : 0);
    const high = y1 - (top < rules.height - 1 ? on : 0);
    const low = y0 + (region.y > 0 ? on : 0);
    let inner = '';
    let frame = '';
    for (let x = region.x; x <= right; x++) {
        const line = `M${g.x(x)} ${high}V${low}`;
        if (x === 0 || x === rules.width - 1) frame += line;
        else inner += line;
    }
    for (let y = region.y; y <= top; y++) {
        const line = `M${from} ${g.y(y)}H${to}`;
        if (y === 0 || y === rules.height - 1) frame += line;
        else inner += line;
    }
    const dots = starPoints(rules)
        .filter(({ x, y }) => x >= region.x && x <= right && y >= region.y && y <= top)
        .map(({ x, y }) =>
            s('circle', { class: 'star', cx: g.x(x), cy: g.y(y), r: Math.max(1.5, Math.min(3, 0.07 * g.cell)) }),
        );
    return s(
        'g',
        { class: g.cell < FINE_BELOW ? 'grid fine' : 'grid' },
        s('path', { class: 'inner', d: inner }),
        s('path', { class: 'frame', d: frame }),
        dots,
    );
}

function wells(g) {
    const group = s('g', { class: 'wells' });
    const { region } = g;
    for (let x = region.x; x < region.x + region.width; x++) {
        for (let y = region.y; y < region.y + region.height; y++) {
            group.append(s('circle', { class: 'well', cx: g.x(x), cy: g.y(y), r: g.radius }));
        }
    }
    return group;
}

/** The coordinates to draw: all n or, if these would overlap, the first, every fifth and the last one. */
function written(n, g, names) {
    const step = g.cell < 20 ? 5 : 1;
    const out = [];
    for (let i = 0; i < n; i++) {
        const shown = step === 1 || i === 0 || (i + 1) % step === 0 || i === n - 1;
        // The last one is drawn only if the previous one leaves space.
        if (shown && !(i !== n - 1 && n - 1 - i < 3 && step > 1 && (i + 1) % step === 0))
            out.push({ i, name: names(i) });
    }
    return out;
}

/** Coordinates outside the paper, in groups that stay in view while the board is panned. */
export function drawCoordinates(g) {
    const columns = s('g', { class: 'coordinates columns' });
    const rows = s('g', { class: 'coordinates rows' });
    const name = g.named ? columnName : (x) => String(x + 1);
    columns.append(
        s('rect', { class: 'backing', x: 0, y: g.boardHeight, width: g.width, height: g.height - g.boardHeight }),
    );
    for (const { i, name: text } of written(g.region.width, g, (x) => name(x + g.region.x))) {
        columns.append(
            s(
                'text',
                { 'data-x': i + g.region.x, x: g.x(i + g.region.x), y: g.boardHeight + 19, 'text-anchor': 'middle' },
                text,
            ),
        );
    }
    if (g.named) {
        rows.append(s('rect', { class: 'backing', x: 0, y: 0, width: g.left, height: g.boardHeight }));
        for (const { i, name: text } of written(g.region.height, g, (y) => String(y + g.region.y + 1))) {
            rows.append(
                s(
                    'text',
                    {
                        'data-y': i + g.region.y,
                        x: g.left - (g.tight ? 5 : 10),
                        y: g.y(i + g.region.y),
                        dy: '0.35em',
                        'text-anchor': 'end',
                    },
                    text,
                ),
            );
        }
    }
    const corner = s(
        'g',
        { class: 'coordinates' },
        s('rect', { class: 'backing', x: 0, y: g.boardHeight, width: g.left, height: g.height - g.boardHeight }),
    );
    return { rows, columns, corner };
}
