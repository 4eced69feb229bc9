import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, UsageError } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { createProgressBar } from '@rookery/tooling/progress-bar'
import { textTable } from '@rookery/tooling/table'
import { requireBuilt } from '../program/start-program.js'
import { type AttackResult, attack } from './run.js'
import { startTarget } from './target.js'

export const command: Command = {
  summary: 'Sends valid, nearly valid, mistaken and hostile requests to every endpoint, and checks every answer.',
  options: [
    ['--requests <n>', 'how many (default 100,000)'],
    ['--seed <n>', 'other requests (default 1)'],
    ['--lanes <n>', 'how many at a time (default 8)'],
    ['--url <address>', 'a service that runs already, without limits (default: one started on an empty folder)'],
    ['--within <seconds>', 'after which a request hangs (default 30)'],
    ['--statuses', 'prints how often each endpoint answered with each status'],
  ],
  async run(args) {
    const defaults = { requests: 100_000, seed: 1, lanes: 8, url: '', within: 30, statuses: false }
    const { url, within, statuses, ...options } = readOptions(args, defaults)
    if (options.lanes < 1) throw new UsageError('--lanes must be 1 at least')
    if (url === '') requireBuilt()
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    const target = await startTarget(url)
    const bar = createProgressBar()
    void target.ended.then(() => stop.abort())
    try {
      const result = await attack({
        ...options,
        url: target.url,
        withinMs: within * 1000,
        signal: stop.signal,
        onProgress: (done) => bar.update('requests', done, options.requests),
      })
      bar.finish('requests', `${result.sent.toLocaleString('en')} sent${stop.signal.aborted ? ', then stopped' : ''}`)
      print(result, options.seed, statuses)
      const inside = await target.inspect()
      for (const line of inside) console.log(line)
      if (result.findings.length + inside.length > 0) process.exitCode = 1
    } finally {
      await target.stop()
    }
  },
}

function print({ sent, kinds, statuses, findings }: AttackResult, seed: number, isLong: boolean): void {
  const sums = new Map<string, number>()
  for (const byStatus of statuses.values())
    for (const [status, times] of byStatus) sums.set(status, (sums.get(status) ?? 0) + times)
  const sorted = (map: ReadonlyMap<string, number>) => [...map].sort(([a], [b]) => a.localeCompare(b))
  console.log(`\n${textTable(['status', 'answers'], sorted(sums))}`)
  console.log(`\n${textTable(['kind', 'requests'], sorted(kinds))}`)
  const rows = [...statuses].map(([name, map]) => [
    name,
    sorted(map)
      .map((pair) => pair.join(' × '))
      .join(', '),
  ])
  if (isLong) console.log(`\n${textTable(['endpoint', 'statuses'], rows)}`)
  for (const { endpoint, wrong, number, command, answer, times } of findings) {
    const shown = command.length > LONGEST_COMMAND ? keepCommand(`${seed}-${number}`, command) : command
    console.log(`\n${endpoint}: ${wrong} (${times} times; seed ${seed}, request ${number})\n  ${shown}\n  ${answer}`)
  }
  const what = `${sent.toLocaleString('en')} requests to ${statuses.size} endpoints with the seed ${seed}`
  console.log(
    findings.length === 0
      ? `\n${what}: no failure, no hang, nothing told about the inside, and every answer as documented.`
      : `\n${what}: ${findings.length} kinds of answers are WRONG.`,
  )
}

const LONGEST_COMMAND = 2_000

/** Writes a command that is too long for a terminal to a file; returns the command that runs it. */
function keepCommand(name: string, command: string): string {
  const file = join(tmpdir(), `rookery-attack-${name}.sh`)
  writeFileSync(file, `${command}\n`)
  return `bash ${file}`
}
