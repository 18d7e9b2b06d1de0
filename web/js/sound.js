// Sounds, synthesised when they are played: a stone on the board, and the end of a game. Off unless the user wants them.
import { prefs } from './lib/prefs.js';

const CLICK = 0.06; // seconds
const VOLUME = 0.35;
const CHORDS = { win: [523, 659, 784], end: [392, 494] }; // Hz

let context = null;

/** The browser allows sound after the first click or key; null where it has none. */
function audio() {
    if (!prefs.get('sounds') || typeof AudioContext === 'undefined') return null;
    context ??= new AudioContext();
    if (context.state === 'suspended') context.resume().catch(() => {});
    return context;
}

/** A gain that falls from the volume to silence. */
function fading(ctx, at, seconds, volume) {
    const gain = ctx.createGain();
    gain.gain.setValueAtTime(volume, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    gain.connect(ctx.destination);
    return gain;
}

function tone(ctx, frequency, at, seconds, volume) {
    const oscillator = ctx.createOscillator();
    oscillator.frequency.value = frequency;
    oscillator.connect(fading(ctx, at, seconds, volume));
    oscillator.start(at);
    oscillator.stop(at + seconds);
}

/** A short burst of filtered noise over a low tone, as of a stone on wood. @param {boolean} falls a disc in a rack is higher */
export function stoneSound(falls) {
    const ctx = audio();
    if (!ctx) return;
    const at = ctx.currentTime;
    const noise = ctx.createBuffer(1, Math.ceil(ctx.sampleRate * CLICK), ctx.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = (2 * Math.random() - 1) * (1 - i / samples.length) ** 3;
    const source = ctx.createBufferSource();
    source.buffer = noise;
    const filter = ctx.createBiquadFilter();
    filter.type = 'bandpass';
    filter.frequency.value = falls ? 2600 : 1500;
    source.connect(filter);
    filter.connect(fading(ctx, at, CLICK, VOLUME));
    source.start(at);
    tone(ctx, falls ? 320 : 180, at, CLICK, VOLUME / 2);
}

/** @param {'win'|'end'} kind */
export function endSound(kind) {
    const ctx = audio();
    if (!ctx) return;
    CHORDS[kind].forEach((frequency, i) => tone(ctx, frequency, ctx.currentTime + 0.12 * (i + 1), 0.5, VOLUME / 3));
}
