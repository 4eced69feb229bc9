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
/** How much of the colour of a group its lines have; the rest is ground. The drawing would add up transparent lines to white. */
const LINE_SHARE = 0.34

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
  const [quiet, paper] = [resolve('--map-quiet'), resolve('--map-paper')]
  const colours = {
    groups,
    quiet,
    faded: resolve('--map-faded'),
    paper,
    ink: resolve('--ink'),
    accent: resolve('--accent-strong'),
    lines: [...groups, quiet].map((colour) => mix(colour, paper, LINE_SHARE)),
  }
  probe.remove()
  return colours
}

/** `rgb(1, 2, 3)` with an opacity. */
export function withOpacity(colour: string, opacity: number): string {
  return `rgba(${partsOf(colour).join(', ')}, ${opacity})`
}

function mix(colour: string, ground: string, share: number): string {
  const [own, other] = [partsOf(colour), partsOf(ground)]
  return `rgb(${own.map((part, index) => Math.round(part * share + (other[index] ?? 0) * (1 - share))).join(', ')})`
}

function partsOf(colour: string): number[] {
  return (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
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
