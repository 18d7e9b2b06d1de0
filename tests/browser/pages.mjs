// All pages, for the tests of layout and accessibility: name, route, and a selector that is there when the page is shown.
export const PAGES = [
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
    ['watch', '#/watch', '.event-list .empty'],
    ['workers', '#/watch/workers', '.job-empty .command'],
    ['howto', '#/learn/how/connect6', '.howto .board svg'],
    ['howto-gravity', '#/learn/how/connect4', '.howto .board svg'],
    ['puzzles', '#/learn/puzzles/connect6/3', '.puzzle-page .board svg'],
    ['learn', '#/learn/counting/3', '.tour-facts'],
    ['tour-ratings', '#/learn/agents', '.tour-facts td'],
    ['library', '#/library', '.search-form'],
    ['mine', '#/library/mine', '.mine-card, .shelf [role="status"]'],
    ['books', '#/library/books', '.shelf'],
    ['patterns', '#/library/patterns', '.shelf'],
    ['ratings', '#/library/ratings', '.shelf'],
];
