// Puzzles: a wrong turn is answered by its refutation, the solution is rated, by mouse, keyboard and on a phone.
import assert from 'node:assert/strict';
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

test('a phone in the dark', async () => {
    const here = await visit({ route: '#/learn/puzzles/gomoku/7', size: PHONE, touch: true, dark: true });
    await here.text('.howto-task', /Find the only turn/);
    await here.shot('puzzle-phone');
    await here.accessible('a puzzle on a phone');
    await here.end();
});
