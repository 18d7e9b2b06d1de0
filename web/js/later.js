// Dialogs and menus. Their modules are loaded on first use, to show the board sooner.
import { toast } from './lib/announce.js';
import { texts } from './texts.js';

/** @param {() => Promise<object>} load imports the module @param {string} name of the function in it */
function later(load, name) {
    return async (...words) => {
        let module;
        try {
            module = await load();
        } catch {
            toast(texts.unreachable, { error: true });
            return undefined;
        }
        return module[name](...words);
    };
}

export const confirmDialog = later(() => import('./widgets/dialog.js'), 'confirmDialog');
export const openImport = later(() => import('./views/share.js'), 'openImport');
export const openFriends = later(() => import('./views/invite.js'), 'openFriends');
export const openInvite = later(() => import('./views/invite.js'), 'openInvite');
export const openKeys = later(() => import('./widgets/keys.js'), 'openKeys');
export const openNewGame = later(() => import('./views/newgame.js'), 'openNewGame');
export const openPlayers = later(() => import('./views/players.js'), 'openPlayers');
export const openRatings = later(() => import('./views/ratings.js'), 'openRatings');
export const openSettings = later(() => import('./widgets/settings.js'), 'openSettings');
export const openShare = later(() => import('./views/share.js'), 'openShare');

/** Opens game files dropped on an element. */
export function takeDrops(element) {
    element.addEventListener('dragover', (event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
    });
    element.addEventListener('drop', async (event) => {
        const [file] = event.dataTransfer.files;
        if (!file || document.querySelector('dialog[open]')) return;
        event.preventDefault();
        openImport(await file.text());
    });
}
