// The share and import dialogs: link, picture of the board, export and import of games.
import { button, h, replace } from '../lib/dom.js';
import { showError, toast } from '../lib/announce.js';
import { about, getText, post } from '../lib/api.js';
import { router } from '../lib/router.js';
import { copyText } from '../copy.js';
import { download, pngOf, standaloneSvg } from '../image.js';
import { positionLink } from '../link.js';
import { agentName } from '../names.js';
import { playSession, shownSession, studySession } from '../session.js';
import { analyseState } from '../study.js';
import { openDialog } from '../widgets/dialog.js';
import { field, select } from '../widgets/inputs.js';
import { gameName } from './library-stored.js';

const MOVES = 'moves'; // a list of cells or columns, which is no file format

/** Whether a text is a list of cells: "h8 i9, g7". */
const isMoves = (text) => /^\s*[a-z]{1,2}\d{1,2}([\s,]+[a-z]{1,2}\d{1,2})*\s*$/i.test(text);

/** @param {import('../session.js').Session} session */
export async function openShare(session) {
    let formats = [];
    try {
        ({ formats } = await about());
    } catch (error) {
        showError(error);
        return;
    }
    const link = h('input', {
        class: 'input',
        readonly: true,
        value: positionLink(session),
        'aria-label': 'Link to this position',
        on: { focus: () => link.select() },
    });
    const copy = button('Copy', () => copyText(link), { class: 'primary' });
    const format = select(
        formats.filter(({ writes }) => writes).map(({ name, words }) => [name, words ? `${name}: ${words}` : name]),
        'sgf',
        () => {},
    );
    const save = button('Save', () => exportGame(session, format.value, formats));
    const dialog = openDialog('Share', [
        h('div', { class: 'share-row' }, field('Link to this position, with rules, moves and variation', link), copy),
        h('div', { class: 'share-row' }, field('The game as a file', format), save),
        h(
            'div',
            { class: 'share-row' },
            h('p', { class: 'label grow' }, 'The board as a picture'),
            button('SVG', () => savePicture('svg')),
            button('PNG', () => savePicture('png')),
        ),
        h('hr', { class: 'hairline' }),
        h(
            'div',
            { class: 'share-row' },
            h('p', { class: 'label grow' }, 'More'),
            button(
                'Open a game',
                () => {
                    dialog.close();
                    openImport();
                },
                { icon: 'import' },
            ),
            button(
                'Edit the board',
                () => {
                    dialog.close();
                    router.go('edit');
                },
                { icon: 'edit' },
            ),
            session === studySession &&
                button(
                    'Play from here',
                    () => {
                        dialog.close();
                        playFromHere(session);
                    },
                    { icon: 'play' },
                ),
        ),
    ]);
    copy.focus();
}

/** Starts a game from the position, with the players of the last game. */
async function playFromHere(session) {
    const { game, moves, board } = session.again();
    const sides = playSession.remembered()?.again?.sides;
    try {
        playSession.adopt(
            await post('/sessions', { game, moves, ...(board ? { board } : {}), ...(sides ? { sides } : {}), save: 'new' }),
        );
        router.go('play');
    } catch (error) {
        showError(error);
    }
}

async function exportGame(session, format, formats) {
    try {
        const text = await getText(
            `/sessions/${encodeURIComponent(session.state.id)}/export?format=${encodeURIComponent(format)}`,
        );
        const ending = formats.find(({ name }) => name === format)?.extension ?? 'txt';
        download(`krow.${ending.replace(/^\./, '')}`, new Blob([text], { type: 'text/plain' }));
    } catch (error) {
        showError(error);
    }
}

async function savePicture(kind) {
    const svg = document.querySelector('.board svg');
    const text = standaloneSvg(svg);
    try {
        const blob = kind === 'svg' ? new Blob([text], { type: 'image/svg+xml' }) : await pngOf(text);
        download(`krow.${kind}`, blob);
    } catch {
        toast('The image could not be created.', { error: true });
    }
}

