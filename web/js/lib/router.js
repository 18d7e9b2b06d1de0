// The fragment of the address holds the route: `#/analyse?g=15x15:k=5&m=h8.i9`.
import { Emitter } from './emitter.js';

/** @returns {{page: string, rest: string[], query: URLSearchParams}} */
function parseRoute(hash) {
    const text = hash.replace(/^#/, '');
    const [path, tail = ''] = text.split('?');
    const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
    return { page: parts[0] ?? '', rest: parts.slice(1), query: new URLSearchParams(tail) };
}

/** Colons, commas and dots need no escape in a fragment, so they stay readable. */
export function formatRoute(page, rest = [], query = {}) {
    const words = Object.entries(query)
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(
            ([name, value]) =>
                `${name}=${encodeURIComponent(value).replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%3D/g, '=')}`,
        );
    const path = [page, ...rest.map(encodeURIComponent)].join('/');
    return `#/${path}${words.length ? `?${words.join('&')}` : ''}`;
}

class Router extends Emitter {
    start() {
        addEventListener('hashchange', () => this.open());
        this.open();
    }

    /** Opens the page of the address. */
    open() {
        this.opened = location.hash;
        this.emit('route', parseRoute(this.opened));
    }

    go(page, rest, query) {
        const hash = formatRoute(page, rest, query);
        if (hash === location.hash) this.open();
        else location.hash = hash;
    }

    /**
     * Changes the address without navigation. An address to which the user has gone meanwhile stays: the browser reports
     * it a moment later.
     */
    amend(page, rest, query) {
        if (location.hash !== this.opened) return;
        const hash = formatRoute(page, rest, query);
        if (hash !== location.hash) history.replaceState(null, '', hash);
        this.opened = location.hash;
    }
}

export const router = new Router();
