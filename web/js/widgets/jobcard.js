// A job card: description, progress and buttons.
import { button, h, icon, replace, setText } from '../lib/dom.js';
import { figure } from '../texts.js';
import { barText, jobBrief, jobFailures, jobProgress, jobState, jobTitle } from '../views/jobwords.js';

// The parts of the bar from left to right; the remainder is its background.
const PARTS = [
    ['done', 'done'],
    ['held', 'in progress'],
    ['aside', 'failed'],
    ['left', 'left'],
];

/** Shows an icon and a text; updates only what has changed. */
export function showState(element, [name, words]) {
    if (element.dataset.state === words) return;
    element.dataset.state = words;
    replace(element, icon(name), h('span', {}, words));
}

export class JobCard {
    /** @param {(job: object, what: 'pause'|'continue'|'cancel'|'retry') => Promise<void>} onAct */
    constructor(id, onAct) {
        const title = `job-${id}`;
        const act = (what) => () => this.#act(what);
        this.onAct = onAct;
        this.title = h('h3', { class: 'job-title', id: title });
        this.brief = h('p', { class: 'quiet job-agents' });
        this.state = h('p', { class: 'job-state' });
        const props = { class: 'compact', 'aria-describedby': title };
        this.pause = button('Pause', act('pause'), { icon: 'pause', ...props });
        this.go = button('Continue', act('continue'), { icon: 'play', ...props });
        this.retry = button('Retry', act('retry'), { icon: 'redo', ...props });
        this.cancel = button('Cancel', act('cancel'), { icon: 'stop', ...props });
        this.bar = h('div', { class: 'job-bar', role: 'img' });
        this.parts = {};
        this.figures = {};
        for (const [name] of PARTS.slice(0, -1)) {
            this.parts[name] = h('i', { class: `job-${name}` });
            this.bar.append(this.parts[name]);
        }
        const legend = PARTS.map(([name, words]) => {
            this.figures[name] = h('strong', {});
            return h(
                'li',
                {},
                h('i', { class: `job-swatch job-${name}` }),
                this.figures[name],
                ' ',
                h('span', {}, words),
            );
        });
        this.progress = h('p', { class: 'job-progress' });
        this.failures = h('p', { class: 'job-failures' }, icon('info'), h('span', {}));
        this.element = h(
            'article',
            { class: 'job', 'aria-labelledby': title },
            h(
                'div',
                { class: 'job-head' },
                h('div', { class: 'grow' }, h('div', { class: 'job-titles' }, this.title, this.state), this.brief),
                h('div', { class: 'row job-buttons' }, this.pause, this.go, this.retry, this.cancel),
            ),
            this.bar,
            h('div', { class: 'job-facts' }, h('ul', { class: 'job-legend' }, legend), this.progress),
            this.failures,
        );
    }

    /** @param {number} workers number of live workers */
    show(job, workers) {
        this.job = job;
        this.#name(job);
        setText(this.brief, jobBrief(job));
        showState(this.state, jobState(job, workers));
        setText(this.progress, jobProgress(job));
        this.#bar(job);
        setText(this.failures.lastChild, jobFailures(job));
        this.failures.hidden = !job.reason;
        this.#buttons(job);
    }

    /** The title links to the match if the job has one. */
    #name(job) {
        const name = jobTitle(job);
        if (this.title.textContent === name) return;
        replace(
            this.title,
            job.match === null ? name : h('a', { href: `#/watch/${encodeURIComponent(job.match)}` }, name),
        );
    }

    #bar(job) {
        for (const [name] of PARTS) {
            const n = name === 'left' ? job.left - job.held : job[name];
            setText(this.figures[name], figure(n));
            this.figures[name].parentElement.hidden = n === 0 && name !== 'done';
            if (name in this.parts) {
                this.parts[name].style.width = `${(100 * n) / Math.max(1, job.games)}%`;
                this.parts[name].hidden = n === 0;
            }
        }
        setText(this.figures.left.parentElement.lastChild, job.finished === null ? 'left' : 'not done');
        const words = barText(job);
        if (this.bar.getAttribute('aria-label') !== words) this.bar.setAttribute('aria-label', words);
        // A job finished without failures needs no bar.
        this.bar.hidden = job.state === 'done' && job.aside === 0;
    }

    #buttons(job) {
        const had = this.element.contains(document.activeElement) ? document.activeElement : null;
        this.pause.hidden = job.state !== 'open';
        this.go.hidden = job.state !== 'paused';
        this.retry.hidden = job.aside === 0 && !(job.state === 'cancelled' && job.left > 0);
        this.cancel.hidden = job.finished !== null;
        if (had?.hidden) this.focus();
    }

    /** Focuses the first available button. */
    focus() {
        const next = [this.pause, this.go, this.retry, this.cancel].find((element) => !element.hidden);
        (next ?? this.title.querySelector('a'))?.focus();
    }

    async #act(what) {
        if (this.isBusy) return;
        this.isBusy = true;
        try {
            await this.onAct(this.job, what);
        } finally {
            this.isBusy = false;
        }
    }
}
