// What the browser tests share: a krow server per test file, a browser, and checks of pages.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

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

function freePort() {
    return new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

/** CRC-32 as in zlib, which older versions of node lack. */
function crc32(bytes) {
    const table = Uint32Array.from({ length: 256 }, (_, n) => {
        let value = n;
        for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
        return value;
    });
    let sum = ~0;
    for (const byte of bytes) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
    return ~sum >>> 0;
}

/** A krow server on its own port with its own database. */
export class Krow {
    constructor() {
        this.folder = mkdtempSync(join(tmpdir(), 'krow-web-'));
        this.db = join(this.folder, 'krow.db');
        this.others = [];
    }

    /** Runs another krow command on the same database; `endOthers` ends it. */
    run(...words) {
        // Computing the signature of a build takes seconds, so an invented one is stored in advance.
        const state = join(this.folder, 'state', 'krow');
        const program = readFileSync(process.env.KROW);
        mkdirSync(state, { recursive: true });
        const key = `${program.length} ${crc32(program).toString(16).padStart(8, '0')}`;
        writeFileSync(join(state, 'signature'), `${key} 0123456789abcdef\n`);
        const child = spawn(process.env.KROW, [...words, '--db', this.db, '-q'], {
            stdio: ['pipe', 'ignore', 'ignore'],
            env: { ...process.env, XDG_STATE_HOME: join(this.folder, 'state'), XDG_DATA_HOME: join(this.folder, 'data') },
        });
        child.ended = new Promise((resolve) => child.once('exit', resolve));
        this.others.push(child);
        return child;
    }

    async endOthers() {
        for (const child of this.others) child.kill('SIGKILL');
        await Promise.all(this.others.map((child) => child.ended));
        this.others = [];
    }

    async start() {
        this.port ??= await freePort();
        this.url = `http://127.0.0.1:${this.port}`;
        this.process = spawn(process.env.KROW, ['serve', '--port', String(this.port), '--no-open', '--db', this.db], {
            stdio: ['ignore', 'pipe', 'inherit'],
            env: { ...process.env, XDG_STATE_HOME: join(this.folder, 'state'), XDG_DATA_HOME: join(this.folder, 'data') },
        });
        await new Promise((resolve, reject) => {
            this.process.stdout.on('data', resolve);
            this.process.once('exit', (code) => reject(new Error(`krow serve ended with ${code}`)));
        });
        return this;
    }

    async stop(signal = 'SIGTERM') {
        const ended = new Promise((resolve) => this.process.once('exit', resolve));
        this.process.kill(signal);
        await ended;
    }

    /** @returns {Promise<any>} */
    async request(path, body) {
        const response = await fetch(
            `${this.url}/api/v1${path}`,
            body === undefined
                ? {}
                : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
        );
        return response.json();
    }
}

/** A page of the web board, with its console errors and warnings. */
export class Visit {
    constructor(page, context, url) {
        this.page = page;
        this.context = context;
        this.url = url;
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
        await this.page.waitForFunction(
            ([where, source]) => new RegExp(source).test(document.querySelector(where)?.textContent ?? ''),
            [selector, pattern.source],
        );
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
        await this.context.close();
        assert.deepEqual(
            this.problems.filter((text) => !expected.test(text)),
            [],
            'errors in the console',
        );
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
        await here.krow.endOthers();
        await here.krow.stop();
        rmSync(here.krow.folder, { recursive: true, force: true });
    });
    here.visit = async ({
        size = WIDE,
        touch = false,
        dark = false,
        still = true,
        route = '#/play',
        prefs = null,
    } = {}) => {
        const context = await here.browser.newContext({
            viewport: size,
            hasTouch: touch,
            isMobile: touch,
            colorScheme: dark ? 'dark' : 'light',
            reducedMotion: still ? 'reduce' : 'no-preference',
            acceptDownloads: true,
            permissions: ['clipboard-read', 'clipboard-write'],
        });
        context.setDefaultTimeout(PATIENCE);
        if (prefs)
            await context.addInitScript(
                (value) =>
                    localStorage.getItem('krow.prefs') ?? localStorage.setItem('krow.prefs', JSON.stringify(value)),
                prefs,
            );
        const page = await context.newPage();
        const visit = new Visit(page, context, here.krow.url);
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