/** Opens a game from pasted text, a chosen file or a dropped file. */
export function openImport(text = '') {
    const area = h(
        'textarea',
        {
            class: 'area',
            'aria-label': 'Text of a game',
            placeholder: 'Paste a game in any format krow reads, or drop a file here.',
            spellcheck: 'false',
        },
        text,
    );
    const wrong = h('p', { class: 'wrong', role: 'alert' });
    const format = select([['', 'detect']], '', () => look());
    const rules = h('select', { class: 'select', on: { change: () => look() } });
    const choices = h('div', { class: 'share-row' }, field('Format', format), field('Game, for moves without rules', rules));
    about()
        .then(({ formats, presets }) => {
            const readable = formats.filter(({ reads }) => reads);
            format.append(...readable.map(({ name, words }) => h('option', { value: name }, words ? `${name}: ${words}` : name)));
            format.append(h('option', { value: MOVES }, 'moves such as h8 i9 g7'));
            const kept = (shownSession()?.state ?? studySession.remembered() ?? playSession.remembered())?.game;
            const known = presets.map(({ game }) => game);
            const games = kept && !known.includes(kept) ? [kept, ...known] : known;
            rules.append(...games.map((game) => h('option', { value: game, selected: game === kept }, gameName(game))));
        })
        .catch(showError);
    const games = h('ul', { class: 'import-games' });
    const file = h('input', { type: 'file', class: 'unseen', 'aria-label': 'A game file', tabindex: -1 });
    const look = async () => {
        replace(games);
        wrong.textContent = '';
        if (area.value.trim() === '') return;
        try {
            if (format.value === MOVES || (format.value === '' && isMoves(area.value))) {
                await openMoves();
                return;
            }
            const found = await post('/import', { text: area.value, ...chosen() });
            wrong.textContent = found.errors
                .map(({ line, message }) => (line ? `Line ${line}: ${message}` : message))
                .slice(0, 5)
                .join(' ');
            replace(
                games,
                found.games.map((game) =>
                    h(
                        'li',
                        {},
                        button(gameWords(game), () => openGame(game.index), { class: 'import-game' }),
                    ),
                ),
            );
            if (found.games.length === 1 && found.errors.length === 0) await openGame(found.games[0].index);
        } catch (error) {
            wrong.textContent = error.line ? `Line ${error.line}: ${error.message}` : error.message;
        }
    };
    const chosen = () => (format.value !== '' && format.value !== MOVES ? { format: format.value } : {});
    const openMoves = async () => {
        analyseState(await post('/sessions', { game: rules.value, moves: area.value.trim().replace(/[\s,]+/g, ' ') }));
        dialog.close();
        router.go('analyse');
    };
    const openGame = async (index) => {
        try {
            if (!studySession.state) await studySession.create({ game: '15x15:k=5' });
            const answer = await post(`/sessions/${encodeURIComponent(studySession.state.id)}/import`, {
                text: area.value,
                index,
                ...chosen(),
                ...(format.value !== '' ? { game: rules.value } : {}),
            });
            analyseState(answer);
            dialog.close();
            router.go('analyse');
        } catch (error) {
            wrong.textContent = error.message;
        }
    };
    const take = async (chosen) => {
        if (!chosen) return;
        area.value = await chosen.text();
        await look();
    };
    file.addEventListener('change', () => take(file.files[0]));
    area.addEventListener('dragover', (event) => event.preventDefault());
    area.addEventListener('drop', (event) => {
        event.preventDefault();
        if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files[0]);
        else {
            area.value = event.dataTransfer.getData('text');
            look();
        }
    });
    const dialog = openDialog('Open a game', [
        area,
        choices,
        wrong,
        games,
        h(
            'div',
            { class: 'dialog-foot' },
            file,
            button('Choose a file', () => file.click(), { icon: 'import' }),
            button('Open', look, { class: 'primary' }),
        ),
    ]);
    area.focus();
    if (text) look();
}

function gameWords(game) {
    const names = [game.names?.first, game.names?.second].filter(Boolean).map(agentName).join(' against ');
    return [names || 'A game', game.game, `${game.stones} stones`, game.result, game.date].filter(Boolean).join(', ');
}
