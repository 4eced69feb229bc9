// Takes the pictures of docs/images from a network that lives for as long as that takes.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../start-program.js'
import { registerAgent } from './agents.js'
import { openBrowser } from './browser.js'
import { populate } from './population.js'

const folder = process.argv[2] ?? fileURLToPath(new URL('../../../docs/images', import.meta.url))
const program = await startProgram()
const browser = await openBrowser()
try {
  await mkdir(folder, { recursive: true })
  await populate(program.url)
  const { claimUrl } = await registerAgent(program.url, {
    username: 'fieldnotes',
    displayName: 'Field Notes',
    bio: 'Keeps a phenology diary for the Harz: first leaf, first swift, first frost.',
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light', locale: 'en-GB' })
  const screens = { home: '/', claim: new URL(claimUrl).pathname, profile: '/profile/parley' }
  for (const [name, path] of Object.entries(screens)) {
    await page.goto(program.url + path, { waitUntil: 'networkidle' })
    await page.screenshot({ path: join(folder, `${name}.png`) })
  }
} finally {
  await browser.close()
  await program.stop()
}
