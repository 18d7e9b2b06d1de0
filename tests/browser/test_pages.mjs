// Every page shows the complete present state, wherever the user comes from: by link, back, forward or address. With
// KROW_TEST_LONG, also from and to pages whose state rarely changes.
import assert from 'node:assert/strict';
import { suite } from './harness.mjs';
import { friendGame, prepare } from './pages.mjs';

const { krow, test, visit } = suite();

const STUDY = '#/analyse?g=19x19:k=6,p=2,q=1&m=j10.k11.k10';
const GAME = { game: '15x15:k=5', sides: { first: { kind: 'person' }, second: { kind: 'person' } } };

/** The session of this tab. */
const sessionOf = (page, key) => page.evaluate((name) => JSON.parse(sessionStorage.getItem(name)).id, key);

/** What a board page shows, read from the page. */
const board = () => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
    const stones = { first: [], second: [] };
    for (const cell of document.querySelectorAll('[role="gridcell"]')) {
        const match = /^(\w+), (Black|White)/.exec(cell.getAttribute('aria-label'));
        if (match) stones[match[2] === 'Black' ? 'first' : 'second'].push(match[1]);
    }
    return {
        stones: [...stones.first.sort(), '/', ...stones.second.sort()].join(' '),
        turns: texts('.move-rows .turn-text, .tree .turn > span').join(', '),
        current: document.querySelectorAll('.moves [aria-current], .tree [aria-current]').length,
        title: document.querySelector('.area-title h1, .verdict h1').textContent !== '',
        status: document.querySelector('.status').textContent !== '',
        buttons: texts('.actions .button').join(', '),
        players: texts('.player .strong').join(', '),
    };
};

function expected(state) {
    const own = (side) =>
        state.nodes
            .filter((node) => node.side === side)
            .map((node) => node.cell)
            .sort();
    const turns = [];
    for (const node of state.nodes) {
        if (turns.at(-1)?.ply === node.ply) turns.at(-1).cells.push(node.cell);
        else turns.push({ ply: node.ply, cells: [node.cell] });
    }
    return {
        stones: [...own('first'), '/', ...own('second')].join(' '),
        turns: turns.map(({ cells }) => cells.join(' ')).join(', '),
        current: state.nodes.length > 0 ? 1 : 0,
        title: true,
        status: true,
    };
}

/** Waits until a page shows what the server has; fails with both. */
async function agrees(here, what, read, wanted) {
    let shown = null;
    let right = null;
    for (const end = Date.now() + 20000; Date.now() < end; ) {
        right = await wanted();
        shown = await here.page.evaluate(read).catch(String);
        if (JSON.stringify(shown) === JSON.stringify(right)) return;
        await here.page.evaluate(() => new Promise(requestAnimationFrame));
    }
    assert.deepEqual(shown, right, what);
}

const text = (selector) => `document.querySelector(${JSON.stringify(selector)})?.textContent`;

/** The pages: address, and a check against the server. `match` is the match that runs, `won` a finished game. */
const pagesOf = (here, match, won) => ({
    play: [
        '#/play',
        async () => {
            const state = () => krow.request(`/sessions/${id}`);
            const id = await sessionOf(here.page, 'krow.play');
            await agrees(here, 'play', board, async () => ({
                ...expected(await state()),
                buttons: 'Undo, Redo, Hint, Resign',
                players: 'White, Black',
            }));
        },
    ],
    game: ['#/analyse', () => analysis(here)],
    study: [STUDY, () => analysis(here)],
    watch: [
        '#/watch',
        () =>
            agrees(
                here,
                'watch',
                () => [...document.querySelectorAll('.event-facts p:first-child')].map((p) => p.textContent),
                async () => {
                    const { running, past } = await krow.request('/matches');
                    return [...running, ...past].map(({ played, games }) => `${played} of ${games} games`);
                },
            ),
    ],
    match: [
        `#/watch/${match}`,
        () =>
            agrees(here, 'match', text('.match-head p'), async () => {
                const { played, total } = await krow.request(`/matches/${match}`);
                return `${played} of ${total} games, paused`;
            }),
    ],
    learn: [
        '#/learn',
        () =>
            agrees(
                here,
                'learn',
                () => [document.querySelector('h1').textContent, document.querySelectorAll('.papers [title]').length],
                async () => ['How to play Gomoku', (await krow.request('/tour')).length],
            ),
    ],
    library: [
        '#/library',
        () =>
            agrees(here, 'library', text('.shelf [role="status"]'), async () => {
                const { total } = await krow.request('/games');
                return `${total} game${total === 1 ? '' : 's'}`;
            }),
    ],
    review: [
        `#/review/${won}`,
        async () => {
            await here.page.locator('.accuracy-table').waitFor();
            await agrees(
                here,
                'review',
                () => [
                    [...document.querySelectorAll('.review-moves .turn-text')].map(({ textContent }) => textContent),
                    [...document.querySelectorAll('.mistake > strong')].map(({ textContent }) => Number(textContent)),
                    document.querySelector('.review .scan-tools').hidden,
                ],
                async () => {
                    const { nodes, scan } = await krow.request(`/sessions/${await sessionOf(here.page, 'krow.review.of')}`);
                    return [nodes.map(({ cell }) => cell), scan.turning.map(({ ply }) => ply), true];
                },
            );
        },
    ],
});

