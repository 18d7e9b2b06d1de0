// Sentences about games with a friend.
import { durationText, sideName } from '../texts.js';

export const OFFERS = ['takeback', 'draw', 'rematch'];

export function offerWords(kind, by, friend) {
    const words = {
        takeback: ['You ask for a takeback.', `${friend} asks for a takeback.`],
        draw: ['You offer a draw.', `${friend} offers a draw.`],
        rematch: ['You offer a rematch.', `${friend} offers a rematch, with swapped colours.`],
    };
    return words[kind][by === 'you' ? 0 : 1];
}

/** "connected", or since when the friend is away. */
export function awayWords(game) {
    const seconds = game.away();
    if (game.live.stage === 'waiting') return 'not here yet';
    return seconds === null ? 'connected' : `away for ${durationText(seconds)}`;
}

export function clockWords(clock) {
    if (!clock) return 'No clock.';
    const { seconds, increment } = clock.given;
    const time = seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
    return `${time}${increment > 0 ? ` + ${increment} s per turn` : ''} for each player.`;
}

export function endedWords(live, side) {
    if (live.winner === 'draw') return 'draw';
    return live.winner === side ? `won with ${sideName(side, live.rules)}` : 'lost';
}
