import type { Page } from 'playwright-core'

/** A text with too little contrast to its background. */
export interface FaintText {
  readonly text: string
  readonly ratio: number
  readonly wanted: number
}

/** Finds every visible text with a contrast below WCAG AA: 4.5, or 3 for large text. */
export function findFaintTexts(page: Page): Promise<FaintText[]> {
  return page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (!canvas) throw new Error('there is no canvas to read colours with')
    const pen = canvas

    // Blends layers from the bottom up into one opaque colour, in any notation.
    function blend(layers: readonly string[]): [number, number, number] {
      for (const layer of ['#fff', ...layers]) {
        pen.fillStyle = layer
        pen.fillRect(0, 0, 1, 1)
      }
      const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data
      return [red, green, blue]
    }
    // Most texts of a page share their colours with others.
    const known = new Map<string, number>()
    function luminance(layers: readonly string[]): number {
      const key = layers.join()
      const found = known.get(key) ?? measure(blend(layers))
      known.set(key, found)
      return found
    }
    function measure(colour: readonly number[]): number {
      const [red = 0, green = 0, blue = 0] = colour.map((part) => {
        const share = part / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    function grounds(element: Element): string[] {
      const layers: string[] = []
      for (let at: Element | null = element; at; at = at.parentElement)
        layers.unshift(getComputedStyle(at).backgroundColor)
      return layers
    }

    const faint = new Map<string, FaintText>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      const text = node.textContent?.trim() ?? ''
      if (!element || text === '' || !element.checkVisibility() || element.closest('.visually-hidden, option')) continue
      const style = getComputedStyle(element)
      const ground = grounds(element)
      const [dark = 0, light = 0] = [luminance(ground), luminance([...ground, style.color])].sort((a, b) => a - b)
      const ratio = (light + 0.05) / (dark + 0.05)
      const size = Number.parseFloat(style.fontSize)
      const wanted = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5
      if (ratio < wanted) faint.set(text, { text, ratio, wanted })
    }
    return [...faint.values()]
  })
}
