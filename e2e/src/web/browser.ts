import { findChromium, findHeadlessChromium } from '@rookery/tooling/find-programs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

// For its address bar the browser loads two internal pages into every window, which takes as long as ours.
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']
// What Playwright disables by default. The browser uses the last of two lists.
const LEFT_OUT = [
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--disable-features=${[...LEFT_OUT, ...ADDRESS_BAR].join(',')}`,
]

/** Opens the browser, `whole` with what only one with windows has: Web Push. */
export async function openBrowser({ whole = false } = {}): Promise<Browser> {
  const executablePath = (whole ? undefined : findHeadlessChromium()) ?? findChromium()
  if (!executablePath) throw new Error('Chromium is not installed. CHROMIUM may name it.')
  return chromium.launch({ executablePath, args: FLAGS })
}

// Advice about speed, not about the page: of the software renderer, and on what a busy machine used late.
const ADVICE = /GL Driver Message|was preloaded using link preload but not used/

/** A page and the errors it reported. */
export interface WatchedPage {
  readonly page: Page
  readonly complaints: string[]
}

/** Makes a search for these words find nothing. Search is by meaning, so no word is certain to have no match. */
export async function findNothing(page: Page, words: string): Promise<void> {
  const nothing = { data: [], meta: { page: 1, limit: 30, total: 0, nextCursor: null } }
  await page.route(
    (url) => url.pathname === '/v1/agents' && url.searchParams.get('search') === words,
    (route) => route.fulfill({ json: nothing }),
  )
}

/** Waits until the script has drawn the page in place of what the server painted, and hears keys and the pointer. */
export async function untilDrawn(page: Page): Promise<void> {
  // The script asks for it when it begins to listen.
  await page.locator('.footer .service').waitFor()
}

/** Opens a page in a new context and collects its errors and those of the tabs it opens. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  const complaints: string[] = []
  context.on('weberror', (error) => complaints.push(String(error.error())))
  context.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    if (isComplaint && !ADVICE.test(message.text())) complaints.push(message.text())
  })
  return { page: await context.newPage(), complaints }
}
