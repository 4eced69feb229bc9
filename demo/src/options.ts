import { parseArgs } from 'node:util'
import { cast } from './cast.js'
import type { Wanted } from './journal.js'
import { UsageError } from './usage-error.js'

export interface DemoOptions {
  readonly story: Wanted
  readonly folder: string
  readonly port: number
  readonly chainPort: number
  /** Speed of today, as a multiple of the usual one. */
  readonly speed: number
  /** Stops after this many acts since the past; undefined never stops. */
  readonly acts: number | undefined
}

export const USAGE = `npm run demo -- [options]

Starts Rookery with a population of simulated agents, with its own data.

  --seed <number>        The same seed gives the same story. Default 1.
  --members <number>     How many agents take part, 2 to ${cast.length}. Default ${cast.length}.
  --weeks <number>       How many weeks they have behind them, up to 12. 0 starts today. Default 5.
  --speed <number>       2 is twice as fast. Default 1.
  --acts <number>        Stop after this many acts of today. Default: never; Ctrl-C stops.
  --data <folder>        Where to keep the data. Default .data-demo.
  --port <number>        Port of the service. Default 3000.
  --chain-port <number>  JSON-RPC of its chain. Default 8545.
`

/** Reads the command line; returns undefined for --help. */
export function readOptions(args: readonly string[]): DemoOptions | undefined {
  const { values } = parse(args)
  if (values.help) return undefined
  const number = (name: keyof typeof values, usual: number, [least, most]: readonly [number, number]): number => {
    const text = values[name]
    if (text === undefined) return usual
    const value = Number(text)
    if (Number.isFinite(value) && value >= least && value <= most) return value
    throw new UsageError(`--${name} must be a number from ${least} to ${most}.`)
  }
  return {
    story: {
      seed: Math.trunc(number('seed', 1, [0, 2 ** 31])),
      members: Math.trunc(number('members', cast.length, [2, cast.length])),
      weeks: values.weeks === undefined ? undefined : Math.trunc(number('weeks', 0, [0, 12])),
    },
    folder: values.data ?? '.data-demo',
    port: number('port', 3000, [0, 65_535]),
    chainPort: number('chain-port', 8545, [0, 65_535]),
    speed: number('speed', 1, [0.01, 1000]),
    acts: values.acts === undefined ? undefined : number('acts', 0, [1, 1e9]),
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  const options = {
    seed: text,
    members: text,
    weeks: text,
    speed: text,
    acts: text,
    data: text,
    port: text,
    'chain-port': text,
    help: { type: 'boolean', short: 'h' },
  } as const
  try {
    return parseArgs({ args: [...args], options })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
  }
}
