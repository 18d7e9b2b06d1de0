// The lens: an enlarged part of a board with tiny cells. It follows the pointer or the keyboard.
import { h, replace } from '../lib/dom.js';
import { parseCell } from '../rules.js';
import { drawStill } from './still.js';

const SIDE = 13; // cells

export class Lens {
    /** @param {import('./board.js').Board} board */
    constructor(board) {
        this.board = board;
        this.centre = null;
        this.picture = h('div', { class: 'lens-picture' });
        this.element = h(
            'figure',
            { class: 'lens' },
            this.picture,
            h(
                'figcaption',
                { class: 'row between small quiet' },
                'Lens, follows the pointer or the keyboard',
                h('kbd', {}, 'L'),
            ),
        );
        board.on('hover', (cell) => {
            if (!cell) return;
            this.centre = parseCell(cell);
            this.draw();
        });
    }

    /** Draws the part around the centre; initially, around the last turn. */
    draw() {
        const { view } = this.board;
        if (this.element.hidden || !view) {
            this.board.frame(null);
            return;
        }
        const { rules } = view;
        const last = view.last.length > 0 ? parseCell(view.last[0]) : { x: rules.width >> 1, y: rules.height >> 1 };
        const region = around(this.centre ?? last, rules);
        replace(
            this.picture,
            drawStill(
                { ...view, marks: this.board.marks.filter((mark) => inside(mark, region)) },
                { cell: 28, region },
            ),
        );
        this.board.frame(region);
    }
}

function around(centre, rules) {
    const width = Math.min(SIDE, rules.width);
    const height = Math.min(SIDE, rules.height);
    const clamp = (n, size, all) => Math.max(0, Math.min(all - size, n - (size >> 1)));
    return { x: clamp(centre.x, width, rules.width), y: clamp(centre.y, height, rules.height), width, height };
}

function inside(mark, region) {
    return mark.cells.every((name) => {
        const { x, y } = parseCell(name);
        return x >= region.x && x < region.x + region.width && y >= region.y && y < region.y + region.height;
    });
}
