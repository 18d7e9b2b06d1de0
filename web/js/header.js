// The page header: title, navigation, sharing, keys, theme, settings. Compact on narrow screens.
import { h, icon, iconButton, replace, s } from './lib/dom.js';
import { applyTheme, prefs } from './lib/prefs.js';
import { openKeys, openSettings } from './later.js';

const PAGES = [
    ['play', 'Play'],
    ['analyse', 'Analyse'],
    ['watch', 'Watch'],
    ['learn', 'Learn'],
    ['library', 'Library'],
];

const mark = () =>
    s(
        'svg',
        { viewBox: '0 0 32 32', 'aria-hidden': 'true' },
        s('circle', { class: 'o', cx: 6, cy: 26, r: 3 }),
        s('circle', { class: 'o', cx: 12.8, cy: 19.2, r: 3 }),
        s('circle', { class: 'o', cx: 19.6, cy: 12.4, r: 3 }),
        s('circle', { class: 'd', cx: 26.4, cy: 5.6, r: 4.2 }),
    );

class Header {
    #actions = {};

    start() {
        const element = document.getElementById('header');
        this.links = PAGES.map(([page, name]) => h('a', { href: `#/${page}`, data: { page } }, name));
        this.share = h(
            'button',
            { type: 'button', class: 'plain-button share', on: { click: () => this.#actions.share?.() } },
            icon('share'),
            'Share',
        );
        this.theme = iconButton('moon', 'Dark', () => this.#switchTheme());
        const keys = iconButton('keyboard', 'Keys', () => openKeys());
        const settings = iconButton('settings', 'Settings', (event) => openSettings(event.currentTarget));
        this.title = h('span', { class: 'brief-title' });
        this.subtitle = h('span', { class: 'brief-sub' });
        this.shareBrief = iconButton('share', 'Share', () => this.#actions.share?.(), { class: 'brief' });
        const more = iconButton('more', 'Menu', (event) => openSettings(event.currentTarget, this.#items()), {
            class: 'brief',
        });
        replace(
            element,
            h('a', { class: 'brand', href: '#/play', 'aria-label': 'krow' }, mark(), 'krow'),
            h('nav', { class: 'nav', 'aria-label': 'Pages' }, this.links),
            h('div', { class: 'brief brief-titles' }, this.title, ' ', this.subtitle),
            h('span', { class: 'grow' }),
            h('div', { class: 'tools' }, this.share, keys, this.theme, settings, this.shareBrief, more),
        );
        this.share.hidden = this.shareBrief.hidden = true; // until there is something to share
        this.#showTheme(applyTheme());
        prefs.on('theme', () => this.#showTheme(applyTheme()));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#showTheme(applyTheme()));
    }

    /** @param {{page: string, title: string, subtitle?: string, share?: () => void, items?: object[]}} what */
    show(what) {
        this.#actions = what;
        for (const link of this.links) {
            if (link.dataset.page === what.page) link.setAttribute('aria-current', 'page');
            else link.removeAttribute('aria-current');
        }
        this.title.textContent = what.title;
        this.subtitle.textContent = what.subtitle ?? '';
        this.share.hidden = !what.share;
        this.shareBrief.hidden = !what.share;
        document.title = `${what.title}, krow`;
    }

    /** Menu items shown before the settings on narrow screens. */
    #items() {
        const guest = document.documentElement.hasAttribute('data-guest'); // has a seat in one game only
        const pages = guest ? [] : PAGES.map(([page, name]) => ({ label: name, href: `#/${page}` }));
        return [...(this.#actions.items ?? []), ...pages, { label: 'Keys', icon: 'keyboard', run: openKeys }];
    }

    #switchTheme() {
        prefs.set('theme', document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
    }

    #showTheme(theme) {
        const other = theme === 'dark' ? 'light' : 'dark';
        this.theme.replaceChildren(icon(other === 'dark' ? 'moon' : 'sun'));
        this.theme.setAttribute('aria-label', `Use the ${other} theme`);
        this.theme.title = `Use the ${other} theme`;
    }
}

export const header = new Header();
