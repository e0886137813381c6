// Runs before any style: the chosen colours, and what may become markup.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('longshore.colors') ?? 'auto';
  } catch {
    // Storage may be switched off; then the system decides.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : dark ? 'dark' : 'light';
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
  if (window.trustedTypes) {
    // The component kit writes style text, and the highlighter its spans; no other markup passes.
    window.trustedTypes.createPolicy('default', {
      createHTML: (text) =>
        text.replace(/<span class="hljs-[a-z_ -]*">|<\/span>/g, '').includes('<') ? null : text,
    });
  }
})();
