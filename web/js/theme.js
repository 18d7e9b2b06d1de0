// Sets the theme before anything is drawn; a plain script, so that the page never flashes in the other one.
(() => {
    let chosen = null;
    try {
        chosen = JSON.parse(localStorage.getItem('krow.prefs') || '{}').theme;
    } catch {
        // Without storage the system decides.
    }
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = chosen === 'dark' || chosen === 'light' ? chosen : dark ? 'dark' : 'light';
})();
