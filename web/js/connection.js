// The banner that reports a lost connection and retries automatically.
import { h, icon, replace, setText } from './lib/dom.js';
import { assertive, polite } from './lib/announce.js';
import { texts } from './texts.js';

const LONGEST = 8; // seconds between attempts, at most

class Connection {
    #retry = null;
    #wait = 1;
    #timer = null;

    get isLost() {
        return this.#retry !== null;
    }

    /** @param {() => Promise<void>} retry resolves when the connection is restored */
    lose(retry) {
        if (this.#retry) return;
        this.#retry = retry;
        this.#wait = 1;
        document.documentElement.dataset.lost = '';
        assertive(`${texts.lostTitle} ${texts.lost(this.#wait)}`);
        this.#show();
        this.#countDown(this.#wait);
    }

    /** Resets the retry state after a change of page. */
    forget() {
        clearTimeout(this.#timer);
        this.#retry = null;
        delete document.documentElement.dataset.lost;
        document.getElementById('strip').replaceChildren();
    }

    #show() {
        this.words = h('span', {});
        const now = h('button', { type: 'button', class: 'text-button', on: { click: () => this.#try() } }, 'Try now');
        // The countdown is visual only; the lost connection has been announced.
        const strip = document.getElementById('strip');
        strip.classList.toggle('over', document.querySelector('main .game') !== null);
        replace(
            strip,
            h(
                'div',
                { class: 'strip' },
                icon('info'),
                h('span', {}, h('strong', {}, texts.lostTitle), ' ', this.words),
                now,
            ),
        );
    }

    #countDown(seconds) {
        setText(this.words, texts.lost(seconds));
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => (seconds > 1 ? this.#countDown(seconds - 1) : this.#try()), 1000);
    }

    async #try() {
        clearTimeout(this.#timer);
        const retry = this.#retry;
        if (!retry) return;
        setText(this.words, texts.trying);
        try {
            await retry();
            if (this.#retry !== retry) return;
            this.forget();
            polite(texts.back);
        } catch {
            if (this.#retry !== retry) return;
            this.#wait = Math.min(LONGEST, 2 * this.#wait);
            this.#countDown(this.#wait);
        }
    }
}

export const connection = new Connection();
