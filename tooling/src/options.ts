import { parseArgs } from 'node:util'
import { UsageError } from './command.js'

/** An option with its default: a number, a text, or a flag. */
export type Defaults = Readonly<Record<string, number | string | boolean>>

type Values<D extends Defaults> = {
  readonly [Name in keyof D]: D[Name] extends number ? number : D[Name] extends boolean ? boolean : string
}

/** Reads `--name value`, `--name=value` and flags. Refuses options that are not in `defaults`. */
export function readOptions<D extends Defaults>(args: readonly string[], defaults: D): Values<D> {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      { type: typeof value === 'boolean' ? ('boolean' as const) : ('string' as const) },
    ]),
  )
  const given = parse(args, options)
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, readValue(name, value, given[name])]),
  ) as Values<D>
}

function parse(args: readonly string[], options: Record<string, { type: 'boolean' | 'string' }>) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function readValue(name: string, fallback: number | string | boolean, given: string | boolean | undefined) {
  if (given === undefined) return fallback
  if (typeof fallback !== 'number') return given
  const value = Number(String(given).replaceAll(/[_,]/g, ''))
  if (!Number.isSafeInteger(value) || value < 0) throw new UsageError(`--${name} must be a whole number`)
  return value
}
