// The main flows in Firefox: a game by mouse, a game by keyboard, analysis, sharing, reconnecting.
import assert from 'node:assert/strict';
import { suite } from './firefox.mjs';

const { krow, test, visit } = suite();
const LOST = /can.t establish|was interrupted|NetworkError|404/;
const TICTACTOE = '.preset::-p-text(Tic-tac-toe)';

test('a game by mouse', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await here.cell('h8');
    await here.sees('h8, Black');
    // The opponent of a new visitor is a level.
    await here.exists('[role="gridcell"][aria-label*="White, last turn"]');
    await here.counts('.board .stone', 2);
    await here.press('Undo');
    await here.counts('.board .stone', 0);
    await here.press('New game');
    await here.click(TICTACTOE);
    await here.page.waitForFunction(() => document.querySelectorAll('.player-select option').length > 6);
    await (await here.page.$$('.player-select'))[1].select('person');
    await here.press('Start game');
    await here.gone('dialog');
    await here.counts('[role="gridcell"]', 9);
    for (const [i, cell] of ['a1', 'a2', 'b1', 'b2', 'c1'].entries()) {
        await here.cell(cell);
        await here.sees(`${cell}, ${i % 2 ? 'White' : 'Black'}`);
    }
    await here.status(/Black wins/);
    await here.shot('won');
    await here.end();
});

test('a game by keyboard', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    // The dialog is opened, filled in and confirmed without the mouse.
    await (await here.button('New game')).focus();
    await here.keys('Enter');
    await here.page.waitForFunction(() => document.querySelectorAll('.player-select option').length > 6);
    assert.match(await here.focused(), /Start game/);
    await here.page.focus('.preset[aria-checked="true"]');
    while (!/Tic-tac-toe/.test(await here.focused())) await here.keys('ArrowRight');
    await (await here.page.$$('.player-select'))[1].focus();
    await here.keys('y'); // You
    await here.page.focus('dialog .primary');
    await here.keys('Enter');
    await here.gone('dialog');
    await here.page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('b2, empty'));
    await here.keys('Enter');
    await here.sees('b2, Black, last turn');
    await here.keys('ArrowUp', ' ');
    await here.sees('b3, White');
    await here.keys('u');
    await here.sees('b3, empty');
    await here.keys('r');
    await here.sees('b3, White');
    await here.keys('Home', 'Enter');
    await here.sees('a3, Black');
    await here.keys('End', 'Enter');
    await here.sees('c3, White');
    await here.keys('PageDown', 'Enter');
    await here.status(/Black wins/);
    await here.text('#polite', /Black/);
    await here.end();
});

test('analysis', async () => {
    const here = await visit('#/analyse?g=3x3:k=3&m=b2.a1.c3');
    await here.sees('c3, Black, last turn');
    await here.text('.verdict', /A draw, proven/);
    await here.exists('.line');
    await here.cell('a2');
    await here.sees('a2, White, last turn');
    // Now a3 stops White and leaves Black two rows to complete.
    await here.text('.verdict', /Black wins, proven/);
    await here.press('Previous turn');
    await here.sees('a2, empty');
    await here.cell('c1');
    await here.sees('c1, White, last turn');
    await here.exists('.variation');
    await here.press('Numbers');
    await here.exists('.stone .number');
    await here.shot('analysis');
    await here.end();
});

test('sharing', async () => {
    const here = await visit('#/analyse?g=19x19:k=6,p=2,q=1&m=j10.k11.l12');
    await here.sees('l12, White, last turn');
    await here.press('Share');
    const link = await (await here.page.waitForSelector('[aria-label="Link to this position"]')).evaluate(({ value }) => value);
    await here.press('Copy');
    await here.text('.toast', /copied/i);
    assert.equal(await here.page.evaluate(() => navigator.clipboard.readText()), link);
    const file = await here.saved('krow.sgf', () => here.press('Save'));
    assert.match(file.toString(), /;B\[/);
    await here.press('Open a game');
    const text = await here.page.waitForSelector('textarea');
    const games = 'dialog select:has(option[value="15x15:k=5"])';
    await here.exists(games);
    await here.page.select(games, '15x15:k=5');
    await text.focus();
    await here.page.keyboard.type('j10 k11, k10');
    await here.press('Open');
    await here.sees('k11, White');
    await here.sees('k10, Black, last turn');
    await here.end();

    const other = await visit();
    await other.page.goto(link);
    await other.sees('l12, White, last turn');
    await other.sees('k11, White');
    await other.end();
});

test('reconnecting', async () => {
    const here = await visit('#/analyse?g=15x15:k=5&m=h8.i9');
    await here.sees('i9, White');
    await krow.stop('SIGKILL');
    await here.text('#strip', /Connection lost/);
    await here.shot('reconnect');
    await krow.start();
    await here.gone('.strip');
    await here.sees('i9, White');
    await here.cell('h9');
    await here.sees('h9, Black, last turn');
    await here.text('.tree', /h9/);
    await here.end(LOST);
});
