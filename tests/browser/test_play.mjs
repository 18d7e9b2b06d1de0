// The play page by mouse: a whole game, undo and redo, hints, resigning, clocks, stones shown before the server answers.
import assert from 'node:assert/strict';
import { newGame, PHONE, suite } from './harness.mjs';

const { krow, test, visit } = suite();

test('a game against an agent by mouse, to its end', async () => {
    const here = await visit();
    await newGame(here, { preset: 'Tic-tac-toe', second: 'random' });
    const { page } = here;
    await here.status(/Your turn/);
    for (let stone = 0; stone < 5 && !(await page.locator('.result h2').isVisible()); stone++) {
        await here.text('.status', /Your turn|wins|draw/);
        if (/wins|draw/.test(await page.textContent('.status'))) break;
        await page
            .getByRole('gridcell', { name: /, empty/ })
            .first()
            .click();
        await page.waitForFunction(() => /Your turn|wins|draw/.test(document.querySelector('.status').textContent));
    }
    await here.text('.result h2', /You won|You lost|A draw/);
    await here.shot('play-tictactoe-over');
    // A rematch with swapped colours: the agent starts.
    await here.button('Rematch, swap colours').click();
    await page.waitForFunction(
        () => document.querySelectorAll('.stone').length === 1 && document.querySelector('.stone.first'),
    );
    assert.equal(await page.locator('.area-bottom .player').getAttribute('aria-label'), 'You');
    await here.end();
});

test('a stone is drawn before the server answers', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    let answer;
    const held = new Promise((resolve) => {
        answer = resolve;
    });
    await here.page.route('**/play', async (route) => {
        await held;
        await route.continue();
    });
    await here.cell('h8').click();
    await here.sees('h8, Black');
    await here.counts('.stone.first', 1);
    await here.counts('.star', 5); // h8 too, below the stone
    answer();
    await here.page.getByRole('gridcell', { name: /White/ }).waitFor({ state: 'attached' });
    await here.end();
});

test('undo and redo work on whole turns', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await here.cell('h8').click();
    await here.page.getByRole('gridcell', { name: /White, last turn/ }).waitFor({ state: 'attached' });
    await here.button('Undo').click();
    await here.sees('h8, empty');
    await here.counts('.stone', 0);
    await here.button('Redo').click();
    await here.sees('h8, Black');
    await here.shot('play-redone');
    await here.end();
});

test('a click on a taken cell shows a message', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await here.cell('h8').click();
    await here.page.getByRole('gridcell', { name: /White, last turn/ }).waitFor({ state: 'attached' });
    await here.status(/Your turn/);
    await here.cell('h8').click();
    await here.text('.toast', /h8 is taken/);
    await here.end();
});

test('a hint is shown with its reason and can be hidden', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await here.button('Hint').click();
    await here.page.locator('.answer.shown').waitFor({ state: 'attached' });
    await here.shot('play-hint');
    await here.button('Hint').click();
    await here.page.locator('.answer.shown').waitFor({ state: 'detached' });
    await here.end();
});

test('resigning ends the game', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await here.cell('h8').click();
    await here.page.getByRole('gridcell', { name: /White, last turn/ }).waitFor({ state: 'attached' });
    await here.button('Resign').click();
    await here.page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
    await here.text('.result h2', /You lost/);
    await here.end();
});

test('the new-game dialog explains rules and reports invalid ones', async () => {
    const here = await visit({ dark: true });
    await here.status(/Your turn/);
    await here.button('New game').click();
    await here.page.getByRole('radio', { name: /Custom/ }).click();
    for (const [name, value] of [
        ['Columns', 7],
        ['Rows', 7],
        ['In a row, k', 9],
    ]) {
        const field = here.page.getByRole('spinbutton', { name, exact: true });
        await field.fill(String(value));
        await field.press('Tab');
    }
    await here.text('dialog .wrong', /k is 9/);
    assert.ok(await here.button('Start game').isDisabled());
    await here.shot('newgame-wrong-dark');
    await here.end(/400/);
});

