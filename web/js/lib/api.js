// Server access: JSON requests with readable errors, and event streams.
import { texts } from '../texts.js';

const BASE = '/api/v1';

/** A failed request. `status` 0: the server could not be reached. */
export class ApiError extends Error {
    /** @param {{status: number, message: string, field?: string|null, line?: number|null}} what */
    constructor(what) {
        super(what.message);
        this.status = what.status;
        this.field = what.field ?? null;
        this.line = what.line ?? null;
    }
}

async function request(method, path, body) {
    let response;
    try {
        response = await fetch(BASE + path, {
            method,
            headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
    } catch {
        throw new ApiError({ status: 0, message: texts.unreachable });
    }
    return response;
}

async function json(response) {
    let value = null;
    try {
        value = response.status === 204 ? null : await response.json();
    } catch {
        if (response.ok) throw new ApiError({ status: 0, message: texts.unreachable });
    }
    if (!response.ok) {
        throw new ApiError({
            status: response.status,
            message: value?.error ?? texts.refused(response.status),
            field: value?.field,
            line: value?.line,
        });
    }
    return value;
}

/** `get('/games', {limit: 20})`; values that are null or empty are left out. */
export async function get(path, query = {}) {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        if (value !== null && value !== undefined && value !== '') words.set(name, String(value));
    }
    const tail = words.toString();
    return json(await request('GET', tail ? `${path}?${tail}` : path));
}

export async function post(path, body = {}) {
    return json(await request('POST', path, body));
}

export async function remove(path) {
    return json(await request('DELETE', path, {}));
}

/** Requests a resource as text. */
export async function getText(path) {
    const response = await request('GET', path);
    if (!response.ok) return json(response);
    return response.text();
}

/**
 * Listens to the event stream of a path.
 * @param {Record<string, (data: any) => void>} handlers by event name
 * @param {() => void} onLost called once when the stream ends for any reason
 * @returns {() => void} closes the stream
 */
export function listen(path, handlers, onLost) {
    const source = new EventSource(BASE + path);
    let open = true;
    const close = () => {
        open = false;
        source.close();
    };
    for (const [name, handler] of Object.entries(handlers)) {
        source.addEventListener(name, (event) => open && handler(JSON.parse(event.data)));
    }
    source.addEventListener('error', () => {
        if (!open) return;
        close();
        onLost();
    });
    return close;
}

export const address = (path) => BASE + path;

let aboutOnce = null;

/** Information about the server, requested once. */
export function about() {
    aboutOnce ??= get('/about').catch((error) => {
        aboutOnce = null;
        throw error;
    });
    return aboutOnce;
}
