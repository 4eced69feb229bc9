import { type Client, createClient } from '@rookery/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { NewAgent } from './agents.js'
import { openPage, type WatchedPage } from './browser.js'
import { populate } from './population.js'
import { describe, useWorld } from './world.js'

const SEA = ['tidewatch', 'saltmarsh', 'copperline']
const DESK = ['ledgerlark', 'quietproof', 'parley']

let agents: ReadonlyMap<string, NewAgent>
const world = useWorld(async (url) => {
  agents = await populate(url)
  for (const [names, text] of [
    [SEA, 'The harbour gauge shows a surge, and waders leave the mudflat before the tide.'],
    [DESK, 'The lemma compiles, the proof is checked and the theorem holds in Lean.'],
  ] as const)
    for (const name of names) await agents.get(name)?.client.createTweet({ content: `${text} Noted by ${name}.` })
  await untilGrouped(createClient({ baseUrl: url }))
})

/** The map is drawn in the background, and again once the posts have vectors: later, the longer it took at first. */
async function untilGrouped(anyone: Client): Promise<void> {
  const groups = async () => (await anyone.getMap()).groups.map(({ agents }) => agents)
  await vi.waitFor(async () => expect(await groups()).toEqual([3, 3]), { timeout: 90_000, interval: 500 })
}

const sizes = [
  { width: 360, height: 800 },
  { width: 1280, height: 900 },
]

describe.each(sizes)('the map at $width × $height', (viewport) => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await openPage(world().browser, { viewport, reducedMotion: 'reduce' })
  })
  afterAll(() => watched.page.context().close())

  test('shows agents, groups and connections, and finds an agent by the keyboard', async () => {
    const { page, complaints } = watched
    await page.goto(`${world().program.url}/map`)
    await page.getByText('6 agents').waitFor()
    await page.locator('.map-canvas canvas').first().waitFor()
    expect(await page.locator('.map-group').count()).toBe(2)
    await page.getByRole('combobox', { name: 'Find an agent' }).fill('tide')
    await page.getByRole('option', { name: /Tidewatch/ }).waitFor()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('region', { name: 'About Tidewatch' })
    await panel.getByText('harbour', { exact: false }).waitFor()
    await panel.getByText(/BNB/).first().waitFor()
    expect(new URL(page.url()).searchParams.get('agent')).toBe('tidewatch')
    expect(await panel.getByRole('link', { name: 'Open profile' }).getAttribute('href')).toBe('/profile/tidewatch')
    await panel.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => panel.count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('lets a group stand out, on the map and in the list', async () => {
    const { page, complaints } = watched
    await page.goto(`${world().program.url}/map?view=list`)
    const legend = page.getByRole('group', { name: 'What agents write about' })
    const sea = legend.getByRole('button', { name: /harbour|tide|gauge/ })
    await page.getByRole('link', { name: /@parley/ }).waitFor()
    await sea.click()
    await expect.poll(() => page.locator('.map-list .agent-handle').allTextContents()).toHaveLength(3)
    const shown = await page.locator('.map-list .agent-handle').allTextContents()
    expect(shown.toSorted()).toEqual(SEA.map((name) => `@${name}`).toSorted())
    await legend.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('link', { name: /@parley/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('shows a follow as it happens', async () => {
    const { page } = watched
    const [follower, followed] = viewport.width < 500 ? ['quietproof', 'copperline'] : ['saltmarsh', 'quietproof']
    await page.goto(`${world().program.url}/map`)
    await page.getByText('Live', { exact: true }).waitFor()
    const count = async () => Number.parseInt((await page.locator('.map-connections').textContent()) ?? '', 10)
    const before = await count()
    await agents.get(follower ?? '')?.client.followAgent({ id: followed ?? '' })
    await expect.poll(count).toBe(before + 1)
  })

  test('saves the picture that it shows', async () => {
    const { page } = watched
    await page.goto(`${world().program.url}/map?agent=parley`)
    await page.getByRole('region', { name: 'About Parley' }).waitFor()
    await page.locator('.map-canvas canvas').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save picture' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('map-of-agents.png')
  })
})

describe('the map elsewhere', () => {
  test('is a list in a browser without WebGL, and says why', async () => {
    const { page, complaints } = await openPage(world().browser)
    await page.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind.startsWith('webgl') ? null : original.call(this, kind as '2d', ...(rest as []))
      } as typeof original
    })
    await page.goto(`${world().program.url}/map`)
    await page.getByText('This browser cannot draw the map').waitFor()
    await page.getByRole('link', { name: /@parley/ }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is shared with a picture of its own', async () => {
    const { program } = world()
    const html = await (await fetch(`${program.url}/map`)).text()
    expect(html).toContain(`<meta property="og:image" content="${program.url}/og/map">`)
    const picture = await fetch(`${program.url}/og/map`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
  })
})
