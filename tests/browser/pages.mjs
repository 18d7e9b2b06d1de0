// All pages, for the tests of layout and accessibility.
const FINISHED = 'b2 a1 c2 b1 a2'; // of Tic-tac-toe; White does not stop the row at a2

/** Pages that need no data: name, route, and a selector that is there when the page is shown. */
const PAGES = [
    ['play', '#/play', '.player'],
    [
        'analyse',
        '#/analyse?g=19x19:k=6,p=2,q=1&m=i9.h9.h10.j10.j11.i10.i11.g9.h8.g8.k11.h11.i7.f10.k12.k13.j12.j13.i8.j6.j7',
        '.threat-side',
    ],
    [
        'analyse-gravity',
        '#/analyse?g=7x6:k=4,gravity&m=d1.g1.b1.c1.b2.d2.f1.e1.e2.f2.g2.b3.e3.a1.b4.d3.c2.c3',
        '.column-line',
    ],
    ['edit', '#/edit', '.diagram'],
    ['friend', '#/friend', '.friend-page'],
    ['watch', '#/watch', '.event-list > *'],
    ['workers', '#/watch/workers', '.job-empty .command'],
    ['howto', '#/learn/how/connect6', '.howto .board svg'],
    ['howto-gravity', '#/learn/how/connect4', '.howto .board svg'],
    ['puzzles', '#/learn/puzzles/connect6/3', '.puzzle-page .board svg'],
    ['learn', '#/learn/counting/3', '.tour-facts'],
    ['tour-ratings', '#/learn/agents', '.tour-facts td'],
    ['library', '#/library', '.search-form'],
    ['mine', '#/library/mine', '.mine-card'],
    ['books', '#/library/books', '.shelf'],
    ['patterns', '#/library/patterns', '.shelf'],
    ['ratings', '#/library/ratings', '.shelf'],
    ['missing', '#/nothing', '.error-page, main h1'],
];

/** Stores what the other pages show: a finished game, and a match that is paused in its first game. */
export async function prepare(krow) {
    const sides = { first: { kind: 'person' }, second: { kind: 'person' } };
    const session = await krow.request('/sessions', { game: '3x3:k=3', sides, save: 'new' });
    for (const cell of FINISHED.split(' ')) await krow.request(`/sessions/${session.id}/play`, { cell });
    const match = await krow.request('/matches', { game: 'connect6', agents: ['engine', 'level:n=8'], games: 20, openings: 0, time: 1 });
    await krow.request(`/matches/${match.id}/pause`, {});
    const { games } = await krow.until('/games?origin=saved', ({ games }) => games.length > 0);
    return { game: games[0].id, match: match.id };
}

/** Begins a game with a friend in the browser of a visit. @returns {Promise<string>} its route */
export async function friendGame(here, krow) {
    const { id, invitation } = await here.page.evaluate(async () => {
        const answer = await fetch('/api/v1/friends', {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ game: '15x15:k=5', side: 'first', clock: { seconds: 300, increment: 3 }, name: 'Ann' }),
        });
        return answer.json();
    });
    await krow.request(`/friends/${id}/join`, { invitation, name: 'Ben' });
    return `#/friend/${id}`;
}

/** All pages for a visit: name, route, selector, and what to do before the page is examined. */
export async function pagesOf(here, krow, { game, match }) {
    return [
        ...PAGES,
        ['match', `#/watch/${match}`, '.match-head p'],
        ['review', `#/review/${game}`, '.accuracy-table'],
        [
            'exercise',
            `#/review/${game}?t=3`,
            '.mistake',
            async () => {
                await here.page.locator('.mistake').first().click();
                await here.button('Show solution').click();
            },
        ],
        ['friend-game', await friendGame(here, krow), '.player'],
    ];
}
