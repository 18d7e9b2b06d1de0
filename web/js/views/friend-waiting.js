// What the inviting player sees until the friend comes: the link, ways to send it, and who can open it.
import { button, h, replace } from '../lib/dom.js';
import { showError, toast } from '../lib/announce.js';
import { router } from '../lib/router.js';
import { forgetGame, linkBases, linkOf, reach } from '../friend.js';
import { copyText } from '../copy.js';
import { confirmDialog } from '../later.js';
import { field, select } from '../widgets/inputs.js';
import { loopbackWords } from './invite.js';

export class WaitingPanel {
    /** @param {import('../friend.js').FriendGame} game */
    constructor(game) {
        this.game = game;
        this.element = h('div', { class: 'waiting stack', hidden: true });
    }

    show(waits) {
        this.element.hidden = !waits;
        if (!waits || this.drawn) return;
        this.drawn = true;
        // Which addresses others can use is known only then.
        replace(this.element, h('h2', {}, 'Waiting for your friend'));
        reach()
            .then((reached) => this.#draw(reached))
            .catch(showError);
    }

    #draw(reached) {
        const { live } = this.game;
        const bases = linkBases(reached);
        const link = h('input', {
            class: 'input',
            readonly: true,
            value: linkOf(bases[0], live),
            on: { focus: () => link.select() },
        });
        const base = select(
            bases.map((one) => [one, one.replace('http://', '')]),
            bases[0],
            (one) => {
                link.value = linkOf(one, live);
            },
        );
        const words = { title: 'A game on krow', url: link.value };
        replace(
            this.element,
            h('h2', {}, 'Waiting for your friend'),
            field('Send this link to your friend', link),
            bases.length > 1 && field('Address of this machine', base),
            h(
                'div',
                { class: 'row wrap' },
                button('Copy link', () => copyText(link), { class: 'primary' }),
                navigator.share && button('Share', () => navigator.share({ ...words, url: link.value }).catch(() => {}), { icon: 'share' }),
                button('Cancel', () => this.#cancel()),
            ),
            reached?.loopback && loopbackWords(),
            h(
                'p',
                { class: 'small quiet' },
                'The link gives one seat in this game and nothing else. It works once, and expires after 24 hours.',
            ),
            reached && !reached.stored && h('p', { class: 'small quiet' }, 'This game ends with the server.'),
        );
    }

    async #cancel() {
        if (!(await confirmDialog('Cancel the invitation?', 'The link will not work any more.', 'Cancel it'))) return;
        if (!(await this.game.act('cancel'))) return;
        forgetGame(this.game.id);
        toast('The invitation is cancelled.');
        router.go('friend');
    }
}