test('on a phone, a tap selects a cell and a button places the stone', async () => {
    const here = await visit({ size: PHONE, touch: true });
    await here.page.locator('.status strong').waitFor({ state: 'attached' });
    await here.cell('f8').tap();
    await here.sees('f8, empty');
    await here.shot('play-phone-aim');
    await here.button('Place at f8').tap();
    await here.sees('f8, Black');
    await here.page.getByRole('gridcell', { name: /White/ }).waitFor({ state: 'attached' });
    const wide = await here.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, 'the page fits the width of the screen');
    await here.end();
});

test('on a phone, nothing of a finished game stays below the bar', async () => {
    const sides = { first: { kind: 'person' }, second: { kind: 'person' } };
    const { id } = await krow.request('/sessions', { game: '3x3:k=3', moves: 'b2 a1 c2 b1 a2', sides });
    const here = await visit({ size: { width: 360, height: 640 }, touch: true, route: '#/learn' });
    await here.page.evaluate((kept) => sessionStorage.setItem('krow.play', JSON.stringify(kept)), { id });
    await here.go('#/play');
    await here.text('.result h2', /Black won/);
    const [chips, bar] = await here.page.evaluate(() => {
        scrollTo(0, document.documentElement.scrollHeight);
        return ['.under .chips', '.area-actions'].map((part) => document.querySelector(part).getBoundingClientRect().toJSON());
    });
    assert.ok(chips.bottom <= bar.top, `${chips.bottom} > ${bar.top}`);
    await here.end();
});

test('on a magnified page the bars leave the board free', async () => {
    const here = await visit({ size: { width: 720, height: 450 } }); // 1440 × 900 at 200 %
    await here.status(/Your turn/);
    for (const route of ['#/play', '#/analyse']) {
        await here.go(route);
        await here.cell('h8').waitFor({ state: 'attached' });
        const free = await here.page.evaluate(() => {
            document.querySelector('[data-x="7"][data-y="7"]').scrollIntoView({ block: 'center' });
            return [...document.querySelectorAll('[role="gridcell"][data-x="7"]')].filter((cell) => {
                const { left, top, width, height } = cell.getBoundingClientRect();
                return document.elementFromPoint(left + width / 2, top + height / 2) === cell;
            }).length;
        });
        assert.ok(free >= 7, `${free} rows of ${route} are free`);
        await here.shot(`magnified${route.replace('#/', '-')}`);
    }
    await here.end();
});

test('a pinch magnifies the board only, and a button shows the whole board again', async () => {
    const here = await visit({ size: PHONE, touch: true });
    const { page } = here;
    await page.locator('.status strong').waitFor({ state: 'attached' });
    assert.ok(!(await here.button('Whole board').isVisible()));
    const width = (await here.cell('h8').boundingBox()).width;
    const touch = (type, id, x) =>
        page.locator('.board').dispatchEvent(type, { pointerType: 'touch', pointerId: id, clientX: x, clientY: 300, bubbles: true });
    for (const [type, id, x] of [['pointerdown', 1, 150], ['pointerdown', 2, 250], ['pointermove', 2, 350]])
        await touch(type, id, x);
    assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.board')).overflowY), 'clip');
    for (const [id, x] of [[1, 150], [2, 350]]) await touch('pointerup', id, x);
    await page.waitForFunction((before) => document.querySelector('[role="gridcell"]').clientWidth > 1.5 * before, width);
    await page.locator('.board.more-right').waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await here.shot('play-phone-pinched');
    await here.button('Whole board').tap();
    await page.waitForFunction((before) => document.querySelector('[role="gridcell"]').clientWidth <= before, width);
    assert.ok(!(await here.button('Whole board').isVisible()));
    await here.end();
});

