// The move tree: the main line in two columns, variations below the turns they branch from.
import { h, replace, spot } from '../lib/dom.js';
import { parseCell } from '../rules.js';
import { sideName, texts } from '../texts.js';
import { turnsOf, turnText } from '../tree.js';

export class MoveTree {
    /** @param {(node: number) => void} onChoose */
    constructor(onChoose) {
        this.onChoose = onChoose;
        this.element = h('div', { class: 'tree' });
    }

    /** @param {import('../session.js').Session} session */
    draw(session) {
        const { state, tree } = session;
        this.session = session;
        this.current = state.current;
        this.falls = state.rules.gravity;
        this.turning = new Map((state.scan?.turning ?? []).map((turn) => [turn.node, turn]));
        if (state.nodes.length === 0) {
            replace(this.element, h('p', { class: 'empty' }, texts.noStones(state.rules)));
            return;
        }
        const brief = this.falls && state.rules.width < 10 && tree.main().length === state.nodes.length;
        replace(this.element, brief ? this.#digits(tree.main()) : this.#line(tree.main(), 'tree-main'));
        const current = this.element.querySelector('[aria-current]');
        if (current) this.#keepInView(current);
    }

    #keepInView(current) {
        const box = this.element.getBoundingClientRect();
        const row = current.getBoundingClientRect();
        if (row.top < box.top) this.element.scrollTop -= box.top - row.top + 8;
        else if (row.bottom > box.bottom) this.element.scrollTop += row.bottom - box.bottom + 8;
    }

    /** Games with gravity without variations: one digit per stone. */
    #digits(line) {
        return h(
            'p',
            { class: 'digits' },
            line.map((node) =>
                h(
                    'button',
                    {
                        type: 'button',
                        class: `digit ${node.side}`,
                        'aria-current': node.id === this.current ? 'step' : null,
                        'aria-label': `stone ${node.ply}, column ${column(node.cell)}`,
                        on: { click: () => this.onChoose(node.id) },
                    },
                    column(node.cell),
                ),
            ),
        );
    }

    /** @param {import('../tree.js').Node[]} line nodes of one line, from its branching point */
    #line(line, kind) {
        const turns = turnsOf(line);
        const list = h('ol', { class: kind });
        turns.forEach((turn, i) => {
            list.append(this.#turn(turn, (turns[0].ply + i) % 2 === turns[0].ply % 2));
            for (const node of turn.nodes) {
                const siblings = this.session.tree.children(node.parent);
                if (siblings[0]?.id !== node.id) continue;
                for (const other of siblings.slice(1))
                    list.append(h('li', { class: 'variation' }, this.#line(this.#from(other), 'tree-side')));
            }
        });
        return list;
    }

    /** The line that starts with a node; a variation that branches within a turn shows the whole turn. */
    #from(node) {
        const { tree } = this.session;
        const before = tree.path(node.id).filter((other) => other.ply === node.ply && other.id !== node.id);
        const line = [...before, node];
        for (let next = tree.children(node.id)[0]; next; next = tree.children(next.id)[0]) line.push(next);
        return line;
    }

    #turn(turn, left) {
        const end = turn.nodes[turn.nodes.length - 1];
        const judged = turn.nodes.map((node) => this.turning.get(node.id)).find(Boolean);
        const comment = turn.nodes
            .map((node) => node.comment)
            .filter(Boolean)
            .join(' ');
        const current = turn.nodes.some((node) => node.id === this.current);
        const proven = judged ? '' : winMark(end);
        const words = turnText(turn, this.session.state.rules) + proven;
        return h(
            'li',
            { class: left ? 'tree-turn left' : 'tree-turn right' },
            h('span', { class: 'tree-ply quiet small' }, String(turn.ply)),
            h(
                'button',
                {
                    type: 'button',
                    class: 'turn',
                    'aria-current': current ? 'step' : null,
                    'aria-label': `${sideName(turn.side, this.session.state.rules)} ${words}${judged ? `: ${judged.words}` : ''}`,
                    on: { click: () => this.onChoose(end.id) },
                },
                spot(turn.side, this.falls),
                h('span', {}, words),
                judged && h('span', { class: `judged ${judged.side}`, title: judged.words }, '?'),
            ),
            comment && h('span', { class: 'tree-comment quiet' }, comment),
        );
    }
}

/** "!" after a turn after which its side wins, proven. @param {import('../tree.js').Node} end of the turn */
function winMark({ side, eval: found }) {
    const wins = found?.proven === 'win' || found?.proven === 'loss';
    return wins && found.chance_first > 0.5 === (side === 'first') ? ' !' : '';
}

const column = (cell) => String(parseCell(cell).x + 1);
