// Small pictures of rules and presets, drawn from the rules themselves.
import { s } from '../lib/dom.js';
import { drawStone, drawGhost } from '../board/stones.js';

const WIDTH = 132;
const HEIGHT = 62;

const frame = (falls, width, ...parts) =>
    s(
        'svg',
        {
            class: falls ? 'still picture falls' : 'still picture',
            viewBox: `0 0 ${width} ${HEIGHT}`,
            preserveAspectRatio: 'xMidYMid slice',
            'aria-hidden': 'true',
        },
        s('rect', { class: 'picture-paper', width, height: HEIGHT, rx: 4 }),
        parts,
    );

function lines(step, dx, dy, width) {
    let d = '';
    for (let x = dx; x < width; x += step) d += `M${x} 0V${HEIGHT}`;
    for (let y = dy; y < HEIGHT; y += step) d += `M0 ${y}H${width}`;
    return s('g', { class: 'grid' }, s('path', { class: 'inner', d }));
}

function stone(x, y, side, { radius = 8, falls = false, number = null, state = '', last = false } = {}) {
    const node = drawStone({ side, last, number, state }, { radius, falls });
    node.setAttribute('transform', `translate(${x} ${y})`);
    return node;
}

const bar = (x1, y1, x2, y2) => s('path', { class: 'win-bar', d: `M${x1} ${y1}L${x2} ${y2}`, 'stroke-width': 3.5 });

/** A row of at most 12 stones that fits into the width; a bar marks winning stones. */
function rowOf(n, y, width, { state = 'won', side = 'first' } = {}) {
    const shown = Math.min(n, 12);
    const step = Math.min(18, (width - 32) / Math.max(1, shown - 1));
    const radius = Math.min(8, step * 0.44);
    const at = (i) => 16 + i * step;
    const stones = Array.from({ length: shown }, (_, i) => stone(at(i), y, side, { radius, state }));
    return { parts: [state === 'won' ? bar(at(0), y, at(shown - 1), y) : null, ...stones], end: at(shown - 1) + step };
}

const cross = (x, y) =>
    s('path', {
        class: 'picture-cross',
        d: `M${x - 6} ${y - 6}L${x + 6} ${y + 6}M${x + 6} ${y - 6}L${x - 6} ${y + 6}`,
    });
const arrow = (d) => s('path', { class: 'picture-arrow', d });

function wells(columns, rows, filled, more = []) {
    const width = WIDTH;
    const step = 20;
    const left = (width - (columns - 1) * step) / 2;
    const y = (row) => HEIGHT - 11 - row * step;
    const holes = [];
    for (let c = 0; c < columns; c++) {
        for (let r = 0; r < rows; r++) holes.push(s('circle', { class: 'well', cx: left + c * step, cy: y(r), r: 8 }));
    }
    return frame(
        true,
        width,
        holes,
        filled.map(([c, r, side]) => stone(left + c * step, y(r), side, { falls: true, radius: 8 })),
        more,
    );
}

/** One picture per rule, drawn with the given numbers. */
export const pictures = {
    board: (rules) => {
        const step = Math.max(3, Math.min(18, WIDTH / Math.max(2, rules.width)));
        return frame(
            false,
            WIDTH,
            lines(step, step / 2, step / 2, WIDTH),
            arrow(`M66 6V56M62 10L66 5L70 10M62 52L66 57L70 52M10 31H122M15 27L10 31L15 35M117 27L122 31L117 35`),
        );
    },
    k: (rules) => frame(false, WIDTH, lines(18, 16, 13, WIDTH), rowOf(rules.k, 31, WIDTH).parts),
    p: (rules) => {
        const places = [
            [35, 12],
            [76, 50],
            [112, 22],
            [16, 50],
            [94, 12],
            [54, 50],
            [112, 50],
            [16, 22],
            [54, 12],
        ].slice(0, rules.p);
        const tie =
            places.length > 1
                ? s('path', { class: 'tie', d: places.map(([x, y], i) => `${i ? 'L' : 'M'}${x} ${y}`).join('') })
                : null;
        return frame(
            false,
            WIDTH,
            lines(20, 16, 11, WIDTH),
            tie,
            stone(56, 31, 'first'),
            stone(76, 31, 'second'),
            stone(96, 31, 'first'),
            places.map(([x, y]) => stone(x, y, 'second', { last: true })),
        );
    },
    q: (rules) => {
        const places = [
            [56, 31],
            [76, 11],
            [76, 31],
            [56, 51],
            [96, 31],
            [96, 11],
            [36, 31],
            [76, 51],
            [36, 11],
            [96, 51],
            [36, 51],
            [116, 31],
        ];
        const side = (i) => (i < rules.q || Math.floor((i - rules.q) / rules.p) % 2 === 1 ? 'first' : 'second');
        const shown = Math.min(places.length, rules.q + 2 * rules.p);
        return frame(
            false,
            WIDTH,
            lines(20, 16, 11, WIDTH),
            places.slice(0, shown).map(([x, y], i) => stone(x, y, side(i), { number: i + 1 })),
        );
    },
    gravity: () =>
        wells(
            6,
            3,
            [
                [1, 0, 'first'],
                [2, 0, 'second'],
                [3, 0, 'first'],
            ],
            [ghostAt(76, 31), arrow('M76 2V18M72 14L76 19L80 14')],
        ),
    exact: (rules) => {
        const right = rowOf(rules.k, 22, WIDTH - 12);
        const longer = rowOf(rules.k + 1, 42, WIDTH - 12, { state: 'dim' });
        return frame(
            false,
            WIDTH,
            lines(18, 16, 4, WIDTH),
            right.parts,
            longer.parts,
            cross(Math.min(WIDTH - 9, longer.end), 42),
        );
    },
};

