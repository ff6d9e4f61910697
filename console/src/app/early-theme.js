// Runs before anything else: the page must never flash in the wrong colours.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('danlu.theme');
  } catch {
    // Storage may be refused; the system's preference serves then.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
