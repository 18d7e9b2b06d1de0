// Keyboard operation of the board, and announcements for screen readers.
import assert from 'node:assert/strict';
import { newGame, suite } from './harness.mjs';

const { test, visit } = suite();

const focused = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label'));

test('a game by keyboard alone', async () => {
    const here = await visit();
    const { page } = here;
    await newGame(here, { preset: 'Tic-tac-toe', second: 'person' });
    // The board has one tab stop, and a new game focuses it.
    await here.counts('.cells [tabindex="0"]', 1);
    assert.match(await focused(page), /^b2, empty/);
    await page.keyboard.press('Enter');
    await here.sees('b2, Black, last turn');
    await page.keyboard.press('ArrowUp');
    assert.match(await focused(page), /^b3/);
    await page.keyboard.press('Space');
    await here.sees('b3, White');
    await page.keyboard.press('Home');
    assert.match(await focused(page), /^a3/);
    await page.keyboard.press('Enter');
    await here.sees('a3, Black');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await here.sees('c3, White');
    await page.keyboard.press('PageDown');
    assert.match(await focused(page), /^c1/);
    await page.keyboard.press('Enter');
    await here.status(/Black wins/);
    await here.text('#polite', /Black/);
    await here.shot('keyboard-won');
    await here.end();
});

test('single keys: undo, redo, steps, numbers, coordinates, list of shortcuts', async () => {
    const here = await visit();
    const { page } = here;
    await newGame(here, { preset: 'Gomoku', second: 'person' });
    await page.keyboard.press('Enter');
    await here.sees('h8, Black');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await here.sees('i8, White');
    await page.keyboard.press('u');
    await here.sees('i8, empty');
    await page.keyboard.press('r');
    await here.sees('i8, White');
    await page.keyboard.press('[');
    await here.sees('i8, empty');
    await page.keyboard.press(']');
    await here.sees('i8, White');
    await page.keyboard.press('n');
    await page.locator('.stone .number').first().waitFor({ state: 'attached' });
    await page.keyboard.press('c');
    await page.locator('.coordinates').first().waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await here.shot('keyboard-keys');
    await page.getByRole('switch', { name: 'Single keys on the board' }).uncheck();
    await page.keyboard.press('Escape');
    await here.cell('a1').click();
    await here.sees('a1, Black');
    await page.keyboard.press('u');
    await page.keyboard.press('ArrowRight');
    await here.sees('a1, Black');
    await here.end();
});

test('E announces the evaluation', async () => {
    const here = await visit();
    await newGame(here, { preset: 'Connect Four', second: 'person' });
    await here.page.keyboard.press('e');
    await here.text('#polite', /Best|wins|draw|better|even/i);
    await here.end();
});

test('the skip link leads to the board', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await here.page.keyboard.press('Tab');
    await here.page.keyboard.press('Enter');
    assert.match(await focused(here.page), /^h8/);
    await here.end();
});
