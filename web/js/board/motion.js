// Short animations; disabled if the user prefers reduced motion.

const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

const EASE = 'cubic-bezier(0.2, 0.8, 0.3, 1)';

export function grow(node) {
    if (!still())
        node.animate([{ transform: 'scale(0.9)' }, { transform: 'scale(1)' }], { duration: 120, easing: EASE });
}

/** @param {number} pixels distance @param {number} rows distance in rows: 60 ms per row, at most 300 ms */
export function fall(node, pixels, rows) {
    if (still()) return;
    node.animate([{ transform: `translateY(${-pixels}px)` }, { transform: 'translateY(0)' }], {
        duration: Math.min(300, 60 * rows),
        easing: 'cubic-bezier(0.5, 0, 0.9, 0.6)',
    });
}

/** Animates the drawing of a path from start to end. */
export function sweep(path) {
    if (still()) return;
    const length = path.getTotalLength();
    path.animate([{ strokeDasharray: `0 ${length}` }, { strokeDasharray: `${length} 0` }], {
        duration: 320,
        easing: EASE,
    });
}
