// Sets the chosen theme before anything is painted, so that the other one never flashes.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.media = meta.dataset.theme === theme ? 'all' : 'not all'
  }
} catch {
  // Where nothing may be stored, the system decides.
}
