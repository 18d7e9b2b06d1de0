// What the tests in Chromium share: a krow server per test file, a browser, and checks of pages.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Krow } from './server.mjs';

const modules = createRequire(join(process.env.KROW_WEB_MODULES, 'package.json'));
const { chromium } = modules('playwright-core');
const axeSource = readFileSync(modules.resolve('axe-core/axe.min.js'), 'utf8');
const shots = process.env.KROW_WEB_SHOTS;

// Without these flags, the browser would contact its vendor's servers.
const FLAGS = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];
const PATIENCE = Number(process.env.KROW_WEB_PATIENCE ?? 60000); // ms; generous, because these tests do not measure speed

export const WIDE = { width: 1440, height: 900 };
export const TABLET = { width: 1024, height: 768 };
export const PHONE = { width: 390, height: 844 };

/** A page of the web board, with its console errors and warnings. */
export class Visit {
    /** @param {(() => void)|null} giveBack keeps the context for another visit; null: it is closed */
    constructor(page, context, url, giveBack = null) {
        this.page = page;
        this.context = context;
        this.url = url;
        this.giveBack = giveBack;
        this.problems = [];
        page.on('console', (message) => {
            if (message.type() === 'error' || message.type() === 'warning') this.problems.push(message.text());
        });
        page.on('pageerror', (error) => this.problems.push(String(error.stack)));
    }

    /** @param {string} route such as "#/analyse" */
    async go(route) {
        await this.page.goto(`${this.url}/${route}`);
    }

    cell(name) {
        return this.page.getByRole('gridcell', { name: new RegExp(`^${name},`) });
    }

    /** Waits for a cell whose name starts with a text such as "h8, Black". */
    async sees(name) {
        await this.page.getByRole('gridcell', { name: new RegExp(`^${name}`) }).waitFor({ state: 'attached' });
    }

    async text(selector, pattern) {
        try {
            await this.page.waitForFunction(
                ([where, source]) => new RegExp(source).test(document.querySelector(where)?.textContent ?? ''),
                [selector, pattern.source],
            );
        } catch (error) {
            const shown = (await this.page.innerText('body')).replace(/\s+/g, ' ').slice(0, 500);
            throw new Error(`${selector} lacks ${pattern}; ${this.problems.join(' ')}; the page shows: ${shown}`, { cause: error });
        }
        return this.page.textContent(selector);
    }

    /** Waits until a selector matches n elements; a change may take another frame. */
    async counts(selector, n) {
        await this.page.waitForFunction(
            ([where, wanted]) => document.querySelectorAll(where).length === wanted,
            [selector, n],
        );
    }

    async status(pattern) {
        return this.text('.status', pattern);
    }

    button(name) {
        return this.page.getByRole('button', { name, exact: true });
    }

    async shot(name) {
        mkdirSync(shots, { recursive: true });
        await this.page.screenshot({ path: join(shots, `${name}.png`) });
    }

    /** Fails if axe finds violations: of all its rules, or of some. */
    async accessible(what, rules = null) {
        if (!(await this.page.evaluate(() => 'axe' in window))) await this.page.evaluate(axeSource);
        const found = await this.page.evaluate(
            (values) =>
                window.axe.run(document, {
                    resultTypes: ['violations'],
                    ...(values ? { runOnly: { type: 'rule', values } } : {}),
                }),
            rules,
        );
        const words = found.violations.map(
            ({ id, help, nodes }) =>
                `${id}: ${help}\n${nodes
                    .slice(0, 3)
                    .map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`)
                    .join('\n')}`,
        );
        assert.deepEqual(words, [], `accessibility of ${what}`);
    }

    /** Closes the page; unexpected console errors fail the test. */
    async end(expected = /^$/) {
        if (this.giveBack && !this.page.isClosed()) await this.#clear();
        else await this.context.close();
        assert.deepEqual(
            this.problems.filter((text) => !expected.test(text)),
            [],
            'errors in the console',
        );
    }

    /** Leaves nothing of this visit to the next one. */
    async #clear() {
        await this.page.evaluate(() => localStorage.clear());
        await Promise.all(this.context.pages().map((page) => page.close())); // and their sessionStorage
        await this.context.clearCookies();
        this.giveBack();
    }
}

/** Starts Chromium, sandboxed where possible: not for root and not in some containers. */
async function launch() {
    const options = { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: FLAGS };
    if (process.getuid() !== 0) {
        try {
            return await chromium.launch({ ...options, chromiumSandbox: true });
        } catch {
            // Without user namespaces there is no sandbox. The tests open only krow's own pages.
        }
    }
    return chromium.launch({ ...options, chromiumSandbox: false });
}

/** Sets up a test file. @returns {{krow: Krow, visit: (options?: object) => Promise<Visit>, test: Function}} */
export function suite() {
    const here = { krow: new Krow(), test };
    before(async () => {
        await here.krow.start();
        here.browser = await launch();
    });
    after(async () => {
        await here.browser?.close();
        await here.krow.end();
    });
    // A new context costs more than loading the page in one that has loaded it before. Scripts and clocks cannot be removed.
    const idle = new Map();
    here.visit = async ({
        size = WIDE,
        touch = false,
        dark = false,
        still = true,
        route = '#/play',
        prefs = null,
        hasClock = false,
    } = {}) => {
        const options = {
            viewport: size,
            hasTouch: touch,
            isMobile: touch,
            colorScheme: dark ? 'dark' : 'light',
            reducedMotion: still ? 'reduce' : 'no-preference',
            acceptDownloads: true,
            permissions: ['clipboard-read', 'clipboard-write'],
        };
        const kind = JSON.stringify(options);
        const context = (!prefs && idle.get(kind)?.pop()) || (await here.browser.newContext(options));
        context.setDefaultTimeout(PATIENCE);
        if (prefs)
            await context.addInitScript(
                (value) =>
                    localStorage.getItem('krow.prefs') ?? localStorage.setItem('krow.prefs', JSON.stringify(value)),
                prefs,
            );
        const page = await context.newPage();
        const giveBack = () => idle.set(kind, [...(idle.get(kind) ?? []), context]);
        const visit = new Visit(page, context, here.krow.url, prefs || hasClock ? null : giveBack);
        await visit.go(route);
        return visit;
    };
    return here;
}

/** Starts a game with the new-game dialog. */
export async function newGame(visit, { preset, rules = {}, first, second, level }) {
    const { page } = visit;
    await page.locator('.status strong').waitFor({ state: 'attached' });
    if (await visit.button('New game').isVisible()) await visit.button('New game').click();
    else {
        await visit.button('Menu').click();
        await visit.button('New game').click();
    }
    await page.getByRole('radio', { name: new RegExp(`^${preset}`) }).click();
    for (const [name, value] of Object.entries(rules)) {
        const field = page.getByRole('spinbutton', { name, exact: true });
        await field.fill(String(value));
        await field.press('Tab');
    }
    const players = page.locator('.player-select');
    await page.waitForFunction(() => document.querySelectorAll('.player-select option').length > 6);
    if (first) await players.nth(0).selectOption(first);
    if (second) await players.nth(1).selectOption(second);
    if (level) await page.getByRole('slider', { name: 'Level' }).fill(String(level));
    await visit.button('Start game').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    // The board gets the focus when the new game has started.
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'gridcell');
}
