// Sets the theme before the first paint. A classic script, because modules run too late and the page would flash.
(() => {
    let chosen = null;
    try {
        chosen = JSON.parse(localStorage.getItem('krow.prefs') || '{}').theme;
    } catch {
        // Without storage, the theme of the system applies.
    }
    const dark = matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = chosen === 'dark' || chosen === 'light' ? chosen : dark ? 'dark' : 'light';
})();
