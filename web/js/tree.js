// The tree of stones of a session: lines through it, and turns within lines.
import { stonesText } from './rules.js';

/**
 * @typedef {{id: number, parent: number|null, cell: string, side: 'first'|'second', ply: number, main: boolean, comment?: string,
 *     ms?: number, eval?: object}} Node
 * @typedef {{ply: number, side: 'first'|'second', nodes: Node[]}} Turn
 */

export class Tree {
    /** @param {Node[]} nodes */
    constructor(nodes) {
        this.byId = new Map();
        this.below = new Map(); // children of a node: the main line first, the others in the order of play
        for (const node of nodes) this.put(node);
    }

    /** Adds a node, or replaces the one with its number. */
    put(node) {
        const isNew = !this.byId.has(node.id);
        this.byId.set(node.id, node);
        const siblings = this.below.get(node.parent) ?? [];
        if (isNew) siblings.push(node);
        else siblings[siblings.findIndex(({ id }) => id === node.id)] = node;
        if (siblings.length > 1) siblings.sort((a, b) => Number(b.main) - Number(a.main) || a.id - b.id);
        this.below.set(node.parent, siblings);
    }

    children(id) {
        return this.below.get(id) ?? [];
    }

    /** Nodes from the root to this node. */
    path(id) {
        const out = [];
        for (let node = this.byId.get(id); node; node = this.byId.get(node.parent)) out.push(node);
        return out.reverse();
    }

    /** The path to a node and on to the end of its line; at a branch, preferred nodes come first. */
    line(id, preferred = new Set()) {
        const out = this.path(id);
        let next = this.#follow(id, preferred);
        while (next) {
            out.push(next);
            next = this.#follow(next.id, preferred);
        }
        return out;
    }

    #follow(id, preferred) {
        const children = this.children(id);
        return children.find((node) => preferred.has(node.id)) ?? children[0];
    }

    main() {
        return this.line(null);
    }
}

/** Stones of a line as turns. @param {Node[]} line @returns {Turn[]} */
export function turnsOf(line) {
    const turns = [];
    for (const node of line) {
        const last = turns[turns.length - 1];
        if (last && last.ply === node.ply && last.side === node.side) last.nodes.push(node);
        else turns.push({ ply: node.ply, side: node.side, nodes: [node] });
    }
    return turns;
}

export const turnText = (turn, rules) =>
    stonesText(
        turn.nodes.map((node) => node.cell),
        rules,
    );
