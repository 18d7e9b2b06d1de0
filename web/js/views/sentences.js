// Sentences about games and evaluations, composed from the server's data.
import { DECIDED } from '../board/marks.js';
import { agentName } from '../names.js';
import { boardText } from '../rules.js';
import { capital, chanceText, count, sideName, word } from '../texts.js';

/** @param {{kind: string, level?: number, agent?: string}} side */
export function playerName(side, sideId, state) {
    if (side.kind === 'level') return `Level ${side.level}`;
    if (side.kind === 'agent') return agentName(side.agent);
    const other = state.sides[sideId === 'first' ? 'second' : 'first'];
    return other.kind === 'person' ? sideName(sideId, state.rules) : 'You';
}

/** The text below the name of the player to move. */
export function turnWords(state, left) {
    return `to place ${count(left, 'stone')}`;
}

const row = (state) => `${state.rules.exact ? 'exactly ' : ''}${word(state.line.length)} in a row`;

/** @returns {{strong: string, rest: string}} how a game ended */
export function endWords(state) {
    if (state.winner === 'draw') return { strong: 'A draw.', rest: capital(state.reason ?? 'the board is full') };
    const name = sideName(state.winner, state.rules);
    if (state.line.length > 0) {
        return {
            strong: `${name} wins`,
            rest: `with ${row(state)}${state.rules.gravity ? '' : `, ${state.line[0]} to ${state.line[state.line.length - 1]}`}`,
        };
    }
    return { strong: `${name} wins.`, rest: state.reason ? capital(state.reason) : '' };
}

/** "You won, 1–0" if exactly one side is a person, otherwise "Black won". */
export function resultTitle(state) {
    if (state.winner === 'draw') return 'A draw, ½–½';
    const score = state.winner === 'first' ? '1–0' : '0–1';
    const people = ['first', 'second'].filter((side) => state.sides[side].kind === 'person');
    if (people.length !== 1) return `${sideName(state.winner, state.rules)} won, ${score}`;
    return people[0] === state.winner ? `You won, ${score}` : `You lost, ${score}`;
}

export function wonBy(state) {
    return state.line.length > 0 ? `won by ${row(state)}` : 'won';
}

/** The winning chance to show: of the side to move or, with view 'first', of the first side. */
export function chanceOf(analysis, state, view) {
    const first = analysis.chance_first;
    if (first === null || first === undefined) return null;
    const side = view === 'first' ? 'first' : state.turn;
    return { side, chance: side === 'first' ? first : 1 - first };
}

/** @returns {string} "win 8", "loss 4", "draw", or a score with a sign */
export function valueText(line) {
    if (line.proven === 'draw') return 'draw';
    if (line.proven) return line.distance ? `${line.proven} ${line.distance}` : line.proven;
    const score = Number(Number(line.score).toFixed(1));
    if (Math.abs(score) >= DECIDED) return score > 0 ? '++' : '\u2212\u2212';
    return score > 0 ? `+${score.toFixed(1)}` : score < 0 ? `\u2212${(-score).toFixed(1)}` : '0.0';
}

/** The complete evaluation as a text for screen readers. */
export function evaluationSentence(analysis, state) {
    const parts = [analysis.verdict.replace(/\.?$/, '.')];
    const shown = chanceOf(analysis, state, 'side');
    if (shown && !analysis.proven)
        parts.push(`Winning chance of ${sideName(shown.side, state.rules)} ${chanceText(shown.chance)}.`);
    if (analysis.lines[0]) parts.push(boardText(`Best: ${analysis.lines[0].stones.join(' ')}.`, state.rules));
    return parts.join(' ');
}
