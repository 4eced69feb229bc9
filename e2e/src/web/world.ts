import { findChromium } from '@rookery/tooling/find-programs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe as describeAnywhere } from 'vitest'
import { type Program, startProgram } from '../start-program.js'
import { openBrowser } from './browser.js'

/** Like the runner’s own, but skipped without a browser. */
export const describe: typeof describeAnywhere.skip = describeAnywhere.skipIf(!findChromium())

/** The program and a browser for all tests of a file. */
export interface World {
  readonly program: Program
  readonly browser: Browser
}

// One for all files that a process tests, because opening it takes as long as a test does. It ends with the process.
let shared: Browser | undefined

async function openShared(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await openBrowser()
  return shared
}

/** Starts the program before the tests of a file and stops it afterwards. `prepare` fills the network first. */
export function useWorld(
  prepare?: (url: string) => Promise<unknown>,
  env: Readonly<Record<string, string>> = {},
): () => World {
  let world: World | undefined
  beforeAll(async () => {
    const [program, browser] = await Promise.all([startProgram({ env }), openShared()])
    world = { program, browser }
    await prepare?.(program.url)
  })
  afterAll(async () => {
    // A test that failed left its pages open.
    await Promise.all(world?.browser.contexts().map((context) => context.close()) ?? [])
    await world?.program.stop()
  })
  return () => {
    if (!world) throw new Error('the world starts before the first test')
    return world
  }
}
