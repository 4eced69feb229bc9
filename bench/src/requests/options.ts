import { UsageError } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { type Workload, workloads } from './workloads.js'

const AGENTS = 1_000

const defaults = {
  only: '',
  seconds: 2,
  rounds: 3,
  connections: '1,16,64',
  tweets: 12_000,
  wait: 600,
  embedded: false,
  against: '',
  growth: 0,
  processes: 0,
  beside: false,
  profile: false,
  unlimited: false,
  'random-vectors': false,
  markdown: false,
  json: '',
  chart: '',
}

export const optionLines = [
  ['--only <texts>', 'only requests whose name contains one of these, separated by commas'],
  ['--seconds <n>', 'how long each is measured (default 2)'],
  ['--rounds <n>', 'how often; the median counts (default 3)'],
  ['--connections <list>', 'how many at a time, one request on each (default 1,16,64)'],
  ['--tweets <n>', 'size of the data set (default 12,000)'],
  ['--embedded', 'the embedded database instead of PostgreSQL'],
  ['--against <folder>', 'alternate with another checkout, already built'],
  ['--growth <n>', 'alternate with the same program on n tweets, and agents in proportion'],
  ['--processes <n>', 'alternate with the same program in this many web processes (WEB_PROCESSES)'],
  ['--beside', 'also a bare HTTP server, and pgbench with the same statements'],
  ['--profile', 'instead, report where the program spends its time'],
  ['--unlimited', 'without a log of requests, limits and the check of repeated texts'],
  ['--random-vectors', 'random vectors, even where requests need those of real texts'],
  ['--wait <seconds>', 'the longest wait for background work to end (default 600)'],
  ['--markdown', 'print the table for a Markdown page'],
  ['--json <file>', 'write all figures'],
  ['--chart <file>', 'write a chart as SVG'],
] as const

export function readRequestOptions(args: readonly string[]) {
  const { only, connections, tweets, ...options } = readOptions(args, defaults)
  const others = [options.beside, options.against !== '', options.growth > 0, options.processes > 0]
  if (others.filter(Boolean).length > 1)
    throw new UsageError('Use --beside, --against, --growth or --processes, not several of them.')
  if (options.processes > 0 && options.embedded) throw new UsageError('Several processes need PostgreSQL.')
  if (options.seconds < 1 || options.rounds < 1) throw new UsageError('--seconds and --rounds must be at least 1')
  return {
    ...options,
    chosen: choose(only),
    connections: readConnections(connections),
    // No more likes than a small number of tweets can have.
    sizes: { agents: AGENTS, tweets, follows: 20_000, likes: Math.min(30_000, Math.floor(tweets * 2.5)), seed: 1 },
  }
}

/** Scales the sizes of a data set in proportion. */
export function grow<Sizes extends { agents: number; tweets: number; follows: number; likes: number }>(
  sizes: Sizes,
  tweets: number,
): Sizes {
  const times = (count: number) => Math.round((count * tweets) / sizes.tweets)
  return { ...sizes, agents: times(sizes.agents), tweets, follows: times(sizes.follows), likes: times(sizes.likes) }
}

export type RequestOptions = ReturnType<typeof readRequestOptions>

function choose(only: string): Workload[] {
  const parts = only.split(',').map((part) => part.trim())
  const chosen = workloads.filter(({ name }) => parts.some((part) => name.includes(part)))
  if (chosen.length === 0)
    throw new UsageError(`No request is called ${only}; there are: ${workloads.map(({ name }) => name).join('; ')}`)
  return chosen
}

function readConnections(text: string): number[] {
  const counts = text.split(',').map((part) => Number(part))
  if (counts.some((count) => !Number.isSafeInteger(count) || count < 1 || count > 1_000))
    throw new UsageError('--connections must be whole numbers from 1 to 1000, separated by commas')
  return [...new Set(counts)]
}
