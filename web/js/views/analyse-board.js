// The board of the page Analyse: verdict, best lines, threats, move tree, whole-game analysis.
import { button, chip, h, icon, iconButton, replace, setDisabled, setText, spot } from '../lib/dom.js';
import { polite, showError } from '../lib/announce.js';
import { prefs } from '../lib/prefs.js';
import { router } from '../lib/router.js';
import { scoreMarks } from '../board/marks.js';
import { header } from '../header.js';
import { openImport, openShare, takeDrops } from '../later.js';
import { boardText, cellName, parseCell } from '../rules.js';
import { chanceText, count, gameBrief, gameTitle, sideName } from '../texts.js';
import { EvalBar } from '../widgets/evalbar.js';
import { ExplorerPanel } from './analyse-explorer.js';
import { GamePanel } from './analyse-game.js';
import { LinesPanel } from './analyse-lines.js';
import { ThreatsPanel } from './analyse-threats.js';
import { TreePanel } from './analyse-tree.js';
import { BoardPane } from './pane.js';
import { chanceOf, endWords } from './sentences.js';
import { solvedVerdict } from './solved.js';
import { Walk } from './walk.js';

export class AnalysisBoard {
    /**
     * @param {HTMLElement} main
     * @param {import('../session.js').Session} session
     * @param {{notice: HTMLElement, isQuiet: () => boolean, onChange: () => void, ask: () => void}} options notice: shown
     *     above the board; isQuiet: whether to hide all help; onChange: called for every change; ask: requests the analysis
     */
    constructor(main, session, { notice, isQuiet, onChange, ask }) {
        this.session = session;
        this.isQuiet = isQuiet;
        this.onChange = onChange;
        this.ask = ask;
        this.notice = notice;
        this.pane = new BoardPane(session, {
            canPlay: () => Boolean(session.state) && !session.state.over && !this.walk.active,
            take: (cell) => this.walk.place(cell),
            keys: {
                t: () => this.#toggleThreats(),
                s: () => this.#toggle('scores', 'Scores'),
                h: () => this.#sayBest(),
            },
        });
        this.evalbar = new EvalBar();
        this.lines = new LinesPanel(session, () => this.#marks());
        this.threats = new ThreatsPanel(session, () => {
            this.#status();
            this.#marks();
        });
        this.explorer = new ExplorerPanel(session, () => this.#marks());
        this.moves = new TreePanel(session);
        this.game = new GamePanel(session);
        this.walk = new Walk(session, () => this.change());
        this.title = h('h1', {});
        this.subtitle = h('p', { class: 'quiet' });
        this.through = button('Play it through', () => this.#playThrough(), {
            icon: 'play',
            class: 'compact tall',
            hidden: true,
        });
        this.#build(main);
        this.pane.board.on('layout', (g) => this.evalbar.fit(g.boardHeight));
        this.pane.board.on('aim', () => this.#primary());
        const kept = session.remembered();
        if (kept?.rules) this.pane.preview(kept);
        this.stop = [
            session.on('change', (said) => this.change(said)),
            session.on('analysis', () => this.#analysed()),
            session.on('scan', () => this.game.draw()),
            prefs.on('change', (name) => this.#preference(name)),
        ];
    }

    #build(main) {
        this.chips = this.pane.chips;
        const step = (name, label, direction) =>
            iconButton(name, label, () => this.session.step(direction), { class: 'step-button' });
        this.primary = button('', () => this.#playPrimary(), { class: 'primary big' });
        this.jump = h(
            'div',
            { class: 'jump' },
            step('back', 'Previous turn', -1),
            this.primary,
            step('next', 'Next turn', 1),
        );
        const tab = (name, label, run, current) =>
            h(
                'button',
                { type: 'button', class: 'tab', 'aria-current': current ? 'page' : null, on: { click: run } },
                icon(name),
                label,
            );
        this.tabs = h(
            'nav',
            { class: 'tabs', 'aria-label': 'Shortcuts' },
            tab('play', 'Play', () => router.go('play')),
            tab('curve', 'Analyse', () => scrollTo(0, 0), true),
            tab('list', 'Moves', () => this.moves.element.scrollIntoView()),
            tab('more', 'More', () => document.querySelector('.tools .brief:last-child').click()),
        );
        this.page = h(
            'div',
            { class: 'game study' },
            h(
                'div',
                { class: 'area-verdict' },
                h('div', { class: 'verdict' }, h('div', { class: 'grow' }, this.title, this.subtitle), this.through),
                this.notice,
                this.walk.element,
            ),
            h(
                'div',
                { class: 'area-column' },
                h('div', { class: 'area-board' }, this.evalbar.element, this.pane.holder),
                h('div', { class: 'area-under' }, this.pane.under),
            ),
            h('div', { class: 'area-jump' }, this.jump),
            h(
                'div',
                { class: 'area-panel' },
                this.lines.element,
                this.pane.lens.element,
                this.threats.element,
                this.moves.element,
                this.explorer.element,
                this.game.element,
            ),
            this.tabs,
        );
        replace(main, this.page);
        this.pane.lens.element.hidden = true;
        this.pane.attach();
        takeDrops(this.pane.holder);
    }

    #preference(name) {
        if (!this.session.state) return;
        if (name === 'scores' || name === 'analyse' || name === 'lines') this.ask();
        this.change();
    }

    /** Shows the present state of the session. */
    change(said) {
        const { state } = this.session;
        if (!state) return;
        if (said) polite(said);
        header.show({
            page: 'analyse',
            title: gameTitle(state.rules),
            subtitle: gameBrief(state.rules),
            share: () => openShare(this.session),
            items: [
                { label: 'Open a game', icon: 'import', run: () => openImport() },
                { label: 'Edit the board', icon: 'edit', run: () => router.go('edit') },
            ],
        });
        this.page.classList.toggle('falls', state.rules.gravity);
        this.page.classList.toggle('blind', !this.#shows);
        this.walk.check();
        if (this.walk.active) this.#drawWalk();
        else this.pane.draw();
        this.#chips();
        this.#status();
        const quiet = this.isQuiet();
        for (const part of [this.lines, this.threats, this.explorer, this.game]) part.element.hidden = quiet;
        if (!quiet) this.threats.refresh();
        this.explorer.refresh();
        this.moves.draw();
        if (!quiet) this.game.draw();
        this.#analysed();
        this.onChange();
    }

    /** Whether the analysis is shown. */
    get #shows() {
        return prefs.get('showAnalysis') && !this.isQuiet();
    }

    #analysed() {
        this.lines.draw();
        this.#verdict();
        this.#marks();
        this.#primary();
    }

    /** The solver's scores of the columns, or null. */
    #solved() {
        const { analysis, state } = this.session;
        return analysis?.exact && state.rules.gravity && analysis.cells && Object.keys(analysis.cells).length > 0
            ? analysis.cells
            : null;
    }

    #verdict() {
        const { analysis, state } = this.session;
        const shown = this.#shows;
        const name = sideName('first', state.rules);
        let title = gameTitle(state.rules);
        let words = '';
        if (!this.isQuiet() && !shown) words = 'Analysis is hidden but running.';
        else if (shown && !prefs.get('analyse')) words = 'Analysis is off.';
        if (state.over) {
            const end = endWords(state);
            title = end.strong.replace(/\.$/, '');
            words = end.rest;
        } else if (shown && analysis && this.#solved()) {
            ({ title, words } = solvedVerdict(analysis.cells, state));
        } else if (shown && analysis) {
            title = analysis.verdict.replace(/\.$/, '');
            words = this.#verdictWords(analysis, state);
        }
        setText(this.title, title);
        setText(this.subtitle, words);
        this.subtitle.hidden = words === '';
        this.through.hidden =
            this.walk.active ||
            !shown ||
            !['win', 'loss'].includes(analysis?.proven) ||
            state.over;
        const known = shown && (analysis || state.over);
        const first = state.over ? { first: 1, second: 0, draw: 0.5 }[state.winner] : analysis?.chance_first;
        this.evalbar.show(known ? (first ?? null) : null, this.#barLabel(analysis, state, first), name);
        this.evalbar.element.hidden = Boolean(this.#solved()) && shown;
    }

    #verdictWords(analysis, state) {
        if (analysis.proven && analysis.distance)
            return `within ${count(analysis.distance, 'stone')}`;
        const shown = chanceOf(analysis, state, prefs.get('view'));
        return shown && !analysis.proven
            ? `winning chance of ${sideName(shown.side, state.rules)} ${chanceText(shown.chance)}`
            : '';
    }

    #barLabel(analysis, state, first) {
        if (state.over) return { first: '1–0', second: '0–1', draw: '½–½' }[state.winner] ?? '';
        if (analysis?.proven === 'draw') return 'draw';
        if (analysis?.proven) return `win ${analysis.distance ?? ''}`.trim();
        return first === null || first === undefined ? '' : chanceText(first);
    }

