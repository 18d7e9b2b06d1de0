// A game with a friend: two browsers, one game, through a restart of the server, to its end and a rematch.
import assert from 'node:assert/strict';
import { PHONE, suite } from './harness.mjs';

const { krow, test, visit } = suite();
const LOST = /ERR_|Failed to load|EventSource|409|403/;

/** Ann invites; Ben opens the link in a browser of his own. */
async function begin(game, side) {
    const ann = await visit({ route: '#/friend' });
    await ann.button('Invite a friend').click();
    const dialog = ann.page.locator('dialog');
    await dialog.locator('select').first().selectOption(game);
    await dialog.getByRole('radio', { name: side }).click();
    await dialog.getByRole('radio', { name: '5 min + 3 s' }).click();
    await dialog.getByLabel('Your name, shown to your friend').fill('Ann');
    // Only this machine can connect: the dialog explains how others can.
    await ann.text('dialog .note', /krow serve --bind/);
    await ann.accessible('the dialog for an invitation');
    await ann.shot('friend-invite');
    await ann.button('Create the link').click();
    const link = await ann.page.getByLabel('Send this link to your friend').inputValue();
    await ann.status(/Waiting for your friend/);
    await ann.accessible('waiting for a friend');
    await ann.shot('friend-waiting');
    return { ann, link };
}

async function joins(link, options = {}) {
    const ben = await visit({ route: '', ...options });
    await ben.page.goto(link);
    await ben.page.reload();
    await ben.text('h1', /Ann invites you/);
    await ben.accessible('an invitation');
    await ben.shot('friend-invitation');
    await ben.page.getByLabel('Your name').fill('Ben');
    await ben.button('Play').click();
    await ben.status(/turn/);
    assert.ok(!ben.page.url().includes(link.split('/').pop()), 'the secret leaves the address');
    return ben;
}

test('a game through a restart, with takeback, draw, resignation and rematch', async () => {
    const { ann, link } = await begin('15x15:k=5', 'Black, moves first');
    const ben = await joins(link);
    await ann.status(/Your turn/);
    await ann.text('.area-top', /Ben.*connected/);
    await ann.cell('h8').click();
    await ben.sees('h8, Black');
    await ben.cell('i9').click();
    await ann.sees('i9, White');
    // A takeback by agreement.
    await ben.button('Takeback').click();
    await ann.text('.offers', /Ben asks for a takeback/);
    await ann.accessible('an offer');
    await ann.shot('friend-offer');
    await ann.button('Accept').click();
    await ben.sees('i9, empty');
    await ben.cell('g9').click();
    await ann.sees('g9, White');
    // A draw is offered and declined.
    await ann.button('Draw').click();
    await ann.button('Offer a draw').click();
    await ben.text('.offers', /Ann offers a draw/);
    await ben.button('Decline').click();
    await ann.page.waitForFunction(() => document.querySelector('.offers').textContent === '');
    assert.ok(await ann.button('Draw').isDisabled());
    // A second tab of the same browser has the same seat; a third browser has none.
    const tab = await ben.context.newPage();
    await tab.goto(link);
    await tab.getByRole('gridcell', { name: /^g9, White/ }).waitFor({ state: 'attached' });
    await tab.close();
    const eve = await visit({ route: '' });
    await eve.page.goto(link);
    await eve.page.reload();
    await eve.text('main', /already taken/);
    await eve.end();
    // The server is killed; both pages find their seats again.
    await krow.stop('SIGKILL');
    for (const page of [ann, ben]) await page.text('#strip', /Connection lost/);
    await krow.start();
    for (const page of [ann, ben]) await page.page.locator('.strip').waitFor({ state: 'detached' });
    await ann.cell('h9').click();
    await ben.sees('h9, Black');
    await ben.sees('g9, White');
    // An earlier position and back.
    await ben.page.locator('.turn').first().click();
    await ben.sees('g9, empty');
    await ben.button('Back to the game').click();
    await ben.sees('g9, White');
    await ben.button('Resign').click();
    await ben.page.locator('dialog').getByRole('button', { name: 'Resign' }).click();
    await ann.text('.result h2', /You won/);
    await ben.text('.result h2', /Ann won/);
    await ann.accessible('the end of a game with a friend');
    await ann.shot('friend-over');
    await ben.button('Rematch').click();
    await ann.text('.offers', /Ben offers a rematch/);
    await ann.button('Accept').click();
    await ben.status(/Your turn/);
    await ben.sees('h8, empty');
    await ben.cell('h8').click();
    await ann.sees('h8, Black');
    await ben.page.close();
    await ann.text('.area-top', /Ben.*away/);
    await ann.end(LOST);
    await ben.end(LOST);
});

test('on a phone, in the dark: Connect6 with two stones per turn', async () => {
    const { ann, link } = await begin('19x19:k=6,p=2,q=1', 'White');
    const ben = await joins(link, { size: PHONE, touch: true, dark: true });
    await ben.cell('j10').tap();
    await ben.button('Place at j10').click();
    await ann.sees('j10, Black');
    await ann.cell('a1').click();
    await ann.cell('a2').click();
    await ben.sees('a2, White');
    await ann.button('Takeback').click();
    await ben.text('.offers', /Ann asks for a takeback/);
    await ben.accessible('a game with a friend on a phone');
    await ben.shot('friend-phone-dark');
    assert.equal(await ben.page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
    await ann.end();
    await ben.end();
});
