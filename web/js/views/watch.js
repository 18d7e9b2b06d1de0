// The watch page: running and past matches, and the button to start one.
import { button, h, replace } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { router } from '../lib/router.js';
import { connection } from '../connection.js';
import { header } from '../header.js';
import { agentName } from '../names.js';
import { figure, texts } from '../texts.js';
import { JobsView } from './jobs.js';
import { matchTitle } from './jobwords.js';
import { openMatchForm } from './matchform.js';
import { MatchView } from './match.js';

const PARTS = { matches: ['Matches', '#/watch'], workers: ['Workers', '#/watch/workers'] };
const AGAIN = 5000; // ms between updates of the list

const dateText = (ms) =>
    ms ? new Date(ms).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }) : '';

class Watch {
    constructor(main, route) {
        this.main = main;
        this.ready = this.route(route);
    }

    async route(route) {
        this.#stop();
        const [id] = route.rest;
        if (id === 'workers') {
            await this.#workers();
        } else if (id) {
            this.match = new MatchView(this.main, id);
            await this.match.ready;
        } else {
            await this.#list();
        }
    }

    #stop() {
        clearTimeout(this.timer);
        this.match?.leave();
        this.jobs?.leave();
        this.match = null;
        this.jobs = null;
        connection.forget();
    }

    /** The header shared by the two parts of the page. */
    #head(part, ...tools) {
        return h(
            'div',
            { class: 'watch-head' },
            h('h1', { class: 'large' }, 'Watch'),
            h(
                'nav',
                { class: 'shelves', 'aria-label': 'Parts' },
                Object.entries(PARTS).map(([id, [title, href]]) =>
                    h('a', { class: 'chip', href, 'aria-current': id === part ? 'page' : null }, title),
                ),
            ),
            h('span', { class: 'grow' }),
            tools,
        );
    }

    async #workers() {
        header.show({ page: 'watch', title: 'Watch', subtitle: 'workers' });
        this.jobs = new JobsView();
        replace(this.main, h('div', { class: 'reading watch-list' }, this.#head('workers'), this.jobs.element));
        await this.jobs.start();
    }

    async #list() {
        header.show({ page: 'watch', title: 'Watch' });
        const start = button('Start a match', () => openMatchForm((match) => router.go('watch', [match.id])), {
            icon: 'plus',
            class: 'primary',
        });
        const running = h('div', { class: 'event-list' });
        const past = h('div', { class: 'event-list' });
        replace(
            this.main,
            h(
                'div',
                { class: 'reading watch-list' },
                this.#head('matches', start),
                h('h2', { class: 'head' }, 'Running'),
                running,
                h('h2', { class: 'head' }, 'Past'),
                past,
            ),
        );
        const show = async () => {
            const found = await get('/matches');
            replace(
                running,
                found.running.length > 0 ? found.running.map(brief) : h('p', { class: 'empty' }, texts.nothingRuns),
            );
            replace(
                past,
                found.past.length > 0
                    ? found.past.map(brief)
                    : h('p', { class: 'empty' }, 'No matches yet.'),
            );
        };
        await show();
        const again = () => {
            this.timer = setTimeout(
                () =>
                    show()
                        .catch(() => {})
                        .finally(again),
                AGAIN,
            );
        };
        again();
    }

    leave() {
        this.#stop();
    }
}

function brief(match) {
    const part = h('i', {});
    part.style.width = `${(100 * match.played) / Math.max(1, match.games)}%`;
    const names =
        match.agents.slice(0, 4).map(agentName).join(', ') + (match.agents.length > 4 ? ` and ${match.agents.length - 4} more` : '');
    return h(
        'a',
        { class: 'event', href: `#/watch/${encodeURIComponent(match.id)}` },
        h(
            'div',
            { class: 'grow' },
            h('p', { class: 'strong' }, matchTitle(match)),
            h('p', { class: 'small quiet' }, names),
        ),
        match.state === 'running' && h('div', { class: 'bar event-bar' }, part),
        h(
            'div',
            { class: 'event-facts small quiet' },
            h('p', {}, `${figure(match.played)} of ${figure(match.games)} games`),
            h('p', {}, match.state === 'done' || !match.state ? dateText(match.began) : match.state),
        ),
    );
}

export const open = (main, route) => new Watch(main, route);
