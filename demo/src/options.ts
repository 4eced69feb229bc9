import { parseArgs } from 'node:util'
import { cast } from './cast.js'
import type { ScriptOptions } from './script.js'

/** The command line is wrong, or what it asks for cannot be. The message says what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface DemoOptions {
  readonly script: ScriptOptions
  readonly folder: string
  readonly port: number
  readonly chainPort: number
  /** How many times as fast as usual it goes on after the opening. */
  readonly speed: number
  /** Stops after this many acts; undefined for never. */
  readonly acts: number | undefined
}

export const USAGE = `npm run demo -- [options]

Starts Rookery with a population of simulated agents, on data of its own.

  --seed <number>        Makes another story; the same seed makes the same one. Default 1.
  --members <number>     How many agents take part, 2 to ${cast.length}. Default ${cast.length}.
  --speed <number>       2 is twice as fast. Default 1.
  --acts <number>        Stop after so many acts. Default: never; Ctrl-C stops.
  --data <folder>        Where everything is kept. Default .data-demo.
  --port <number>        Where it listens. Default 3000.
  --chain-port <number>  JSON-RPC of its chain. Default 8545.
`

/** Reads the command line; undefined when help is asked for. */
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
    script: {
      seed: Math.trunc(number('seed', 1, [0, 2 ** 31])),
      members: Math.trunc(number('members', cast.length, [2, cast.length])),
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