    #marks() {
        const { board } = this.pane;
        if (this.walk.active) {
            board.setMarks([]);
            this.pane.setColumnScores(null);
            return;
        }
        const { analysis, state } = this.session;
        const shown = this.#shows && analysis && !state.over;
        const marks = this.isQuiet() ? [] : this.threats.marks();
        const solved = shown && prefs.get('scores') ? this.#solved() : null;
        this.pane.setColumnScores(solved);
        board.highlight(solved ? bestColumn(solved) : null);
        if (shown && prefs.get('scores') && !solved && analysis.cells)
            marks.push(...scoreMarks(analysis.cells, analysis.lines[0]?.stones ?? []));
        const pointed = this.explorer.pointed ?? (shown ? this.lines.pointed : null);
        if (pointed && !state.over) marks.push({ kind: 'answer', cells: pointed, shown: true });
        this.pane.setMarks(marks);
    }

    #chips() {
        const { rules } = this.session.state;
        const flag = (name, label, ...more) => chip(label, prefs.get(name), (on) => prefs.set(name, on), ...more);
        const focused = document.activeElement?.closest?.('.chip')?.dataset.name;
        const chips = [
            ['threatsFirst', 'Threats', spot('first', rules.gravity)],
            ['threatsSecond', 'Threats', spot('second', rules.gravity)],
            ['scores', 'Scores'],
            ['numbers', 'Numbers'],
        ].map(([name, label, ...more]) => {
            const element = flag(name, label, ...more);
            element.dataset.name = name;
            if (more.length > 0)
                element.setAttribute(
                    'aria-label',
                    `Threats of ${sideName(name === 'threatsFirst' ? 'first' : 'second', rules)}`,
                );
            return element;
        });
        const ratings = this.isQuiet() ? [] : [this.pane.ratingsChip()];
        ratings.forEach((element) => (element.dataset.name = 'ratings'));
        chips.push(...ratings);
        replace(this.chips, chips);
        if (focused) chips.find((element) => element.dataset.name === focused)?.focus();
    }

    #status() {
        const { state } = this.session;
        if (state.over) {
            const { strong, rest } = endWords(state);
            this.pane.setStatus(state.winner === 'draw' ? null : state.winner, strong, rest);
            return;
        }
        const { turn, left } = this.session.position();
        const rest = state.rules.gravity
            ? `Stone ${state.path.length + 1} of ${state.rules.width * state.rules.height}`
            : count(left, 'stone').replace(/^./, (letter) => letter.toUpperCase());
        this.pane.setStatus(
            turn,
            `${sideName(turn, state.rules)} to ${this.threats.mustAnswer() ? 'answer' : 'move'}.`,
            rest,
        );
    }

    /** On narrow screens: the button that plays the selected cell or, without one, the best stone. */
    #primary() {
        const { state } = this.session;
        const aimed = this.pane.board.aimed;
        const best = !this.walk.active && this.#shows && !state.over ? this.session.analysis?.lines[0]?.stones[0] : null;
        const cell = aimed ?? (best ? parseCell(best) : null);
        this.primaryCell = cell;
        setDisabled(this.primary, !cell);
        const label = !cell
            ? 'Place a stone'
            : state.rules.gravity
              ? `Drop in column ${cell.x + 1}`
              : `Place at ${aimed ? cellName(cell.x, cell.y) : best}`;
        setText(this.primary.lastChild, label);
    }

    #playPrimary() {
        if (this.primaryCell) this.pane.board.choose(this.primaryCell);
    }

    async #playThrough() {
        setDisabled(this.through, true); // until the first defences are known
        try {
            await this.walk.begin();
        } catch (error) {
            showError(error);
        }
        setDisabled(this.through, false);
    }

    #drawWalk() {
        const view = this.walk.view();
        this.pane.board.update(view);
    }

    #toggle(name, label) {
        prefs.toggle(name);
        polite(`${label} ${prefs.get(name) ? 'on' : 'off'}.`);
    }

    #toggleThreats() {
        const on = !(prefs.get('threatsFirst') || prefs.get('threatsSecond'));
        prefs.set('threatsFirst', on);
        prefs.set('threatsSecond', on);
        polite(`Threats ${on ? 'on' : 'off'}. ${on ? this.threats.words() : ''}`);
    }

    #sayBest() {
        const best = this.session.analysis?.lines[0];
        polite(best ? boardText(`Best: ${best.stones.join(' ')}.`, this.session.state.rules) : 'No result yet.');
    }

    /** The cell with the focus, or null; `restoreFocus` gives it to another board. */
    focus() {
        const { grid } = this.pane.board;
        return grid.element.contains(document.activeElement) ? grid.active : null;
    }

    restoreFocus(cell) {
        if (cell) this.pane.board.grid.activate(cell, true);
    }

    leave() {
        for (const stop of this.stop) stop();
        this.explorer.leave();
        this.pane.leave();
    }
}

function bestColumn(cells) {
    const [cell] = Object.entries(cells).reduce((best, entry) => (entry[1] > best[1] ? entry : best));
    return parseCell(cell);
}
