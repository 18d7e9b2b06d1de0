// Stones with their numbers and last-turn marks.
import { s } from '../lib/dom.js';

export const diamond = (x, y, half) => `M${x} ${y - half}L${x + half} ${y}L${x} ${y + half}L${x - half} ${y}Z`;

const FLAT_BELOW = 9; // pixels of radius; smaller stones have no shadow and no gradient

/**
 * The disc of a stone, centred at the origin.
 * @param {'first'|'second'} side
 * @param {{radius: number, falls: boolean}} size
 */
function body(side, { radius, falls }) {
    const flat = radius < FLAT_BELOW;
    const parts = [];
    if (!flat && !falls) parts.push(s('circle', { class: 'shadow', r: radius, cy: 0.09 * radius }));
    const fill = flat ? null : `url(#${falls ? 'disc' : 'stone'}-${side})`;
    parts.push(s('circle', { class: `disc ${side}${flat ? ' flat' : ''}`, r: radius - 0.5, fill }));
    if (falls && side === 'second') parts.push(s('circle', { class: 'ring', r: 0.6 * radius }));
    return parts;
}

/**
 * @param {{side: 'first'|'second', last: boolean, number: number|null, state: ''|'won'|'dim'}} stone
 */
export function drawStone(stone, size) {
    const { radius } = size;
    const classes = ['stone', stone.side, stone.last ? 'last' : '', stone.state].filter(Boolean).join(' ');
    const group = s('g', { class: classes });
    // A dimmed stone is drawn over an opaque disc, so that no board line shows through.
    if (stone.state === 'dim') group.append(s('circle', { class: 'under', r: radius }));
    const disc = s('g', { class: 'body' }, body(stone.side, size));
    group.append(disc);
    if (stone.state === 'won')
        group.append(
            s('circle', {
                class: 'win-ring',
                r: radius - 0.075 * radius,
                'stroke-width': Math.max(1.5, 0.15 * radius),
            }),
        );
    if (stone.number !== null) {
        const text = String(stone.number);
        group.append(
            s(
                'text',
                { class: 'number', 'font-size': ((text.length > 2 ? 0.72 : 0.82) * radius).toFixed(1), dy: '0.35em' },
                text,
            ),
        );
    } else if (stone.last) {
        group.append(s('path', { class: 'last-mark', d: diamond(0, 0, Math.max(2, 0.3 * radius)) }));
    }
    return group;
}

/** A preview of the stone that a click would place. */
export function drawGhost(side, { radius, falls }) {
    return s(
        'g',
        { class: `ghost ${side}` },
        s('circle', { class: `disc ${side} flat`, r: radius - 0.5 }),
        falls && side === 'second' ? s('circle', { class: 'ring', r: 0.6 * radius }) : null,
    );
}
