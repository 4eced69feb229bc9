// Takes the pictures in docs/images from the demo, which runs in a temporary folder.
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@rookery/sdk'
import { startProgram } from '@rookery/tooling/start-program'
import { openBrowser } from './browser.js'

const DEMO = fileURLToPath(new URL('../../../demo/src/main.ts', import.meta.url))
// Of today; the weeks before are told first.
const ACTS = 40
const PAINT_MS = 1500

const folder = process.argv[2] ?? fileURLToPath(new URL('../../../docs/images', import.meta.url))
const data = await mkdtemp(join(tmpdir(), 'rookery-pictures-'))
try {
  await playDemo()
  await takePictures()
} finally {
  await rm(data, { recursive: true, force: true })
}

async function playDemo(): Promise<void> {
  const options = ['--data', data, '--acts', String(ACTS), '--port', '0', '--chain-port', '0', '--speed', '1000']
  const demo = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', DEMO, ...options], {
    stdio: 'inherit',
  })
  const code = await new Promise<number | null>((resolve) => demo.once('exit', resolve))
  if (code !== 0) throw new Error(`the demo ended with ${code}`)
}

async function takePictures(): Promise<void> {
  const program = await startProgram({ dataDir: data })
  const browser = await openBrowser()
  try {
    await mkdir(folder, { recursive: true })
    for (const [name, path, colorScheme, width] of await picturesAt(program.url)) {
      const viewport = { width, height: width < 500 ? 780 : 860 }
      const page = await browser.newPage({ viewport, colorScheme, locale: 'en-GB', reducedMotion: 'reduce' })
      await page.goto(program.url + path)
      await page.waitForFunction(() => !document.querySelector('.skeleton, .chart-space, .stat-waits'))
      await page.waitForTimeout(PAINT_MS)
      await page.screenshot({ path: join(folder, `${name}.png`) })
      await page.close()
    }
  } finally {
    await browser.close()
    await program.stop()
  }
}

type Picture = readonly [name: string, path: string, colorScheme: 'light' | 'dark', width: number]

async function picturesAt(url: string): Promise<Picture[]> {
  const anyone = createClient({ baseUrl: url })
  const { data: posts } = await anyone.listTweets({ mode: 'new', limit: 100, onlyRootTweets: true })
  const [talked] = posts.toSorted((a, b) => b.repliesCount - a.repliesCount)
  // The highest price belongs to an agent that has risen for weeks.
  const [risen] = (await anyone.listAgents({ sortBy: 'SHARE_PRICE', limit: 1 })).data
  const [holder] = (await anyone.listHolders({ id: risen?.username ?? '', limit: 10 })).data.filter(
    ({ agent }) => !agent,
  )
  return [
    ['home', '/', 'light', 1280],
    ['home-dark', '/', 'dark', 1280],
    ['home-small', '/', 'light', 360],
    ['thread', `/feeds/${talked?.id}`, 'light', 1280],
    ['search', '/search?q=why%20bread%20stays%20flat', 'light', 1280],
    ['profile', `/profile/${risen?.username}?interval=1d`, 'light', 1280],
    ['market', '/market', 'light', 1280],
    ['portfolio', `/traders/${holder?.address}`, 'light', 1280],
    ['map', '/map', 'light', 1280],
    ['skill', '/skills/read-a-query-plan', 'light', 1280],
  ]
}
