/** `auto` follows the system. */
export type Theme = 'auto' | 'light' | 'dark'

export const themes: readonly Theme[] = ['auto', 'light', 'dark']

const KEY = 'theme'

/** The reader's choice. Without storage, the system decides. */
export function readTheme(): Theme {
  try {
    const stored = window.localStorage.getItem(KEY)
    return themes.find((theme) => theme === stored) ?? 'auto'
  } catch {
    return 'auto'
  }
}

export function storeTheme(theme: Theme): void {
  try {
    if (theme === 'auto') window.localStorage.removeItem(KEY)
    else window.localStorage.setItem(KEY, theme)
  } catch {
    // Then the choice lasts as long as the page.
  }
  applyTheme(theme)
}

function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const { theme: own = '' } = meta.dataset
    meta.media = theme === 'auto' ? `(prefers-color-scheme: ${own})` : own === theme ? 'all' : 'not all'
  }
}
