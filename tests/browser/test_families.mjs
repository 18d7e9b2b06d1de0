// The kinds of games: several stones per turn, gravity, large boards.
import assert from 'node:assert/strict';
import { newGame, PHONE, suite } from './harness.mjs';

const { krow, test, visit } = suite();

test('two stones per turn: the player places two, then the agent places two', async () => {
    const here = await visit();
    await newGame(here, { preset: 'Connect6', second: 'sequences' });
    await here.cell('j10').click();
    await here.page.waitForFunction(() => document.querySelectorAll('.stone.second').length === 2);
    await here.status(/Two stones/);
    // Far from the cells where the agent may have played.
    await here.cell('a1').click();
    await here.status(/One stone/);
    await here.cell('a2').click();
    await here.page.waitForFunction(() => document.querySelectorAll('.stone.second').length === 4);
    await here.counts('.tie', 1);
    await here.shot('family-connect6');
    await here.end();
});

test('stones fall to the lowest free cell, wherever a column is clicked', async () => {
    const here = await visit({ still: false });
    await newGame(here, { preset: 'Connect Four', second: 'person' });
    await here.cell('column 4, row 6').click();
    await here.sees('column 4, row 1, Red');
    await here.cell('column 4, row 3').click();
    await here.sees('column 4, row 2, Yellow');
    for (let stone = 0; stone < 4; stone++) {
        await here.cell('column 4, row 6').click();
        await here.sees(`column 4, row ${stone + 3}, ${stone % 2 ? 'Yellow' : 'Red'}`);
    }
    await here.cell('column 4, row 1').click();
    await here.text('.toast', /Column 4 is full/);
    // Moves and hints name columns as the board does.
    assert.deepEqual(await here.page.locator('.turn-text').allTextContents(), Array(6).fill('4'));
    await here.text('.area-top .player', /played column 4/);
    await here.button('Hint').click();
    await here.text('.status', /Column [1-7]\./);
    assert.doesNotMatch(await here.page.textContent('.status'), /\b[a-g][1-6]\b/);
    await here.shot('family-connect4');
    await here.end();
});

test('the chosen game starts even if the server has not checked its rules yet', async () => {
    const here = await visit();
    const { page } = here;
    await here.button('New game').click();
    await page.locator('.player-select').first().waitFor();
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/api/v1/rules', async (route) => {
        await held;
        await route.continue();
    });
    await page.getByRole('radio', { name: /^Connect Four/ }).click();
    await here.button('Start game').click();
    release();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await here.sees('column 4, row 6, empty');
    await here.end();
});

test('a row wins and is marked', async () => {
    const here = await visit();
    await newGame(here, { preset: 'Connect Four', second: 'person' });
    for (const column of [1, 2, 1, 2, 1, 2, 1]) {
        const stones = await here.page.locator('.stone').count();
        await here.cell(`column ${column}, row 6`).click();
        await here.page.waitForFunction((n) => document.querySelectorAll('.stone').length === n, stones + 1);
    }
    await here.status(/Red wins with four in a row/);
    await here.counts('.stone.won', 4);
    await here.end();
});

test('64 × 64: the lens follows the pointer', async () => {
    const here = await visit();
    await newGame(here, {
        preset: 'Custom',
        rules: { Columns: 64, Rows: 64, 'In a row, k': 7, 'Stones per turn, p': 2 },
        second: 'person',
    });
    await here.page.locator('.lens').waitFor();
    await here.cell('ad40').click();
    await here.sees('ad40, Black');
    await here.page.locator('.lens .stone').waitFor({ state: 'attached' });
    await here.cell('ae41').hover();
    await here.page.locator('.lens-frame').waitFor({ state: 'attached' });
    await here.shot('family-64x64');
    const height = await here.page.evaluate(() => document.querySelector('.moves').clientHeight);
    assert.ok(height >= 90, `the list of moves keeps some rows, ${height} px`);
    await here.end();
});

test('64 × 64: a stone of a long game redraws little', async () => {
    const person = { kind: 'person' };
    const column = (x) => (x < 26 ? String.fromCharCode(97 + x) : `${column(Math.floor(x / 26) - 1)}${column(x % 26)}`);
    const moves = Array.from({ length: 800 }, (_, i) => `${column((i + (i >> 7)) % 64)}${(i >> 6) + 1}`);
    const sides = { first: person, second: person };
    const game = await krow.request('/sessions', { game: '64x64:k=64', moves: moves.join(' '), sides });
    const here = await visit({ route: '#/learn' });
    const { page } = here;
    await page.evaluate((id) => sessionStorage.setItem('krow.play', JSON.stringify({ id })), game.id);
    await here.go('#/play');
    await here.counts('.board .stone', 800);
    await here.counts('.turn', 800);
    await page.evaluate(() => {
        window.drawn = 0;
        const count = (records) => {
            for (const { addedNodes, type } of records)
                for (const node of type === 'attributes' ? [null] : addedNodes)
                    window.drawn += node?.querySelectorAll ? 1 + node.querySelectorAll('*').length : 1;
        };
        const everything = { childList: true, subtree: true, attributes: true, attributeFilter: ['aria-label'] };
        new MutationObserver(count).observe(document.querySelector('.board'), everything);
        new MutationObserver(count).observe(document.querySelector('.moves'), everything);
    });
    await here.cell('f60').click();
    await here.sees('f60, Black, last turn');
    await here.counts('.turn', 801);
    const drawn = await page.evaluate(() => window.drawn);
    assert.ok(drawn > 5 && drawn < 200, `${drawn} elements were drawn`);
    await here.end();
});

test('a large board on a phone can be panned and keeps cells large enough to tap', async () => {
    const here = await visit({ size: PHONE, touch: true });
    await newGame(here, { preset: 'Custom', rules: { Columns: 40, Rows: 40, 'In a row, k': 6 }, second: 'person' });
    const box = await here.cell('t20').boundingBox();
    assert.ok(box.width >= 22, `a cell is ${box.width} pixels wide`);
    assert.ok(
        await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
        'the page itself does not scroll sideways',
    );
    await here.cell('t20').tap();
    await here.button('Place at t20').tap();
    await here.sees('t20, Black');
    await here.shot('family-40x40-phone');
    await here.end();
});

test('3 × 3 is drawn large', async () => {
    const here = await visit();
    await newGame(here, { preset: 'Tic-tac-toe', second: 'person' });
    const box = await here.cell('b2').boundingBox();
    assert.ok(box.width >= 80);
    await here.end();
});
