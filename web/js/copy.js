// Copies the text of an input to the clipboard.
import { toast } from './lib/announce.js';
import { texts } from './texts.js';

export async function copyText(input) {
    try {
        await navigator.clipboard.writeText(input.value);
    } catch {
        // Browsers without the Clipboard API (insecure contexts) still support execCommand.
        input.select();
        document.execCommand('copy');
    }
    toast(texts.copied);
}
