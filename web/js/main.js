// Starts the page: header, routes, and an error page, so that the page is never blank.
import { h, replace } from './lib/dom.js';
import { assertive } from './lib/announce.js';
import { router } from './lib/router.js';
import { connection } from './connection.js';
import { header } from './header.js';
import { texts } from './texts.js';

/** Each page is loaded on first use; index.html preloads the play page. */
const PAGES = {
    play: () => import('./views/play.js'),
    analyse: () => import('./views/analyse.js'),
    friend: () => import('./views/friend.js'),
    edit: () => import('./views/editor.js'),
    watch: () => import('./views/watch.js'),
    learn: () => import('./views/learn.js'),
    library: () => import('./views/library.js'),
    review: () => import('./views/review.js'),
};

let current = null; // {page, view}
let visit = 0;

/** Shows the page of a route. A page that the user has left meanwhile changes nothing any more. */
async function show(route) {
    const mine = ++visit;
    try {
        await open(route, () => mine === visit);
    } catch (error) {
        if (mine === visit) fail(route, error);
    }
}

async function open(route, isWanted) {
    const page = route.page || 'play';
    if (!Object.hasOwn(PAGES, page)) {
        notFound(route);
        return;
    }
    if (current?.page === page) {
        await current.view.route?.(route);
        return;
    }
    const module = await PAGES[page]();
    if (!isWanted()) return;
    const main = clear(page);
    const view = module.open(main, route);
    current = { page, view };
    await view.ready;
}

/**
 * Leaves the current page. Each page has its own `main`, so that a late answer never draws over the next page.
 * @returns {HTMLElement} the place of the next page
 */
function clear(page) {
    current?.view.leave?.();
    current = null;
    connection.forget();
    const before = document.getElementById('main');
    const main = before.cloneNode(false);
    main.className = page;
    main.append(...before.childNodes); // shown until the next page draws
    before.replaceWith(main);
    return main;
}

const link = (href, text, kind = '') => h('a', { class: `button ${kind}`, href }, text);

function sorry(title, words, ...actions) {
    const main = clear('sorry-page');
    assertive(words);
    header.show({ page: '', title });
    replace(main, h('div', { class: 'sorry' }, h('h1', {}, title), h('p', {}, words), h('p', { class: 'row' }, actions)));
}

function notFound(route) {
    sorry(
        'Page not found',
        `There is no page \u201c${route.page}\u201d.`,
        link('#/play', 'Play', 'primary'),
        link('#/analyse', 'Analyse'),
        link('#/library', 'Library'),
    );
}

/** A request that the server refuses fails again, so only other failures offer another try. */
function fail(route, error) {
    if (error?.status === 401) {
        sorry(
            'This page needs the token',
            'Open the address that krow serve printed. An invitation to a game opens this game alone.',
            link('#/friend', 'Games with friends', 'primary'),
        );
        return;
    }
    const refused = error?.status >= 400 && error.status < 500;
    if (refused) {
        sorry(
            'This address does not work',
            error.message,
            link(`#/${route.page}`, 'Open the page without it', 'primary'),
            link('#/play', 'Play'),
        );
        return;
    }
    sorry(
        'Something went wrong',
        error?.message ?? texts.failed,
        h('button', { type: 'button', class: 'button primary', on: { click: () => location.reload() } }, 'Try again'),
    );
}

header.start();
document.querySelector('.skip').addEventListener('click', (event) => {
    // The fragment of the address holds the route, so the skip link moves the focus here.
    event.preventDefault();
    (document.querySelector('main [tabindex="0"]') ?? document.getElementById('main')).focus();
});
router.on('route', show);
router.start();
