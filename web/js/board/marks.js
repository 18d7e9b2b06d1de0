// Marks drawn over and under the stones: windows with their tags, answers, scores, areas, chains.
import { s } from '../lib/dom.js';
import { parseCell } from '../rules.js';
import { signed } from '../texts.js';
import { PART } from './geometry.js';
import { diamond, drawGhost } from './stones.js';

/**
 * @typedef {{kind: 'window', cells: string[], side: 'first'|'second', label?: string}
 *   | {kind: 'answer', cells: string[], shown: boolean}
 *   | {kind: 'score', cells: string[], text: string, brief?: string, best: boolean, tone: number} brief: for small cells
 *   | {kind: 'number', cells: string[], value: string|number, filled?: boolean}
 *   | {kind: 'cell', cells: string[], text?: string, tone?: number}
 *   | {kind: 'chain', cells: string[], side: 'first'|'second', label?: string, shown: boolean}
 *   | {kind: 'area', cells: string[], side?: 'first'|'second', tone?: number}
 *   | {kind: 'stone', cells: string[], side: 'first'|'second', value?: number}} Mark
 */

const LEGIBLE = 26; // minimum pixels per cell for a legible score
const ROOMY = 36; // minimum pixels per cell for decimals
const NUMBERED = 24; // cells whose score is shown in digits

/** @param {Mark[]} marks @param {import('./geometry.js').Geometry} g @returns {{below: SVGElement, above: SVGElement}} */
export function drawMarks(marks, g) {
    const below = s('g', { class: 'marks-below' });
    const above = s('g', { class: 'marks-above' });
    const windows = marks.filter((mark) => mark.kind === 'window' && mark.cells.length > 0);
    for (const mark of marks.filter(({ kind }) => kind === 'area')) below.append(drawArea(mark, g));
    const levels = windows.map((window, i) => overlapLevel(windows, i));
    windows.forEach((window, i) => below.append(drawWindow(window, levels[i], g)));
    for (const mark of marks) {
        const draw = ABOVE[mark.kind];
        if (draw) above.append(draw(mark, g));
    }
    above.append(drawTags(windows, g));
    return { below, above };
}

const point = (name, g) => {
    const { x, y } = parseCell(name);
    return { x: g.x(x), y: g.y(y) };
};

const ends = (window) => [parseCell(window.cells[0]), parseCell(window.cells[window.cells.length - 1])];

const step = (window) => {
    const [a, b] = ends(window);
    return { dx: Math.sign(b.x - a.x), dy: Math.sign(b.y - a.y) };
};

/** The number of earlier windows on the same line that share cells with this one; they alternate between two widths. */
function overlapLevel(windows, index) {
    const own = windows[index];
    const { dx, dy } = step(own);
    let level = 0;
    for (const other of windows.slice(0, index)) {
        const { dx: ox, dy: oy } = step(other);
        const parallel = dx * oy === dy * ox;
        if (parallel && other.cells.filter((cell) => own.cells.includes(cell)).length > 1) level++;
    }
    return level % 2;
}

