// How to play: lessons of any rules; and the tour: krow computes what the boards show and updates it when a cell changes.
import assert from 'node:assert/strict';
import { lessonsOf } from '../../web/js/lessons.js';
import { formatGame, parseGame } from '../../web/js/rules.js';
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
    const here = await visit({ route: '#/learn/counting', size: PHONE, touch: true });
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
    // The facts name the cells as the board does.
    await here.text('.tour-facts', /^d1/);
    await page.getByRole('gridcell', { name: /^d1, / }).waitFor({ state: 'attached' });
    await here.shot('learn-agents');
    // A floating stone is refused and taken back.
    await page.getByRole('gridcell', { name: /^b3/ }).click();
    await here.text('body', /floats/);
    await page.getByRole('gridcell', { name: /^b3, empty/ }).waitFor({ state: 'attached' });
    here.problems.length = 0; // the browser reports the refused request
    await here.button('Empty board').click();
    await here.end();
});

const LESSON_GAMES = [
    ['3x3:k=3', 'see place win stop double'],
    ['7x6:k=4,gravity', 'see place on win stop double'],
    ['13x13:k=5', 'see place win stop double'],
    ['15x15:k=5', 'see place win stop double'],
    ['15x15:k=5,exact', 'see place win stop double exact'],
    ['19x19:k=6,p=2,q=1', 'see place win stop double'],
    ['10x10:k=7,p=3,q=2', 'see place win stop double'],
    ['9x7:k=5,gravity,exact', 'see place on win stop double exact'],
    ['8x7:k=5,p=2,q=1,gravity', 'see place on win stop'],
    ['3x9:k=5', 'see place win stop double'],
    ['3x9:k=5,gravity', 'see place on win stop'],
    ['64x64:k=64,q=1', 'see place win stop double'],
    ['5x5:k=3,p=3,q=1', 'see place win'],
    ['64x1:k=2', 'see place win stop'],
];

/** The position of a lesson after its solution, on the server. */
async function solved({ rules, rows, left, show, kind }) {
    const board = `${rows.join('\n')}\nturn X ${left}\n`;
    const people = { first: { kind: 'person' }, second: { kind: 'person' } };
    let state = await krow.request('/sessions', { game: formatGame(rules), board, sides: people });
    assert.equal(state.over, kind === 'see', state.error);
    for (const cell of show) state = await krow.request(`/sessions/${state.id}/play`, { cell });
    assert.equal(state.error, undefined);
    return state;
}

test('the lessons of any rules are right by the rules of krow', async () => {
    for (const [game, kinds] of LESSON_GAMES) {
        const lessons = lessonsOf(parseGame(game));
        assert.equal(lessons.map(({ kind }) => kind).join(' '), kinds, game);
        for (const lesson of lessons.filter(({ kind }) => kind !== 'see')) {
            const state = await solved(lesson);
            const what = `${game}, ${lesson.kind}`;
            assert.equal(state.over, ['win', 'exact'].includes(lesson.kind), what);
            if (!['stop', 'double'].includes(lesson.kind)) continue;
            const { first, second } = await krow.request(`/sessions/${state.id}/threats`);
            // `exact` is the number of stones that stop all threats; p + 1 if p stones do not.
            if (lesson.kind === 'double') assert.equal(first.exact, lesson.rules.p + 1, what);
            assert.equal(second.exact, 0, what);
        }
    }
});

test('how to play: every lesson by mouse, with the solution', async () => {
    const here = await visit({ route: '#/learn/how/connect6', size: PHONE, touch: true });
    const { page } = here;
    await here.text('.howto h1', /How to play Connect6/);
    const titles = await page.locator('.step').allTextContents();
    assert.equal(titles.length, 5);
    await here.button('Next').click();
    // A turn, an answer, and another turn of two stones.
    for (const [cell, words] of [
        ['a1', /White answered with \w+ \w+\. Place 2 stones/],
        ['a2', /White answered/],
        ['a3', /how a game goes on/],
    ]) {
        await here.cell(cell).click();
        await here.text('.howto-words', words);
    }
    for (const title of ['Complete a row', 'Stop a threat', 'Make a double threat']) {
        await here.button('Next').click();
        await here.text('.howto h2', new RegExp(title));
        if (title === 'Stop a threat') {
            await here.cell('a1').click();
            await here.cell('a2').click();
            await here.text('.howto-words', /White completes the row with .* Try again/);
        }
        await here.button('Show me').click();
        const cells = (await here.text('.howto-words', /A solution/)).match(/[a-z]\d+/g);
        if (cells.length === 1) cells.push('a1');
        for (const cell of cells) await here.cell(cell).click();
        await here.text('.howto-words', /^(You win|Right)/);
        await here.shot(`howto-${title}`);
    }
    await here.accessible('how to play');
    await here.button('Play against an easy level').click();
    await here.text('.player', /Level 2/);
    await here.end();
});

test('how to play: by keyboard, from the new-game dialog, with gravity', async () => {
    const here = await visit();
    const { page } = here;
    await here.status(/Your turn/);
    await here.button('New game').click();
    await page.getByRole('radio', { name: /^Connect Four/ }).click();
    await here.button('How to play').click();
    await here.text('.howto h1', /How to play Connect Four/);
    assert.equal(new URL(page.url()).hash, '#/learn/how/7x6%3Ak%3D4%2Cgravity');
    await page.locator('.step').nth(2).press('Enter');
    await here.text('.howto h2', /Stones fall/);
    await page.locator('[role="gridcell"][tabindex="0"]').focus();
    const press = async (keys) => {
        for (const key of keys.split(' ')) await page.keyboard.press(key);
    };
    await press('Home ArrowRight Enter');
    await here.text('.howto-words', /It fell to the bottom/);
    await press('ArrowRight ArrowRight Enter');
    await here.text('.howto-words', /lies on top/);
    await here.accessible('how to play with gravity');
    await here.go('#/learn/how/9x9:k=44');
    await here.text('h1', /does not work/);
    await here.end(/400/);
});
