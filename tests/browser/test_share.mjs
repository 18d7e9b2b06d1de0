// Sharing: links, export and import, pictures, the editor.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite } from './harness.mjs';

const { test, visit } = suite();

async function saved(here, press) {
    const [download] = await Promise.all([here.page.waitForEvent('download'), press()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

test('a link contains rules, moves and variation', async () => {
    const here = await visit({ route: '#/analyse?g=19x19:k=6,p=2,q=1&m=j10.k11.l12.a1.b1' });
    await here.sees('b1, Black, last turn');
    await here.button('Previous turn').first().click();
    await here.sees('b1, empty');
    await here.cell('c5').click();
    await here.sees('c5, Black');
    await here.button('Share').first().click();
    const link = await here.page.getByRole('textbox', { name: 'Link to this position' }).inputValue();
    const cut = await here.page.evaluate(() => {
        const right = document.querySelector('dialog').getBoundingClientRect().right;
        return [...document.querySelectorAll('dialog button')].filter((element) => element.getBoundingClientRect().right > right).length;
    });
    assert.equal(cut, 0, 'all buttons are inside the dialog');
    await here.button('Copy').click();
    assert.equal(await here.page.evaluate(() => navigator.clipboard.readText()), link);
    await here.shot('share');
    await here.end();

    const other = await visit({ route: '#/play' });
    await other.page.goto(link);
    await other.sees('c5, Black');
    await other.sees('b1, empty');
    await other.page.locator('.variation').waitFor();
    assert.equal(other.page.url(), link);
    await other.end();
});

test('from a good link to an invalid one: the error leads back to the board', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9' });
    const { page } = here;
    await here.sees('i9, White');
    await page.evaluate(() => (location.hash = '#/analyse?g=3x3:k=9&m=z99'));
    await here.text('main', /k is 9/);
    assert.equal(await here.button('Try again').count(), 0);
    await page.getByRole('link', { name: 'Open the page without it' }).click();
    await here.sees('i9, White');
    await here.end(/400/);
});

test('an unknown page is reported, with links to others', async () => {
    const here = await visit({ route: '#/nothing' });
    await here.text('main h1', /Page not found/);
    await here.text('main', /“nothing”/);
    await here.shot('not-found');
    await here.page.locator('main').getByRole('link', { name: 'Play' }).click();
    await here.status(/Your turn/);
    await here.end();
});

test('export and import of a game, with its variation and comment', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9.h9' });
    const { page } = here;
    await here.sees('h9, Black');
    await here.button('Comment').click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Quite so.');
    await page.keyboard.press('Enter');
    await here.text('.tree', /Quite so/);
    await here.button('Share').first().click();
    await page.locator('dialog').waitFor();
    const { name, bytes } = await saved(here, () => here.button('Save').click());
    assert.equal(name, 'krow.sgf');
    assert.match(bytes.toString(), /Quite so/);
    await here.button('Open a game').click();
    await page.getByRole('textbox', { name: 'Text of a game' }).fill(bytes.toString());
    await here.button('Open').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await here.text('.tree', /Quite so/);
    await here.sees('h9, Black');
    await here.end();
});

test('every format is saved, or an error explains why not', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9.h9' });
    await here.sees('h9, Black');
    await here.button('Share').first().click();
    await here.page.locator('dialog select option').nth(2).waitFor({ state: 'attached' });
    const formats = await here.page
        .locator('dialog select option')
        .evaluateAll((options) => options.map((option) => option.value));
    for (const format of formats) {
        await here.page.locator('dialog select').selectOption(format);
        await here.page.evaluate(() => document.querySelector('.toast')?.remove());
        const download = here.page
            .waitForEvent('download')
            .then((file) => file.path())
            .catch(() => null);
        const refused = here.page
            .locator('.toast')
            .waitFor()
            .then(() => 'refused')
            .catch(() => null);
        await here.button('Save').click();
        const answer = await Promise.race([download, refused]);
        if (answer === 'refused') assert.ok(!['krow', 'sgf', 'psq'].includes(format), format);
        else assert.ok(readFileSync(answer).length > 0, format);
    }
    await here.end(/400|409/);
});

test('a file dropped on the board is opened', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5' });
    await here.sees('h8, empty');
    const files = await here.page.evaluateHandle(() => {
        const data = new DataTransfer();
        data.items.add(new File(['(;GM[4]SZ[15];B[hh];W[ii])'], 'game.sgf'));
        return data;
    });
    await here.page.locator('.board-holder').dispatchEvent('drop', { dataTransfer: files });
    await here.sees('h8, Black');
    await here.sees('i7, White');
    await here.end();
});

test('a list of moves is opened with the chosen game', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5' });
    const { page } = here;
    await here.button('Share').first().click();
    await here.button('Open a game').click();
    const games = page.locator('dialog').getByLabel('Game, for moves without rules');
    await page.waitForFunction(() => document.querySelectorAll('dialog select')[1].value === '15x15:k=5'); // the game shown
    await games.selectOption('19x19:k=6,p=2,q=1');
    await page.getByRole('textbox', { name: 'Text of a game' }).fill('j10 k11, k10');
    await here.button('Open').click();
    await here.sees('k10, White');
    await page.waitForFunction(() => location.hash.startsWith('#/analyse?g=19x19:k=6,p=2,q=1&m=j10.k11.k10'));
    await here.end();
});

test('a text that is not a game shows an error', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5' });
    await here.button('Share').first().click();
    await here.button('Open a game').click();
    await here.page.getByRole('textbox', { name: 'Text of a game' }).fill('(;GM[1]SZ[15];B[zz])');
    await here.button('Open').click();
    await here.text('dialog .wrong', /\w{3}/);
    await here.end(/40\d/);
});

test('the board as SVG and PNG', async () => {
    const here = await visit({ route: '#/analyse?g=15x15:k=5&m=h8.i9.h9' });
    await here.sees('h9, Black');
    await here.button('Share').first().click();
    const svg = await saved(here, () => here.button('SVG').click());
    assert.equal(svg.name, 'krow.svg');
    assert.match(svg.bytes.toString(), /^<svg[^>]*xmlns/);
    assert.doesNotMatch(svg.bytes.toString(), /var\(|class=/);
    const png = await saved(here, () => here.button('PNG').click());
    assert.equal(png.bytes.subarray(1, 4).toString(), 'PNG');
    await here.end();
});

test('the editor: stones by click and as text, then analysis', async () => {
    const here = await visit({ route: '#/edit' });
    const { page } = here;
    await page.getByRole('heading', { name: 'Board editor' }).waitFor();
    await here.cell('h8').click();
    await here.sees('h8, Black');
    await here.cell('i9').click();
    await here.sees('i9, White');
    await page.getByRole('radio', { name: 'Black', exact: true }).first().click();
    await here.cell('j10').click();
    await here.sees('j10, Black');
    await here.shot('editor');
    const text = page.getByRole('textbox', { name: 'The board as text' });
    await text.fill('too short');
    await text.blur();
    await here.text('.wrong', /rows|row has/);
    await here.button('Undo').click();
    await here.sees('j10, empty');
    await here.button('Analyse').click();
    await here.sees('h8, Black');
    await page.waitForFunction(() => location.hash.startsWith('#/analyse') && /b=/.test(location.hash));
    const link = page.url();
    await here.end();

    const other = await visit({ route: '#/play' });
    await other.page.goto(link);
    await other.sees('i9, White');
    await other.end();
});
