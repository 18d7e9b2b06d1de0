// The analysis page: verdict and lines, threats, forced wins, variations, whole-game analysis, solved columns.
import assert from 'node:assert/strict';
import { suite, TABLET } from './harness.mjs';

const { test, visit } = suite();

// Black wins by continuous fours; the engine proves it.
const WON = '#/analyse?g=15x15:k=5&m=h8.a1.i8.a15.j8.o1';
// White must stop three windows with two stones.
const THREATS =
    '#/analyse?g=19x19:k=6,p=2,q=1&m=i9.h9.h10.j10.j11.i10.i11.g9.h8.g8.k11.h11.i7.f10.k12.k13.j12.j13.i8.j6.j7';
const SOLVED = '#/analyse?g=7x6:k=4,gravity&m=d1.g1.b1.c1.b2.d2.f1.e1.e2.f2.g2.b3.e3.a1.b4.d3.c2.c3';

test('verdict, bar and lines are streamed; hiding them does not stop the analysis', async () => {
    const here = await visit({ route: WON });
    const { page } = here;
    await here.text('.verdict h1', /Black wins/);
    await page.locator('.line').first().waitFor();
    assert.match(await page.textContent('.line-value'), /win/);
    assert.match(await page.getByRole('meter').getAttribute('aria-valuetext'), /win/);
    await page.getByRole('button', { name: 'Hide the analysis' }).click();
    await here.text('.verdict h1', /Gomoku/);
    await here.counts('.line', 0);
    await page.getByRole('button', { name: 'Show the analysis' }).click();
    await page.locator('.line').first().waitFor();
    await page.getByRole('switch', { name: 'Analyse' }).uncheck();
    await here.text('.part-head', /stopped at depth/);
    await here.end();
});

test('a forced win is played through step by step', async () => {
    const here = await visit({ route: WON });
    const { page } = here;
    const has = (n) =>
        page.waitForFunction((stones) => document.querySelectorAll('.board .stone').length === stones, n);
    await has(6);
    await here.button('Play it through').click();
    await has(7);
    await here.shot('analyse-walk');
    await page.getByRole('button', { name: 'Step back' }).click();
    await has(6);
    await page.getByRole('button', { name: 'Step forward' }).click();
    await has(7);
    await here.button('End').click();
    await has(6);
    await page.locator('.walk').waitFor({ state: 'hidden' });
    await here.end();
});

test('the forced loss of a lost position starts with its answers', async () => {
    const here = await visit({ route: THREATS });
    const { page } = here;
    await here.counts('.board .stone', 21);
    await here.button('Play it through').click();
    await here.counts('.walk .chip', 4);
    await here.counts('.board .stone', 23);
    await page.locator('.walk .chip').nth(3).click();
    assert.equal(await page.locator('.walk .chip').nth(3).getAttribute('aria-pressed'), 'true');
    await page.getByRole('button', { name: 'Step forward' }).click();
    await here.counts('.board .stone', 25);
    await here.shot('analyse-walk-lost');
    await here.button('End').click();
    await here.counts('.board .stone', 21);
    await here.end();
});

test('a forced win ends with the completed row, whatever the defender plays', async () => {
    const here = await visit({ route: WON });
    const { page } = here;
    await here.button('Play it through').click();
    await here.counts('.board .stone', 7);
    await here.cell('c3').click(); // not one of the listed defences
    await here.counts('.board .stone', 8);
    await here.button('Step forward').click();
    await here.text('.walk', /completes the row, after three stones/);
    await here.counts('.board .win-bar', 1);
    assert.ok(await here.button('Step forward').isDisabled());
    await here.button('Step back').click();
    await here.button('Defence k8').click();
    await here.button('Step forward').click();
    await here.text('.walk', /f8: Black completes the row/);
    await here.end();
});

test('a win under gravity is played through, column by column', async () => {
    const here = await visit({ route: '#/analyse?g=7x6:k=4,gravity&m=d1.a1.e1.a2' });
    await here.button('Play it through').click();
    await here.counts('.board .stone', 5);
    for (let turns = 5; turns < 7; turns++) {
        await here.button('Step forward').click();
        await here.counts('.board .stone', turns + 1);
    }
    await here.text('.walk', /Red completes the row, after three stones/);
    await here.end();
});

test('threats with windows, letters and answers', async () => {
    const here = await visit({ route: THREATS });
    const { page } = here;
    await page.locator('.window.first').first().waitFor({ state: 'attached' });
    await here.counts('.board .window.first', 3);
    assert.deepEqual(await page.locator('.board .tag text').allTextContents(), ['A', 'B', 'C']);
    await here.counts('.board .answer.shown path', 2);
    await here.text('.threats', /needs 2 stones/);
    await here.text('.threats', /White has no threat/);
    await here.status(/White to answer/);
    await here.shot('analyse-threats');
    await page.getByRole('button', { name: 'Threats of Black' }).click();
    await page.locator('.board .window').first().waitFor({ state: 'detached' });
    await here.end();
});

