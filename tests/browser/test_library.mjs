// The library and the opening explorer: search, preview and opening of games; books; ratings; patterns.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before } from 'node:test';
import { suite } from './harness.mjs';

const { krow, test, visit } = suite();

const krowCommand = (...words) =>
    execFileSync(process.env.KROW, [...words, '--db', join(krow.folder, 'krow.db')], {
        stdio: ['ignore', 'ignore', 'inherit'],
    });

before(() => {
    krowCommand('match', 'sequences', 'adjacent', '--game', 'connect4', '--games', '20', '--openings', '10', '--quiet');
    krowCommand('book', 'build', 'ours', '--game', 'connect4', '--turns', '8');
    const patterns = join(krow.folder, 'patterns.txt');
    writeFileSync(patterns, 'game 15x15:k=5\n1 .xxxx.\n2 ----.-/----.-/----x-/----x-/..xxx./----.-\n');
    krowCommand('patterns', 'import', patterns, '--quiet');
});

test('games are found, previewed and opened', async () => {
    const here = await visit({ route: '#/library' });
    const { page } = here;
    await here.text('.shelf', /20 games/);
    await page.getByLabel('Result').selectOption('first');
    await page.waitForFunction(() =>
        [...document.querySelectorAll('.rows tbody tr td:nth-child(5)')].every((cell) => cell.textContent === '1–0'),
    );
    await page.locator('.row-button').first().click();
    await page.locator('.preview .stone').first().waitFor({ state: 'attached' });
    await here.shot('library-games');
    await here.button('Open').click();
    await page.waitForFunction(() => location.hash.startsWith('#/analyse?g=7x6'));
    await page.locator('.board .stone').first().waitFor({ state: 'attached' });
    await here.end();
});

test('a search without result says so', async () => {
    const here = await visit({ route: '#/library' });
    await here.text('.shelf', /20 games/);
    await here.page.getByLabel('Player').fill('missing');
    await here.page.getByLabel('Player').blur();
    await here.text('.shelf', /No matching game/);
    await here.end();
});

test('the book explorer plays moves and takes them back', async () => {
    const here = await visit({ route: '#/library/books' });
    const { page } = here;
    await page.locator('.book-moves tbody tr').first().waitFor();
    await here.text('.book-panel', /games reached this position/);
    await here.shot('library-book');
    await here.accessible('the book explorer');
    await page.locator('.book-moves .row-button').first().click();
    await page.locator('.board .stone').waitFor({ state: 'attached' });
    await here.button('Back one turn').click();
    await page.locator('.board .stone').waitFor({ state: 'detached' });
    await here.end();
});

test('the opening explorer follows the game, shows continuations and plays them', async () => {
    const here = await visit({ route: '#/analyse?g=7x6:k=4,gravity' });
    const { page } = here;
    const words = ({ stones, games, books }) => [
        stones.map((cell) => cell.charCodeAt(0) - 96).join(' '), // the board numbers its columns
        `${games} game${games === 1 ? '' : 's'}`,
        books.map(({ score }) => `book ours ${Math.round(100 * score)} %`).join(''),
    ];
    const agrees = async (moves) => {
        const found = await krow.request(`/explore?game=connect4&moves=${moves}`);
        await page.waitForFunction((rows) => {
            const shown = [...document.querySelectorAll('.explorer-move')].map((row) =>
                ['strong', '.explorer-games', '.explorer-book'].map((part) =>
                    row.querySelector(part).textContent.replace(', recommended', ''),
                ),
            );
            return JSON.stringify(shown) === JSON.stringify(rows);
        }, found.moves.slice(0, 5).map(words));
        return found;
    };
    const found = await agrees('');
    assert.equal(found.games, 20);
    await page.locator('.explorer-move').first().hover();
    await page.locator('.board .answer').waitFor({ state: 'attached' });
    await here.shot('explorer');
    await page.locator('.explorer-move').first().click();
    await here.counts('.board .stone', 1);
    await agrees(found.moves[0].stones[0]);
    await here.button('Previous turn').first().click();
    await here.counts('.board .stone', 0);
    await agrees('');
    await here.accessible('the opening explorer');
    // A turn of two stones; and a game without any games.
    await here.go('#/analyse?g=19x19:k=6,p=2,q=1&m=j10');
    await here.text('.explorer', /engine\u2019s book/);
    await page.locator('.explorer-move').first().click();
    await here.counts('.board .stone', 3);
    await here.go('#/analyse?g=5x5:k=4&m=a1');
    await here.text('.explorer', /no game with these rules/);
    await here.button('Hide the opening explorer').click();
    await here.text('.explorer', /^$/);
    await here.end();
});

test('ratings of the agents', async () => {
    const here = await visit({ route: '#/library/ratings' });
    await here.page.getByLabel('Game').selectOption('7x6:k=4,gravity');
    await here.page.locator('.cross tbody tr').nth(1).waitFor();
    await here.counts('.cross tbody tr', 2);
    await here.end();
});

test('patterns are drawn: all, or those of one tier', async () => {
    const here = await visit({ route: '#/library/patterns' });
    const { page } = here;
    await page.locator('.pattern').nth(1).waitFor();
    await here.counts('.pattern .stone', 4 + 5);
    await here.shot('library-patterns');
    await here.accessible('the patterns');
    await page.getByLabel('Tier').selectOption('2');
    await page.waitForFunction(() => document.querySelectorAll('.pattern').length === 1);
    await here.counts('.pattern .stone', 5);
    await here.end();
});
