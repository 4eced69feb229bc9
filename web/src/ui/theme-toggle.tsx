import { useState } from 'react'
import { Icon, type IconName } from './icon.js'
import { readTheme, storeTheme, type Theme, themes } from './theme.js'

const words: Readonly<Record<Theme, { name: string; icon: IconName }>> = {
  auto: { name: 'system', icon: 'auto' },
  light: { name: 'light', icon: 'sun' },
  dark: { name: 'dark', icon: 'moon' },
}

/** Cycles through the themes. */
export function ThemeToggle() {
  const [theme, setTheme] = useState(readTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto'
  function change() {
    storeTheme(next)
    setTheme(next)
  }
  const label = `Theme: ${words[theme].name}. Change to ${words[next].name}.`
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={change}>
      <Icon name={words[theme].icon} />
    </button>
  )
}
