// The dialog that invites somebody to a game: game, colour, clock, name.
import { button, h, replace } from '../lib/dom.js';
import { recall, remember } from '../lib/prefs.js';
import { router } from '../lib/router.js';
import { invite, keepName, knownGames, ownName, reach } from '../friend.js';
import { parseGame } from '../rules.js';
import { gameSubtitle, gameTitle, sideName } from '../texts.js';
import { clockPicker, clockValue } from '../widgets/clocks.js';
import { openDialog } from '../widgets/dialog.js';
import { choices, field, select } from '../widgets/inputs.js';

const KEPT = 'krow.invite';
const DEFAULT = { game: '15x15:k=5', side: 'random', clock: '10+5', minutes: 15, increment: 10 };
const CLOCKS = [
    ['none', 'none', null],
    ['5+3', '5 min + 3 s', { seconds: 300, increment: 3 }],
    ['10+5', '10 min + 5 s', { seconds: 600, increment: 5 }],
    ['own', 'custom', null],
];

/** How others get to a server that listens on this machine alone. */
export const loopbackWords = () =>
    h(
        'div',
        { class: 'note small' },
        h('p', {}, 'Only this machine can open the link now.'),
        h(
            'p',
            {},
            'To play with somebody on another machine, stop krow, start it with ',
            h('code', {}, 'krow serve --bind 0.0.0.0'),
            ', open the address that it prints, and invite from there. Your friend needs only the link.',
        ),
    );

class Invite {
    /** @param {{game?: string, clock?: object|null}} wanted chosen elsewhere */
    constructor({ game, clock } = {}) {
        this.choice = { ...DEFAULT, ...recall(KEPT), ...(game ? { game } : {}) };
        if (clock) this.choice = { ...this.choice, ...this.#own(clock) };
        this.sides = h('div', { class: 'field-group' });
        this.wrong = h('p', { class: 'wrong', role: 'alert' });
        this.note = h('div', {});
        this.name = h('input', { class: 'input', maxlength: 40, value: ownName(), autocomplete: 'nickname' });
        this.start = button('Create the link', () => this.#start(), { class: 'primary big' });
        this.subtitle = h('p', { class: 'small quiet' });
        this.dialog = openDialog('Invite a friend', [
            h('p', {}, 'krow creates a link to the other seat. Send it to your friend, and play in two browsers.'),
            field('Game', this.#games()),
            this.subtitle,
            this.sides,
            clockPicker(CLOCKS, this.choice),
            field('Your name, shown to your friend', this.name),
            this.note,
            this.wrong,
            h('div', { class: 'dialog-foot' }, this.start),
        ]);
        this.#changed();
        reach()
            .then((reached) => reached?.loopback && replace(this.note, loopbackWords()))
            .catch((error) => this.#fail(error));
    }

    #own({ seconds, increment }) {
        return { clock: 'own', minutes: Math.max(1, Math.round(seconds / 60)), increment };
    }

    #games() {
        const games = [
            '15x15:k=5',
            '19x19:k=6,p=2,q=1',
            '7x6:k=4,gravity',
            '3x3:k=3',
            '13x13:k=5',
            '15x15:k=5,exact',
            '19x19:k=5',
            '20x20:k=5',
        ];
        const own = recall('krow.newgame')?.game;
        for (const game of [own, this.choice.game]) if (game && !games.includes(game)) games.push(game);
        return select(
            games.filter(parseGame).map((game) => [game, gameTitle(parseGame(game))]),
            this.choice.game,
            (game) => {
                this.choice.game = game;
                this.#changed();
            },
        );
    }

    #changed() {
        const rules = parseGame(this.choice.game);
        this.subtitle.textContent = gameSubtitle(rules);
        const sides = [
            ['random', 'random'],
            ['first', `${sideName('first', rules)}, moves first`],
            ['second', sideName('second', rules)],
        ];
        replace(
            this.sides,
            choices('Your colour', sides, this.choice.side, (side) => {
                this.choice.side = side;
            }),
        );
    }

    #fail(error) {
        this.wrong.textContent = error.message;
    }

    async #start() {
        const { game, side } = this.choice;
        const name = this.name.value.trim();
        const given = clockValue(CLOCKS, this.choice);
        keepName(name);
        remember(KEPT, this.choice);
        this.start.disabled = true;
        try {
            const state = await invite({ game, side, name, ...(given ? { clock: given } : {}) });
            this.dialog.close();
            router.go('friend', [state.id]);
        } catch (error) {
            this.#fail(error);
        }
        this.start.disabled = false;
    }
}

export const openInvite = (wanted) => new Invite(wanted);

/** The page of games with friends; without any, the dialog for the first invitation. */
export const openFriends = () => (knownGames().length > 0 ? router.go('friend') : openInvite());
