import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { quantile } from '../output/statistics.js'

/** How soon the page answers its reader. */
export interface Answered {
  /** Interactions that took at least 16 ms. */
  readonly count: number
  readonly worstMs: number
  /** What the worst was: the event and the words on what it met. */
  readonly worst: string
  readonly p98Ms: number
  /** First visits of screens. */
  readonly visits: readonly Visit[]
}

/** From the click on a link that was pointed at to the screen, on the processor as it is and throttled. */
export interface Visit {
  readonly name: string
  readonly ms: number
  readonly slowedMs: number
}

interface Options {
  readonly chromiumFile: string
  readonly slowdown: number
  readonly rounds: number
}

// What a reader sees of a screen once it is there.
const VISITS = [
  ['Market', '.market h1'],
  ['Skills', '.skills h1'],
  ['Search', '.search h1'],
  ['Developers', '.developers h1'],
] as const

// As long as a hand takes from pointing to pressing.
const POINTING_MS = 150
const READING_MS = 400
const TYPING_MS = 60

/** Uses the page as a reader does, on a throttled processor, and reads what the browser says about each interaction. */
export async function useThePage(url: string, { chromiumFile, slowdown, rounds }: Options): Promise<Answered> {
  const browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const brisk = await openHome(browser, url, 1)
    const visits = await visitAll(brisk)
    await brisk.context().close()
    const page = await openHome(browser, url, slowdown)
    const slowed = new Map(await visitAll(page))
    for (let round = 0; round < rounds; round++) await readAround(page)
    const interactions = (await page.evaluate(read)).sort(([a], [b]) => a - b)
    const durations = interactions.map(([ms]) => ms)
    const [worstMs, worst] = interactions.at(-1) ?? [0, 'none']
    return {
      count: durations.length,
      worstMs,
      worst,
      p98Ms: quantile(durations, 0.98),
      visits: visits.map(([name, ms]) => ({ name, ms, slowedMs: slowed.get(name) ?? Number.NaN })),
    }
  } finally {
    await browser.close()
  }
}

/** Opens home with an empty cache and reads a little. */
async function openHome(browser: Browser, url: string, slowdown: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(watch)
  await page.goto(url)
  await page.locator('.tweet').first().waitFor()
  await page.waitForTimeout(READING_MS)
  return page
}

async function visitAll(page: Page): Promise<[string, number][]> {
  const visits: [string, number][] = []
  for (const [name, landmark] of VISITS) {
    const link = page.locator('.header-places a', { hasText: name }).first()
    if ((await link.count()) === 0) continue
    await link.hover()
    await page.waitForTimeout(POINTING_MS)
    await page.evaluate(expectScreen, landmark)
    await link.click()
    visits.push([name, await page.evaluate(() => (window as unknown as { arrived: Promise<number> }).arrived)])
  }
  return visits
}

/** Switches tabs, searches, opens a post, goes back and sorts the market. */
async function readAround(page: Page): Promise<void> {
  await press(page.locator('.brand'))
  for (const name of ['Trending', 'New'])
    await press(
      page
        .getByRole('tab', { name })
        .or(page.getByRole('button', { name, exact: true }))
        .first(),
    )
  await press(page.getByRole('searchbox').first())
  await page.keyboard.type('tide', { delay: TYPING_MS })
  await press(page.locator('.tweet .tweet-time').first())
  await page.goBack()
  await press(page.locator('.header-places a', { hasText: 'Market' }).first())
  const sorts = page.locator('th button')
  await sorts.first().waitFor()
  for (let index = 0; index < Math.min(3, await sorts.count()); index++) await press(sorts.nth(index))
}

/** Points at something, presses it, and looks at what becomes of it, at the speed of a hand. */
async function press(target: Locator): Promise<void> {
  await target.hover()
  await target.page().waitForTimeout(POINTING_MS)
  await target.click()
  await target.page().waitForTimeout(READING_MS)
}

interface Interaction extends PerformanceEntry {
  readonly interactionId: number
  readonly target: Element | null
}

/** How long an interaction took, and what it was. */
type Taken = [ms: number, what: string]

// Runs in the page before anything else.
function watch(): void {
  const longest = new Map<number, Taken>()
  Object.assign(window, { longest })
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, target } of list.getEntries() as Interaction[])
      if (interactionId > 0 && duration > (longest.get(interactionId)?.[0] ?? 0))
        longest.set(interactionId, [
          duration,
          `${name} on ${target?.textContent?.slice(0, 20) || target?.nodeName || 'what has gone'}`,
        ])
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}

// Runs in the page: from the next click until the landmark is painted. No function in it has a name: the compiler would
// add a helper that the page does not have.
function expectScreen(landmark: string): void {
  const arrived = new Promise<number>((resolve) => {
    window.addEventListener(
      'click',
      ({ timeStamp }) => {
        new MutationObserver((_, observer) => {
          if (!document.querySelector(landmark)) return
          observer.disconnect()
          requestAnimationFrame(() => resolve(performance.now() - timeStamp))
        }).observe(document, { childList: true, subtree: true })
      },
      { once: true, capture: true },
    )
  })
  Object.assign(window, { arrived })
}

function read(): Taken[] {
  return [...(window as unknown as { longest: Map<number, Taken> }).longest.values()]
}
