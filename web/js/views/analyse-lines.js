// The best lines, updated during the search; for solved games, every column with its score.
import { h, icon, replace, setText, spot } from '../lib/dom.js';
import { prefs } from '../lib/prefs.js';
import { otherSide, stonesText } from '../rules.js';
import { figure, sideName, signed, texts } from '../texts.js';
import { valueText } from './sentences.js';
import { fastest, rankedColumns, scoreWords } from './solved.js';

const PATIENCE = 400; // ms before "Waiting for the engine" is shown

export class LinesPanel {
    /** @param {import('../session.js').Session} session @param {() => void} onPoint */
    constructor(session, onPoint) {
        this.session = session;
        this.onPoint = onPoint;
        this.pointed = null;
        this.head = h('h2', { class: 'head' });
        this.facts = h('span', { class: 'small quiet' });
        this.running = h('input', {
            type: 'checkbox',
            class: 'switch',
            role: 'switch',
            'aria-label': 'Analyse',
            title: 'Analyse',
            on: { change: () => prefs.set('analyse', this.running.checked) },
        });
        this.eye = h('button', {
            type: 'button',
            class: 'icon-button tight',
            on: { click: () => prefs.toggle('showAnalysis') },
        });
        this.list = h('div', { class: 'lines' });
        this.element = h(
            'section',
            { class: 'panel-part' },
            h(
                'div',
                { class: 'row between part-head' },
                this.head,
                h('div', { class: 'row' }, this.facts, this.running, this.eye),
            ),
            this.list,
        );
    }

    draw() {
        const { analysis, state } = this.session;
        const shown = prefs.get('showAnalysis');
        this.running.checked = prefs.get('analyse');
        this.#drawEye(shown);
        const solved = analysis?.exact && state.rules.gravity;
        setText(this.head, solved ? 'Every column, solved' : `Best lines for ${sideName(state.turn, state.rules)}`);
        replace(
            this.facts,
            shown && analysis && !solved
                ? facts(analysis)
                : solved
                  ? h('span', { class: 'facts-more' }, 'from the side to move')
                  : null,
        );
        this.#patience(analysis, state);
        if (!shown || state.over || !analysis) {
            replace(this.list, this.#instead(shown, state));
            this.point(null);
        } else if (solved && analysis.cells) {
            replace(this.list, this.#columns(analysis.cells, state));
        } else {
            replace(
                this.list,
                h(
                    'ol',
                    {},
                    analysis.lines.map((line, i) => this.#line(line, i, state)),
                ),
            );
        }
    }

    #drawEye(shown) {
        const label = shown ? 'Hide the analysis' : 'Show the analysis';
        if (this.eye.title === label) return;
        this.eye.title = label;
        this.eye.setAttribute('aria-label', label);
        this.eye.replaceChildren(icon(shown ? 'eye' : 'eye-off'));
    }

    #patience(analysis, state) {
        clearTimeout(this.timer);
        this.late = false;
        if (analysis || state.over || !prefs.get('analyse')) return;
        this.timer = setTimeout(() => {
            this.late = true;
            const place = this.list.querySelector('.empty');
            if (place) setText(place, texts.waiting);
        }, PATIENCE);
    }

    #instead(shown, state) {
        const words = !shown
            ? 'Hidden. The engine continues.'
            : state.over
              ? texts.over
              : prefs.get('analyse')
                ? ''
                : 'Off.';
        return h('p', { class: 'empty' }, words);
    }

    #line(line, index, state) {
        const value = prefs.get('view') === 'first' && state.turn === 'second' ? flipped(line) : line;
        const turns = pvTurns(line, state);
        const play = () => this.#play(line.stones);
        const button = h(
            'button',
            {
                type: 'button',
                class: 'line',
                title: 'Play these stones',
                on: {
                    click: play,
                    mouseenter: () => this.point(line.stones),
                    mouseleave: () => this.point(null),
                    focus: () => this.point(line.stones),
                    blur: () => this.point(null),
                },
            },
            h('strong', { class: 'line-value' }, valueText(value)),
            h(
                'span',
                { class: 'line-moves' },
                turns.map(({ side, cells }) => [spot(side, state.rules.gravity), h('span', {}, stonesText(cells, state.rules))]),
                endsThere(line, state) ? h('span', { class: 'quiet' }, 'no answer') : null,
            ),
        );
        return h('li', { class: index === 0 ? 'best' : '' }, button);
    }

    async #play(stones) {
        for (const cell of stones) await this.session.play(cell);
    }

    point(cells) {
        if (JSON.stringify(cells) === JSON.stringify(this.pointed)) return;
        this.pointed = cells;
        this.onPoint();
    }

    #columns(cells, state) {
        const ranked = rankedColumns(cells);
        const best = ranked[0].score;
        const rows = ranked.map(({ cell, column, score }) =>
            h(
                'li',
                {},
                h(
                    'button',
                    {
                        type: 'button',
                        class: `column-line ${score < 0 ? 'quiet' : ''}`,
                        on: { click: () => this.#play([cell]) },
                    },
                    h('span', { class: 'quiet' }, String(column)),
                    h(score < 0 ? 'span' : 'strong', {}, signed(score)),
                    h('span', {}, scoreWords(score, state)),
                    score === best && h('span', { class: 'badge' }, 'best'),
                ),
            ),
        );
        const most = fastest(state.rules);
        return [
            h('ol', { class: 'column-lines' }, rows),
            h(
                'div',
                { class: 'how' },
                h('h3', {}, 'How to read a score'),
                h(
                    'p',
                    { class: 'small quiet' },
                    'The number counts the stones the winner has left. ',
                    h('strong', {}, '+1'),
                    ' wins with the winner’s last stone, ',
                    h('strong', {}, `+${most}`),
                    ' is the fastest possible win, ',
                    h('strong', {}, '0'),
                    ' is a draw, a minus sign is a loss.',
                ),
            ),
        ];
    }
}

function facts(analysis) {
    const speed =
        analysis.nps >= 1e5 ? `${(analysis.nps / 1e6).toFixed(1)} M/s` : `${figure((analysis.nps ?? 0) / 1000)} k/s`;
    return [
        prefs.get('analyse') ? '' : 'stopped at ',
        `depth ${analysis.depth}`,
        h('span', { class: 'facts-more' }, `\u2003${speed}`),
    ];
}

function flipped(line) {
    const proven = { win: 'loss', loss: 'win', draw: 'draw' }[line.proven] ?? null;
    return { ...line, score: -line.score, proven };
}

/** The principal variation as turns; it starts with the stones of the line. */
function pvTurns(line, state) {
    const cells = line.pv?.length ? line.pv : line.stones;
    const turns = [];
    let side = state.turn;
    let left = state.stones_left;
    let at = 0;
    while (at < cells.length && turns.length < 4) {
        turns.push({ side, cells: cells.slice(at, at + left) });
        at += left;
        left = state.rules.p;
        side = otherSide(side);
    }
    return turns;
}

/** Whether the line ends in a win that no answer stops: at most one turn of each side is missing. */
function endsThere(line, state) {
    const decided = line.proven === 'win' || line.proven === 'loss';
    return decided && line.distance - line.pv.length <= 2 * state.rules.p;
}