/** Further pages for the long form. */
const morePagesOf = async (here) => {
    const friend = await friendGame(here, krow);
    const own = () => here.page.evaluate((path) => fetch(path).then((answer) => answer.json()), `/api/v1/friends/${friend.split('/').pop()}`);
    return {
        mine: [
            '#/library/mine',
            () => agrees(here, 'mine', text('.shelf [role="status"]'), async () => `${(await krow.request('/games?origin=saved')).total} game`),
        ],
        puzzle: [
            '#/learn/puzzles/connect6/3',
            () =>
                agrees(
                    here,
                    'puzzle',
                    () => [document.querySelector('.puzzle-page h2').textContent, document.querySelectorAll('.board .stone').length],
                    async () => ['Puzzle 3', (await krow.request('/puzzles/next?game=connect6&number=3')).rows.join('').replaceAll('.', '').length],
                ),
        ],
        friend: [
            friend,
            () =>
                agrees(
                    here,
                    'friend',
                    () => [
                        [...document.querySelectorAll('.player .strong')].map(({ textContent }) => textContent).join(),
                        document.querySelectorAll('.board .stone').length,
                    ],
                    async () => {
                        const { names, path } = await own();
                        return [`${names.second},${names.first} (you)`, path.length];
                    },
                ),
        ],
        edit: [
            '#/edit',
            // The board of the page that was open before.
            () =>
                agrees(
                    here,
                    'edit',
                    () => [document.querySelector('h1').textContent, [9, 225, 361].includes(document.querySelectorAll('[role="gridcell"]').length)],
                    async () => ['Board editor', true],
                ),
        ],
    };
};

async function analysis(here) {
    const { page } = here;
    await page.locator('.verdict').waitFor();
    // The page before is shown until Analyse has drawn, so the session is looked up again each time.
    await agrees(here, 'analyse', board, async () => {
        const own = await page.evaluate(() => /own analysis\./.test(document.querySelector('.study-notice')?.textContent));
        const id = await sessionOf(page, own ? 'krow.study' : 'krow.play');
        return { ...expected(await krow.request(`/sessions/${id}`)), buttons: '', players: '' };
    });
    await page.locator('.line').first().waitFor();
    await here.text('.threats', /has \w+ threat|has no threat|needs/);
}

/** Every ordered pair of names as one closed walk: each step is one pair. */
function walk(names) {
    const left = new Map(names.map((from) => [from, names.filter((to) => to !== from)]));
    const way = [];
    const follow = (from) => {
        while (left.get(from).length > 0) follow(left.get(from).pop());
        way.unshift(from);
    };
    follow(names[0]);
    return way;
}

test('every page shows the present state, reached from every other page', async () => {
    const here = await visit();
    const { page } = here;
    await here.status(/Your turn/);
    // A game of two persons that goes on while the page is elsewhere, and a match that is paused in its first game.
    const game = await krow.request('/sessions', { ...GAME, moves: 'h8 i9' });
    const { game: won, match } = await prepare(krow);
    await page.evaluate(
        ([id, again]) => sessionStorage.setItem('krow.play', JSON.stringify({ id, again, last: [] })),
        [game.id, { moves: 'h8 i9' }],
    );
    await page.reload();
    const pages = pagesOf(here, match, won);
    if (process.env.KROW_TEST_LONG) Object.assign(pages, await morePagesOf(here));
    const names = Object.keys(pages);
    const way = walk(names);
    assert.equal(way.length, names.length * (names.length - 1) + 1);
    const cells = ['g7', 'j10', 'f6', 'k11', 'c3', 'd3', 'e12', 'f12', 'n2', 'o15', 'm4', 'a9', 'b13', 'l8'];
    await pages.play[1]();
    for (const [i, name] of way.slice(1).entries()) {
        const [route, check] = pages[name];
        const before = way[i];
        if (before !== 'play' && name === 'play' && cells.length > 0)
            await krow.request(`/sessions/${game.id}/play`, { cell: cells.pop() });
        const link = page.locator(`a[href="${route}"]:visible`);
        if ((await link.count()) > 0) await link.first().click();
        else await page.evaluate((hash) => (location.hash = hash), route);
        await check();
        await page.goBack();
        await pages[before][1]();
        await page.goForward();
        await check();
    }
    await here.end();
});