test('the first board needs few requests and bytes', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    const { names, bytes } = await here.page.evaluate(() => {
        const entries = [
            ...performance.getEntriesByType('navigation'),
            ...performance.getEntriesByType('resource'),
        ];
        return {
            names: entries.map(({ name }) => name),
            bytes: entries.reduce((sum, { transferSize }) => sum + transferSize, 0),
        };
    });
    // Event streams are not listed before they end.
    assert.ok(names.length < 12, `requests: ${names.join(' ')}`);
    assert.ok(bytes > 0 && bytes < 120_000, `${bytes} bytes`);
    assert.deepEqual(names.filter((name) => /more\.js$/.test(name)), [], 'modules of other pages');
    const manifest = await here.page.getAttribute('link[rel="manifest"]', 'href');
    const answer = await fetch(here.url + manifest);
    assert.equal(answer.headers.get('content-type'), 'application/manifest+json');
    const { icons } = await answer.json();
    for (const { src, type, sizes } of icons) {
        const icon = await fetch(new URL(src, here.url + manifest));
        assert.equal(icon.headers.get('content-type'), type);
        const bytes = Buffer.from(await icon.arrayBuffer());
        if (type === 'image/png') assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes);
    }
    await here.end();
});

test('the move list of a long game shows the last turn', async () => {
    const here = await visit({ size: { width: 1440, height: 620 } });
    await newGame(here, { preset: 'Gomoku', second: 'person' });
    const cells = ['a1', 'c1', 'e1', 'g1', 'i1', 'k1', 'm1', 'o1', 'a3', 'c3', 'e3', 'g3', 'i3', 'k3', 'm3', 'o3'];
    for (const [i, cell] of cells.entries()) {
        await here.cell(cell).click();
        await here.sees(`${cell}, ${i % 2 ? 'White' : 'Black'}`);
    }
    await here.page.reload();
    await here.sees('o3, White, last turn');
    await here.page.waitForFunction(() => {
        const turn = document.querySelector('.moves [aria-current]')?.getBoundingClientRect();
        const list = document.querySelector('.moves').getBoundingClientRect();
        return turn && list.height > 0 && turn.top >= list.top - 1 && turn.bottom <= list.bottom + 1;
    });
    await here.end();
});

test('options of an agent, players changed in mid-game, rematch and undo of a finished game', async () => {
    const here = await visit();
    const { page } = here;
    await here.status(/Your turn/);
    await here.button('New game').click();
    await page.getByRole('radio', { name: /^Tic-tac-toe/ }).click();
    await page.locator('.player-select option[value="threats"]').nth(1).waitFor({ state: 'attached' });
    await page.locator('.player-select').nth(1).selectOption('threats');
    const { agents } = await krow.request('/about');
    const { options } = agents.find(({ name }) => name === 'threats');
    await here.counts('.agent-option', options.length);
    await page.locator('.agent-details summary').click();
    const depth = page.locator('.agent-option', { hasText: 'minimax search depth' }).locator('input');
    await depth.fill('65');
    await here.text('.option-wrong:not(:empty)', /depth must be a whole number from 0 to 64/);
    assert.ok(await here.button('Start game').isDisabled());
    await depth.fill('2');
    await page.getByRole('radio', { name: 'custom', exact: true }).click();
    await page.getByRole('spinbutton', { name: 'Minutes' }).fill('7');
    await page.getByRole('spinbutton', { name: 'Minutes' }).press('Tab');
    await here.shot('newgame-options');
    const start = await here.button('Start game').boundingBox();
    assert.ok(start.y + start.height <= 900, 'Start stays in view');
    await here.button('Start game').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await here.text('.area-top .player', /Threats \(depth 2\).*7:00/);
    // The other side becomes a person; both sides place stones then.
    await here.button('Change Threats (depth 2)').click();
    await page.locator('dialog .player-select option[value="threats"]').nth(1).waitFor({ state: 'attached' });
    await page.locator('dialog .player-select').nth(1).selectOption('person');
    await here.button('Apply').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await here.text('.area-top .player', /^White/);
    for (const cell of ['a3', 'a1', 'b3', 'b1', 'c3']) await here.cell(cell).click();
    await here.text('.result h2', /Black won/);
    await here.button('Undo').click();
    await here.sees('c3, empty');
    await here.cell('c3').click();
    await here.text('.result h2', /Black won/);
    await here.button('Rematch').click();
    await here.counts('.stone', 0);
    await here.text('.area-top .player', /^White.*7:00/);
    await here.end();
});

