// Texts of the page that do not come from the server, and formatting of numbers, times and rules.
import { formatGame } from './rules.js';

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** Numbers up to ten as words: 5 is "five", 11 is "11". */
export const word = (n) => NUMBERS[n] ?? String(n);
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
export const count = (n, one, many = `${one}s`) => `${word(n)} ${n === 1 ? one : many}`;

/** Thousands separated by a narrow space. */
export const figure = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

/** +42, 0, −12: with a real minus sign. */
export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `\u2212${-n}` : '0');

/** Exponents as superscripts: "2^26" becomes "2²⁶". */
export const raised = (text) =>
    String(text).replace(/\^(-?\d+)/g, (_, power) =>
        [...power]
            .map((c) =>
                c === '-' ? '\u207b' : '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'[Number(c)],
            )
            .join(''),
    );

export const percent = (x, digits = 1) => `${(100 * x).toFixed(digits)} %`;

/** Unproven chances stay between 1 % and 99 %. */
export const chanceText = (chance) => `${Math.min(99, Math.max(1, Math.round(100 * chance)))} %`;

/** Milliseconds as 3:41 or 1:03:41; below ten seconds with tenths, 0:04.2. */
export function clockText(ms) {
    const seconds = Math.max(0, ms) / 1000;
    if (seconds < 10) return `0:0${seconds.toFixed(1)}`;
    const whole = Math.floor(seconds);
    const minutes = Math.floor(whole / 60);
    const hours = Math.floor(minutes / 60);
    const two = (n) => String(n).padStart(2, '0');
    return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Thinking time in milliseconds as 0:05. */
export function spentText(ms) {
    const whole = Math.round(ms / 1000);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** A rounded duration: "45 s", "12 min", "1.5 h". */
export function durationText(seconds) {
    if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
    if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
    return `${(seconds / 3600).toFixed(1)} h`;
}

const TITLES = {
    '3x3:k=3': 'Tic-tac-toe',
    '7x6:k=4,gravity': 'Connect Four',
    '13x13:k=5': 'Connect5',
    '15x15:k=5': 'Gomoku',
    '19x19:k=5': 'Gomoku 19 × 19',
    '20x20:k=5': 'Gomoku 20 × 20',
    '15x15:k=5,exact': 'Standard Gomoku',
    '19x19:k=6,p=2,q=1': 'Connect6',
};

const sizeText = (rules) => `${rules.width} × ${rules.height}`;

export function gameTitle(rules) {
    return TITLES[formatGame(rules)] ?? `${sizeText(rules)}, ${word(rules.k)} in a row`;
}

/** The line below the title. */
export function gameSubtitle(rules) {
    const known = formatGame(rules) in TITLES;
    const parts = [];
    if (known)
        parts.push(
            `${sizeText(rules)}, ${rules.exact ? 'exactly ' : ''}${word(rules.k)} in a row${rules.exact ? ' wins' : rules.k > 3 ? ' or more wins' : ' wins'}`,
        );
    else if (rules.exact) parts.push(`exactly ${word(rules.k)} wins`);
    if (rules.p > 1) parts.push(`${count(rules.p, 'stone')} per turn`);
    if (rules.gravity) parts.push('stones fall');
    return parts.join(', ') || 'one stone per turn';
}

/** The subtitle in the header of narrow screens; empty for games without a name. */
export const gameBrief = (rules) =>
    formatGame(rules) in TITLES ? `${sizeText(rules)}, ${word(rules.k)} in a row` : '';

/** @param {'first'|'second'} side */
export function sideName(side, rules) {
    if (rules?.gravity) return side === 'first' ? 'Red' : 'Yellow';
    return side === 'first' ? 'Black' : 'White';
}

/** The rules as sentences for the new-game dialog. */
export function rulesSentence(rules) {
    const first = sideName('first', rules);
    const turns =
        rules.p === rules.q
            ? `Each turn places ${count(rules.p, 'stone')}; ${first} starts.`
            : `${first} opens with ${count(rules.q, 'stone')}, then both place ${word(rules.p)} per turn.`;
    const falls = rules.gravity ? ' Stones fall to the lowest free cell.' : '';
    const wins = rules.exact
        ? ` Exactly ${word(rules.k)} in a row wins, a longer row does not.`
        : ` ${capital(word(rules.k))} in a row wins.`;
    return turns + falls + wins;
}

export const texts = {
    unreachable: 'The server cannot be reached.',
    refused: (status) => `The server refused the request (status ${status}).`,
    lost: (seconds) => `Your game is kept. Retrying in ${seconds} s.`,
    lostTitle: 'Connection lost.',
    trying: 'Your game is kept. Retrying now.',
    back: 'Reconnected.',
    again: 'The server restarted. Your game continues.',
    noStones: (rules) => `No stones yet. ${sideName('first', rules)} opens with ${word(rules.q)}.`,
    taken: (cell) => `${cell} is taken.`,
    full: (column) => `Column ${column} is full.`,
    over: 'The game is over.',
    notYourTurn: (name) => `It is ${name}\u2019s turn.`,
    waiting: 'Waiting for the engine\u2026',
    noThreat: (name) => `${name} has no threat.`,
    nothingRuns: 'Nothing is running. Start a match.',
    noForced: 'No forced win found.',
    noEvaluation: 'No evaluation yet.',
    copied: 'Link copied.',
    failed: 'Something went wrong on this page.',
};
