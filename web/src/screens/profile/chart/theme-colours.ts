const tokens = {
  ground: '--surface',
  ink: '--ink-soft',
  line: '--line',
  accent: '--accent',
  accentWash: '--accent-wash',
  good: '--good',
  bad: '--bad',
  goodWash: '--good-soft',
  badWash: '--bad-soft',
} as const

export type Colours = Record<keyof typeof tokens, string>

/** Reads the colours of the theme. A token may have a light and a dark colour; a probe element shows which one applies. */
export function readColours(box: HTMLElement): Colours {
  const probe = document.createElement('span')
  box.append(probe)
  const entries = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(entries) as Colours
}

export function watchTheme(changed: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const choice = new MutationObserver(changed)
  system.addEventListener('change', changed)
  choice.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', changed)
    choice.disconnect()
  }
}
