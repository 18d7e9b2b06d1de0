// A lost connection: reported, counted down, restored; the game continues.
import assert from 'node:assert/strict';
import { newGame, suite } from './harness.mjs';

const { krow, test, visit } = suite();
const LOST = /ERR_|Failed to load|EventSource|404/;

test('the server is killed and restarted: the same game continues', async () => {
    const here = await visit({ hasClock: true });
    await newGame(here, { preset: 'Gomoku', second: 'person' });
    for (const [cell, name] of [
        ['h8', 'Black'],
        ['i9', 'White'],
        ['j10', 'Black'],
    ]) {
        await here.cell(cell).click();
        await here.sees(`${cell}, ${name}`);
    }
    // The page shows a stone before the server has confirmed it, but stores only confirmed stones.
    await here.page.waitForFunction(() => Object.values(localStorage).some((value) => value.includes('h8 i9 j10')));
    // The timers of the page are stopped, so only the button can restore the connection.
    await here.page.clock.install();
    await here.page.clock.pauseAt(Date.now() + 60000);
    const top = () => here.page.evaluate(() => document.querySelector('.board').getBoundingClientRect().top);
    const before = await top();
    await krow.stop('SIGKILL');
    await here.text('#strip', /Connection lost\. Your game is kept/);
    await here.shot('reconnect-lost');
    assert.equal(await top(), before, 'the board does not move');
    await here.sees('j10, Black');
    await krow.start();
    await here.button('Try now').click();
    await here.page.locator('.strip').waitFor({ state: 'detached' });
    await here.page.clock.resume();
    await here.sees('j10, Black');
    await here.cell('k11').click();
    await here.sees('k11, White');
    await here.counts('.board .stone', 4);
    await here.end(LOST);
});

test('the page reconnects automatically', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9' });
    await here.sees('i9, White');
    await krow.stop('SIGKILL');
    await here.text('#strip', /Connection lost/);
    await krow.start();
    await here.page.locator('.strip').waitFor({ state: 'detached' });
    await here.sees('i9, White');
    await here.page.locator('.line').first().waitFor();
    await here.end(LOST);
});

test('a set-up position survives a server restart', async () => {
    const here = await visit({ route: '#/analyse?g=3x3:k=3&b=3/1XO/3_first_1&m=a1' });
    await here.sees('a1, Black');
    await krow.stop('SIGKILL');
    await here.text('#strip', /Connection lost/);
    await krow.start();
    await here.page.locator('.strip').waitFor({ state: 'detached' });
    for (const cell of ['b2, Black', 'c2, White', 'a1, Black']) await here.sees(cell);
    await here.end(LOST);
});

test('a reload continues the same game', async () => {
    const here = await visit();
    await newGame(here, { preset: 'Connect Four', second: 'person' });
    await here.cell('column 4, row 1').click();
    await here.sees('column 4, row 1, Red');
    await here.page.reload();
    await here.sees('column 4, row 1, Red');
    await here.status(/Yellow to move/);
    await here.end();
});
