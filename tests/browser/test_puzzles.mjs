// Puzzles: a wrong turn is answered by its refutation, the solution is rated, by mouse, keyboard and on a phone.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PHONE, suite } from './harness.mjs';

const { krow, test, visit } = suite();

const GAME = '7x6:k=4,gravity';

/** The solution of a puzzle; asking for it counts as an attempt. */
async function solutionOf(game, number) {
    const { stones } = await krow.request('/puzzles/solution', { game, number });
    return stones;
}

test('a wrong turn, the refutation, the solution and the next puzzle', async () => {
    const here = await visit({ route: '#/learn/puzzles/connect4/5' });
    const { page } = here;
    await here.text('.howto-task', /Find the only turn/);
    await here.text('.puzzle-results', /200 puzzles/);
    const [solution] = await solutionOf(GAME, 6); // another puzzle, so that this one is not rated yet
    assert.match(solution, /^[a-g][1-6]$/);
    const { line, results } = await krow.request('/puzzles/next?game=connect4&number=5');
    assert.equal(line, undefined); // the solution is not given away
    assert.equal(results.tried, 1);
    // Columns are tried until one is wrong: at most one of seven is right.
    const cells = await page.getByRole('gridcell', { name: /empty/ }).all();
    assert.ok(cells.length > 0);
    await cells[0].click();
    await page.waitForFunction(() => /wins|draw|no forced win|Right/.test(document.querySelector('.howto-words').textContent));
    await here.shot('puzzle-answered');
    await here.text('.puzzle-results', /Your rating is \d+ ± \d+/);
    if (await here.button('Show solution').isVisible()) {
        await here.button('Show solution').click();
        await here.text('.howto-words', /^The solution: [a-g][1-6] /);
    }
    await here.button('Next puzzle').click();
    await page.waitForFunction(() => document.querySelector('.puzzle-page h2').textContent !== 'Puzzle 5');
    await here.accessible('a puzzle');
    await here.end();
});

test('two stones of a turn, one taken back', async () => {
    const here = await visit({ route: '#/learn/puzzles/connect6/2' });
    await here.text('.howto-task', /A turn has 2 stones/);
    const cells = await solutionOf('19x19:k=6,p=2,q=1', 2);
    await here.cell(cells[0]).click();
    await here.text('.howto-words', /and one stone more/);
    await here.button('Take back').click();
    await here.text('.howto-words', /^$/);
    for (const cell of cells) {
        await here.cell(cell).click();
    }
    await here.text('.howto-words', /^Right: .* wins by force/);
    await here.shot('puzzle-solved');
    await here.end();
});

test('own puzzles of other rules, and a refutation to the completed row', async () => {
    const rules = '9x9:k=4,p=2,q=1';
    const env = { ...process.env, XDG_DATA_HOME: join(krow.folder, 'data') };
    const made = spawnSync(process.env.KROW, ['puzzles', 'make', rules, '--count', '2', '-q'], { env });
    assert.equal(made.status, 0, String(made.stderr));
    const here = await visit({ route: '#/learn/puzzles' });
    const { page } = here;
    await page.getByLabel('Game').selectOption(rules);
    await here.text('.puzzle-results', /^2 puzzles/);
    await here.text('.howto-task', /Find the only turn that wins by force/);
    // A corner is far from everything: the opponent wins, with four in a row at the end.
    await here.cell('a1').click();
    await here.cell('i1').click();
    await here.text('.howto-words', /then wins by force/);
    const number = Number((await page.textContent('.puzzle-page h2')).split(' ')[1]);
    const { line, position } = await krow.request('/puzzles/try', { game: rules, number, stones: 'a1 i1' });
    assert.ok(line.length > 0);
    assert.equal(position, undefined);
    await here.sees(`${line.at(-1)}, (Black|White)`);
    await here.shot('puzzle-refuted');
    await page.setViewportSize(PHONE);
    await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
    await here.shot('puzzle-refuted-phone');
    await here.end();
});

test('a phone in the dark', async () => {
    const here = await visit({ route: '#/learn/puzzles/gomoku/7', size: PHONE, touch: true, dark: true });
    await here.text('.howto-task', /Find the only turn/);
    await here.shot('puzzle-phone');
    await here.accessible('a puzzle on a phone');
    await here.end();
});