function drawWindow(window, level, g) {
    const a = point(window.cells[0], g);
    const b = point(window.cells[window.cells.length - 1], g);
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    const width = (PART.window - level * PART.inset) * g.cell;
    const angle = (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
    return s('rect', {
        class: `window ${window.side}`,
        x: -width / 2,
        y: -width / 2,
        width: length + width,
        height: width,
        rx: width / 2,
        transform: `translate(${a.x} ${a.y}) rotate(${angle})`,
    });
}

/** Positions for a tag, best first: corners between cells beyond the ends of a window, never on a stone. */
function corners(window) {
    const [a, b] = ends(window);
    const { dx, dy } = step(window);
    const upper = b.y > a.y || (b.y === a.y && b.x < a.x) ? [b, 1] : [a, -1];
    const lower = upper[0] === b ? [a, -1] : [b, 1];
    return [upper, lower].flatMap(([end, sign]) => {
        const ox = dx === 0 ? 1 : sign * dx;
        const oy = dy === 0 ? 1 : sign * dy;
        const other = dx === 0 ? { x: -ox, y: oy } : dy === 0 ? { x: ox, y: -oy } : { x: ox, y: -oy };
        return [
            { x: end.x + 0.5 * ox, y: end.y + 0.5 * oy },
            { x: end.x + 0.5 * other.x, y: end.y + 0.5 * other.y },
        ];
    });
}

function tag(label, side, x, y, g) {
    const r = Math.max(7, PART.tag * g.cell);
    return s(
        'g',
        { class: `tag ${side}`, transform: `translate(${x} ${y})` },
        s('circle', { r }),
        s('text', { dy: '0.36em', 'font-size': (1.15 * r).toFixed(1) }, label),
    );
}

function drawTags(windows, g) {
    const group = s('g', { class: 'tags' });
    const used = new Set();
    for (const window of windows.filter(({ label }) => label)) {
        const places = corners(window);
        const place = places.find(({ x, y }) => !used.has(`${x},${y}`)) ?? places[0];
        used.add(`${place.x},${place.y}`);
        group.append(tag(window.label, window.side, g.x(place.x), g.y(place.y), g));
    }
    return group;
}

/** Tints whole cells; `tone`, 0 to 1, is the intensity. */
function drawArea(mark, g) {
    const group = s('g', { class: `area ${mark.side ?? ''}` });
    const opacity = (0.06 + 0.34 * (mark.tone ?? 0.4)).toFixed(2);
    for (const cell of mark.cells) {
        const { x, y } = point(cell, g);
        group.append(
            s('rect', { x: x - g.cell / 2, y: y - g.cell / 2, width: g.cell, height: g.cell, 'fill-opacity': opacity }),
        );
    }
    return group;
}

function drawAnswer(mark, g) {
    const half = Math.max(4, PART.answer * g.cell);
    return s(
        'g',
        { class: mark.shown ? 'answer shown' : 'answer' },
        mark.cells.map((cell) => {
            const { x, y } = point(cell, g);
            return s('path', { d: diamond(x, y, half) });
        }),
    );
}

/** A score on a cell. A score without text is a tinted dot, so that every playable cell has a colour. */
function drawScore(mark, g) {
    const { x, y } = point(mark.cells[0], g);
    const legible = mark.text !== '' && g.cell >= LEGIBLE;
    const r = (legible || mark.best ? 0.4 : 0.12) * g.cell;
    const tinted = !mark.best && mark.tone > 0;
    const group = s('g', {
        class: mark.best ? 'score best' : tinted ? 'score' : 'score plain',
        transform: `translate(${x} ${y})`,
    });
    group.append(s('circle', { class: 'score-under', r }));
    if (tinted)
        group.append(
            s('circle', {
                class: 'score-tint',
                r,
                'fill-opacity': ((legible ? 0.08 : 0.3) + 0.34 * mark.tone).toFixed(2),
            }),
        );
    if (legible) {
        const text = g.cell < ROOMY ? (mark.brief ?? mark.text) : mark.text;
        const size = Math.max(8, Math.min(15, 0.36 * g.cell, (1.9 * r) / (0.62 * text.length)));
        group.append(s('text', { dy: '0.36em', 'font-size': size.toFixed(1) }, text));
    }
    return group;
}

function drawNumber(mark, g) {
    const { x, y } = point(mark.cells[0], g);
    const half = 0.29 * g.cell;
    return s(
        'g',
        { class: mark.filled ? 'square filled' : 'square', transform: `translate(${x} ${y})` },
        s('rect', { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: Math.min(4, half / 2) }),
        s('text', { dy: '0.36em', 'font-size': (1.2 * half).toFixed(1) }, String(mark.value)),
    );
}

function drawCell(mark, g) {
    const text = mark.text ?? '';
    const r = 0.4 * g.cell;
    return s(
        'g',
        {},
        mark.cells.map((cell) => {
            const { x, y } = point(cell, g);
            return s(
                'g',
                { class: 'score', transform: `translate(${x} ${y})` },
                s('circle', { class: 'score-under', r }),
                s('circle', { class: 'score-tint', r, 'fill-opacity': (0.08 + 0.34 * (mark.tone ?? 0.5)).toFixed(2) }),
                text &&
                    s(
                        'text',
                        {
                            dy: '0.36em',
                            'font-size': Math.max(8, Math.min(0.36 * g.cell, (1.7 * r) / (0.62 * text.length))).toFixed(
                                1,
                            ),
                        },
                        text,
                    ),
            );
        }),
    );
}

/** A line through the stones of a chain; dashed if the chain does not count. */
function drawChain(mark, g) {
    const side = mark.side ?? 'first';
    const points = mark.cells.map((cell) => point(cell, g));
    const path = points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
    const group = s(
        'g',
        { class: `chain ${side}${mark.shown ? '' : ' broken'}` },
        s('path', { class: 'casing', d: path }),
        s('path', { d: path }),
    );
    for (const { x, y } of points) group.append(s('circle', { cx: x, cy: y, r: Math.max(2.5, 0.1 * g.cell) }));
    if (mark.label) group.append(tag(mark.label, side, points[0].x - g.cell / 2, points[0].y - g.cell / 2, g));
    return group;
}

/** A future stone, drawn as a ghost with its number. */
function drawFuture(mark, g) {
    const number = mark.value ?? null;
    return s(
        'g',
        {},
        mark.cells.map((cell) => {
            const { x, y } = point(cell, g);
            const ghost = drawGhost(mark.side ?? 'first', g);
            if (number !== null)
                ghost.append(
                    s(
                        'text',
                        { class: 'ghost-number', dy: '0.36em', 'font-size': (0.82 * g.radius).toFixed(1) },
                        String(number),
                    ),
                );
            ghost.setAttribute('transform', `translate(${x} ${y})`);
            return ghost;
        }),
    );
}

const ABOVE = {
    answer: drawAnswer,
    score: drawScore,
    number: drawNumber,
    cell: drawCell,
    chain: drawChain,
    stone: drawFuture,
};

/** Scores at least this far from 0 count as decided and are shown without digits. */
export const DECIDED = 100;

function scoreTexts(score) {
    if (Math.abs(score) >= DECIDED)
        return score > 0 ? { text: 'win', brief: '++' } : { text: 'loss', brief: '\u2212\u2212' };
    const digits = Math.abs(score) < 9.95 ? 1 : 0;
    const exact = Number(score.toFixed(digits));
    return { text: exact === 0 ? '0' : `${signed(Math.sign(exact))[0]}${Math.abs(exact).toFixed(digits)}`, brief: signed(Math.round(score)) };
}

/**
 * Scores of cells as marks: the best is filled, the others are tinted by their distance from it. Only the highest
 * scores have digits; the other cells were searched only briefly.
 * @param {Record<string, number>} cells scores for the side to move @param {string[]} best cells of the best line
 */
export function scoreMarks(cells, best) {
    const entries = Object.entries(cells)
        .filter(([, score]) => Number.isFinite(score))
        .sort((a, b) => b[1] - a[1]);
    if (entries.length === 0) return [];
    const top = entries[0][1];
    const reach = Math.max(1, top - Math.max(0, entries[entries.length - 1][1]));
    const chosen = new Set(best.length > 0 ? best : [entries[0][0]]);
    return entries.map(([cell, score], i) => ({
        kind: 'score',
        cells: [cell],
        ...(i < NUMBERED || chosen.has(cell) ? scoreTexts(score) : { text: '' }),
        best: chosen.has(cell),
        tone: score < 0 ? 0 : Math.max(0.05, 1 - (top - score) / reach),
    }));
}
