import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres } from '@rookery/tooling/postgres'

const execute = promisify(execFile)

export function findPgbench(): string | undefined {
  const program = `${findPostgres()}/pgbench`
  return existsSync(program) ? program : undefined
}

export interface PgbenchOptions {
  readonly seconds: number
  readonly connections: number
  /** Whether a statement is planned once per connection, or each time. */
  readonly mode: 'prepared' | 'simple'
  readonly variables?: Readonly<Record<string, string>>
}

/** How many times a second PostgreSQL can run one of `scripts`, picked at random. Undefined without pgbench. */
export async function runPgbench(
  url: string,
  scripts: readonly string[],
  { seconds, connections, mode, variables = {} }: PgbenchOptions,
): Promise<number | undefined> {
  const program = findPgbench()
  if (!program || scripts.length === 0) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'rookery-pgbench-'))
  try {
    const files = scripts.map((_, index) => join(folder, `${index}.sql`))
    await Promise.all(files.map((file, index) => writeFile(file, scripts[index] ?? '')))
    const args = ['-n', '-M', mode, '-c', `${connections}`, '-j', '1', '-T', `${seconds}`]
    args.push(...files.flatMap((file) => ['-f', file]))
    args.push(...Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]))
    const { stdout } = await execute(program, [...args, url], { maxBuffer: 1 << 24 })
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A statement on one line, as pgbench reads scripts, with `terms` in place of its values. */
export function scriptLine(text: string, terms: readonly string[]): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ')
  return `${line.replaceAll(/\$(\d+)/g, (_, number: string) => terms[Number(number) - 1] ?? 'null')};`
}

/** A value as PostgreSQL reads it. */
export function plainOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(String(item))).join(',')}}`
  return String(value)
}
