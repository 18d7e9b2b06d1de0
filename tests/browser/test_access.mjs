// Every page and dialog, wide and narrow, light and dark: checked with axe, and for controls that are covered or cut off;
// forced colours, contrast.
import assert from 'node:assert/strict';
import { PHONE, suite, TABLET, WIDE } from './harness.mjs';
import { misplaced } from './layout.mjs';
import { pagesOf, prepare } from './pages.mjs';

const { krow, test, visit } = suite();

// Each page is opened once in each of these browsers and looked at in all their sizes and in both colour schemes.
const BROWSERS = [
    ['desktop', { size: WIDE }, [WIDE]],
    ['phone', { size: PHONE, touch: true }, [{ width: 360, height: 640 }, PHONE]],
];
if (process.env.KROW_TEST_LONG) BROWSERS.push(['tablet', { size: TABLET }, [TABLET]]);

/** Fails if a control of the page, or of the open dialog, cannot be used at one of the sizes. */
async function fits(here, what, sizes) {
    for (const size of sizes) {
        await here.page.setViewportSize(size);
        await here.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        assert.deepEqual(await here.page.evaluate(misplaced), [], `${what}, ${size.width} × ${size.height}`);
    }
}

/** Layout, then axe in the light and the dark theme; only its colours differ. */
async function examine(here, what, sizes) {
    await fits(here, what, sizes);
    for (const scheme of ['light', 'dark']) {
        await here.page.emulateMedia({ colorScheme: scheme });
        if ((scheme === 'dark') === what.endsWith('phone')) await here.shot(`page-${what}-${scheme}`);
        await here.accessible(`${what}, ${scheme}`, scheme === 'dark' ? ['color-contrast'] : null);
    }
}

test('every page is accessible, and no control is covered or cut off', { concurrency: BROWSERS.length }, async (all) => {
    const stored = await prepare(krow);
    const run = async ([kind, options, sizes]) => {
        const here = await visit({ prefs: { scores: true }, ...options });
        for (const [name, route, there, open] of await pagesOf(here, krow, stored))
            await all.test(`${name}, ${kind}`, async () => {
                await here.page.evaluate((hash) => (location.hash = hash), route);
                await here.page.locator(there).first().waitFor({ state: 'attached' });
                await here.page.waitForFunction(() => document.querySelector('h1'));
                await open?.();
                await examine(here, `${name}-${kind}`, sizes);
            });
        await here.end();
    };
    await Promise.all(BROWSERS.map(run));
});

test('dialogs, menus and a selected cell on phones and desktops', { concurrency: BROWSERS.length }, async (all) => {
    const run = async ([kind, options, sizes]) => {
        const here = await visit(options);
        const { page } = here;
        await here.status(/Your turn/);
        const opened = async (name, open) => {
            await all.test(`${name}, ${kind}`, async () => {
                for (const size of sizes) {
                    await page.setViewportSize(size);
                    await open();
                    await page.locator('dialog[open]').waitFor();
                    if (size === sizes.at(-1)) await examine(here, `${name}-${kind}`, [size]);
                    else await fits(here, `${name}-${kind}`, [size]);
                    await page.keyboard.press('Escape');
                    await page.locator('dialog').waitFor({ state: 'detached' });
                }
            });
        };
        const fromMenu = async (name) => {
            if (!(await here.button(name).first().isVisible())) await here.button('Menu').click();
            await here.button(name).first().click();
        };
        await opened('new-game', async () => {
            await fromMenu('New game');
            await page.waitForFunction(() => document.querySelectorAll('.player-select option').length > 6);
        });
        const share = () => here.button('Share').locator('visible=true').first().click();
        await opened('share', share);
        await opened('open-game', async () => {
            await share();
            await here.button('Open a game').click();
            await page.getByRole('heading', { name: 'Open a game' }).waitFor();
        });
        await opened('players', async () => {
            await page.getByRole('button', { name: /^Change Level/ }).click();
            await page.waitForFunction(() => document.querySelectorAll('.player-select option').length > 6);
        });
        await opened('invite', async () => {
            await fromMenu('New game');
            await here.button('Invite a friend').click();
            await here.text('dialog .note', /krow serve --bind/);
        });
        await opened('confirm', () => here.button('Resign').click());
        await opened('keys', () => fromMenu('Keys'));
        await opened('menu', () => page.getByRole('button', { name: /^(Menu|Settings)$/ }).locator('visible=true').click());
        await here.go('#/watch');
        await opened('start-match', async () => {
            await here.button('Start a match').click();
            await page.waitForFunction(() => document.querySelectorAll('dialog option').length > 12);
        });
        for (const route of options.touch ? ['#/play', '#/analyse?g=15x15:k=5&m=h8'] : [])
            await all.test(`a selected cell can be confirmed without scrolling, ${route}`, async () => {
                await here.go(route);
                for (const size of sizes) {
                    await page.setViewportSize(size);
                    await here.cell('c3').tap();
                    const place = page.getByRole('button', { name: 'Place at c3' }).locator('visible=true');
                    const bar = page.locator('.area-actions, .tabs').locator('visible=true');
                    const [button, below] = [await place.boundingBox(), await bar.boundingBox()];
                    assert.ok(
                        button.y >= 0 && button.y + button.height <= below.y,
                        `${size.width}: ${JSON.stringify({ button, below })}`,
                    );
                }
            });
        await here.end();
    };
    await Promise.all(BROWSERS.map(run));
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
