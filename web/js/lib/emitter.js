// Event emitters: objects that notify their listeners.
export class Emitter {
    #listeners = new Map();

    /** @returns {() => void} stops listening */
    on(event, listener) {
        if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
        this.#listeners.get(event).add(listener);
        return () => this.#listeners.get(event).delete(listener);
    }

    emit(event, value) {
        for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(value);
    }
}

/**
 * An emitter with a state. A new listener receives the present state at once, so a view that has just opened shows it
 * completely and does not depend on the next change.
 */
export class Source extends Emitter {
    /** @returns {any} what a new listener of this event receives; undefined for nothing */
    present() {
        return undefined;
    }

    on(event, listener) {
        const stop = super.on(event, listener);
        const value = this.present(event);
        if (value !== undefined) listener(value);
        return stop;
    }
}
