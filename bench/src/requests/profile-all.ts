import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textTable } from '@rookery/tooling/table'
import { startGenerator } from '../load/start-generator.js'
import { Meter } from './measure.js'
import type { RequestOptions } from './options.js'
import { type Cost, readProfiles } from './profile.js'
import type { Ground } from './target.js'
import type { Workload } from './workloads.js'

// The profiler itself is never idle.
const MOST_IDLE_PERCENT = 40

/** Prints where each program spends its time, workload by workload. */
export async function profileAll(
  grounds: readonly Ground[],
  options: RequestOptions,
  log: (line: string) => void,
): Promise<void> {
  for (const workload of options.chosen) for (const ground of grounds) await profileOne(ground, workload, options, log)
}

async function profileOne(
  ground: Ground,
  workload: Workload,
  { seconds, connections, wait: waitSeconds }: RequestOptions,
  log: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-profile-'))
  const generator = startGenerator()
  try {
    const target = await ground.start(['--cpu-prof', `--cpu-prof-dir=${folder}`])
    const most = Math.max(...connections)
    const meter = new Meter(generator, [target], {
      seconds,
      rounds: 1,
      connections: [most],
      waitSeconds,
      mostIdlePercent: MOST_IDLE_PERCENT,
      log,
    })
    const [measured] = await meter.measure(workload)
    const endedAt = performance.now()
    await target.stop()
    const stoppedFor = (performance.now() - endedAt) / 1000
    const rate = measured?.runs[target.name]?.[0]?.perSecond ?? 0
    console.log(`\n${workload.name}, ${target.name}: ${rate.toFixed(0)} a second under the profiler`)
    for (const { thread, functions, packages } of await readProfiles(folder, seconds, stoppedFor)) {
      const shown = (costs: readonly Cost[], most: number) =>
        costs.slice(0, most).map(({ what, part }) => [what, `${(part * 100).toFixed(1)}%`])
      console.log(`\n${textTable([`package (thread ${thread})`, 'time'], shown(packages, 12))}`)
      console.log(`\n${textTable([`function (thread ${thread})`, 'time'], shown(functions, 25))}`)
    }
  } finally {
    await generator.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
