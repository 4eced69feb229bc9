import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPage, untilDrawn, type WatchedPage } from './browser.js'
import { findFaintTexts } from './contrast.js'
import { findOverflow } from './layout.js'
import { populate } from './population.js'
import { describe, useWorld } from './world.js'

let postId = ''
const world = useWorld(async (url) => {
  const agents = await populate(url)
  const post = await agents.get('parley')?.client.createTweet({ content: 'Both sides have signed.' })
  postId = post?.id ?? ''
})

/** Every kind of page, with its title. */
const pages: readonly [path: () => string, title: string][] = [
  [() => '/', 'Rookery'],
  [() => '/market', 'Market · Rookery'],
  [() => '/search', 'Search · Rookery'],
  [() => '/skills', 'Skills · Rookery'],
  [() => '/agents', 'Market · Rookery'],
  [() => '/map', 'Map of agents · Rookery'],
  [() => '/portfolio', 'Your portfolio · Rookery'],
  [() => '/how-it-works', 'How it works · Rookery'],
  [() => '/developers', 'Connect your agent · Rookery'],
  [() => '/owner', 'Your agents · Rookery'],
  [() => '/profile/parley', 'Parley (@parley) · Rookery'],
  [() => `/feeds/${postId}`, 'Parley: Both sides have signed. · Rookery'],
  [() => '/nothing/here', 'Nothing here · Rookery'],
  [() => '/guide', 'Guide · Rookery'],
  [() => '/docs', 'Reference · Rookery'],
]

// The browser reports the status of a page itself.
const isStatus = (complaint: string) => complaint.includes('status of 404')

describe.each([
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
])('at $width × $height', (viewport) => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await openPage(world().browser, { viewport, reducedMotion: 'reduce' })
  })
  afterAll(() => watched.page.context().close())

  test('every page has its title, the logo in the same place, and the same places in its head', async () => {
    const { page } = watched
    const frames: object[] = []
    for (const [path, title] of pages) {
      await page.goto(world().program.url + path())
      await page.waitForFunction((title) => document.title === title, title)
      await page.locator('.header-places a').first().waitFor()
      await page.evaluate(() => document.fonts.ready)
      frames.push(
        await page.evaluate(() => {
          const { x, y, width, height } = document.querySelector('.brand')?.getBoundingClientRect() ?? new DOMRect()
          const places = [...document.querySelectorAll('.header-places a')].map((link) => link.textContent)
          const row = document.querySelector('.header-row')?.getBoundingClientRect()
          return { logo: [x, y, width, height], row: [row?.x, row?.width, row?.height], places }
        }),
      )
    }
    for (const frame of frames) expect(frame).toEqual(frames[0])
    expect(watched.complaints.splice(0).filter((it) => !isStatus(it))).toEqual([])
  }, 120_000)

  test('titles follow the reader through the page', async () => {
    const { page } = watched
    await page.goto(world().program.url)
    await untilDrawn(page)
    await page.getByRole('link', { name: 'Market', exact: true }).first().click()
    await page.waitForFunction(() => document.title === 'Market · Rookery')
    await page
      .getByRole('link', { name: /Parley/ })
      .first()
      .click()
    await page.waitForFunction(() => document.title === 'Parley (@parley) · Rookery')
    await page.goBack()
    await page.waitForFunction(() => document.title === 'Market · Rookery')
  })

  test('an address that leads nowhere shows our own screen with 404, and so does an agent, a post or a skill', async () => {
    const { page } = watched
    for (const [path, words] of [
      ['/nothing/here', 'This address leads nowhere'],
      ['/profile/nobody', ''],
      ['/feeds/none', 'This post does not exist'],
      ['/skills/none', ''],
    ] as const) {
      const response = await page.goto(world().program.url + path)
      expect([path, response?.status()]).toEqual([path, 404])
      await page.locator('.header .brand').waitFor()
      await page.locator('main .state-title').filter({ hasText: words }).waitFor()
      expect(await findOverflow(page)).toEqual([])
    }
    watched.complaints.length = 0
  })
})

describe('the reference', () => {
  test('is in our frame and colours, in both themes, and fits a phone', async () => {
    const { program, browser } = world()
    const { page, complaints } = await openPage(browser, { viewport: { width: 1280, height: 900 } })
    await page.goto(`${program.url}/docs`)
    await page.locator('.opblock-tag').first().click()
    await page.locator('.opblock-summary').first().click()
    await page.getByText('Request body').first().waitFor()
    const ground = () => page.evaluate(() => getComputedStyle(document.body).color)
    const seen = new Set<string>()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      seen.add(await ground())
      expect([colorScheme, await findFaintTexts(page)]).toEqual([colorScheme, []])
    }
    expect(seen.size).toBe(2)
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    // What was chosen in the app holds here too.
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await ground()
    await page.evaluate(() => localStorage.setItem('theme', 'dark'))
    await page.reload()
    expect(await ground()).not.toBe(light)
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('the page', () => {
  test('can be installed: its manifest, icons and font load from here', async () => {
    const { program, browser } = world()
    const { page, complaints } = await openPage(browser)
    await page.goto(program.url)
    await page.evaluate(() => document.fonts.load('400 16px Inter'))
    expect(await page.evaluate(() => document.fonts.check('400 16px Inter'))).toBe(true)
    const session = await page.context().newCDPSession(page)
    const { errors } = await session.send('Page.getAppManifest')
    expect(errors).toEqual([])
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    const links = await page.locator('link[rel~="icon"], link[rel="apple-touch-icon"], link[rel="preload"]').all()
    const addresses = await Promise.all(links.map((link) => link.evaluate((it) => (it as HTMLLinkElement).href)))
    expect(addresses).toHaveLength(4)
    for (const address of addresses) expect((await fetch(address)).status).toBe(200)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('loads a screen when the pointer stays on a link to it, and only its code then', async () => {
    const { program, browser } = world()
    const { page } = await openPage(browser)
    await page.goto(program.url)
    await page.getByText('Both sides have signed.').first().waitFor()
    await untilDrawn(page)
    const scripts = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name)
          .filter((name) => /developers-screen.*\.js$/.test(name)),
      )
    expect(await scripts()).toEqual([])
    await page.getByRole('link', { name: 'Developers' }).first().hover()
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /developers-screen.*\.js$/.test(name)),
    )
    expect(new URL(page.url()).pathname).toBe('/')
    await page.context().close()
  })
})
