// Event emitter: an object that notifies its listeners.
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
