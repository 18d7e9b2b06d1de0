// The tour: krow computes what the boards show and updates it when a cell changes.
import assert from 'node:assert/strict';
import { PHONE, suite } from './harness.mjs';

const { krow, test, visit } = suite();

test('the two errors on interactive boards', async () => {
    const here = await visit({ route: '#/learn/counting/3' });
    const { page } = here;
    await page.locator('.tour-board').nth(1).waitFor();
    await here.counts('.verdict-wrong', 2);
    await here.shot('learn-errors');
    // A white stone on e5 stops both threats of the first board.
    const first = page.locator('.tour-board').first();
    const before = await first.locator('.tour-facts').textContent();
    await first.getByRole('gridcell', { name: /^e5/ }).click();
    await first.getByRole('gridcell', { name: /^e5, Black/ }).waitFor({ state: 'attached' });
    await page.waitForFunction((text) => document.querySelector('.tour-facts').textContent !== text, before);
    await here.button('Reset board').click();
    await page.waitForFunction((text) => document.querySelector('.tour-facts').textContent === text, before);
    await here.end();
});

test('the scan plays automatically and step by step', async () => {
    const here = await visit({ route: '#/learn/counting/2' });
    const { page } = here;
    const slider = page.getByRole('slider');
    await slider.fill('10');
    await here.text('.player-words', /window 10 of/);
    await page.locator('.board .window').first().waitFor({ state: 'attached' });
    await here.button('Play').click();
    await here.text('.player-words', /scan finished/);
    await here.end();
});

test('every step of every paper opens', async () => {
    const tours = await krow.request('/tour');
    assert.ok(tours.length >= 5);
    const here = await visit({ route: '#/learn' });
    for (const tour of tours) {
        for (let step = 1; step <= tour.steps.length; step++) {
            await here.go(`#/learn/${tour.id}/${step}`);
            await here.page.waitForFunction(
                (title) => document.querySelector('.step[aria-current]')?.textContent.includes(title),
                tour.steps[step - 1],
            );
            await here.page.locator('.tour-board .board svg').first().waitFor({ state: 'attached' });
            await here.shot(`learn-${tour.id}-${step}`);
        }
    }
    await here.end();
});

test('cells of gravity boards have names, and only the deciding list is marked', async () => {
    const here = await visit({ route: '#/learn/chains/4' });
    const { page } = here;
    const board = page.locator('.tour-board').nth(1);
    await board.locator('.score text').first().waitFor({ state: 'attached' });
    assert.deepEqual(await board.locator('.score text').allTextContents(), ['2']);
    assert.deepEqual(await board.locator('.coordinates.columns text').allTextContents(), [...'abcdefg']);
    assert.equal(await board.locator('.coordinates.rows text').count(), 6);
    await board.getByRole('gridcell', { name: /^f1, empty/ }).waitFor({ state: 'attached' });
    await here.end();
});

test('a pattern keeps its rows', async () => {
    const here = await visit({ route: '#/learn/tiers/4' });
    const pattern = here.page.locator('.fact-pattern');
    await pattern.waitFor();
    const rows = (await pattern.textContent()).split('\n');
    assert.ok(rows.length > 3 && rows.every((row) => row.length === rows[0].length), rows.join('|'));
    const { height, line } = await pattern.evaluate((element) => ({
        height: element.getBoundingClientRect().height,
        line: parseFloat(getComputedStyle(element).lineHeight),
    }));
    assert.ok(height < (rows.length + 1) * line, 'no row is wrapped');
    await here.end();
});

test('Next and Back work on a phone', async () => {
    const here = await visit({ route: '#/learn', size: PHONE, touch: true });
    await here.text('h1', /Counting threats/);
    await here.page.getByRole('button', { name: /^Next/ }).tap();
    await here.page.waitForFunction(() => location.hash.endsWith('/2'));
    await here.shot('learn-phone');
    await here.button('Back').tap();
    await here.page.waitForFunction(() => location.hash.endsWith('/1'));
    await here.end();
});

test('what an agent sees', async () => {
    const here = await visit({ route: '#/learn/agents' });
    const { page } = here;
    await here.text('h1', /What does this agent see/);
    await here.text('.tour-caption', /^sequences rates 220 cells for the next stone of White/);
    await page.locator('.board .score.best').first().waitFor({ state: 'attached' });
    // Another agent, then a stone placed with the keyboard.
    await page.getByLabel('Agent').selectOption('adjacent');
    await here.text('.tour-caption', /^adjacent rates/);
    await page.locator('.board [role="gridcell"][tabindex="0"]').focus();
    for (const key of ['Home', 'PageDown', 'PageDown', 'PageDown', 'PageDown', 'Enter']) await page.keyboard.press(key);
    await here.sees('a1, Black');
    // Another game.
    await page.getByLabel('Game').selectOption('7x6:k=4,gravity');
    await here.text('.tour-caption', /rates 7 cells for the next stone of Red/);
    await here.text('.tour-facts', /column 4/);
    await here.shot('learn-agents');
    // A floating stone is refused and taken back.
    await page.getByRole('gridcell', { name: /^b3/ }).click();
    await here.text('body', /floats/);
    await page.getByRole('gridcell', { name: /^b3, empty/ }).waitFor({ state: 'attached' });
    here.problems.length = 0; // the browser reports the refused request
    await here.button('Empty board').click();
    await here.end();
});
