import { chromium, type Page } from 'playwright-core'

/** The measurements of one page load. */
export interface Loaded {
  readonly fcpMs: number
  readonly lcpMs: number
  readonly lcpElement: string
  readonly cls: number
  /** JavaScript as transferred, compressed. */
  readonly scriptBytes: number
}

export const sizes = [
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
]

type Size = (typeof sizes)[number]

const SETTLED_MS = 1500

/** Loads pages in a real browser with a throttled processor and an empty cache. */
export async function openMeter({ chromiumFile, slowdown }: { chromiumFile: string; slowdown: number }) {
  const browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox', '--disable-gpu'] })
  return {
    async load(url: string, viewport: Size): Promise<Loaded> {
      const context = await browser.newContext({ viewport })
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await page.addInitScript(watch)
      await page.goto(url, { waitUntil: 'load' })
      const loaded = await waitUntilSettled(page)
      await context.close()
      return loaded
    },
    close: () => browser.close(),
  }
}

/** Waits until something has been painted and nothing larger has followed for a while. */
async function waitUntilSettled(page: Page): Promise<Loaded> {
  let before = await page.evaluate(read)
  while (true) {
    await page.waitForTimeout(SETTLED_MS)
    const now = await page.evaluate(read)
    if (now.lcpMs > 0 && now.lcpMs === before.lcpMs) return now
    before = now
  }
}

interface Seen {
  lcpMs: number
  lcpElement: string
  cls: number
}

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
}

interface Paint extends PerformanceEntry {
  readonly element: Element | null
}

// Runs in the page before anything else.
function watch(): void {
  const seen: Seen = { lcpMs: 0, lcpElement: '', cls: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Paint[]) {
      seen.lcpMs = entry.startTime
      seen.lcpElement = `${entry.element?.tagName.toLowerCase()}.${entry.element?.className}`
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Shift[]) if (!entry.hadRecentInput) seen.cls += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

// Runs in the page when it has settled.
function read(): Loaded {
  const { seen } = window as unknown as { seen: Seen }
  const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  return {
    ...seen,
    fcpMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    scriptBytes: (scripts as PerformanceResourceTiming[]).reduce(
      (sum, { encodedBodySize }) => sum + encodedBodySize,
      0,
    ),
  }
}
