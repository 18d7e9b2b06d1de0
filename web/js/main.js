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
    edit: () => import('./views/editor.js'),
    watch: () => import('./views/watch.js'),
    learn: () => import('./views/learn.js'),
    library: () => import('./views/library.js'),
};

let current = null; // {page, view}
let visit = 0;

async function show(route) {
    const page = route.page in PAGES ? route.page : 'play';
    if (current?.page === page) {
        await current.view.route?.(route);
        return;
    }
    const mine = ++visit;
    const module = await PAGES[page]();
    if (mine !== visit) return;
    current?.view.leave?.();
    connection.forget();
    const main = document.getElementById('main');
    main.className = page;
    const view = module.open(main, route);
    current = { page, view };
    await view.ready;
}

function fail(error) {
    const main = document.getElementById('main');
    const words = error?.message ?? texts.failed;
    assertive(words);
    current = null;
    replace(
        main,
        h(
            'div',
            { class: 'sorry' },
            h('h1', {}, 'Something went wrong'),
            h('p', {}, words),
            h(
                'button',
                { type: 'button', class: 'button primary', on: { click: () => location.reload() } },
                'Try again',
            ),
        ),
    );
}

header.start();
document.querySelector('.skip').addEventListener('click', (event) => {
    // The fragment of the address holds the route, so the skip link moves the focus here.
    event.preventDefault();
    (document.querySelector('main [tabindex="0"]') ?? document.getElementById('main')).focus();
});
router.on('route', (route) => show(route).catch(fail));
router.start();
