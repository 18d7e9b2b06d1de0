// The watch page: matches started from the page, live, paused, cancelled; past matches.
import assert from 'node:assert/strict';
import { suite } from './harness.mjs';

const { krow, test, visit } = suite();

async function start(here, { game, agents, games, seconds = 0.1 }) {
    const { page } = here;
    await here.button('Start a match').click();
    await page.getByLabel('Game', { exact: true }).fill(game);
    await page.getByLabel('Game', { exact: true }).press('Tab');
    await page.locator('.player-select option[value="random"]').first().waitFor({ state: 'attached' });
    for (const [i, agent] of agents.entries()) {
        const level = /^level:n=(\d+)$/.exec(agent)?.[1];
        const picker = page.locator('.player-choice').nth(i);
        await picker.locator('select').first().selectOption(level ? 'level' : agent);
        if (level) await picker.getByRole('slider').fill(level);
    }
    await page.getByLabel('Games per pairing').fill(String(games));
    await page.getByLabel('Openings').fill('0');
    await page.getByLabel('Amount').fill(String(seconds));
    await here.button('Start').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
}

test('a match started from the page finishes', async () => {
    const here = await visit({ route: '#/watch' });
    const { page } = here;
    await here.text('main', /Nothing is running\. Start a match\./);
    await start(here, { game: 'tictactoe', agents: ['sequences', 'random'], games: 20 });
    await here.text('.match-head', /20 of 20 games, .*finished/);
    await page.locator('.cross tbody tr').nth(1).waitFor();
    assert.deepEqual((await page.locator('.agent-name').allTextContents()).sort(), ['Random', 'Sequences']);
    await here.counts('.plot-dot, .plot-fixed', 2);
    await here.shot('watch-match-done');
    await here.accessible('a match');
    await here.text('.match-below', /Last positions/);
    // Random never wins against Sequences, so the error of their difference is infinite.
    const error = (await krow.request(page.url().replace(/.*#\/watch/, '/matches'))).stats.elo_error;
    await here.text('.facts', error === null ? /Elo difference.*error unknown/ : /Elo difference.* ± [1-9]/);
    await page.getByRole('link', { name: 'The 20 games' }).click();
    await here.text('.shelf', /20 games/);
    await page.locator('.row-button').first().click();
    await page.locator('.preview .stone').first().waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Watch' }).click();
    await page.locator('.event').first().waitFor();
    await here.text('.event', /Tic-tac-toe match/);
    await here.end();
});

test('a live match: boards, pause, continue, cancel', async () => {
    const here = await visit({ route: '#/watch' });
    const { page } = here;
    await start(here, { game: 'connect6', agents: ['engine', 'level:n=8'], games: 20, seconds: 1 });
    await page.locator('.small-board .stone').first().waitFor({ state: 'attached' });
    assert.deepEqual((await page.locator('.agent-name').allTextContents()).sort(), ['Level 8', 'krow engine (memory 32)']);
    await here.shot('watch-live');
    await here.button('Pause').click();
    await here.text('.match-head', /paused/);
    await here.button('Continue').click();
    await here.button('Pause').waitFor();
    await here.button('Cancel').click();
    await page.locator('dialog').getByRole('button', { name: 'No' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.ok(await here.button('Cancel').isEnabled());
    await here.button('Cancel').click();
    await here.button('Cancel the match').click();
    await here.text('.match-head', /cancelled/);
    assert.ok(await here.button('Cancel').isDisabled());
    await here.end();
});

test('a round robin of three agents shows every pair in the table', async () => {
    const match = await krow.request('/matches', {
        game: 'tictactoe',
        format: 'roundrobin',
        agents: ['sequences', 'random', 'adjacent'],
        games: 4,
        openings: 0,
        time: 0.05,
    });
    const here = await visit({ route: `#/watch/${match.id}`, dark: true });
    await here.text('.match-head', /12 of 12 games/);
    await here.counts('.cross tbody tr', 3);
    await here.counts('.pair .tile', 6);
    await here.shot('watch-roundrobin-dark');
    await here.end();
});

test('a match that cannot be played shows an error', async () => {
    const here = await visit({ route: '#/watch' });
    await here.button('Start a match').click();
    await here.page.getByLabel('Game', { exact: true }).fill('5x5:k=9');
    await here.button('Start').click();
    await here.text('dialog .wrong', /k is 9/);
    await here.end(/40\d/);
});
