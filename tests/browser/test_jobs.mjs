// The workers page: live updates of jobs and workers, control of jobs, lost connections.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, suite } from './harness.mjs';
import { Krow } from './server.mjs';

const { krow, test, visit } = suite();
let worker = null; // used by the first two tests
const WORKERS = '#/watch/workers';

const card = (here, id) => here.page.locator('.job', { has: here.page.locator(`#job-${id}`) });
const press = (here, id, name) => card(here, id).getByRole('button', { name, exact: true }).click();

/** Waits until the card of a job contains a text. */
const shows = (here, id, words) => card(here, id).filter({ hasText: words }).waitFor();

/** Submits a job for workers. @returns {Promise<object>} the job */
async function submit(...words) {
    return submitWith('', ...words);
}

/** The same with text on standard input. */
async function submitWith(input, ...words) {
    const before = (await krow.request('/jobs')).jobs.map(({ id }) => id);
    const child = krow.run(...words, '--workers');
    child.stdin.end(input);
    for (;;) {
        const { jobs } = await krow.request('/jobs');
        const added = jobs.find(({ id }) => !before.includes(id));
        if (added) return added;
        assert.equal(child.exitCode, null, `krow ${words.join(' ')} ended`);
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
}

/** Changes the database directly, to create states that would otherwise take minutes. */
function sql(text) {
    const program = 'import sqlite3, sys; db = sqlite3.connect(sys.argv[1], 60); db.execute(sys.argv[2]); db.commit()';
    execFileSync('python3', ['-c', program, krow.db, text]);
}

/** Checks the page in light and dark, wide and narrow: accessible, and not wider than the screen. */
async function checkLook(name, there) {
    for (const [kind, options] of [
        ['light', {}],
        ['dark', { dark: true }],
        ['phone', { size: PHONE, touch: true }],
    ]) {
        const here = await visit({ route: WORKERS, ...options });
        await here.page.locator(there).first().waitFor();
        await here.shot(`jobs-${name}-${kind}`);
        await here.accessible(`${name}, ${kind}`);
        assert.ok(
            await here.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            'the page fits the width of the screen',
        );
        await here.end();
    }
}

test('a job, a worker, pause and continue, done', async () => {
    const here = await visit({ route: '#/watch' });
    const { page } = here;
    await page.getByRole('link', { name: 'Workers' }).click();
    await here.text('.jobs', /No jobs for workers yet.*--workers/);
    await here.text('.jobs', /No workers connected.*krow worker/);
    const job = await submit('match', 'random', 'adjacent', '--game', 'tictactoe', '--games', '200');
    await shows(here, job.id, 'Waiting for workers');
    await shows(here, job.id, 'random, adjacent');
    await here.text('.job-summary', /No workers connected\. 200 games are left\./);
    await press(here, job.id, 'Pause');
    await shows(here, job.id, 'Paused');
    await here.text('.job-summary', /The job is paused\./);
    // The pressed button is hidden, and its counterpart has the focus.
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Continue');
    worker = krow.run('worker', '--jobs', '2');
    await page.locator('.workers tbody tr[data-worker="idle"]').waitFor();
    assert.equal(await page.locator('.workers tbody td').nth(1).textContent(), '2');
    assert.equal(await page.locator('.job-done').first().isVisible(), false);
    await page.keyboard.press('Enter'); // Continue
    await shows(here, job.id, 'Finished');
    await shows(here, job.id, '200 done');
    await here.text('#polite', new RegExp(`Job ${job.id} has ended`));
    await here.text('.job-summary', /One worker is idle\./);
    await here.text('.workers tbody', /200/);
    // The title links to the match with its cross table.
    await card(here, job.id).getByRole('link', { name: 'Tic-tac-toe match' }).click();
    await here.text('.match-head', /200 of 200 games/);
    await here.end();
});

test('a running job: speed, remaining games, expected end; cancelling asks for confirmation', async () => {
    const slow = ['--game', '7x7:k=5', '--games', '400', '--time', '0.05', '--unit', '1'];
    const job = await submit('match', 'engine', 'threats', ...slow);
    const next = await submit(
        'match',
        'montecarlo',
        'sequences',
        '--game',
        'connect6',
        '--games',
        '2000',
        '--time',
        '1',
    );
    const here = await visit({ route: WORKERS });
    const { page } = here;
    await shows(here, job.id, 'Playing');
    await shows(here, job.id, 'in progress');
    await card(here, job.id)
        .getByText(/games per second, about .* left, until .*\d/)
        .waitFor();
    await here.text('.job-summary', /One worker finishes .* games per second\. [\d\u202f]+ games are left: .*, until .*\d/);
    assert.match(await card(here, job.id).getByRole('img').getAttribute('aria-label'), /^\d+ of 400 games finished/);
    await checkLook('in-play', '.job-held');
    await press(here, next.id, 'Cancel');
    await here.accessible('the confirmation dialog');
    await here.button('No').click();
    await shows(here, next.id, 'Waiting');
    await press(here, next.id, 'Cancel');
    await here.button('Cancel job').click();
    await shows(here, next.id, 'Cancelled');
    await shows(here, next.id, '2\u202f000 not done');
    assert.equal(await page.locator('.job-part', { hasText: 'Past jobs' }).locator(`#job-${next.id}`).count(), 1);
    await press(here, next.id, 'Retry');
    await shows(here, next.id, 'Waiting');
    await press(here, job.id, 'Pause');
    await shows(here, job.id, 'No work is handed out');
    for (const { id } of [job, next]) {
        await press(here, id, 'Cancel');
        await here.button('Cancel job').click();
        await shows(here, id, 'Cancelled');
    }
    worker.kill('SIGTERM');
    await here.counts('.workers tbody tr[data-worker="ended"]', 1);
    await here.end();
});

test('a job that solves positions', async () => {
    const job = await submitWith('4453\n44\n4\n', 'solve', 'connect4', '--stdin', '--weak');
    const here = await visit({ route: WORKERS });
    await shows(here, job.id, 'Solve connect4');
    await here.text('.job-summary', /No workers connected\. 3 positions are left\./);
    assert.match(await card(here, job.id).getByRole('img').getAttribute('aria-label'), /^0 of 3 positions finished/);
    assert.equal(await card(here, job.id).getByRole('link').count(), 0);
    await press(here, job.id, 'Cancel');
    await here.text('dialog', /0 of 3 positions/);
    await here.button('Cancel job').click();
    await shows(here, job.id, '3 not done');
    await here.end();
});

test('failed games with their reason, refused jobs, lost and ended workers', async () => {
    const refused = await submit('match', 'random', 'exec:@unknown', '--game', 'connect4', '--games', '4');
    const file = join(krow.folder, 'tournament');
    writeFileSync(file, 'game gomoku\nagents random adjacent adjacent:reach=2 adjacent:reach=3 sequences\ngames 2\n');
    const broken = await submit('tournament', file);
    sql(`UPDATE jobs SET state = 'paused' WHERE id = ${broken.id}`);
    sql(`UPDATE units SET state = 'aside', failures = 5, lost = 5, reason = 'lost by worker lab7:4711'
         WHERE job_id = ${broken.id} AND first_game < 4`);
    const ends = krow.run('worker');
    const lost = krow.run('worker');
    const here = await visit({ route: WORKERS });
    await here.text('.worker-words', /the engine 'unknown' is not in this worker's list/);
    await shows(here, broken.id, 'Random, Adjacent, Adjacent (reach 2), Adjacent (reach 3) and 1 more');
    await shows(here, broken.id, '4 failed');
    await shows(here, broken.id, 'Ten failures, for example: lost by worker lab7:4711');
    assert.ok(await card(here, refused.id).getByRole('button', { name: 'Cancel', exact: true }).isVisible());
    await here.counts('.workers tbody tr[data-worker="idle"]', 2);
    ends.kill('SIGTERM');
    await here.counts('.workers tbody tr[data-worker="ended"]', 2); // this one, and that of the tests before
    lost.kill('SIGKILL');
    await lost.ended;
    sql('UPDATE workers SET seen = seen - 120000 WHERE ended IS NULL');
    await here.text('.workers tbody tr[data-worker="lost"]', /Lost.*2 min ago/);
    await checkLook('failures', '.job-failures:not([hidden])');
    await press(here, broken.id, 'Retry');
    await shows(here, broken.id, '20 left');
    assert.equal(await card(here, broken.id).locator('.job-aside').first().isVisible(), false);
    await here.end();
});

test('the server is killed and restarted: the page continues automatically', async () => {
    const here = await visit({ route: WORKERS });
    await here.page.locator('.job').first().waitFor();
    await krow.stop('SIGKILL');
    await here.text('#strip', /Connection lost/);
    await krow.start();
    await here.page.locator('.strip').waitFor({ state: 'detached' });
    await here.page.locator('.job').first().waitFor();
    await here.end(/ERR_|Failed to load|EventSource/);
});

test('a database that cannot be read is reported and retried', async () => {
    const other = new Krow();
    writeFileSync(other.db, 'this is something else, and long enough to be checkLook at as a file of some kind\n');
    await other.start();
    const here = await visit();
    await here.page.goto(`${other.url}/${WORKERS}`);
    await here.text('.job-trouble', /The database cannot be reached \(.*\); trying again\./);
    await here.shot('jobs-trouble');
    await here.accessible('a database that cannot be read');
    rmSync(other.db);
    await here.text('.jobs', /No jobs for workers yet/);
    assert.equal(await here.page.locator('.job-trouble').isVisible(), false);
    await here.end(/503/);
    await other.stop();
    rmSync(other.folder, { recursive: true, force: true });
});
