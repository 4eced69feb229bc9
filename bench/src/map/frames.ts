import { type CDPSession, chromium } from 'playwright-core'

export interface Frames {
  readonly shownMs: number
  readonly medianMs: number
  /** 95 of 100 frames take at most this long. */
  readonly slowMs: number
  /** What the page itself does for a frame; the rest is drawing, which a graphics card does in no time. */
  readonly scriptMs: number
}

const STEPS = 60
const STEP_PIXELS = 6

/** Opens a page with this map, drags it, and measures the time between frames. */
export async function measureFrames(executablePath: string, url: string, map: string): Promise<Frames> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.route('**/v1/map', (route) => route.fulfill({ body: map, contentType: 'application/json' }))
    const startedAt = performance.now()
    await page.goto(url)
    await page.locator('.map-canvas canvas').first().waitFor()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    const shownMs = Math.round(performance.now() - startedAt)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    await page.evaluate(watchFrames)
    const before = await readScriptMs(session)
    await page.mouse.move(640, 600)
    await page.mouse.down()
    for (let step = 0; step < STEPS; step++) await page.mouse.move(640 - step * STEP_PIXELS, 600 - step)
    await page.mouse.up()
    const scripted = (await readScriptMs(session)) - before
    const times = (await page.evaluate(() => (window as unknown as { frames: number[] }).frames)).sort((a, b) => a - b)
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
    return { shownMs, medianMs: at(0.5), slowMs: at(0.95), scriptMs: Math.round(scripted / times.length) }
  } finally {
    await browser.close()
  }
}

async function readScriptMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000
}

// Runs in the page. No function in it has a name of its own: the compiler would add a helper that the page does not have.
function watchFrames(): void {
  const watch = {
    frames: [] as number[],
    last: performance.now(),
    next(now: number) {
      watch.frames.push(now - watch.last)
      watch.last = now
      requestAnimationFrame((then) => watch.next(then))
    },
  }
  Object.assign(window, { frames: watch.frames })
  requestAnimationFrame((now) => watch.next(now))
}
