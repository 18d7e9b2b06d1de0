// The workers page: jobs with speed, expected end and buttons to control them, and the connected workers.
import { h, icon, replace, setText } from '../lib/dom.js';
import { assertive, polite, showError } from '../lib/announce.js';
import { get, listen, post } from '../lib/api.js';
import { connection } from '../connection.js';
import { confirmDialog } from '../widgets/dialog.js';
import { JobCard } from '../widgets/jobcard.js';
import { arrange, WorkerTable } from '../widgets/workertable.js';
import { jobNews, jobTitle, momentText, summary, thingsOf } from './jobwords.js';

const AGES = 5000; // ms between updates of the times since workers were last seen

export class JobsView {
    constructor() {
        this.cards = new Map();
        this.trouble = h('p', { class: 'job-trouble', hidden: true }, icon('info'), h('span', {}));
        this.summary = h('p', { class: 'job-summary' });
        this.live = h('div', { class: 'job-list' });
        this.noJobs = h('div', { class: 'job-empty' });
        this.past = h('div', { class: 'job-list' });
        this.table = new WorkerTable();
        this.noWorkers = h('div', { class: 'job-empty' });
        const part = (title, ...content) =>
            h('section', { class: 'job-part' }, h('h2', { class: 'head' }, title), content);
        this.jobsPart = part('Jobs', this.live, this.noJobs);
        this.workersPart = part('Workers', this.table.element, this.noWorkers);
        this.pastPart = part('Past jobs', this.past);
        this.more = h('p', { class: 'small quiet' }, 'This list may be incomplete. The command “krow jobs list” shows all jobs.');
        this.element = h(
            'div',
            { class: 'jobs' },
            this.trouble,
            this.summary,
            this.jobsPart,
            this.workersPart,
            this.pastPart,
            this.more,
        );
    }

    async start() {
        try {
            this.#take(await get('/jobs'));
        } catch (error) {
            // The server keeps trying to reach its database.
            if (error.status !== 503) throw error;
            this.#take({ jobs: [], workers: [], total: {}, engine: null, at: null, error: error.message });
        }
        if (this.isLeft) return;
        this.close = listen(
            '/jobs/events',
            { jobs: (found) => this.#take(found) },
            () => this.isLeft || connection.lose(() => this.start()),
        );
        clearInterval(this.timer);
        this.timer = setInterval(() => this.table.showAges(this.#now()), AGES);
    }

    /** The server's time, extrapolated from its last message; the local time before the first message. */
    #now() {
        return this.found.at === null ? Date.now() : this.found.at + (performance.now() - this.taken);
    }

    #take(found) {
        const before = this.found;
        this.found = found;
        this.taken = performance.now();
        this.#showTrouble(before, found);
        const alive = found.workers.filter((worker) => worker.is_alive).length;
        this.#showJobs(found.jobs, alive, before);
        this.table.show(found.workers, this.#now());
        // Until the database has answered once, it is not known whether it is empty.
        const isKnown = found.error === null || found.at !== null;
        this.jobsPart.hidden = this.workersPart.hidden = !isKnown;
        setText(this.summary, isKnown ? summary(found) : '');
        this.summary.hidden = this.summary.textContent === '';
        this.table.element.hidden = found.workers.length === 0;
        this.#showEmpty(this.noJobs, isKnown && !found.jobs.some((job) => job.finished === null), () => jobHelp(found));
        this.#showEmpty(this.noWorkers, isKnown && alive === 0, () => workerHelp(found));
        this.pastPart.hidden = !found.jobs.some((job) => job.finished !== null);
        this.more.hidden = !found.truncated;
    }

    #showTrouble(before, found) {
        const words = found.error ?? '';
        const since = words && found.at ? ` Data from ${momentText(found.at)}.` : '';
        setText(this.trouble.lastChild, words + since);
        this.trouble.hidden = words === '';
        if (words && !before?.error) assertive(words);
        if (!words && before?.error) polite('The database is available again.');
    }

    #showJobs(jobs, alive, before) {
        const had = [...this.cards.values()].find((card) => card.element.contains(document.activeElement));
        const cards = new Map();
        const news = [];
        for (const job of jobs) {
            const card = this.cards.get(job.id) ?? new JobCard(job.id, (which, what) => this.#act(which, what));
            news.push(
                jobNews(
                    before?.jobs.find(({ id }) => id === job.id),
                    job,
                ),
            );
            card.show(job, alive);
            cards.set(job.id, card);
        }
        this.cards = cards;
        const part = (isLive) =>
            [...cards.values()].filter((card) => (card.job.finished === null) === isLive).map((card) => card.element);
        arrange(this.live, part(true));
        arrange(this.past, part(false));
        // Moving a card to the other list loses the focus.
        if (had && cards.has(had.job.id) && !had.element.contains(document.activeElement)) had.focus();
        const words = news.filter(Boolean).join(' ');
        if (words) polite(words);
    }

    #showEmpty(place, isEmpty, help) {
        const key = isEmpty ? String(this.found.engine) : '';
        if (place.dataset.shown === key) return;
        place.dataset.shown = key;
        replace(place, isEmpty ? help() : []);
    }

    async #act(job, what) {
        if (what === 'cancel') {
            const left =
                job.left > 0 ? 'Finished work is kept; the rest is cancelled. Retry requeues it.' : '';
            const sure = await confirmDialog(
                `Cancel job ${job.id}?`,
                `${jobTitle(job)}, ${job.done} of ${job.games} ${thingsOf([job])}. ${left}`,
                'Cancel job',
            );
            if (!sure) return;
        }
        try {
            const changed = await post(`/jobs/${encodeURIComponent(job.id)}/${what}`);
            const jobs = this.found.jobs.map((other) => (other.id === changed.id ? changed : other));
            this.#take({ ...this.found, jobs });
        } catch (error) {
            showError(error);
        }
    }

    leave() {
        this.isLeft = true;
        clearInterval(this.timer);
        this.close?.();
    }
}

/** Lines break between words, not at the hyphens of options. */
const command = (text) =>
    h(
        'pre',
        { class: 'command' },
        h(
            'code',
            {},
            text.split(' ').map((word, i) => [i > 0 ? ' ' : '', h('span', {}, word)]),
        ),
    );

/** The database as written on the command line. */
const place = (found) => (found.engine === 'SQLite' ? 'FILE' : 'postgresql://SERVER/krow');

function jobHelp(found) {
    return [
        h('p', { class: 'empty' }, 'No jobs for workers yet. Submit a match or tournament with --workers:'),
        command(`krow match engine threats --game gomoku --games 200 --workers --db ${place(found)}`),
    ];
}

function workerHelp(found) {
    const where =
        found.engine === 'SQLite'
            ? 'No workers connected. Start one on this machine; FILE is the database of this board:'
            : 'No workers connected. Start one on each machine:';
    return [h('p', { class: 'empty' }, where), command(`krow worker --jobs 4 --db ${place(found)}`)];
}
