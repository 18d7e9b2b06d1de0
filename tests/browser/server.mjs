// A krow server for one file of browser tests, on a free port and with a database of its own.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function freePort() {
    return new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

/** CRC-32 as in zlib, which older versions of node lack. */
function crc32(bytes) {
    const table = Uint32Array.from({ length: 256 }, (_, n) => {
        let value = n;
        for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
        return value;
    });
    let sum = ~0;
    for (const byte of bytes) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
    return ~sum >>> 0;
}

/** A krow server on its own port with its own database. */
export class Krow {
    constructor() {
        this.folder = mkdtempSync(join(tmpdir(), 'krow-web-'));
        this.db = join(this.folder, 'krow.db');
        this.others = [];
    }

    /** Runs another krow command on the same database; `endOthers` ends it. */
    run(...words) {
        // Computing the signature of a build takes seconds, so an invented one is stored in advance.
        const state = join(this.folder, 'state', 'krow');
        const program = readFileSync(process.env.KROW);
        mkdirSync(state, { recursive: true });
        const key = `${program.length} ${crc32(program).toString(16).padStart(8, '0')}`;
        writeFileSync(join(state, 'signature'), `${key} 0123456789abcdef\n`);
        const child = spawn(process.env.KROW, [...words, '--db', this.db, '-q'], {
            stdio: ['pipe', 'ignore', 'ignore'],
            env: { ...process.env, XDG_STATE_HOME: join(this.folder, 'state'), XDG_DATA_HOME: join(this.folder, 'data') },
        });
        child.ended = new Promise((resolve) => child.once('exit', resolve));
        this.others.push(child);
        return child;
    }

    async endOthers() {
        for (const child of this.others) child.kill('SIGKILL');
        await Promise.all(this.others.map((child) => child.ended));
        this.others = [];
    }

    async start() {
        this.port ??= await freePort();
        this.url = `http://127.0.0.1:${this.port}`;
        this.process = spawn(process.env.KROW, ['serve', '--port', String(this.port), '--no-open', '--db', this.db], {
            stdio: ['ignore', 'pipe', 'inherit'],
            env: { ...process.env, XDG_STATE_HOME: join(this.folder, 'state'), XDG_DATA_HOME: join(this.folder, 'data') },
        });
        await new Promise((resolve, reject) => {
            this.process.stdout.on('data', resolve);
            this.process.once('exit', (code) => reject(new Error(`krow serve ended with ${code}`)));
        });
        return this;
    }

    async stop(signal = 'SIGTERM') {
        const ended = new Promise((resolve) => this.process.once('exit', resolve));
        this.process.kill(signal);
        await ended;
    }

    /** Ends everything and removes the files. */
    async end() {
        await this.endOthers();
        await this.stop();
        rmSync(this.folder, { recursive: true, force: true });
    }

    /** @returns {Promise<any>} */
    async request(path, body) {
        const response = await fetch(
            `${this.url}/api/v1${path}`,
            body === undefined
                ? {}
                : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
        );
        return response.json();
    }

    /** Asks until the answer is as wanted. @returns {Promise<any>} */
    async until(path, isWanted) {
        for (;;) {
            const answer = await this.request(path);
            if (isWanted(answer)) return answer;
            await new Promise((resolve) => setTimeout(resolve, 20)); // leaves the processor to the server
        }
    }
}
