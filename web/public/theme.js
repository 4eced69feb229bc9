// Sets the chosen theme, and whether the introduction is hidden, before anything is painted, so that nothing flashes or
// jumps.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.media = meta.dataset.theme === theme ? 'all' : 'not all'
  }
  if (localStorage.getItem('introduced')) document.documentElement.dataset.introduced = ''
} catch {
  // Where nothing may be stored, the system decides.
}