function ghostAt(x, y) {
    const node = drawGhost('second', { radius: 8, falls: true });
    node.setAttribute('transform', `translate(${x} ${y})`);
    return node;
}

const stones = (list, side, options) => list.map(([x, y]) => stone(x, y, side, { radius: 6.6, ...options }));

const gomoku = () =>
    frame(
        false,
        WIDTH,
        lines(15, 6, 13, WIDTH),
        stones(
            [
                [36, 43],
                [51, 28],
                [66, 28],
                [81, 28],
                [96, 28],
            ],
            'first',
        ),
        stones(
            [
                [51, 13],
                [96, 13],
                [66, 43],
                [81, 43],
            ],
            'second',
        ),
    );
const connect6 = () =>
    frame(
        false,
        WIDTH,
        lines(13, 7, 3, WIDTH),
        stones(
            [
                [33, 29],
                [46, 29],
                [59, 29],
                [72, 29],
                [85, 29],
                [98, 29],
            ],
            'first',
            { radius: 5.8 },
        ),
        stones(
            [
                [46, 16],
                [72, 16],
                [46, 42],
                [59, 42],
            ],
            'second',
            { radius: 5.8 },
        ),
    );
const connect4 = () =>
    wells(6, 3, [
        [1, 0, 'second'],
        [2, 0, 'first'],
        [3, 0, 'first'],
        [4, 0, 'second'],
        [5, 0, 'second'],
        [0, 0, 'first'],
        [2, 1, 'second'],
        [3, 1, 'first'],
        [4, 1, 'first'],
        [4, 2, 'first'],
    ]);
const standard = () => {
    const five = [
        [36, 14],
        [51, 14],
        [66, 14],
        [81, 14],
        [96, 14],
    ];
    const six = [
        [22, 46],
        [37, 46],
        [52, 46],
        [67, 46],
        [82, 46],
        [97, 46],
    ];
    return frame(
        false,
        WIDTH,
        lines(15, 6, 14, WIDTH),
        bar(36, 14, 96, 14),
        stones(five, 'first', { state: 'won' }),
        stones(six, 'first', { state: 'dim' }),
        cross(114, 46),
    );
};
const tictactoe = () =>
    frame(
        false,
        WIDTH,
        s('g', { class: 'grid' }, s('path', { class: 'frame', d: 'M58 6V56M74 6V56M42 23H90M42 39H90' })),
        stones(
            [
                [84, 13],
                [66, 31],
                [50, 48],
            ],
            'first',
            { radius: 5.5 },
        ),
        stones(
            [
                [50, 13],
                [82, 48],
            ],
            'second',
            { radius: 5.5 },
        ),
    );
const own = () =>
    frame(
        false,
        WIDTH,
        lines(13, 7, 5, WIDTH),
        s('path', { class: 'picture-arrow', d: 'M36 31H56M76 31H96M66 11V20M66 42V51' }),
        s('text', { class: 'picture-k', x: 66, y: 37 }, 'k'),
    );

/** @type {[string|null, string, string, () => SVGElement][]} game, name, words, picture */
export const PRESETS = [
    ['15x15:k=5', 'Gomoku', '15 × 15, five', gomoku],
    ['19x19:k=6,p=2,q=1', 'Connect6', '19 × 19, six, two stones', connect6],
    ['7x6:k=4,gravity', 'Connect Four', '7 × 6, four, falling', connect4],
    ['15x15:k=5,exact', 'Standard Gomoku', 'exactly five', standard],
    ['3x3:k=3', 'Tic-tac-toe', '3 × 3, three', tictactoe],
    [null, 'Custom', 'any m, n, k, p, q', own],
];
