// The threats of both sides, their windows and answers, as a list and on the board.
import { h, replace, s, spot } from '../lib/dom.js';
import { prefs } from '../lib/prefs.js';
import { diamond } from '../board/stones.js';
import { otherSide, parseCell, stonesText } from '../rules.js';
import { count, sideName, texts, word } from '../texts.js';
import { hasRows, pointedMarks, rowCounts, rowList, rowMarks } from './analyse-rows.js';

const MOST_WINDOWS = 12;
const MOST_OTHERS = 6;

const SETS = { 1: 'cell', 2: 'pair', 3: 'triple' };

export class ThreatsPanel {
    /** @param {import('../session.js').Session} session @param {() => void} onChange */
    constructor(session, onChange) {
        this.session = session;
        this.onChange = onChange;
        this.threats = null;
        this.key = null;
        this.chosen = { first: 0, second: 0 };
        this.pointed = null; // a three or four under the pointer or with the focus
        this.pinned = null; // one that was clicked
        this.body = h('div', { class: 'threats', role: 'region', 'aria-label': 'Threats', tabindex: 0 });
        this.body.addEventListener('scroll', () => this.#showEdge());
        this.head = h('span', { class: 'small quiet' });
        this.element = h(
            'section',
            { class: 'panel-part' },
            h('div', { class: 'row between part-head' }, h('h2', { class: 'head' }, 'Threats'), this.head),
            this.body,
        );
    }

    /** Requests the threats of a new position; outdated responses are discarded. */
    async refresh() {
        const { state, pending } = this.session;
        this.element.hidden = state.over;
        if (state.over) {
            this.threats = this.key = null;
            return;
        }
        const key = `${state.id} ${state.current} ${state.path.length} ${state.game}`;
        if (key === this.key || pending.length > 0) {
            this.draw();
            return;
        }
        this.key = key;
        this.threats = null;
        this.chosen = { first: 0, second: 0 };
        this.pointed = this.pinned = null;
        try {
            const threats = await this.session.ask('threats', { node: state.current });
            if (this.key !== key) return;
            for (const side of ['first', 'second']) threats[side].windows = ordered(threats[side].windows);
            this.threats = threats;
        } catch (error) {
            if (this.key === key) replace(this.body, h('p', { class: 'empty' }, error.message));
            return;
        }
        this.draw();
        this.onChange();
    }

    /** Whether the side to move faces a threat. */
    mustAnswer() {
        const side = this.threats?.[otherSide(this.session.state.turn)];
        return Boolean(side && side.windows.length > 0 && !this.session.state.over);
    }

    words() {
        return ['first', 'second'].map((side) => this.#sideWords(side)).join(' ');
    }

    #sideWords(side) {
        const name = sideName(side, this.session.state.rules);
        const found = this.threats?.[side];
        if (found && hasRows(found))
            return found.rows.length > 0 ? `${name} has ${rowCounts(found.rows)}.` : texts.noThreat(name);
        return found?.windows.length
            ? `${name} has ${count(found.windows.length, 'threat')}, ${count(found.exact, 'stone')} to stop.`
            : texts.noThreat(name);
    }

    draw() {
        const { rules } = this.session.state;
        this.head.textContent = `a turn stops ${word(rules.p)}`;
        if (!this.threats || this.drawn === this.threats) return;
        this.drawn = this.threats;
        const parts = ['first', 'second'].map((side) => this.#side(side, rules));
        const has = (side) => !this.#isEmpty(this.threats[side]);
        const order = !has('first') && has('second') ? parts.reverse() : parts;
        replace(this.body, order);
        this.body.scrollTop = 0;
        this.#showEdge();
    }

    /** The list fades where it continues. */
    #showEdge() {
        const { scrollTop, clientHeight, scrollHeight } = this.body;
        this.body.classList.toggle('more', scrollTop + clientHeight < scrollHeight - 4);
    }

    #isEmpty(found) {
        return found.windows.length === 0 && !found.rows?.length;
    }

