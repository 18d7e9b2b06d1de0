// Geometry of a drawn board in pixels, y downwards; column 0 is on the left, row 0 at the bottom.

/** @typedef {import('../rules.js').Rules} Rules */

export const STRIP = 24; // pixels for the coordinates, on the left and below
const SMALL = 9.5; // pixels; a smaller margin would cut off stones at the edge of boards with tiny cells

/** Sizes as fractions of a cell. */
export const PART = { stone: 0.44, disc: 0.41, window: 0.98, inset: 0.26, tag: 0.24, answer: 0.27, bar: 0.14 };

export class Geometry {
    /**
     * @param {Rules} rules
     * @param {number} cell size in pixels
     * @param {{coordinates?: boolean, named?: boolean, tight?: boolean, region?: {x: number, y: number, width: number, height: number}}} options
     *     named: columns have letters and rows have numbers with gravity too; tight: smaller margin, for phones;
     *     region: the part to draw
     */
    constructor(rules, cell, { coordinates = true, named = false, tight = false, region } = {}) {
        this.rules = rules;
        this.cell = cell;
        this.falls = rules.gravity;
        this.region = region ?? { x: 0, y: 0, width: rules.width, height: rules.height };
        this.coordinates = coordinates;
        this.tight = tight;
        this.margin = margin(rules, cell, tight);
        this.named = named || !rules.gravity;
        this.left = coordinates && this.named ? STRIP : 0;
        const across = this.falls ? this.region.width : this.region.width - 1;
        const down = this.falls ? this.region.height : this.region.height - 1;
        this.boardWidth = across * cell + 2 * this.margin;
        this.boardHeight = down * cell + 2 * this.margin;
        this.width = this.left + this.boardWidth;
        this.height = this.boardHeight + (coordinates ? STRIP : 0);
        this.radius = cell * (this.falls ? PART.disc : PART.stone);
        this.radiusOfBoard = this.falls ? Math.min(16, cell / 4) : Math.min(6, cell / 4);
    }

    x(column) {
        return this.left + this.margin + (column - this.region.x + (this.falls ? 0.5 : 0)) * this.cell;
    }

    y(row) {
        return this.boardHeight - this.margin - (row - this.region.y + (this.falls ? 0.5 : 0)) * this.cell;
    }

    /** The cell at a point; null outside the board. */
    at(px, py) {
        const shift = this.falls ? 0.5 : 0;
        const x = Math.round((px - this.left - this.margin) / this.cell - shift) + this.region.x;
        const y = Math.round((this.boardHeight - this.margin - py) / this.cell - shift) + this.region.y;
        const { region } = this;
        const inside = x >= region.x && x < region.x + region.width && y >= region.y && y < region.y + region.height;
        return inside ? { x, y } : null;
    }
}

function margin(rules, cell, tight) {
    if (rules.gravity) return 0.136 * cell;
    return Math.max(SMALL, (tight ? 0.53 : 0.62) * cell);
}

/** The largest cell size, in whole pixels, at which a board fits. */
export function fitCell(rules, width, height, options) {
    const fits = (cell) => {
        const geometry = new Geometry(rules, cell, options);
        return geometry.width <= width && geometry.height <= height;
    };
    let cell = Math.max(1, Math.floor(Math.min(width / rules.width, height / rules.height)) + 8);
    while (cell > 4 && !fits(cell)) cell--;
    return cell;
}

/**
 * Star points as on boards for Go, Gomoku and Renju: where the fourth lines from the edges cross (the third lines on
 * sides of 9 to 12 lines), the centre, and from 17 lines on the middles of the fourth lines. Sides with an even number of
 * lines have no middle; boards with less than 9 lines have no points.
 */
export function starPoints(rules) {
    const { width, height } = rules;
    if (Math.min(width, height) < 9) return [];
    const along = (n) => {
        const edge = n < 13 ? 2 : 3;
        return { ends: [edge, n - 1 - edge], middle: n % 2 === 1 ? [(n - 1) / 2] : [], isLong: n >= 17 };
    };
    const [across, up] = [along(width), along(height)];
    const crossing = (xs, ys) => xs.flatMap((x) => ys.map((y) => ({ x, y })));
    return [
        ...crossing(across.ends, up.ends),
        ...crossing(across.middle, up.middle),
        ...(across.isLong ? crossing(across.middle, up.ends) : []),
        ...(up.isLong ? crossing(across.ends, up.middle) : []),
    ];
}
