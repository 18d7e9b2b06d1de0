#!/usr/bin/env node
// Measures the page of the web board in Chromium: node tools/measure-page.mjs [KROW] [MODULES] [LOADS]
//
// MODULES is the folder with playwright-core (default build/release/web-modules, see tests/browser/install). Prints
// - the time from the navigation to the first board, its requests and bytes: the median of LOADS cold loads (30);
// - the time from a click to the stone on the screen while the engine thinks, and on a full board of 64×64, with the
//   longest task of the main thread, also as CPU time, which depends less on other load of the machine.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

const [krow = 'build/release/krow', modules = 'build/release/web-modules', loads = '30'] = process.argv.slice(2);
const { chromium } = createRequire(resolve(modules, 'package.json'))('playwright-core');
const SIDE = 64;
const CLICKS = 10;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const ms = (x) => `${x.toFixed(1)} ms`;

function freePort() {
    return new Promise((done) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => done(port));
        });
    });
}

async function serve() {
    const port = await freePort();
    const server = spawn(krow, ['serve', '--port', String(port), '--no-open', '--db', 'none'], {
        stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((done, failed) => {
        server.stdout.once('data', done);
        server.once('exit', () => failed(new Error('krow serve has ended')));
    });
    return { url: `http://127.0.0.1:${port}`, stop: () => server.kill() };
}

async function post(url, path, body) {
    const response = await fetch(`${url}/api/v1${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
}

/** A new context, so with an empty cache; `game` is shown by the page Play. */
async function open(browser, url, game) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    if (game) {
        const kept = { id: game.id, game: game.game };
        await context.addInitScript((value) => localStorage.setItem('krow.play', JSON.stringify(value)), kept);
    }
    // The first frame that has a board.
    await context.addInitScript(() => {
        new MutationObserver((_, observer) => {
            if (!document.querySelector('.board .surface')) return;
            observer.disconnect();
            requestAnimationFrame(() => setTimeout(() => (window.firstBoard = performance.now())));
        }).observe(document, { childList: true, subtree: true });
    });
    const page = await context.newPage();
    await page.goto(url);
    return { context, page };
}

async function measureLoads(browser, url) {
    const times = [];
    let requests = 0;
    let bytes = 0;
    for (let i = 0; i < Number(loads); i++) {
        const { context, page } = await open(browser, url);
        times.push(await (await page.waitForFunction(() => window.firstBoard)).jsonValue());
        await page.locator('.status strong').waitFor({ state: 'attached' });
        const entries = await page.evaluate(() =>
            [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map(
                ({ transferSize }) => transferSize,
            ),
        );
        requests = Math.max(requests, entries.length + 1); // the event stream has not ended
        bytes = Math.max(
            bytes,
            entries.reduce((sum, size) => sum + size, 0),
        );
        await context.close();
    }
    console.log(
        `first board: median ${ms(median(times))}, slowest ${ms(Math.max(...times))}; ` +
            `${requests} requests, ${(bytes / 1000).toFixed(1)} kB`,
    );
}

/** Clicks a cell and returns the milliseconds until the frame after its stone was drawn. */
async function click(page, name) {
    const [, letters, row] = /^([a-z]+)(\d+)$/.exec(name);
    const { x, y } = await page.evaluate(([cx, cy]) => {
        const box = document.querySelector(`[data-x="${cx}"][data-y="${cy}"]`).getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }, [columnOf(letters), row - 1]);
    await page.evaluate(() => {
        const stones = document.querySelector('.board .stones');
        window.reflected = null;
        addEventListener(
            'click',
            (event) => {
                const check = () => {
                    if (stones.childElementCount > count)
                        requestAnimationFrame(() =>
                            setTimeout(() => (window.reflected = performance.now() - event.timeStamp)),
                        );
                    else setTimeout(check);
                };
                const count = window.stonesBefore;
                check();
            },
            { capture: true, once: true },
        );
        window.stonesBefore = stones.childElementCount;
    });
    await page.mouse.click(x, y);
    return (await page.waitForFunction(() => window.reflected)).jsonValue();
}

/** The longest task of the page's main thread, as wall-clock and CPU time. */
function longestTask(events) {
    const mains = new Set(
        events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ tid }) => tid),
    );
    const tasks = events.filter(({ name, tid, ph }) => ph === 'X' && mains.has(tid) && /RunTask$/.test(name));
    const wall = Math.max(...tasks.map(({ dur }) => dur / 1000));
    const cpu = Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
    return `${ms(wall)}, ${ms(cpu)} of CPU time`;
}

/** Clicks cells while the tasks of the page are recorded. */
async function measureClicks(browser, page, cells) {
    const client = await browser.newBrowserCDPSession();
    const events = [];
    client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
    await client.send('Tracing.start', { categories: 'toplevel,devtools.timeline,__metadata', transferMode: 'ReportEvents' });
    const times = [];
    for (const cell of cells) {
        times.push(await click(page, cell));
        await page.waitForTimeout(300);
    }
    const complete = new Promise((done) => client.once('Tracing.tracingComplete', done));
    await client.send('Tracing.end');
    await complete;
    await client.detach();
    return { times, task: longestTask(events) };
}

/** Two people on one side, and the engine that analyses: the page stays as fast. */
async function measureThinking(browser, url) {
    const person = { kind: 'person' };
    const game = await post(url, '/sessions', { game: 'gomoku', sides: { first: person, second: person } });
    const { context, page } = await open(browser, url, game);
    await page.locator('.status strong').waitFor({ state: 'attached' });
    await post(url, `/sessions/${game.id}/analysis`, { on: true, lines: 8, cells: true });
    const cells = Array.from({ length: CLICKS }, (_, i) => `${'acegikmo'[i % 8]}${1 + 2 * (i >> 3)}`);
    const { times, task } = await measureClicks(browser, page, cells);
    console.log(
        `click to stone while the engine searches: median ${ms(median(times))}, slowest ${ms(Math.max(...times))}; ` +
            `longest task ${task}`,
    );
    await context.close();
}

const columnOf = (letters) => [...letters].reduce((x, letter) => 26 * x + letter.charCodeAt(0) - 96, 0) - 1;
const column = (x) => (x < 26 ? String.fromCharCode(97 + x) : column(Math.floor(x / 26) - 1) + column(x % 26));

async function measureLarge(browser, url) {
    const moves = [];
    const free = [];
    for (let i = 0; i < SIDE * SIDE; i++) {
        const cell = `${column((i + (Math.floor(i / SIDE) >> 1)) % SIDE)}${Math.floor(i / SIDE) + 1}`;
        if (i >= SIDE * SIDE - 2 * CLICKS) free.push(cell);
        else moves.push(cell);
    }
    const person = { kind: 'person' };
    const game = await post(url, '/sessions', {
        game: `${SIDE}x${SIDE}:k=${SIDE},exact`,
        moves: moves.join(' '),
        sides: { first: person, second: person },
    });
    const { context, page } = await open(browser, url, game);
    await page.waitForFunction((count) => document.querySelectorAll('.board .stone').length === count, moves.length);
    await page.waitForTimeout(500);
    const { times, task } = await measureClicks(browser, page, free.slice(0, CLICKS));
    console.log(
        `full ${SIDE}×${SIDE} board: click to stone median ${ms(median(times))}, slowest ${ms(Math.max(...times))}; ` +
            `longest task ${task}`,
    );
    await context.close();
}

const server = await serve();
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--disable-gpu', '--no-first-run', '--disable-background-networking'],
    chromiumSandbox: process.getuid() !== 0,
});
try {
    await measureLoads(browser, server.url);
    await measureThinking(browser, server.url);
    await measureLarge(browser, server.url);
} finally {
    await browser.close();
    server.stop();
}
