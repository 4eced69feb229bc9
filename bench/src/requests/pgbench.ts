import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres } from '../../../scripts/postgres.mjs'
import type { Statement } from '../plans/record.js'

const execute = promisify(execFile)
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function findPgbench(): string | undefined {
  const program = `${findPostgres()}/pgbench`
  return existsSync(program) ? program : undefined
}

/**
 * How many times a second PostgreSQL can do the statements of one request, without anybody who makes HTTP of it. Ids in
 * `known` stay as they are; every other id was made for the occasion, so each run makes its own.
 */
export async function runPgbench(
  url: string,
  statements: readonly Statement[],
  { known, seconds, connections }: { known: ReadonlySet<string>; seconds: number; connections: number },
): Promise<number | undefined> {
  const program = findPgbench()
  if (!program || statements.length === 0) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'rookery-pgbench-'))
  try {
    const { script, variables } = scriptOf(statements, known)
    const file = join(folder, 'script.sql')
    await writeFile(file, script)
    const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
    const args = ['-n', '-M', 'prepared', '-c', `${connections}`, '-j', '1', '-T', `${seconds}`, '-f', file, ...defined]
    const { stdout } = await execute(program, [...args, url], { maxBuffer: 1 << 24 })
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function scriptOf(statements: readonly Statement[], known: ReadonlySet<string>) {
  const variables: Record<string, string> = {}
  const fresh = new Map<string, string>()
  const lines = statements.map(({ text, values }, index) => {
    const terms = values.map((value, place) => {
      if (value === null) return 'null'
      const plain = plainOf(value)
      if (UUID.test(plain) && !known.has(plain)) return `:${freshName(plain)}`
      const name = `v${index}_${place}`
      variables[name] = plain
      return `:${name}`
    })
    // Scripts are read line by line.
    const line = text.replaceAll(/\s*\n\s*/g, ' ')
    return `${line.replaceAll(/\$(\d+)/g, (_, number: string) => terms[Number(number) - 1] ?? 'null')};`
  })
  // A payload in JSON would name the old id; as a text it is stored all the same.
  const made = [...fresh.values()].map((name) => `gen_random_uuid() as ${name}`)
  const head = made.length === 0 ? [] : [`select ${made.join(', ')} \\gset`]
  const isWrite = made.length > 0
  return { script: [...head, ...(isWrite ? ['begin;', ...lines, 'commit;'] : lines)].join('\n'), variables }

  function freshName(id: string): string {
    const name = fresh.get(id) ?? `id${fresh.size}`
    fresh.set(id, name)
    return name
  }
}

function plainOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(String(item))).join(',')}}`
  return String(value)
}