test('threes and fours with a sentence each; pointing at one shows its cells', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.a1.h9.a3.h10.a5' });
    const { page } = here;
    await here.text('.threats', /Black: one open three/);
    await here.text('.threats', /White: one closed split three/);
    await here.text('.threats', /h11 or h7 makes an open four; h11 or h7 stops it/);
    await here.text('.threats', /Exact count 0/);
    await here.counts('.board .window', 1);
    await page.locator('.row-threat').nth(1).hover();
    await here.counts('.board .window.second', 1);
    await here.counts('.board .ghost', 2);
    await page.mouse.move(5, 5);
    await page.locator('.row-threat').first().focus();
    await here.counts('.board .answer.shown path', 2);
    await here.end();
});

test('scores on cells; lines can be played', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9.h9.h10.g8' });
    const { page } = here;
    await page.getByRole('button', { name: 'Scores', exact: true }).click();
    // One decimal, as in the lines, so that scores differ.
    await here.text('.board .score.best', /^([+\u2212]\d\.\d|[+\u2212]\d\d|0|win|loss)$/);
    await here.shot('analyse-scores');
    const stones = await page.locator('.board .stone').count();
    await page.locator('.line').first().click();
    await page.waitForFunction((n) => document.querySelectorAll('.board .stone').length === n, stones + 1);
    await here.end();
});

test('solved columns, with their scores above the board', async () => {
    const here = await visit({ route: SOLVED, prefs: { scores: true } });
    await here.text('.verdict h1', /Red wins, solved/);
    await here.text('.verdict', /Only column 5 keeps the win/);
    assert.deepEqual(await here.page.locator('.column-scores span').allTextContents(), [
        '−12',
        '−4',
        '−2',
        '0',
        '+1',
        '−4',
        '0',
    ]);
    await here.shot('analyse-solved');
    await here.end();
});

test('variations, comments, promotion, deletion', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9.h9.h10' });
    const { page } = here;
    await here.sees('h10, White, last turn');
    await here.button('Previous turn').first().click();
    await here.sees('h10, empty');
    await here.cell('g7').click();
    await here.sees('g7, White');
    await page.locator('.variation').waitFor();
    await here.button('Comment').click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Another try.');
    await page.keyboard.press('Enter');
    await here.text('.tree', /Another try/);
    assert.match(page.url(), /v=3\.g7/);
    await here.shot('analyse-variation');
    await here.button('Make this the main line').click();
    await page.waitForFunction(() => /m=h8\.i9\.h9\.g7/.test(location.hash));
    await here.button('Delete from here').click();
    await here.sees('g7, empty');
    await here.end();
});

test('the whole game: curve and turning points', async () => {
    const here = await visit({ route: '#/analyse?g=3x3:k=3&m=b2.a1.c2.b1' });
    const { page } = here;
    await here.sees('b1, White, last turn');
    await here.button('Analyse the whole game').click();
    await page.locator('.curve-line').waitFor({ state: 'attached' });
    await here.button('Analyse it again').waitFor();
    await page.locator('.turning-line').first().waitFor();
    // The last turn is the turning point: its number stands there once.
    assert.deepEqual(await page.locator('.curve text').allTextContents(), ['4', 'turn 1']);
    await here.shot('analyse-game');
    await page.locator('.turning-line').first().click();
    await page.locator('.curve-cursor').waitFor({ state: 'attached' });
    await here.end();
});

test('a finished game has a result, and no threats', async () => {
    const here = await visit({ route: '#/analyse?g=3x3:k=3&m=b2.a1.c2.b1.a2' });
    const { page } = here;
    await here.text('.eval-label', /^1–0$/);
    await here.button('Previous turn').first().click();
    await page.locator('.threats').waitFor();
    await here.button('Next turn').first().click();
    await page.locator('.threats').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Black a2' }).waitFor(); // for screen readers
    await here.end();
});

test('a long panel: the board, its status and the current turn stay in view', async () => {
    const cells = Array.from({ length: 50 }, (_, i) => `${'acegikmo'[i % 8]}${1 + 2 * (i >> 3)}`);
    const here = await visit({ route: `#/analyse?g=15x15:k=5&m=${cells.join('.')}` });
    const { page } = here;
    await here.text('.threats', /White: \w+ closed split three/);
    const inView = () =>
        page.evaluate(() =>
            ['.board svg', '.status', '.study .chips'].filter((selector) => {
                const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
                return top < 0 || bottom > innerHeight;
            }),
        );
    const { top, bottom } = await page.evaluate(() => document.querySelector('.tree [aria-current]').getBoundingClientRect().toJSON());
    assert.ok(top > 0 && bottom <= 900, `the current turn is at ${top}`);
    assert.deepEqual(await inView(), []);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    assert.deepEqual(await inView(), []);
    await here.end();
});

test('winning chances can be shown for the first side', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9.h9.a1.g7', size: TABLET });
    await here.text('.verdict', /chance of White|White|Black/);
    await here.page.locator('.line').first().waitFor();
    await here.button('Settings').click();
    await here.page.getByLabel('Winning chances of').selectOption('first');
    await here.page.keyboard.press('Escape');
    await here.page.waitForFunction(() => !/chance of White/.test(document.querySelector('.verdict').textContent));
    await here.shot('analyse-tablet');
    await here.end();
});
