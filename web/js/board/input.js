// Mouse, pen and touch: hover, click, tap to select, pinch to zoom. Panning is the browser's own scrolling.

const MOST_ZOOM = 4;

export class BoardInput {
    /** @param {import('./board.js').Board} board */
    constructor(board) {
        this.board = board;
        this.touches = new Map();
        this.pinch = null;
        const cells = board.grid.element;
        cells.addEventListener('pointermove', (event) => this.#move(event));
        cells.addEventListener('pointerleave', () => board.hover(null));
        cells.addEventListener('click', (event) => this.#click(event));
        const { element } = board;
        element.addEventListener('pointerdown', (event) => this.#down(event));
        element.addEventListener('pointermove', (event) => this.#stretch(event));
        for (const end of ['pointerup', 'pointercancel', 'pointerleave'])
            element.addEventListener(end, (event) => this.#up(event));
    }

    #cell(event) {
        const box = this.board.svg.getBoundingClientRect();
        return this.board.geometry.at(event.clientX - box.left, event.clientY - box.top);
    }

    #move(event) {
        if (event.pointerType === 'touch') return;
        this.board.hover(this.#cell(event));
    }

    #click(event) {
        const cell = this.#cell(event);
        if (!cell || this.pinched) return;
        this.board.grid.activate(cell, false);
        this.board.grid.focus();
        const touch = event.pointerType === 'touch' || (!event.pointerType && matchMedia('(pointer: coarse)').matches);
        if (touch && this.board.aims) this.board.aim(cell);
        else this.board.choose(cell);
    }

    #down(event) {
        if (event.pointerType !== 'touch') return;
        this.touches.set(event.pointerId, event);
        this.pinched = false;
        if (this.touches.size === 2) {
            const [a, b] = [...this.touches.values()];
            this.pinch = { distance: apart(a, b), zoom: this.board.zoom, ratio: 1 };
        }
    }

    #stretch(event) {
        if (!this.touches.has(event.pointerId)) return;
        this.touches.set(event.pointerId, event);
        if (!this.pinch || this.touches.size !== 2) return;
        const [a, b] = [...this.touches.values()];
        const wanted = this.pinch.zoom * (apart(a, b) / this.pinch.distance);
        this.pinch.ratio = Math.min(MOST_ZOOM, Math.max(1, wanted)) / this.pinch.zoom;
        this.pinched = true;
        // During a pinch the drawing is only scaled; it is redrawn when the fingers are lifted.
        this.board.element.classList.add('pinching');
        this.board.inner.style.transform = `scale(${this.pinch.ratio})`;
    }

    #up(event) {
        if (!this.touches.delete(event.pointerId) || !this.pinch || this.touches.size > 1) return;
        const { zoom, ratio } = this.pinch;
        this.pinch = null;
        this.board.inner.style.transform = '';
        const { element } = this.board;
        element.classList.remove('pinching');
        const x = (element.scrollLeft + element.clientWidth / 2) * ratio;
        const y = (element.scrollTop + element.clientHeight / 2) * ratio;
        this.board.setZoom(zoom * ratio);
        element.scrollTo(x - element.clientWidth / 2, y - element.clientHeight / 2);
    }
}

const apart = (a, b) => Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
