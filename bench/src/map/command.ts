import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { NetworkMap } from '@rookery/api'
import { makeMap } from '@rookery/server/map'
import { type Command, UsageError } from '@rookery/tooling/command'
import { findChromium } from '@rookery/tooling/find-programs'
import { readOptions } from '@rookery/tooling/options'
import { startProgram } from '../program/start-program.js'
import { measureFrames } from './frames.js'
import { createNetwork } from './synthetic.js'

export const command: Command = {
  summary: 'How long the map of a large network takes to draw, how large it is, and how smoothly a browser moves it.',
  options: [
    ['--agents <n>', 'how many agents (default 10000)'],
    ['--connections <n>', 'how many connections (default 50000)'],
  ],
  async run(args) {
    const options = readOptions(args, { agents: 10_000, connections: 50_000 })
    const chromiumFile = findChromium()
    if (!chromiumFile) throw new UsageError('Chromium is not installed. CHROMIUM may name it.')
    const network = createNetwork(options.agents, options.connections)
    const first = timed(() => makeMap(network))
    console.log(`First drawing: ${first.seconds} s, ${first.value.groups.length} groups.`)
    const second = timed(() => makeMap(network, first.value))
    console.log(`Drawn again from the last map: ${second.seconds} s.`)
    const { ids: _, scale: __, ...columns } = second.value
    const map: NetworkMap = { builtAt: new Date(0).toISOString(), ...columns }
    const json = JSON.stringify(map)
    const bytes = brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length
    console.log(`Answer: ${(json.length / 1000).toFixed(0)} kB, ${(bytes / 1000).toFixed(0)} kB compressed.`)
    const folder = await mkdtemp(join(tmpdir(), 'rookery-map-'))
    const program = await startProgram({ DATA_DIR: folder })
    try {
      const frames = await measureFrames(chromiumFile, `${program.url}/map`, json)
      console.log(
        `In the browser: shown after ${frames.shownMs} ms; while it moves, ${frames.medianMs} ms a frame (median), ${frames.slowMs} ms (95 of 100); ${frames.scriptMs} ms of a frame are the page’s own work, the rest is drawing.`,
      )
    } finally {
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function timed<T>(work: () => T): { value: T; seconds: string } {
  const startedAt = performance.now()
  const value = work()
  return { value, seconds: ((performance.now() - startedAt) / 1000).toFixed(1) }
}
