// The first side's winning chance over a whole game, with turning points.
import { h, replace, s } from '../lib/dom.js';

const WIDTH = 456;
const HEIGHT = 76;
const BELOW = 28;
const DIGIT = 8; // width of a digit of a label

export class Curve {
    /** @param {(node: number|null) => void} onChoose */
    constructor(onChoose) {
        this.onChoose = onChoose;
        this.element = h('div', { class: 'curve' });
    }

    /**
     * @param {{points: {ply: number, node: number|null, chance_first: number}[], turning: {ply: number, side: string}[]}} scan
     * @param {number} last the last turn of the game @param {number|null} current the turn shown on the board
     */
    draw(scan, last, current, describe) {
        const end = Math.max(2, last);
        const x = (ply) => 6 + ((Math.max(1, ply) - 1) / (end - 1)) * (WIDTH - 12);
        const y = (chance) => 1.5 + (1 - chance) * (HEIGHT - 3);
        const points = scan.points.filter((point) => point.chance_first !== null).sort((a, b) => a.ply - b.ply);
        const path = points
            .map((point, i) => `${i === 0 ? 'M' : 'L'}${x(point.ply).toFixed(1)} ${y(point.chance_first).toFixed(1)}`)
            .join('');
        const svg = s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT + BELOW}`, role: 'img', 'aria-label': describe });
        svg.append(s('rect', { class: 'curve-paper', width: WIDTH, height: HEIGHT, rx: 4 }));
        if (points.length > 1) {
            svg.append(
                s('path', {
                    class: 'curve-area',
                    d: `${path}L${x(points[points.length - 1].ply).toFixed(1)} ${HEIGHT}L${x(points[0].ply).toFixed(1)} ${HEIGHT}Z`,
                }),
            );
        }
        svg.append(
            s('path', { class: 'curve-middle', d: `M0 ${HEIGHT / 2}H${WIDTH}` }),
            s('path', { class: 'curve-line', d: path }),
        );
        for (const turn of scan.turning)
            svg.append(s('path', { class: `curve-turn ${turn.side}`, d: `M${x(turn.ply)} ${HEIGHT + 4}l5 7h-10z` }));
        svg.append(...labels(scan.turning, last, x));
        if (current !== null)
            this.#cursor(
                svg,
                x(current),
                points.find((point) => point.ply === current),
                y,
            );
        svg.addEventListener('click', (event) => {
            const box = svg.getBoundingClientRect();
            const ply = ((((event.clientX - box.left) / box.width) * WIDTH - 6) / (WIDTH - 12)) * (end - 1) + 1;
            const nearest = points.reduce(
                (best, point) => (!best || Math.abs(point.ply - ply) < Math.abs(best.ply - ply) ? point : best),
                null,
            );
            if (nearest) this.onChoose(nearest.node);
        });
        replace(this.element, svg);
    }

    #cursor(svg, at, point, y) {
        svg.append(s('path', { class: 'curve-cursor', d: `M${at} 0V${HEIGHT}` }));
        if (point) svg.append(s('circle', { class: 'curve-dot', cx: at, cy: y(point.chance_first), r: 4 }));
    }
}

/** The numbers of turns below the curve: of turning points, then of both ends, as far as they do not overlap. */
function labels(turning, last, x) {
    const wanted = [
        ...turning.map(({ ply }) => ({ text: String(ply), at: x(ply), more: 'strong' })),
        { text: 'turn 1', at: 0, more: '' },
        { text: String(last), at: WIDTH, more: '' },
    ];
    const placed = [];
    for (const { text, at, more } of wanted) {
        const half = (text.length * DIGIT) / 2;
        const middle = Math.max(half, Math.min(WIDTH - half, at));
        if (placed.some((other) => Math.abs(other.middle - middle) < other.half + half)) continue;
        placed.push({ text, middle, half, more });
    }
    return placed.map(({ text, middle, more }) =>
        s('text', { class: `curve-label ${more}`, x: middle, y: HEIGHT + 24, 'text-anchor': 'middle' }, text),
    );
}
