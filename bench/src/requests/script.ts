import type { Statement } from '../plans/record.js'
import { plainOf, scriptLine } from '../postgres/pgbench.js'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * The statements of one request for pgbench. Ids in `known` stay as they are; every other id was made for the occasion,
 * so each run makes its own.
 */
export function scriptOf(statements: readonly Statement[], known: ReadonlySet<string>) {
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
    return scriptLine(text, terms)
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
