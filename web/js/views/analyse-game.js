// Whole-game analysis: winning chances and turning points, from a short search of every position.
import { button, h, replace, setText, spot } from '../lib/dom.js';
import { prefs } from '../lib/prefs.js';
import { router } from '../lib/router.js';
import { boardText } from '../rules.js';
import { count, sideName } from '../texts.js';
import { Curve } from '../widgets/curve.js';
import { turnsOf } from '../tree.js';

export class GamePanel {
    /** @param {import('../session.js').Session} session */
    constructor(session) {
        this.session = session;
        this.curve = new Curve((node) => session.goto(node));
        this.head = h('h2', { class: 'head' });
        this.facts = h('span', { class: 'small quiet' });
        this.run = button('Analyse the whole game', () => session.act('scan', {}), {
            icon: 'curve',
            class: 'compact',
        });
        this.cancel = button('Stop', () => session.act('scan', { cancel: true }), { icon: 'stop', class: 'compact' });
        this.review = button('Find better turns', () => router.go('review', [session.key === 'krow.play' ? 'played' : 'own']), {
            class: 'compact',
        });
        this.progress = h('i', {});
        this.bar = h('div', { class: 'bar' }, this.progress);
        this.turning = h('ol', { class: 'turning' });
        this.tools = h('div', { class: 'row scan-tools' });
        this.element = h(
            'section',
            { class: 'panel-part' },
            h('div', { class: 'row between part-head' }, this.head, this.facts),
            this.curve.element,
            this.turning,
            this.tools,
        );
    }

    draw() {
        const { state, tree } = this.session;
        const { scan } = state;
        const main = turnsOf(tree.main());
        this.element.hidden = main.length === 0;
        setText(this.head, `Whole game, winning chances of ${sideName('first', state.rules)}`);
        this.#tools(scan, main.length);
        const shown = Boolean(scan) && scan.points.length > 0 && prefs.get('showAnalysis');
        this.curve.element.hidden = !shown;
        this.turning.hidden = !shown;
        setText(
            this.facts,
            shown && !scan.running
                ? count(scan.turning.length, 'turning point').replace(/^\w+/, (n) =>
                      n === 'no' ? 'no' : String(scan.turning.length),
                  )
                : '',
        );
        if (!shown) return;
        const here = tree.byId.get(state.current)?.ply ?? null;
        const words = `Winning chances of ${sideName('first', state.rules)} over ${main.length} turns, ${count(scan.turning.length, 'turning point')}`;
        this.curve.draw(scan, main[main.length - 1]?.ply ?? 1, here, words);
        replace(
            this.turning,
            scan.turning.map((turn) => this.#turn(turn, main, state)),
        );
    }

    #turn(turn, main, state) {
        const stones = main.find(({ ply, side }) => ply === turn.ply && side === turn.side);
        // The stone in front of the text shows the side, so its name is removed.
        const words = turn.words.replace(/^\w+'s /, '');
        const cells = stones ? stones.nodes.map((node) => node.cell).join(' ') : '';
        const shown = boardText(words.startsWith(cells) ? words : `${cells} ${words}`, state.rules);
        return h(
            'li',
            {},
            h(
                'button',
                { type: 'button', class: 'turning-line', on: { click: () => this.session.goto(turn.node) } },
                h('strong', {}, String(turn.ply)),
                spot(turn.side, state.rules.gravity),
                h('span', {}, shown),
            ),
        );
    }

    #tools(scan, turns) {
        if (scan?.running) {
            this.progress.style.width = `${(100 * scan.done) / Math.max(1, scan.total)}%`;
            replace(
                this.tools,
                h('span', { class: 'small quiet' }, `${scan.done} of ${scan.total}`),
                this.bar,
                this.cancel,
            );
        } else {
            replace(this.tools, turns > 0 ? [this.run, scan?.complete ? this.review : null] : null);
            setText(this.run.lastChild, scan ? 'Analyse it again' : 'Analyse the whole game');
        }
    }
}
