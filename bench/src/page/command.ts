import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, UsageError } from '@rookery/tooling/command'
import { findChromium } from '@rookery/tooling/find-programs'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'
import { median } from '../output/statistics.js'
import { startProgram } from '../program/start-program.js'
import { type Loaded, openMeter, sizes } from './measure.js'
import { populate } from './populate.js'

const GOALS = { lcpMs: 1500, cls: 0.1, scriptBytes: 200_000 }

export const command: Command = {
  summary:
    'How soon the home page shows its content, how much it shifts and how much JavaScript it loads, on a slow processor.',
  options: [
    ['--rounds <n>', 'loads for each screen size, each with an empty cache (default 5)'],
    ['--slowdown <n>', 'by which factor the processor is throttled (default 4)'],
    ['--acts <n>', 'how many acts of the demo are played first (default 600)'],
    ['--path <path>', 'a page other than home (default /)'],
  ],
  async run(args) {
    const options = readOptions(args, { rounds: 5, slowdown: 4, acts: 600, path: '/' })
    const chromiumFile = findChromium()
    if (!chromiumFile) throw new UsageError('Chromium is not installed. CHROMIUM may name it.')
    const folder = await mkdtemp(join(tmpdir(), 'rookery-page-'))
    try {
      console.error(`Playing ${options.acts} acts of the demo…`)
      await populate(folder, options.acts)
      const program = await startProgram({ DATA_DIR: folder })
      const meter = await openMeter({ chromiumFile, slowdown: options.slowdown })
      try {
        const rows: string[][] = []
        for (const size of sizes) {
          const loads: Loaded[] = []
          for (let round = 0; round < options.rounds; round++)
            loads.push(await meter.load(program.url + options.path, size))
          rows.push(rowOf(`${size.width} × ${size.height}`, loads))
        }
        print(rows, options.slowdown)
      } finally {
        await meter.close()
        await program.stop()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

function rowOf(size: string, loads: readonly Loaded[]): string[] {
  const middle = (read: (load: Loaded) => number) => median(loads.map(read))
  const [lcp, fcp, cls, bytes] = [
    middle(({ lcpMs }) => lcpMs),
    middle(({ fcpMs }) => fcpMs),
    middle(({ cls }) => cls),
    middle(({ scriptBytes }) => scriptBytes),
  ]
  return [
    size,
    fcp.toFixed(0),
    `${lcp.toFixed(0)} ${mark(lcp < GOALS.lcpMs)}`,
    `${cls.toFixed(3)} ${mark(cls < GOALS.cls)}`,
    `${(bytes / 1000).toFixed(0)} ${mark(bytes < GOALS.scriptBytes)}`,
    loads[0]?.lcpElement ?? '',
  ]
}

function mark(isReached: boolean): string {
  return isReached ? 'ok' : 'MISSED'
}

function print(rows: readonly string[][], slowdown: number): void {
  console.log(`\n${textTable(['screen', 'FCP ms', 'LCP ms', 'CLS', 'JS kB', 'largest'], rows)}`)
  console.log(
    `Medians; processor ${slowdown} times slower, cache empty. ` +
      `Goals: LCP < ${GOALS.lcpMs} ms, CLS < ${GOALS.cls}, compressed JavaScript < ${GOALS.scriptBytes / 1000} kB.`,
  )
}
