import type { TSchema } from 'typebox'
import { NO_ID } from '../base/no-id.js'

/** The parts of a schema that tell whether a caller names something by a member. */
interface MemberSchema {
  readonly format?: string
  readonly items?: MemberSchema
  readonly properties?: Readonly<Record<string, MemberSchema>>
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const FORMATS: ReadonlySet<string | undefined> = new Set(['uuid', 'name', 'address'])

/** The members of an input by which a caller names something: alone or in a list. */
export function namingMembers(schema: TSchema): string[] {
  const { properties = {} } = schema as MemberSchema
  return Object.entries(properties).flatMap(([name, { format, items }]) =>
    FORMATS.has(format) || FORMATS.has(items?.format) ? [name] : [],
  )
}

/** Replaces U+0000, which PostgreSQL cannot compare with: a name that contains it names nothing, and neither does this. */
export function replaceNuls(part: Record<string, unknown>, members: readonly string[]): void {
  for (const name of members) {
    const value = part[name]
    if (Array.isArray(value)) part[name] = value.map(withoutNul)
    else if (value !== undefined) part[name] = withoutNul(value)
  }
}

function withoutNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value
}

/** Turns text that is not a UUID into an id that nothing has, where an id is expected, so that every query takes it. */
export function readIds(schema: TSchema | undefined, value: unknown): unknown {
  const { format, items } = (schema ?? {}) as MemberSchema
  if (format === 'uuid' && typeof value === 'string' && !UUID.test(value)) return NO_ID
  if (items?.format === 'uuid' && Array.isArray(value)) return value.map((item) => readIds(items as TSchema, item))
  return value
}