test('Analyse follows the game; an own analysis leaves the game alone', async () => {
    const here = await visit();
    const { page } = here;
    await here.status(/Your turn/);
    await here.cell('h8').click();
    await page.getByRole('gridcell', { name: /White, last turn/ }).waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Analyse' }).click();
    await here.sees('h8, Black');
    // A game against a level is a contest: its analysis is shown only on request.
    await here.text('.study-notice', /in progress/);
    await here.counts('.board .stone', 2);
    assert.equal(await page.locator('.lines').isVisible(), false);
    const id = await sessionOf(page, 'krow.play');
    assert.equal((await krow.request(`/sessions/${id}`)).analysis.on, false);
    await here.button('Show the analysis').first().click();
    await page.locator('.line').first().waitFor();
    await here.shot('analyse-game-in-progress');
    // The game goes on elsewhere, and the board follows.
    const before = await krow.request(`/sessions/${id}`);
    const cell = before.rows[0].indexOf('.') === 0 ? 'a15' : 'b15';
    await krow.request(`/sessions/${id}/play`, { cell });
    await here.sees(`${cell}, Black`);
    await here.counts('.board .stone', 4);
    // A stone placed here starts an own analysis.
    await here.cell('a1').click();
    await here.text('.study-notice', /Your own analysis/);
    await here.sees('a1, Black, last turn');
    assert.equal((await krow.request(`/sessions/${id}`)).path.length, 4);
    await page.locator('.line').first().waitFor();
    await here.shot('analyse-own');
    await here.button('Back to the game').click();
    await here.sees('a1, empty');
    await here.counts('.board .stone', 4);
    await here.button('Previous turn').first().click();
    await here.text('.study-notice', /Your own analysis/);
    await here.counts('.board .stone', 3);
    // The own analysis stays until the game goes on.
    await page.getByRole('link', { name: 'Play' }).first().click();
    await here.status(/Your turn/);
    await here.counts('.board .stone', 4);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await here.text('.study-notice', /Your own analysis/);
    await here.counts('.board .stone', 3);
    await page.getByRole('link', { name: 'Play' }).first().click();
    await here.status(/Your turn/);
    await page.getByRole('gridcell', { name: /, empty/ }).first().click();
    await here.counts('.board .stone', 6);
    await page.getByRole('link', { name: 'Analyse' }).click();
    await here.text('.study-notice', /in progress/);
    await here.counts('.board .stone', 6);
    assert.equal((await krow.request(`/sessions/${id}`)).analysis.on, false);
    await here.end();
});

test('a late answer does not draw over the page that was opened meanwhile', async () => {
    const here = await visit();
    const { page } = here;
    await here.status(/Your turn/);
    await here.go(STUDY);
    await here.sees('k10, White');
    await here.go('#/play');
    await here.status(/Your turn/);
    for (const [route, late] of [
        ['#/learn', '**/tour'],
        ['#/library', '**/games?*'],
        ['#/watch', '**/matches'],
        ['#/review/own', '**/sessions'],
    ]) {
        let answer;
        const held = new Promise((resolve) => {
            answer = resolve;
        });
        const asked = page.waitForRequest(late);
        await page.route(late, async (request) => {
            await held;
            await request.continue();
        });
        await page.evaluate((hash) => (location.hash = hash), route);
        await asked;
        await page.evaluate(() => (location.hash = '#/play'));
        await here.status(/Your turn/);
        const answered = page.waitForResponse(late);
        answer();
        await (await answered).finished();
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
        await here.status(/Your turn/);
        await here.counts('main .game', 1);
        assert.equal(await page.textContent('.nav [aria-current]'), 'Play');
        await page.unroute(late);
    }
    await here.end();
});
