// Accessibility of every page, checked with axe: light and dark, wide and narrow, forced colours, contrast.
import assert from 'node:assert/strict';
import { PHONE, suite, TABLET } from './harness.mjs';
import { PAGES } from './pages.mjs';

const { test, visit } = suite();

// Both colour schemes and both layouts; test-long has the other combinations too.
const VARIANTS = [
    ['light', {}],
    ['dark-phone', { dark: true, size: PHONE, touch: true }],
];
if (process.env.KROW_TEST_LONG)
    VARIANTS.push(
        ['dark', { dark: true }],
        ['phone', { size: PHONE, touch: true }],
        ['tablet', { size: TABLET }],
    );

for (const [name, route, there] of PAGES) {
    for (const [kind, options] of VARIANTS) {
        test(`${name}, ${kind}`, async () => {
            const here = await visit({ route, prefs: { scores: true }, ...options });
            await here.page.locator(there).first().waitFor({ state: 'attached' });
            await here.page.waitForFunction(() => document.querySelector('h1'));
            await here.shot(`page-${name}-${kind}`);
            // The tablet page contains nothing that the wide or the narrow page lacks.
            if (kind !== 'tablet') await here.accessible(`${name}, ${kind}`);
            assert.ok(
                await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
                'the page fits the width of the screen',
            );
            await here.end();
        });
    }
}

test('dialogs', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    await here.button('New game').click();
    await here.page.waitForFunction(() => document.querySelectorAll('.player-select option').length > 6);
    await here.accessible('the new-game dialog');
    await here.page.keyboard.press('Escape');
    await here.button('Share').first().click();
    await here.page.locator('dialog').waitFor();
    await here.accessible('the share dialog');
    await here.page.keyboard.press('Escape');
    await here.button('Keys').click();
    await here.accessible('the keyboard shortcuts');
    await here.end();
});

test('the grid has rows, named cells and one tab stop', async () => {
    const here = await visit();
    await here.status(/Your turn/);
    const grid = here.page.getByRole('grid');
    assert.equal(await grid.getByRole('row').count(), 15);
    assert.equal(await grid.getByRole('gridcell').count(), 225);
    assert.equal(await grid.locator('[tabindex]').count(), 1);
    await here.end();
});

test('forced colours keep the sides distinct', async () => {
    const here = await visit();
    await here.page.emulateMedia({ forcedColors: 'active' });
    await here.status(/Your turn/);
    await here.cell('h8').click();
    await here.page.getByRole('gridcell', { name: /White, last turn/ }).waitFor({ state: 'attached' });
    const fills = await here.page.evaluate(() =>
        ['first', 'second'].map((side) => getComputedStyle(document.querySelector(`.spot .${side}`)).fill),
    );
    assert.notEqual(fills[0], fills[1]);
    await here.shot('forced-colours');
    await here.end();
});

test('more contrast: the grid is opaque', async () => {
    const here = await visit();
    await here.page.emulateMedia({ contrast: 'more' });
    await here.status(/Your turn/);
    assert.equal(await here.page.evaluate(() => getComputedStyle(document.querySelector('.grid .inner')).opacity), '1');
    await here.end();
});

test('the theme can be switched and is stored', async () => {
    const here = await visit();
    await here.button('Use the dark theme').click();
    assert.equal(await here.page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await here.page.reload();
    assert.equal(await here.page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await here.end();
});