test('colours at random: the agent may get the first colour', async () => {
    const here = await visit();
    const { page } = here;
    await here.status(/Your turn/);
    for (const [drawn, name] of [
        [0.1, 'Random'],
        [0.9, 'You'],
    ]) {
        await page.evaluate((value) => (Math.random = () => value), drawn);
        await here.button('New game').click();
        await page.getByRole('radio', { name: /^Tic-tac-toe/ }).click();
        await page.locator('.player-select option[value="random"]').nth(1).waitFor({ state: 'attached' });
        await page.locator('.player-select').nth(1).selectOption('random');
        await page.getByRole('switch', { name: 'Colours at random' }).check();
        await here.button('Start game').click();
        await page.locator('dialog').waitFor({ state: 'detached' });
        await page.waitForFunction(
            (first) => document.querySelector('.player:has(.spot .first)').getAttribute('aria-label') === first,
            name,
        );
    }
    await here.end();
});

test('a new game in one tab leaves the game in another one alone', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await newGame(here, { preset: 'Gomoku', second: 'person' });
    await here.cell('h8').click();
    await here.sees('h8, Black');
    const other = await here.context.newPage();
    await other.goto(here.page.url());
    await other.getByRole('gridcell', { name: /^h8, Black/ }).waitFor({ state: 'attached' });
    await newGame({ ...here, page: other, button: (name) => other.getByRole('button', { name, exact: true }) }, { preset: 'Tic-tac-toe' });
    await here.page.reload();
    await here.sees('h8, Black');
    await here.end();
});

test('the ratings of an agent are drawn on the board, and followed to the page about them', async () => {
    const here = await visit();
    const { page } = here;
    await newGame(here, { preset: 'Gomoku', second: 'person' });
    await here.cell('h8').click();
    await here.sees('h8, Black');
    await here.button('Ratings').click();
    // Every empty cell of Sequences, 48 of them equally good.
    await here.counts('.board .score', 224);
    await here.counts('.board .score.best', 48);
    await page.getByLabel('What does this agent see?').selectOption('adjacent');
    await here.counts('.board .score', 8);
    await here.cell('a1').click();
    await here.counts('.board .score', 11);
    await here.shot('play-ratings');
    await page.getByRole('link', { name: 'More about ratings' }).click();
    await here.sees('a1, White');
    await here.sees('h8, Black');
    await here.counts('.board .score', 11);
    assert.equal(await page.getByLabel('Agent').inputValue(), 'adjacent');
    await here.go('#/analyse');
    await here.status(/Black to move/);
    await here.button('Ratings').click();
    await here.counts('.board .score', 223);
    await here.button('Ratings').click();
    await here.counts('.board .score', 0);
    await here.end();
});

test('sounds are off until they are switched on', async () => {
    const here = await visit({ route: '#/learn' });
    const { page } = here;
    await page.addInitScript(() => {
        window.sounds = 0; // oscillators: one for a stone, three for the end
        const { start } = AudioScheduledSourceNode.prototype;
        AudioScheduledSourceNode.prototype.start = function (...words) {
            window.sounds++;
            return start.apply(this, words);
        };
    });
    await here.go('#/play');
    await page.reload();
    await newGame(here, { preset: 'Tic-tac-toe', second: 'person' });
    await here.cell('a1').click();
    await here.sees('a1, Black');
    await here.button('Settings').click();
    await page.getByRole('switch', { name: 'Sounds' }).click();
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => window.sounds), 0);
    await here.cell('b1').click();
    await page.waitForFunction(() => window.sounds === 1);
    for (const cell of ['a2', 'b2']) {
        await here.cell(cell).click();
        await here.sees(`${cell}, [BW]`);
    }
    await here.cell('a3').click();
    await page.waitForFunction(() => window.sounds === 4 + 3);
    await here.end();
});
