/** The colours of the drawing, as the theme has them now. */
export interface MapColours {
  readonly groups: readonly string[]
  readonly quiet: string
  readonly faded: string
  readonly paper: string
  readonly ink: string
  readonly accent: string
  /** Colours of connections by the colour of the group; the last is for agents without a group. */
  readonly lines: readonly string[]
}

const GROUPS = 12
const LINE_OPACITY = 0.32

/** Reads the colours from the stylesheet: a canvas cannot resolve variables. */
export function readColours(within: HTMLElement): MapColours {
  const probe = document.createElement('span')
  probe.hidden = true
  within.append(probe)
  const resolve = (name: string) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const groups = Array.from({ length: GROUPS }, (_, group) => resolve(`--map-group-${group}`))
  const quiet = resolve('--map-quiet')
  const colours = {
    groups,
    quiet,
    faded: resolve('--map-faded'),
    paper: resolve('--map-paper'),
    ink: resolve('--ink'),
    accent: resolve('--accent-strong'),
    lines: [...groups, quiet].map((colour) => withOpacity(colour, LINE_OPACITY)),
  }
  probe.remove()
  return colours
}

/** `rgb(1, 2, 3)` with an opacity. */
export function withOpacity(colour: string, opacity: number): string {
  const [red = '0', green = '0', blue = '0'] = colour.match(/[\d.]+/g) ?? []
  return `rgba(${red}, ${green}, ${blue}, ${opacity})`
}

/** Calls back when the reader or the system changes the theme. */
export function watchTheme(changed: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(changed)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  system.addEventListener('change', changed)
  return () => {
    chosen.disconnect()
    system.removeEventListener('change', changed)
  }
}
