// Finished games: saved once, listed, searched, exported, deleted, and reviewed with exercises.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { newGame, PHONE, suite } from './harness.mjs';

const { krow, test, visit } = suite();

const PEOPLE = { first: { kind: 'person' }, second: { kind: 'person' } };
// White does not stop the row at a2.
const MOVES = 'b2 a1 c2 b1 a2';

/** Plays a game to its end through the server, and waits until it is saved. */
async function finish(game, moves) {
    const { id } = await krow.request('/sessions', { game, sides: PEOPLE, save: 'new' });
    for (const cell of moves.split(' ')) await krow.request(`/sessions/${id}/play`, { cell });
    await krow.until(`/sessions/${id}`, ({ saved }) => saved.game);
    return id;
}

const saved = async () => (await krow.request('/games?origin=saved')).total;

test('a game of the page Play is saved once, whatever happens after its end', async () => {
    const here = await visit();
    const { page } = here;
    await newGame(here, { preset: 'Tic-tac-toe', second: 'person' });
    const id = await page.evaluate(() => JSON.parse(sessionStorage.getItem('krow.play')).id);
    const play = async (cells) => {
        for (const cell of cells.split(' ')) {
            await here.cell(cell).click();
            await here.sees(`${cell}, (Black|White)`);
        }
    };
    await play(MOVES);
    await here.text('.result', /Black won/);
    await page.waitForFunction(() => !document.querySelector('.actions .button:disabled'));
    await krow.until('/games?origin=saved', ({ total }) => total === 1);
    await page.reload();
    await here.text('.result', /Black won/);
    // Back from the end, and another end. The server is killed right after the last stone.
    await krow.request(`/sessions/${id}/undo`, {});
    await here.status(/Black to move/);
    await play('c1 a3 c3');
    await krow.stop('SIGKILL');
    await krow.start();
    await here.text('.result', /Black won/);
    await here.button('Review').click();
    await page.waitForFunction(() => /^#\/review\//.test(location.hash));
    await page.locator('.accuracy-table').waitFor();
    await krow.until('/games?origin=saved', ({ total }) => total === 1);
    const { games } = await krow.request('/games?origin=saved&boards=1');
    assert.equal(games[0].moves.join(' '), 'b2 a1 c2 b1 c1 a3 c3');
    await here.end(/Failed to load resource|ERR_/);
});

test('your games are searched, exported and deleted', async () => {
    await finish('3x3:k=3', MOVES);
    await finish('7x6:k=4,gravity', 'd1 d2 c1 c2 b1 b2 a1');
    const here = await visit({ route: '#/library/mine' });
    const { page } = here;
    await here.counts('.mine-card', 3);
    await here.shot('your-games');
    await here.accessible('your games');
    await page.getByLabel('Player').fill('yellow');
    await page.getByLabel('Player').blur();
    await here.counts('.mine-card', 1);
    assert.match(page.url(), /#\/library\/mine\?player=yellow$/);
    await page.reload();
    await here.counts('.mine-card', 1);
    const waiting = page.waitForEvent('download');
    await here.button('Export these').click();
    const file = await waiting;
    assert.equal(file.suggestedFilename(), 'my-games.sgf');
    assert.match(readFileSync(await file.path(), 'utf8'), /PB\[Red\]/);
    await page.getByRole('button', { name: /^Delete Red/ }).click();
    await page.locator('dialog').getByRole('button', { name: 'No' }).click();
    await here.counts('.mine-card', 1);
    await page.getByRole('button', { name: /^Delete Red/ }).click();
    await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
    await here.text('.shelf', /No game matches these filters/);
    assert.equal(await saved(), 2);
    await here.end();
});

test('a review finds the mistake, judges answers, and is stored', async () => {
    const here = await visit({ route: '#/library/mine' });
    const { page } = here;
    await here.counts('.mine-card', 2);
    await page.locator('.mine-card').first().getByRole('link', { name: 'Review', exact: true }).click();
    await page.waitForFunction(() => document.querySelector('.review .scan-tools')?.hidden);
    await here.text('.mistakes', /lets the other side win by force/);
    await here.accessible('the review');
    await page.locator('.mistake').first().click();
    await here.text('.verdict', /White played b1\. Find a better turn/);
    await here.cell('c1').click();
    await here.text('.exercise', /Not the best\..*Black then wins by force/);
    await here.button('Try again').click();
    await here.cell('a2').click();
    await here.text('.exercise', /that is it|Just as good/);
    await here.text('.mistakes', /found/);
    await here.shot('review');
    await page.goBack();
    await here.text('.mine-card', /See the review/);
    // A second visit searches nothing.
    const [{ id }] = (await krow.request('/games?origin=saved')).games;
    const { scan } = await krow.request('/sessions', { from: { game_id: id } });
    assert.ok(scan.complete && scan.nodes === 0 && scan.points.length === 6);
    await here.end();
});

test('a review goes on after a reload, and can be stopped', async () => {
    await finish('15x15:k=5', 'h8 a1 h9 a2 h10 a3 h11 a5 h12');
    const { games } = await krow.request('/games?origin=saved');
    const here = await visit({ route: `#/review/${games[0].id}`, size: PHONE, touch: true });
    const { page } = here;
    const done = () => page.evaluate(() => Number(/^\d+/.exec(document.querySelector('.scan-tools').textContent)?.[0] ?? -1));
    await here.text('.scan-tools', /[2-9] of \d+ searches/);
    await here.button('Stop').click();
    await here.text('.scan-tools', /Stopped/);
    const { id } = await page.evaluate(() => JSON.parse(sessionStorage.getItem('krow.review.of')));
    const before = (await krow.request(`/sessions/${id}`)).scan.done;
    await page.reload();
    await here.text('.scan-tools', /\d+ of \d+ searches/);
    assert.ok((await done()) >= before, 'it continues where it was');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'the page fits');
    await here.end();
});
