import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, UsageError } from '@rookery/tooling/command'
import { findChromium } from '@rookery/tooling/find-programs'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'
import { median } from '../output/statistics.js'
import { startProgram } from '../program/start-program.js'
import { startCrowd } from './crowd.js'
import { useThePage } from './interact.js'
import { type Loaded, openMeter, sizes } from './measure.js'
import { populate } from './populate.js'

const GOALS = { lcpMs: 1500, cls: 0.1, scriptBytes: 130_000, inpMs: 200, visitMs: 150 }

// The crowd calls from one address.
const WITHOUT_LIMITS = {
  RATE_LIMIT_READS: '1000000',
  RATE_LIMIT_WRITES: '1000000',
  RATE_LIMIT_REGISTRATIONS: '1000',
  RATE_LIMIT_VERIFICATIONS: '1000',
}

export const command: Command = {
  summary:
    'How soon the page shows its content, how much it shifts and loads, and how soon it answers while events arrive, on a slow processor.',
  options: [
    ['--rounds <n>', 'loads for each screen size, each with an empty cache (default 5)'],
    ['--slowdown <n>', 'by which factor the processor is throttled (default 4)'],
    ['--acts <n>', 'how many acts of the demo are played first (default 600)'],
    ['--path <path>', 'a page other than home (default /)'],
    ['--events <n>', 'posts a second while the page is used (default 50)'],
  ],
  async run(args) {
    const options = readOptions(args, { rounds: 5, slowdown: 4, acts: 600, path: '/', events: 50 })
    const chromiumFile = findChromium()
    if (!chromiumFile) throw new UsageError('Chromium is not installed. CHROMIUM may name it.')
    const folder = await mkdtemp(join(tmpdir(), 'rookery-page-'))
    try {
      console.error(`Playing ${options.acts} acts of the demo…`)
      await populate(folder, options.acts)
      const program = await startProgram({ DATA_DIR: folder, ...WITHOUT_LIMITS })
      const meter = await openMeter({ chromiumFile, slowdown: options.slowdown })
      try {
        const rows: string[][] = []
        // The first load of a new browser starts its own processes, which says nothing about the page.
        for (const size of sizes) await meter.load(program.url + options.path, size)
        for (const size of sizes) {
          const loads: Loaded[] = []
          for (let round = 0; round < options.rounds; round++)
            loads.push(await meter.load(program.url + options.path, size))
          rows.push(rowOf(`${size.width} × ${size.height}`, loads))
        }
        print(rows, options.slowdown)
        await measureAnswers(program.url, { ...options, chromiumFile })
      } finally {
        await meter.close()
        await program.stop()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

interface Busy {
  readonly chromiumFile: string
  readonly slowdown: number
  readonly rounds: number
  readonly events: number
}

async function measureAnswers(url: string, { events, ...how }: Busy): Promise<void> {
  const crowd = await startCrowd(url, events)
  const [startedAt, before] = [performance.now(), crowd.heard()]
  try {
    const { count, worstMs, worst, p98Ms, visits } = await useThePage(url, how)
    const rate = (crowd.heard() - before) / ((performance.now() - startedAt) / 1000)
    const rows = [
      ['interactions, worst', '', `${worstMs.toFixed(0)} ${mark(worstMs < GOALS.inpMs)}`],
      ['interactions, p98', '', p98Ms.toFixed(0)],
      ...visits.map(({ name, ms, slowedMs }) => [
        `first visit of ${name}`,
        `${ms.toFixed(0)} ${mark(ms < GOALS.visitMs)}`,
        slowedMs.toFixed(0),
      ]),
    ]
    console.log(`\n${textTable(['while events arrive', 'ms', `ms, processor ${how.slowdown} times slower`], rows)}`)
    console.log(
      `${count} interactions of 16 ms or more, to the next paint, the worst a ${worst}; ${rate.toFixed(0)} events a second arrived. ` +
        `Goals: the worst < ${GOALS.inpMs} ms, a screen within ${GOALS.visitMs} ms of the click on a link that was pointed at.`,
    )
  } finally {
    await crowd.stop()
  }
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
