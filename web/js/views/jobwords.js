// Matches, jobs and workers in words.
import { agentName } from '../names.js';
import { parseGame } from '../rules.js';
import { capital, count, durationText, figure, gameTitle, word } from '../texts.js';

const FORMATS = { match: 'match', roundrobin: 'round robin', gauntlet: 'gauntlet', ladder: 'ladder' };
const SHOWN = 4; // agents listed by name

export const matchTitle = (match) => {
    const rules = parseGame(match.game);
    return `${rules ? gameTitle(rules) : match.game} ${FORMATS[match.format] ?? match.kind ?? 'match'}`;
};

export const jobTitle = (job) => (job.game ? matchTitle(job) : capital(job.title));

const THINGS = { games: 'game', solve: 'position', paper: 'piece' };

/** The unit of work of jobs, such as "games" or "position"; "parts" for several kinds. */
export function thingsOf(jobs, n) {
    const kinds = new Set(jobs.map((job) => THINGS[job.work]));
    const thing = kinds.size === 1 ? [...kinds][0] : 'part';
    return n === 1 ? thing : `${thing}s`;
}

/** "Job 3: random, adjacent and 2 more"; up to SHOWN agents are listed. */
export function jobBrief(job) {
    const agents = job.agents ?? [];
    const more = agents.length > SHOWN ? ` and ${agents.length - SHOWN} more` : '';
    return [`Job ${job.id}`, agents.slice(0, SHOWN).map(agentName).join(', ') + more].filter(Boolean).join(': ');
}

/** Two or more significant digits: 0.42, 3.6, 128. */
export const speedText = (speed) => (speed >= 100 ? figure(speed) : speed >= 1 ? speed.toFixed(1) : speed.toFixed(2));

/** Time of day, with the date if it is not today. */
export function momentText(ms, now = Date.now()) {
    const moment = new Date(ms);
    const isToday = moment.toDateString() === new Date(now).toDateString();
    return moment.toLocaleString(undefined, { dateStyle: isToday ? undefined : 'medium', timeStyle: 'short' });
}

/** Remaining time and expected end. */
function endText(seconds, now) {
    return `about ${durationText(seconds)} left, until ${momentText(now + 1000 * seconds, now)}`;
}

/** @returns {[string, string]} icon and text of a job's state */
export function jobState(job, workers) {
    if (job.state === 'done') return job.aside > 0 ? ['info', `Finished, some ${thingsOf([job])} failed`] : ['check', 'Finished'];
    if (job.state === 'cancelled') return ['stop', 'Cancelled'];
    if (job.state === 'paused') return ['pause', 'Paused'];
    if (job.held > 0) return ['play', job.work === 'games' ? 'Playing' : 'Running'];
    return ['list', workers > 0 ? 'Waiting' : 'Waiting for workers'];
}

/** Speed of a job and its expected end. */
export function jobProgress(job, now = Date.now()) {
    if (job.state === 'done' || job.state === 'cancelled')
        return `${job.state === 'done' ? 'Ended' : 'Cancelled'} ${momentText(job.finished, now)}`;
    if (job.state === 'paused') return job.held > 0 ? 'Workers finish their current work' : 'No work is handed out';
    if (job.games_per_second <= 0)
        return job.held > 0 ? `No ${thingsOf([job], 1)} finished in the last minute` : 'No worker is working on it';
    const speed = `${speedText(job.games_per_second)} ${thingsOf([job])} per second`;
    return job.seconds_left === null ? speed : `${speed}, ${endText(job.seconds_left, now)}`;
}

export function jobFailures(job) {
    if (!job.reason) return '';
    if (job.failures === 0) return `Earlier failure: ${job.reason}`;
    return `${capital(count(job.failures, 'failure'))}, for example: ${job.reason}`;
}

/** The progress bar as text. */
export function barText(job) {
    const parts = [`${figure(job.done)} of ${figure(job.games)} ${thingsOf([job])} finished`];
    if (job.held > 0) parts.push(`${figure(job.held)} in progress`);
    if (job.aside > 0) parts.push(`${figure(job.aside)} failed`);
    return parts.join(', ');
}

/** A summary of all jobs in one or two sentences. */
export function summary({ jobs, workers, total }, now = Date.now()) {
    const alive = workers.filter((worker) => worker.is_alive).length;
    const live = jobs.filter((job) => job.finished === null);
    const names = capital(count(alive, 'worker'));
    if (live.length === 0) return alive > 0 ? `${names} ${alive === 1 ? 'is' : 'are'} idle.` : '';
    if (live.every((job) => job.state === 'paused'))
        return live.length === 1 ? 'The job is paused.' : `All ${word(live.length)} jobs are paused.`;
    const left = `${figure(total.left)} ${thingsOf(live, total.left)} ${total.left === 1 ? 'is' : 'are'} left`;
    if (alive === 0) return `No workers connected. ${left}.`;
    if (total.seconds_left === null) return `${names} ${alive === 1 ? 'is' : 'are'} connected. ${left}.`;
    const verb = alive === 1 ? 'finishes' : 'finish';
    return (
        `${names} ${verb} ${speedText(total.games_per_second)} ${thingsOf(live)} per second. ` +
        `${left}: about ${durationText(total.seconds_left)}, until ${momentText(now + 1000 * total.seconds_left, now)}.`
    );
}

/** Announcement of a job's new state, without numbers. */
export function jobNews(before, job) {
    const words = { open: 'continues', paused: 'is paused', cancelled: 'is cancelled', done: 'has ended' };
    return before && before.state !== job.state ? `Job ${job.id} ${words[job.state]}.` : '';
}

export function workerState(worker) {
    if (worker.quarantine) return ['stop', 'Blocked'];
    if (worker.ended !== null) return ['stop', 'Ended'];
    if (!worker.is_alive) return ['info', 'Lost'];
    return worker.held > 0 ? ['play', 'Working'] : ['pause', 'Idle'];
}

export const seenText = (ms) => (ms < 1500 ? 'now' : `${durationText(ms / 1000)} ago`);
