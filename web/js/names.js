// Names of agents and levels as people read them; the server and the command line name agents as engine:depth=4.

/** Names that are more than the capitalised word of the command line. */
const NAMES = {
    random: 'Random',
    book: 'Opening book',
    adjacent: 'Adjacent',
    mesh: 'Mesh',
    windows: 'Windows',
    threats: 'Threats',
    montecarlo: 'Monte Carlo',
    defence: 'Defence',
    kagami: 'Kagami',
    constant: 'Constant',
    incremental: 'Incremental',
    patterns: 'Patterns',
    alphabeta: 'Alpha-beta',
    connect5: 'Connect5',
    learned: 'Learned',
    sarhan: 'Sarhan',
    hybrid: 'Hybrid',
    chain: 'Chain',
    sequences: 'Sequences',
    perfect: 'Perfect',
    level: 'Level',
    engine: 'krow engine',
};

/** From the weakest to the strongest level; games with fewer levels use some of them. */
const STRENGTHS = [
    'newcomer',
    'beginner',
    'casual',
    'improving',
    'steady',
    'experienced',
    'skilled',
    'strong',
    'expert',
    'full strength',
];

/** @param {number} level from 1 @param {number} most the levels of the game */
export function strengthName(level, most) {
    const last = STRENGTHS.length - 1;
    return STRENGTHS[most > 1 ? Math.round(((level - 1) * last) / (most - 1)) : last];
}

/** @returns {{name: string, options: [string, string][]}|null} null for a text that does not describe an agent */
export function parseAgent(text) {
    const match = /^([a-z][a-z0-9]*)(?::(.*))?$/.exec(String(text).trim());
    if (!match || !(match[1] in NAMES)) return null;
    const options = (match[2] ?? '').split(',').filter(Boolean);
    if (options.some((option) => !option.includes('='))) return null;
    return {
        name: match[1],
        options: options.map((option) => {
            const at = option.indexOf('=');
            return [option.slice(0, at), option.slice(at + 1)];
        }),
    };
}

/** @param {string} name an agent without options */
export const kindName = (name) => NAMES[name] ?? name;

/** The agent of an option: its own options are separated by +. */
const innerName = (value) => agentName(value.replaceAll('+', ','));

/** "engine:depth=4" to "krow engine (depth 4)", "level:n=4" to "Level 4"; names that people gave stay as they are. */
export function agentName(text) {
    const agent = parseAgent(text);
    if (!agent) return /^exec:/.test(text) ? programName(text) : String(text);
    const isLevel = agent.name === 'level';
    const level = isLevel ? agent.options.find(([name]) => name === 'n')?.[1] : undefined;
    const base = isLevel && level !== undefined && level !== '0' ? `Level ${level}` : isLevel ? 'Highest level' : kindName(agent.name);
    const rest = agent.options
        .filter(([name]) => !isLevel || name !== 'n')
        .map(([name, value]) => `${name} ${parseAgent(value.replaceAll('+', ',')) ? innerName(value) : value}`);
    return rest.length > 0 ? `${base} (${rest.join(', ')})` : base;
}

/** "exec:/usr/games/pisq --x" to "pisq". */
function programName(text) {
    const [program] = text.slice('exec:'.length).trim().split(/\s+/);
    return program.split('/').pop() || text;
}
