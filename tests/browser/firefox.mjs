// What the tests in Firefox share: Debian's Firefox, driven by puppeteer-core over WebDriver BiDi, and one krow server.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Krow } from './server.mjs';

const modules = createRequire(join(process.env.KROW_WEB_MODULES, 'package.json'));
const { launch } = modules('puppeteer-core');
const PATIENCE = Number(process.env.KROW_WEB_PATIENCE ?? 60000); // ms; generous, because these tests do not measure speed

/** A page of the web board in its own browser context, with its console errors and warnings. */
class Visit {
    constructor(page, context, krow) {
        this.page = page;
        this.context = context;
        this.url = krow.url;
        this.downloads = krow.folder;
        this.problems = [];
        page.setDefaultTimeout(PATIENCE);
        page.on('console', (message) => {
            if (message.type() === 'error' || message.type() === 'warn') this.problems.push(message.text());
        });
        page.on('pageerror', (error) => this.problems.push(String(error.stack)));
    }

    /** @param {string} route such as "#/analyse" */
    async go(route) {
        await this.page.goto(`${this.url}/${route}`);
    }

    /** Clicks, once the element is visible, enabled and at rest. */
    async click(selector) {
        await this.page.locator(selector).click();
    }

    /** The visible, enabled button with this name. */
    button(name) {
        return this.page.waitForFunction(
            (wanted) =>
                [...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button')].find(
                    (element) =>
                        (element.getAttribute('aria-label') ?? element.textContent) === wanted &&
                        !element.disabled &&
                        element.checkVisibility(),
                ),
            {},
            name,
        );
    }

    async press(name) {
        await (await this.button(name)).click();
    }

    async cell(name) {
        await this.click(`[role="gridcell"][aria-label^="${name},"]`);
    }

    async exists(selector) {
        await this.page.waitForSelector(selector);
    }

    async gone(selector) {
        await this.page.waitForFunction((where) => !document.querySelector(where), {}, selector);
    }

    /** Waits for a cell whose name starts with a text such as "h8, Black". */
    async sees(name) {
        await this.exists(`[role="gridcell"][aria-label^="${name}"]`);
    }

    async text(selector, pattern) {
        await this.page.waitForFunction(
            (where, source) => new RegExp(source).test(document.querySelector(where)?.textContent ?? ''),
            {},
            selector,
            pattern.source,
        );
    }

    async status(pattern) {
        await this.text('.status', pattern);
    }

    /** Waits until a selector matches n elements. */
    async counts(selector, n) {
        await this.page.waitForFunction(
            (where, wanted) => document.querySelectorAll(where).length === wanted,
            {},
            selector,
            n,
        );
    }

    /** The name of the focused element. */
    focused() {
        return this.page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
    }

    async keys(...names) {
        for (const name of names) await this.page.keyboard.press(name);
    }

    async shot(name) {
        mkdirSync(process.env.KROW_WEB_SHOTS, { recursive: true });
        await this.page.screenshot({ path: join(process.env.KROW_WEB_SHOTS, `firefox-${name}.png`) });
    }

    /** Waits for a file that the page saves. @returns {Promise<Buffer>} */
    async saved(name, save) {
        const read = () => {
            try {
                return readFileSync(join(this.downloads, name));
            } catch {
                return '';
            }
        };
        const done = new Promise((resolve) => {
            const watcher = watch(this.downloads, () => {
                if (read().length === 0) return;
                watcher.close();
                resolve(read());
            });
        });
        await save();
        return done;
    }

    /** Closes the page; unexpected console errors fail the test. */
    async end(expected = /^$/) {
        await this.context.close();
        assert.deepEqual(
            this.problems.filter((text) => !expected.test(text)),
            [],
            'errors in the console',
        );
    }
}

/** Sets up a test file. @returns {{krow: Krow, visit: (route?: string) => Promise<Visit>, test: Function}} */
export function suite() {
    const here = { krow: new Krow(), test };
    before(async () => {
        [here.browser] = await Promise.all([
            launch({
                browser: 'firefox',
                executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
                headless: true,
                protocolTimeout: 3 * PATIENCE,
                extraPrefsFirefox: {
                    'ui.prefersReducedMotion': 1,
                    'dom.events.testing.asyncClipboard': true, // pages may read the clipboard
                    'browser.download.folderList': 2,
                    'browser.download.dir': here.krow.folder,
                },
            }),
            here.krow.start(),
        ]);
    });
    after(async () => {
        await here.browser?.close();
        await here.krow.end();
    });
    here.visit = async (route = '#/play') => {
        const context = await here.browser.createBrowserContext();
        const page = await context.newPage();
        await page.setViewport({ width: 1440, height: 900 });
        const visit = new Visit(page, context, here.krow);
        await visit.go(route);
        return visit;
    };
    return here;
}