    #pointing() {
        return {
            point: (row) => {
                if (row === this.pointed) return;
                this.pointed = row;
                this.onChange();
            },
            pin: (row) => {
                this.pinned = this.pinned === row ? null : row;
                this.onChange();
                return this.pinned === row;
            },
        };
    }

    #side(side, rules) {
        const found = this.threats[side];
        const name = sideName(side, rules);
        if (hasRows(found) && found.rows.length > 0) return rowList(side, found, rules, this.#pointing());
        if (this.#isEmpty(found))
            return h(
                'p',
                { class: 'row no-threat' },
                spot(side, rules.gravity),
                h('span', { class: 'quiet' }, texts.noThreat(name).replace(/\.$/, '')),
            );
        const windows = found.windows
            .slice(0, MOST_WINDOWS)
            .map((cells, i) =>
                h(
                    'li',
                    { class: 'row' },
                    this.#tag(side, letter(side, i)),
                    `${cells[0]} to ${cells[cells.length - 1]}`,
                ),
            );
        const more = found.windows.length - windows.length;
        return h(
            'div',
            { class: 'threat-side' },
            h(
                'div',
                {},
                h(
                    'p',
                    { class: 'row strong' },
                    spot(side, rules.gravity),
                    `${name}, needs ${found.exact} ${found.exact === 1 ? 'stone' : 'stones'}`,
                ),
                h('ul', {}, windows, more > 0 && h('li', { class: 'quiet' }, `and ${more} more`)),
            ),
            h('div', {}, this.#answers(side, found, rules)),
        );
    }

    #answers(side, found, rules) {
        const sets = found.answers;
        if (sets.length === 0 || found.exact > rules.p) {
            return [h('p', { class: 'strong' }, 'No answer'), h('p', { class: 'quiet' }, 'No turn stops all of them.')];
        }
        const kind = SETS[sets[0].length] ?? 'set';
        const chosen = sets[this.chosen[side]] ?? sets[0];
        const others = sets.filter((set) => set !== chosen);
        const choose = (set) => () => {
            this.chosen[side] = sets.indexOf(set);
            this.drawn = null;
            this.draw();
            this.onChange();
        };
        return [
            h(
                'p',
                { class: 'strong' },
                `Answers, ${found.truncated ? 'more than ' : ''}${sets.length} ${sets.length === 1 ? kind : `${kind}s`}`,
            ),
            h(
                'ul',
                {},
                h(
                    'li',
                    { class: 'row' },
                    mark(true),
                    h('strong', {}, stonesText(chosen, rules)),
                    h('span', { class: 'quiet' }, 'shown'),
                ),
                others.length > 0 &&
                    h(
                        'li',
                        { class: 'row wrap' },
                        mark(false),
                        h(
                            'span',
                            {},
                            others
                                .slice(0, MOST_OTHERS)
                                .flatMap((set, i) => [
                                    i > 0 ? ', ' : '',
                                    h(
                                        'button',
                                        { type: 'button', class: 'answer-link', on: { click: choose(set) } },
                                        stonesText(set, rules),
                                    ),
                                ]),
                            others.length > MOST_OTHERS ? ` and ${others.length - MOST_OTHERS} more` : '',
                        ),
                    ),
            ),
        ];
    }

    #tag(side, label) {
        return s(
            'svg',
            { class: 'tag-icon', viewBox: '-9 -9 18 18', 'aria-hidden': 'true' },
            s(
                'g',
                { class: `tag ${side}` },
                s('circle', { r: 8.5 }),
                s('text', { dy: '0.36em', 'font-size': 10 }, label),
            ),
        );
    }

    /** The marks drawn on the board. */
    marks() {
        if (!this.threats) return [];
        const row = this.pointed ?? this.pinned;
        if (row) {
            const side = this.threats.first.rows.includes(row) ? 'first' : 'second';
            return pointedMarks(side, this.threats[side], row);
        }
        const out = [];
        for (const side of ['first', 'second']) {
            if (!prefs.get(side === 'first' ? 'threatsFirst' : 'threatsSecond')) continue;
            const found = this.threats[side];
            if (hasRows(found)) out.push(...rowMarks(side, found));
            else
                found.windows
                    .slice(0, MOST_WINDOWS)
                    .forEach((cells, i) => out.push({ kind: 'window', cells, side, label: letter(side, i) }));
            if (
                found.windows.length === 0 ||
                side === this.session.state.turn ||
                found.exact > this.session.state.rules.p
            )
                continue;
            const chosen = found.answers[this.chosen[side]] ?? found.answers[0] ?? [];
            const others = new Set(found.answers.flat());
            for (const cell of chosen) others.delete(cell);
            out.push(
                { kind: 'answer', cells: [...others], shown: false },
                { kind: 'answer', cells: chosen, shown: true },
            );
        }
        return out;
    }
}

/** Sorts windows and their cells by column, then row, so that they keep their order. */
function ordered(windows) {
    const before = (a, b) => {
        const [p, q] = [parseCell(a), parseCell(b)];
        return p.x - q.x || p.y - q.y;
    };
    return windows.map((cells) => [...cells].sort(before)).sort((a, b) => before(a[0], b[0]));
}

const letter = (side, i) => String.fromCharCode((side === 'first' ? 65 : 97) + i);
const mark = (shown) =>
    s(
        'svg',
        { class: 'tag-icon', viewBox: '-9 -9 18 18', 'aria-hidden': 'true' },
        s('g', { class: shown ? 'answer shown' : 'answer' }, s('path', { d: diamond(0, 0, 7) })),
    );
